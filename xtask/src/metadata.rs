//! What `cargo metadata` says about the workspace.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A package of the dependency graph, as far as the checks need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Name and version, for messages.
    pub name: String,
    /// The version.
    pub version: String,
    /// The SPDX expression of its manifest, if it gives one.
    pub licence: Option<String>,
    /// Whether it belongs to this workspace.
    pub ours: bool,
    /// Whether its manifest allows publishing.
    pub publishable: bool,
}

/// The root folder of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// A `cargo` command that runs in the root folder, and finds what was installed for it.
pub fn cargo() -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root()).env("PATH", crate::system::path());
    command
}

/// All packages that the workspace at `manifest` uses, directly or not.
pub fn packages(manifest: &Path) -> Result<Vec<Package>, String> {
    let output = cargo()
        .args(["metadata", "--format-version", "1", "--manifest-path"])
        .arg(manifest)
        .output()
        .map_err(|error| format!("cargo metadata does not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    parse(&text)
}

/// Reads the answer of `cargo metadata`.
fn parse(text: &str) -> Result<Vec<Package>, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let members: Vec<&str> = value["workspace_members"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let all = value["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let text_of = |value: &Value| value.as_str().map(str::to_owned);
    Ok(all
        .iter()
        .map(|package| Package {
            name: text_of(&package["name"]).unwrap_or_default(),
            version: text_of(&package["version"]).unwrap_or_default(),
            licence: text_of(&package["license"]),
            ours: package["id"].as_str().is_some_and(|id| members.contains(&id)),
            publishable: package["publish"].as_array().is_none_or(|list| !list.is_empty()),
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_members_licences_and_publishing() {
        let text = r#"{"workspace_members":["a 1"],"packages":[
            {"id":"a 1","name":"a","version":"1.0.0","license":"MIT","publish":[]},
            {"id":"b 2","name":"b","version":"2.0.0","license":null,"publish":null}]}"#;
        let packages = parse(text).unwrap();
        assert!(packages[0].ours && !packages[0].publishable);
        assert_eq!(packages[0].licence.as_deref(), Some("MIT"));
        assert!(!packages[1].ours && packages[1].publishable && packages[1].licence.is_none());
        assert!(parse("{}").is_err());
    }
}
