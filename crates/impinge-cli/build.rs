//! Builds the viewer that HTML reports hold, if Node.js is there. Nothing here can fail the build: without the viewer reports have
//! pictures instead, and the command says what to install.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the viewer is built from, within its folder.
const SOURCES: [&str; 5] =
    ["src", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts"];
/// What it is built into.
const SCRIPT: &str = "report.js";
const STYLE: &str = "report.css";

pub(crate) fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=IMPINGE_VIEWER");
    println!("cargo::rustc-check-cfg=cfg(viewer)");
    let (Some(manifest), Some(out)) = (folder("CARGO_MANIFEST_DIR"), folder("OUT_DIR")) else {
        return;
    };
    // A folder with a bundle that was built before, or "none".
    let given = env::var_os("IMPINGE_VIEWER").map(PathBuf::from);
    let viewer = manifest.join("../../viewer");
    let bundle = match given {
        Some(given) if given == Path::new("none") => return,
        Some(given) => Ok(given),
        // Published packages do without.
        None if !viewer.join("package.json").exists() => return,
        None => built(&viewer),
    };
    let bundle = bundle.and_then(|from| copy(&from, &out));
    match bundle {
        Ok(()) => println!("cargo::rustc-cfg=viewer"),
        Err(reason) => {
            println!("cargo::warning=HTML reports will have pictures instead of 3D: {reason}");
            // Whoever builds the bundle by hand is noticed.
            let dist = viewer.join("dist");
            if fs::create_dir_all(&dist).is_ok() {
                println!("cargo::rerun-if-changed={}", dist.display());
            }
        }
    }
}

fn folder(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from)
}

/// The folder of the bundle, which is built where it is missing or older than its sources.
fn built(viewer: &Path) -> Result<PathBuf, String> {
    let mut newest = None;
    for source in SOURCES {
        let path = viewer.join(source);
        println!("cargo::rerun-if-changed={}", path.display());
        newest = newest.max(changed(&path));
    }
    let dist = viewer.join("dist");
    let made = [SCRIPT, STYLE].map(|file| changed(&dist.join(file)));
    if made.iter().all(|time| time.is_some() && *time > newest) {
        return Ok(dist);
    }
    // A list of installed packages that is as new as the lock file needs no network.
    let installed = changed(&viewer.join("node_modules/.package-lock.json"));
    if installed.is_none() || installed < changed(&viewer.join("package-lock.json")) {
        // Not `npm ci`, which refuses a lock file that does not list the binaries of other platforms. The versions are those of the lock file.
        npm(viewer, &["install", "--no-save", "--no-audit", "--no-fund", "--fetch-retries=0"])?;
    }
    npm(viewer, &["run", "build"])?;
    Ok(dist)
}

/// When a file, or anything in a folder, was changed last.
fn changed(path: &Path) -> Option<std::time::SystemTime> {
    let own = fs::metadata(path).ok()?;
    let mut newest = own.modified().ok();
    if own.is_dir() {
        for entry in fs::read_dir(path).ok()?.flatten() {
            newest = newest.max(changed(&entry.path()));
        }
    }
    newest
}

/// Runs npm; its output is shown only if it fails.
fn npm(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let line = format!("npm {}", arguments.join(" "));
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| {
            format!("{program} does not start ({error}); install Node.js 20.19 or newer")
        })?;
    if output.status.success() {
        return Ok(());
    }
    let told = String::from_utf8_lossy(&output.stderr);
    let last = told.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("");
    Err(format!("`{line}` in {} failed: {last}", folder.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    for file in [SCRIPT, STYLE] {
        let path = from.join(file);
        fs::copy(&path, to.join(file)).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}
