//! The packages as their users get them: made, unpacked, and built against each other.
//!
//! `cargo package` could verify by itself, but it unpacks the packages of this workspace once per version and then takes
//! them for immutable: after a change it would verify today's command against yesterday's library.

use crate::metadata::{self, Package, cargo, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes, unpacks and checks all packages that can be published.
///
/// A working tree with changes is what this exists to judge, hence `--allow-dirty`.
pub fn check() -> Result<(), String> {
    let all = metadata::packages(&root().join("Cargo.toml"))?;
    let ours: Vec<Package> =
        all.into_iter().filter(|package| package.ours && package.publishable).collect();
    let mut make = cargo();
    make.args(["package", "--quiet", "--no-verify", "--allow-dirty"]);
    for package in &ours {
        make.args(["--package", &package.name]);
    }
    run(&mut make)?;
    let folder = root().join("target/package");
    let unpacked = folder.join("unpacked");
    if unpacked.exists() {
        std::fs::remove_dir_all(&unpacked).map_err(|error| error.to_string())?;
    }
    std::fs::create_dir_all(&unpacked).map_err(|error| error.to_string())?;
    for package in &ours {
        // With the time of unpacking, by which cargo sees that a file is new.
        let mut unpack = Command::new("tar");
        let archive = folder.join(format!("{}-{}.crate", package.name, package.version));
        run(unpack.args(["-x", "-z", "-m", "-f"]).arg(archive).arg("-C").arg(&unpacked))?;
    }
    for package in &ours {
        println!("{} {}", package.name, package.version);
        let mut build = cargo();
        build.args(["check", "--quiet", "--manifest-path"]);
        build.arg(place(&unpacked, package).join("Cargo.toml"));
        build.arg("--target-dir").arg(folder.join("target"));
        for other in ours.iter().filter(|other| other.name != package.name) {
            let path = place(&unpacked, other);
            build.arg("--config");
            build.arg(format!(
                "patch.crates-io.{}.path={:?}",
                other.name,
                path.display().to_string()
            ));
        }
        run(&mut build)?;
    }
    Ok(())
}

/// Where a package is unpacked.
fn place(unpacked: &Path, package: &Package) -> PathBuf {
    unpacked.join(format!("{}-{}", package.name, package.version))
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?} failed: {status}")),
        Err(error) => Err(format!("{command:?} does not start: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_command_is_named() {
        assert!(run(&mut Command::new("true")).is_ok());
        assert!(run(&mut Command::new("false")).unwrap_err().contains("false"));
        assert!(run(&mut Command::new("impinge-no-such-program")).is_err());
    }
}
