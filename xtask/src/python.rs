//! The Python package as its users get it: `pip install .` in a fresh virtual environment, then its tests.

use crate::browser::command;
use crate::metadata::root;
use crate::package::run;
use crate::test::{FEATURES, call};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Installs the package with what its tests compare it with, and runs them.
pub fn test() -> Result<(), String> {
    // One corpus of questions is asked through the command, too. Of the whole workspace, as tests are.
    call(&[&["build", "--workspace", "--bin", "impinge"], &FEATURES[..]].concat(), &[])?;
    let folder = root().join("target/python");
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
    let python = interpreter(&folder);
    // What is tested is what the other tests are compiled as: with assertions, and without the minutes that a release takes.
    let install =
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ".[test,peers]"];
    run(Command::new(&python)
        .args(install)
        .current_dir(root())
        .env("MATURIN_PEP517_ARGS", "--profile dev"))?;
    // The corpus is asked in Rust, too: of the same package, so that nothing is compiled again.
    call(&["build", "--package", "impinge-py", "--example", "answer"], &[])?;
    for check in [&["check", "--no-cache"][..], &["format", "--check", "--no-cache"]] {
        let code = ["python", "versus/peers/python"];
        run(Command::new(&python)
            .args(["-m", "ruff"])
            .args(check)
            .args(["--quiet"])
            .args(code)
            .current_dir(root()))?;
    }
    // From another folder, so that what is imported is what was installed.
    let tests = root().join("python/tests");
    let answer = format!("answer{}", std::env::consts::EXE_SUFFIX);
    run(Command::new(&python)
        .args(["-m", "pytest", "-p", "no:cacheprovider", "--rootdir"])
        .arg(&tests)
        .arg(&tests)
        .current_dir(&folder)
        .env("IMPINGE_COMMAND", command())
        .env("IMPINGE_ANSWER", command().with_file_name("examples").join(answer)))
}

/// The Python of a virtual environment.
fn interpreter(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}
