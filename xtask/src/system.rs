//! What the commands need on the system, and how it gets there.

use std::process::{Command, Stdio};

/// Something that must be on the system before a step can run.
#[derive(Clone, Copy, Debug)]
pub struct Need {
    /// A command that succeeds when it is there.
    pub probe: &'static [&'static str],
    /// What to install.
    pub package: Package,
}

/// Where a missing tool comes from.
#[derive(Clone, Copy, Debug)]
pub enum Package {
    /// A Debian package.
    Debian(&'static str),
    /// A component of the Rust toolchain.
    Component(&'static str),
}

impl Package {
    /// The command that installs it, as words.
    fn installer(self) -> Vec<&'static str> {
        match self {
            Self::Debian(name) => {
                vec!["apt-get", "install", "--yes", "--no-install-recommends", name]
            }
            Self::Component(name) => vec!["rustup", "component", "add", name],
        }
    }
}

/// What `cargo xtask test` needs beside cargo itself.
pub const NEEDS: &[Need] = &[
    Need { probe: &["cc", "--version"], package: Package::Debian("gcc") },
    Need { probe: &["tar", "--version"], package: Package::Debian("tar") },
    Need { probe: &["cargo", "fmt", "--version"], package: Package::Component("rustfmt") },
    Need { probe: &["cargo", "clippy", "--version"], package: Package::Component("clippy") },
];

/// Whether the probe succeeds.
fn present(need: &Need) -> bool {
    run(need.probe, Stdio::null)
}

/// Runs the words as a command, silently.
fn run(words: &[&str], output: fn() -> Stdio) -> bool {
    let Some((program, arguments)) = words.split_first() else { return false };
    Command::new(program)
        .args(arguments)
        .stdout(output())
        .stderr(output())
        .status()
        .is_ok_and(|status| status.success())
}

/// Checks all needs; installs what is missing if `install`, otherwise names the commands that would.
pub fn provide(needs: &[Need], install: bool) -> Result<(), String> {
    let mut missing = Vec::new();
    let absent: Vec<&Need> = needs.iter().filter(|need| !present(need)).collect();
    if install && absent.iter().any(|need| matches!(need.package, Package::Debian(_))) {
        // A new machine may not know which packages there are. If this fails, so does what follows, and says why.
        run(&["apt-get", "update"], Stdio::inherit);
    }
    for need in absent {
        let installer = need.package.installer();
        if !(install && run(&installer, Stdio::inherit) && present(need)) {
            missing.push(format!("`{}` is missing: {}", need.probe.join(" "), installer.join(" ")));
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(missing.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_what_is_missing() {
        let absent = Need {
            probe: &["impinge-no-such-program"],
            package: Package::Debian("no-such-package"),
        };
        let message = provide(&[absent], false).unwrap_err();
        assert!(message.contains("impinge-no-such-program"));
        assert!(message.contains("apt-get install --yes --no-install-recommends no-such-package"));
        assert!(provide(&[], false).is_ok());
    }
}
