//! The report in a real browser: `viewer/test` opens what `impinge demo` writes, clicks and types.

use crate::metadata::root;
use crate::system;
use crate::test::{FEATURES, call};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the command with its viewer and runs the test on its report.
pub fn test() -> Result<(), String> {
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
pub(crate) fn command() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let name = format!("debug/impinge{}", std::env::consts::EXE_SUFFIX);
    root().join(target.unwrap_or_else(|| "target".into())).join(name)
}

/// Runs npm in a folder; tests get the paths of the command and of the browser.
fn npm(folder: &Path, arguments: &[&str], impinge: Option<&Path>) -> Result<(), String> {
    // On Windows npm is a script.
    let program = if std::env::consts::EXE_SUFFIX.is_empty() { "npm" } else { "npm.cmd" };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env("PATH", system::path());
    if let Some(impinge) = impinge {
        command.env("IMPINGE", impinge);
        if let Some(browser) = system::browser() {
            command.env("CHROMIUM", browser);
        }
    }
    let line = arguments.join(" ");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`npm {line}` in viewer/ failed: {status}")),
        Err(error) => Err(format!("npm does not start: {error}")),
    }
}
