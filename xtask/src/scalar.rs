//! The tests of what has code in lanes, once more with the scalar backend.
//!
//! They are the programs that were compiled for all tests. For some packages alone cargo would compile them anew, since what they need
//! would have other features then; and the command and its experiments, which call the same code, take most of the time.

use crate::metadata::cargo;
use crate::test::FEATURES;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folders of the packages.
const FOLDERS: [&str; 3] = ["impinge-geom", "impinge-tree", "impinge"];

/// Runs them all, also after a failure.
pub fn test() -> Result<(), String> {
    let tests =
        "test --workspace --lib --test it --test support_plane --no-run --message-format json";
    let output = cargo()
        .args(tests.split(' '))
        .args(FEATURES)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("`cargo {tests}` failed: {}", output.status));
    }
    let programs = programs(&String::from_utf8_lossy(&output.stdout));
    // One library each, and a test at least.
    if programs.len() < 2 * FOLDERS.len() {
        return Err(format!("cargo names only {} programs of {FOLDERS:?}", programs.len()));
    }
    let failed: Vec<String> = programs.iter().filter_map(|program| program.run().err()).collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

/// A compiled test.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Program {
    path: PathBuf,
    /// Where cargo would run it.
    folder: PathBuf,
}

impl Program {
    fn run(&self) -> Result<(), String> {
        let name = self.path.display();
        println!("     Running {name}");
        // What is chosen by measured times has nothing to do with lanes.
        let status = Command::new(&self.path)
            .args(["--skip", "tune"])
            .current_dir(&self.folder)
            .env("IMPINGE_SIMD", "scalar")
            .status()
            .map_err(|error| format!("{name} does not start: {error}"))?;
        if status.success() { Ok(()) } else { Err(format!("{name} failed: {status}")) }
    }
}

/// The tests of the packages among what cargo tells, line by line, of what it has compiled.
fn programs(lines: &str) -> Vec<Program> {
    let mut found = Vec::new();
    for message in lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let is_test = message["profile"]["test"] == Value::Bool(true);
        let folder = message["manifest_path"].as_str().and_then(|path| Path::new(path).parent());
        let (Some(path), Some(folder)) = (message["executable"].as_str(), folder) else { continue };
        if is_test && FOLDERS.iter().any(|name| folder.ends_with(name)) {
            found.push(Program { path: path.into(), folder: folder.into() });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_of_the_packages_are_found() {
        let lines = r#"
{"reason":"compiler-artifact","manifest_path":"/p/crates/impinge/Cargo.toml","profile":{"test":true},"executable":"/p/target/it-1"}
{"reason":"compiler-artifact","manifest_path":"/p/crates/impinge/Cargo.toml","profile":{"test":false},"executable":null}
{"reason":"compiler-artifact","manifest_path":"/p/crates/impinge-cli/Cargo.toml","profile":{"test":true},"executable":"/p/target/it-2"}
{"reason":"compiler-artifact","manifest_path":"/p/crates/impinge-cli/Cargo.toml","profile":{"test":false},"executable":"/p/target/impinge"}
{"reason":"build-finished","success":true}"#;
        let folder = "/p/crates/impinge".into();
        assert_eq!(programs(lines), [Program { path: "/p/target/it-1".into(), folder }]);
    }

    #[test]
    fn a_failing_program_is_an_error() {
        let program = |path: &str| Program { path: path.into(), folder: ".".into() };
        assert!(program("true").run().is_ok() && program("false").run().is_err());
        assert!(program("no-such-program").run().is_err());
    }
}
