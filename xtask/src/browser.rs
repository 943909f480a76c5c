//! The report in a real browser: `viewer/test` opens what `impinge demo` writes, clicks and types.

use crate::metadata::root;
use crate::system::{self, Need, Package};
use crate::test::{FEATURES, call};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the test needs. Node.js must be 20.19 or newer, as Debian 13 has it.
const NEEDS: &[Need] = &[
    Need { probe: &["npm", "--version"], package: Package::Debian("npm") },
    Need { probe: &["/usr/bin/chromium", "--version"], package: Package::Debian("chromium") },
];

/// Builds the command with its viewer and runs the test on its report.
pub fn test(install: bool) -> Result<(), String> {
    system::provide(NEEDS, install)?;
    let viewer = root().join("viewer");
    if !viewer.join("node_modules/playwright-core").exists() {
        // As the command's own build does it, with the versions of the lock file.
        npm(&viewer, &["install", "--no-save"], None)?;
    }
    // Of the whole workspace, as tests are: of the one package it would be compiled again, with other features of what it needs.
    call(&[&["build", "--workspace", "--bin", "impinge"], &FEATURES[..]].concat(), &[])?;
    npm(&viewer, &["test"], Some(&command()))
}

/// The command as cargo builds it for development.
fn command() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    root().join(target.unwrap_or_else(|| "target".into())).join("debug/impinge")
}

/// Runs npm in a folder; tests are told where the command is.
fn npm(folder: &Path, arguments: &[&str], impinge: Option<&Path>) -> Result<(), String> {
    let mut command = Command::new("npm");
    command.args(arguments).current_dir(folder);
    if let Some(impinge) = impinge {
        command.env("IMPINGE", impinge);
    }
    let line = arguments.join(" ");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`npm {line}` in viewer/ failed: {status}")),
        Err(error) => Err(format!("npm does not start: {error}")),
    }
}
