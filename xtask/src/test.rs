//! `cargo xtask test`: everything that must hold before a change lands.

use crate::metadata::{self, cargo, root};
use crate::{browser, licence, package, readme, scalar, system};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Options of the command.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Options {
    /// Install what is missing on the system. The environment variable CI, if set, means the same.
    #[arg(long)]
    pub install: bool,
    /// Run only this step; may be given several times. The summary of a full run names the steps.
    #[arg(long, value_name = "STEP")]
    pub only: Vec<String>,
}

/// Every feature, so that all code is linted and tested, and each crate is compiled once.
pub(crate) const FEATURES: [&str; 2] =
    ["--features", "impinge-cli/tune,impinge/serde,impinge/mint"];

/// What became of a step.
struct Outcome {
    name: &'static str,
    result: Result<(), String>,
    time: Duration,
}

/// A step: its name, and what it does; it is told whether it may install what is missing.
type Step = (&'static str, fn(bool) -> Result<(), String>);

/// The steps after the system has been looked at.
const STEPS: [Step; 9] = [
    ("format", |_| format()),
    ("lints", |_| lints()),
    ("tests", |_| call(&[&["test", "--workspace"], &FEATURES[..]].concat(), &[])),
    ("browser", browser::test),
    ("scalar tests", |_| {
        scalar::test()?;
        let scalar = [("IMPINGE_SIMD", "scalar")];
        let tests = ["--test", "scenes", "same_bits"];
        call(&[&["test", "--workspace"], &FEATURES[..], &tests].concat(), &scalar)
    }),
    ("documentation", |_| {
        let documented = [&["doc", "--no-deps", "--workspace"], &FEATURES[..]].concat();
        call(&documented, &[("RUSTDOCFLAGS", "-D warnings")])
    }),
    ("packages", |_| package::check()),
    ("licences", |_| licences()),
    ("readme", |_| commands()),
];

/// Runs all steps, also after a failure, and prints a summary. True if all passed.
pub fn run(options: &Options) -> bool {
    let known = |name: &&String| STEPS.iter().any(|(step, _)| step == name);
    if let Some(unknown) = options.only.iter().find(|name| !known(name)) {
        let names = STEPS.map(|(name, _)| name).join(", ");
        println!("there is no step {unknown}; there are: {names}");
        return false;
    }
    let install = options.install || std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    let mut outcomes = vec![step("system", || system::provide(system::NEEDS, install))];
    if outcomes[0].result.is_ok() {
        let mut aside = None;
        for (name, work) in STEPS {
            if !options.only.is_empty() && !options.only.iter().any(|only| only == name) {
                continue;
            }
            // Browsers wait a lot: the steps that come after this one go on meanwhile.
            if name == ASIDE && options.only.is_empty() {
                aside = Some((Instant::now(), start(name, install)));
                continue;
            }
            outcomes.push(step(name, || work(install)));
        }
        if let Some((start, child)) = aside {
            outcomes.push(finish(ASIDE, start, child));
        }
    }
    summary(&outcomes)
}

/// The step that runs beside those after it.
const ASIDE: &str = "browser";

/// Starts this program with one step only; what it says is kept.
fn start(name: &str, install: bool) -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["test", "--only", name]);
    if install {
        command.arg("--install");
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn()
}

/// Waits for such a step, and prints what it said.
fn finish(name: &'static str, start: Instant, child: std::io::Result<Child>) -> Outcome {
    println!("\n== {name}, beside the steps before");
    let result = match child.and_then(Child::wait_with_output) {
        Ok(output) => {
            println!("{}", String::from_utf8_lossy(&output.stdout));
            if output.status.success() { Ok(()) } else { Err(format!("{}", output.status)) }
        }
        Err(error) => Err(format!("it does not start: {error}")),
    };
    Outcome { name, result, time: start.elapsed() }
}

/// Runs one step under a heading.
fn step(name: &'static str, work: impl FnOnce() -> Result<(), String>) -> Outcome {
    println!("\n== {name}");
    let start = Instant::now();
    let result = work();
    let time = start.elapsed();
    match &result {
        Ok(()) => println!("-- {name}: passed in {:.1} s", time.as_secs_f64()),
        Err(message) => {
            println!("{message}\n-- {name}: FAILED in {:.1} s", time.as_secs_f64());
        }
    }
    Outcome { name, result, time }
}

/// Prints a line for each step. True if all passed.
fn summary(outcomes: &[Outcome]) -> bool {
    println!("\n{:<24} {:>8}  result", "step", "seconds");
    for outcome in outcomes {
        let word = if outcome.result.is_ok() { "passed" } else { "FAILED" };
        println!("{:<24} {:>8.1}  {word}", outcome.name, outcome.time.as_secs_f64());
    }
    outcomes.iter().all(|outcome| outcome.result.is_ok())
}

/// Calls cargo in the root folder with extra environment variables.
pub(crate) fn call(arguments: &[&str], variables: &[(&str, &str)]) -> Result<(), String> {
    let status = cargo()
        .args(arguments)
        .envs(variables.iter().copied())
        .status()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    let line = arguments.join(" ");
    if status.success() { Ok(()) } else { Err(format!("`cargo {line}` failed: {status}")) }
}

/// The manifests of this workspace and of those that live beside it so that no user builds them.
fn manifests() -> Vec<PathBuf> {
    ["Cargo.toml", "versus/Cargo.toml", "fuzz/Cargo.toml"]
        .iter()
        .map(|path| root().join(path))
        .filter(|path| path.exists())
        .collect()
}

/// All code is formatted, also that of the neighbouring workspaces.
fn format() -> Result<(), String> {
    for manifest in manifests() {
        let path = manifest.display().to_string();
        call(&["fmt", "--all", "--check", "--manifest-path", &path], &[])?;
    }
    Ok(())
}

/// Clippy with warnings denied. Its MSRV lint also holds the code to the stated `rust-version`.
fn lints() -> Result<(), String> {
    let all = ["clippy", "--workspace", "--all-targets"];
    call(&[&all[..], &FEATURES, &["--", "-D", "warnings"]].concat(), &[])
}

/// Every dependency's licence is one of the permissive ones.
fn licences() -> Result<(), String> {
    let all = metadata::packages(&root().join("Cargo.toml"))?;
    let refused = licence::refused(&all);
    println!("{} packages read", all.len());
    if refused.is_empty() { Ok(()) } else { Err(refused.join("\n")) }
}

/// The README shows the two commands.
fn commands() -> Result<(), String> {
    let Ok(text) = std::fs::read_to_string(root().join("README.md")) else {
        println!("no README.md yet");
        return Ok(());
    };
    let missing = readme::missing(&text);
    if missing.is_empty() { Ok(()) } else { Err(missing.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failure_fails_the_whole() {
        let fine = || step("fine", || Ok(()));
        assert!(summary(&[fine(), fine()]));
        assert!(!summary(&[fine(), step("bad", || Err("reason".into())), fine()]));
    }

    #[test]
    fn single_steps() {
        let only = |name: &str| Options { install: false, only: vec![name.into()] };
        assert!(run(&only("licences")));
        assert!(!run(&only("no such step")));
    }

    #[test]
    fn a_step_beside_others_can_fail() {
        let run = |program: &str| Command::new(program).stdout(Stdio::piped()).spawn();
        assert!(finish(ASIDE, Instant::now(), run("true")).result.is_ok());
        assert!(finish(ASIDE, Instant::now(), run("false")).result.is_err());
        assert!(finish(ASIDE, Instant::now(), run("no-such-program")).result.is_err());
    }

    #[test]
    fn a_failing_call_is_an_error() {
        assert!(call(&["no-such-subcommand-of-cargo"], &[]).is_err());
    }
}
