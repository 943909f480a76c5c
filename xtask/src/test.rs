//! `cargo xtask test`: everything that must hold before a change lands.

use crate::metadata::{self, cargo, root};
use crate::system::{self, Need};
use crate::{browser, licence, package, python, readme, scalar};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Options of the command.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Options {
    /// Install nothing. Steps that lack a tool are skipped, with the command that installs it.
    #[arg(long)]
    pub no_install: bool,
    /// Run only this step; may be given several times. The summary of a full run names the steps.
    #[arg(long, value_name = "STEP")]
    pub only: Vec<String>,
}

/// Every feature, so that all code is linted and tested, and each crate is compiled once.
pub(crate) const FEATURES: [&str; 2] =
    ["--features", "impinge-cli/tune,impinge/broad-phases,impinge/serde,impinge/mint"];

/// What became of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fate {
    Passed,
    Failed(String),
    /// A tool is missing, and was not to be installed or could not be.
    Skipped(String),
}

impl From<Result<(), String>> for Fate {
    fn from(result: Result<(), String>) -> Self {
        result.map_or_else(Self::Failed, |()| Self::Passed)
    }
}

/// A step that was run, or not.
struct Outcome {
    name: &'static str,
    fate: Fate,
    time: Duration,
}

/// A step: its name, what it needs on the system, and what it does.
struct Step {
    name: &'static str,
    needs: &'static [Need],
    work: fn() -> Result<(), String>,
}

/// The steps, in order.
const STEPS: [Step; 10] = [
    Step { name: "format", needs: &[system::RUSTFMT], work: format },
    Step { name: "lints", needs: &[system::CLIPPY], work: lints },
    Step {
        name: "tests",
        needs: &[],
        work: || call(&[&["test", "--workspace"], &FEATURES[..]].concat(), &[]),
    },
    Step { name: BESIDE, needs: &[system::NODE, system::CHROMIUM], work: browser::test },
    Step { name: "scalar tests", needs: &[], work: scalar_tests },
    Step { name: "python", needs: &[system::PYTHON_3_10], work: python::test },
    Step { name: "documentation", needs: &[], work: documentation },
    Step { name: "packages", needs: &[system::TAR], work: package::check },
    Step { name: "licences", needs: &[], work: licences },
    Step { name: "readme", needs: &[], work: commands },
];

/// Runs all steps, also after a failure, and prints a summary. True if all passed; skipped ones count as failed where `CI` is set.
pub fn run(options: &Options) -> bool {
    let known = |name: &&String| STEPS.iter().any(|step| step.name == name.as_str());
    if let Some(unknown) = options.only.iter().find(|name| !known(name)) {
        let names = STEPS.map(|step| step.name).join(", ");
        println!("there is no step {unknown}; there are: {names}");
        return false;
    }
    let mut outcomes = Vec::new();
    let mut beside = None;
    for step in &STEPS {
        if !options.only.is_empty() && !options.only.iter().any(|only| only == step.name) {
            continue;
        }
        if let Err(missing) = system::provide(step.needs, !options.no_install) {
            println!("\n== {}: skipped\n{missing}", step.name);
            let fate = Fate::Skipped(missing.cure);
            outcomes.push(Outcome { name: step.name, fate, time: Duration::ZERO });
        } else if step.name == BESIDE && options.only.is_empty() {
            // Browsers wait a lot: the steps that come after this one go on meanwhile.
            beside = Some((Instant::now(), start(step.name)));
        } else {
            outcomes.push(carry_out(step.name, step.work));
        }
    }
    if let Some((start, child)) = beside {
        outcomes.push(finish(BESIDE, start, child));
    }
    let strict = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    summary(&outcomes, strict)
}

/// The step that runs beside those after it.
const BESIDE: &str = "browser";

/// Starts this program with one step only; what it says is kept.
fn start(name: &str) -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["test", "--no-install", "--only", name]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn()
}

/// Waits for such a step, and prints what it said.
fn finish(name: &'static str, start: Instant, child: std::io::Result<Child>) -> Outcome {
    println!("\n== {name}, beside the steps before");
    let fate = match child.and_then(Child::wait_with_output) {
        Ok(output) => {
            println!("{}", String::from_utf8_lossy(&output.stdout));
            if output.status.success() {
                Fate::Passed
            } else {
                Fate::Failed(output.status.to_string())
            }
        }
        Err(error) => Fate::Failed(format!("it does not start: {error}")),
    };
    Outcome { name, fate, time: start.elapsed() }
}

/// Runs one step under a heading.
fn carry_out(name: &'static str, work: impl FnOnce() -> Result<(), String>) -> Outcome {
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
    Outcome { name, fate: result.into(), time }
}

/// Prints a line for each step and the cure for those that were skipped. True if none failed, nor was skipped if that counts.
fn summary(outcomes: &[Outcome], strict: bool) -> bool {
    println!("\n{:<24} {:>8}  result", "step", "seconds");
    let mut cures: Vec<&str> = Vec::new();
    for outcome in outcomes {
        let word = match &outcome.fate {
            Fate::Passed => "passed",
            Fate::Failed(_) => "FAILED",
            Fate::Skipped(cure) => {
                if !cures.contains(&cure.as_str()) {
                    cures.push(cure);
                }
                "skipped"
            }
        };
        println!("{:<24} {:>8.1}  {word}", outcome.name, outcome.time.as_secs_f64());
    }
    if !cures.is_empty() {
        println!("\nTo run what was skipped: {} && cargo xtask test", cures.join(" && "));
        if strict {
            println!("CI is set: a skipped step is a failure.");
        }
    }
    outcomes.iter().all(|outcome| match outcome.fate {
        Fate::Passed => true,
        Fate::Failed(_) => false,
        Fate::Skipped(_) => !strict,
    })
}

/// Tests of kernel, trees and meshes with the scalar backend, and scenes, which must have the same bits.
fn scalar_tests() -> Result<(), String> {
    scalar::test()?;
    let scalar = [("IMPINGE_SIMD", "scalar")];
    let tests = ["--test", "scenes", "same_bits"];
    call(&[&["test", "--workspace"], &FEATURES[..], &tests].concat(), &scalar)
}

/// The documentation of all crates, without a warning.
fn documentation() -> Result<(), String> {
    let documented = [&["doc", "--no-deps", "--workspace"], &FEATURES[..]].concat();
    call(&documented, &[("RUSTDOCFLAGS", "-D warnings")])
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
        let fine = || carry_out("fine", || Ok(()));
        assert!(summary(&[fine(), fine()], true));
        assert!(!summary(&[fine(), carry_out("bad", || Err("reason".into())), fine()], false));
    }

    #[test]
    fn a_skipped_step_fails_only_under_ci() {
        let fate = Fate::Skipped("apt-get install something".into());
        let skipped = || Outcome { name: "browser", fate: fate.clone(), time: Duration::ZERO };
        assert!(summary(&[carry_out("fine", || Ok(())), skipped()], false));
        assert!(!summary(&[carry_out("fine", || Ok(())), skipped()], true));
    }

    #[test]
    fn single_steps() {
        let only = |name: &str| Options { no_install: true, only: vec![name.into()] };
        assert!(run(&only("licences")));
        assert!(!run(&only("no such step")));
    }

    #[test]
    fn a_step_beside_others_can_fail() {
        let run = |program: &str| Command::new(program).stdout(Stdio::piped()).spawn();
        let fate = |program: &str| finish(BESIDE, Instant::now(), run(program)).fate;
        assert_eq!(fate("true"), Fate::Passed);
        assert!(matches!(fate("false"), Fate::Failed(_)));
        assert!(matches!(fate("no-such-program"), Fate::Failed(_)));
    }

    #[test]
    fn a_failing_call_is_an_error() {
        assert!(call(&["no-such-subcommand-of-cargo"], &[]).is_err());
    }
}
