//! What is run in turns: a soak with its next seed, a fuzzer on its corpus, or files under fire.

use crate::metadata::{cargo, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// A thing to run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Task {
    /// A soak, how its cases are counted, and how many are done in about ten seconds of an optimised build.
    Soak(&'static str, &'static str, u64),
    /// A fuzz target, and the folder of `testdata/io` that is a start.
    Fuzz(&'static str, &'static str),
    /// Tests of files under fire, by a part of their name, with rounds for ten seconds.
    Files(&'static str, u64),
}

/// What came of a turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Turn {
    pub(super) executions: u64,
    /// Of the processor.
    pub(super) seconds: f64,
    pub(super) coverage: u64,
    /// The end of what was said, if something was found.
    pub(super) finding: Option<String>,
}

impl Turn {
    pub(super) fn mark(&self) -> &'static str {
        if self.finding.is_some() { "  FOUND SOMETHING" } else { "" }
    }
}

const SOAKS: [Task; 9] = [
    Task::Soak("triangles", "pairs", 2_000_000),
    Task::Soak("convex", "pairs", 100_000),
    Task::Soak("extremes", "pairs", 10_000),
    Task::Soak("rays", "rays", 1_000_000),
    Task::Soak("slivers", "rays", 100_000),
    Task::Soak("mesh", "pairs", 10_000),
    Task::Soak("penetration", "pairs", 40),
    Task::Soak("bounds", "placements", 50_000),
    Task::Soak("motion", "vertices", 20_000),
];
const FUZZERS: [Task; 17] = [
    Task::Fuzz("hull", ""),
    Task::Fuzz("pairs", ""),
    Task::Fuzz("meshfile", "obj"),
    Task::Fuzz("scene_stl", "stl"),
    Task::Fuzz("scene_obj", "obj"),
    Task::Fuzz("scene_ply", "ply"),
    Task::Fuzz("scene_off", "off"),
    Task::Fuzz("scene_gltf", "gltf"),
    Task::Fuzz("scene_glb", "glb"),
    Task::Fuzz("scene_urdf", "urdf"),
    Task::Fuzz("scene_collada", "collada"),
    Task::Fuzz("scene_toml", "toml"),
    Task::Fuzz("bcf", ""),
    Task::Fuzz("query_lines", ""),
    Task::Fuzz("mesh_verdicts", ""),
    Task::Fuzz("scene_steps", ""),
    Task::Fuzz("decisions", ""),
];
const FILES: [Task; 3] = [
    Task::Files("a_killed_writer", 20),
    Task::Files("two_writers", 100),
    Task::Files("a_full_disk", 50),
];

/// Rust's flags for libFuzzer, as `cargo fuzz` sets them; the sanitizer of addresses is left out, since the code is safe but for `simd/`.
const FUZZ_FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions";
const TRIPLE: &str = "x86_64-unknown-linux-gnu";

impl Task {
    pub(super) fn all() -> Vec<Self> {
        SOAKS.into_iter().chain(FUZZERS).chain(FILES).collect()
    }

    pub(super) fn name(&self) -> String {
        match self {
            Self::Soak(name, ..) => format!("soak {name}"),
            Self::Fuzz(name, _) => format!("fuzz {name}"),
            Self::Files(name, _) => format!("files {name}"),
        }
    }

    /// Whether a folder of programs has the one for it.
    pub(super) fn is_in(&self, programs: &Path) -> bool {
        let program = match self {
            Self::Soak(..) => "trials",
            Self::Fuzz(name, _) => name,
            Self::Files(..) => "it",
        };
        programs.join(program).is_file()
    }

    /// What its executions are.
    pub(super) fn unit(&self) -> &'static str {
        match self {
            Self::Soak(_, unit, _) => unit,
            Self::Fuzz(..) => "runs",
            Self::Files(..) => "rounds",
        }
    }

    /// Runs it for about the given number of seconds.
    pub(super) fn turn(
        &self,
        round: u64,
        seconds: u64,
        folder: &Path,
        programs: Option<&Path>,
    ) -> Turn {
        let amount = |of_ten: u64| (of_ten * seconds.max(1)).div_ceil(10);
        let mut command = match *self {
            Self::Soak(name, unit, of_ten) => {
                let built = root().join("target/release/trials");
                let mut command =
                    Command::new(programs.map_or(built, |programs| programs.join("trials")));
                command.args(["soak", name, &format!("--{unit}"), &amount(of_ten).to_string()]);
                command.args(["--seed", &(1000 + round).to_string()]);
                if name == "motion" {
                    let others = (amount(of_ten) / 10).to_string();
                    for other in ["--pairs", "--triangles", "--bounds", "--rigid"] {
                        command.args([other, &others]);
                    }
                    let few = (amount(of_ten) / 200).to_string();
                    for other in ["--meshes", "--bullets"] {
                        command.args([other, &few]);
                    }
                }
                command
            }
            Self::Fuzz(name, start) => fuzzer(name, start, seconds, folder, programs),
            Self::Files(name, of_ten) => {
                let mut command = match programs {
                    Some(programs) => Command::new(programs.join("it")),
                    None => {
                        let test = ["test", "--quiet", "--release", "--package", "impinge-cli"];
                        let mut command = cargo();
                        command.args(test).args(["--test", "it", "--"]);
                        command
                    }
                };
                command.args(["--nocapture", &format!("endurance::{name}")]);
                command.env("IMPINGE_ROUNDS", amount(of_ten).to_string());
                command
            }
        };
        let mut turn = measured(&mut command);
        turn.executions = match *self {
            Self::Soak(_, _, of_ten) | Self::Files(_, of_ten) => amount(of_ten),
            Self::Fuzz(..) => turn.executions,
        };
        if let Some(text) = &turn.finding {
            let path = folder.join(format!("{}-{round}.txt", self.name().replace(' ', "-")));
            // The totals count it in any case.
            let _ = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
        }
        turn
    }
}

fn fuzzer(
    name: &str,
    start: &str,
    seconds: u64,
    folder: &Path,
    programs: Option<&Path>,
) -> Command {
    let corpus = folder.join("corpus").join(name);
    // If it cannot be made, the fuzzer says so.
    let _ = fs::create_dir_all(&corpus);
    let built = root().join(format!("fuzz/target/{TRIPLE}/release/{name}"));
    let mut command = Command::new(programs.map_or(built, |programs| programs.join(name)));
    command.arg(&corpus);
    let starts = [root().join("testdata/io").join(start), root().join("fuzz/corpus").join(name)];
    let has_start = |path: &&PathBuf| path.is_dir() && (!start.is_empty() || path.ends_with(name));
    command.args(starts.iter().filter(has_start));
    command.args(["-rss_limit_mb=600", "-timeout=10", "-print_final_stats=1", "-max_len=65536"]);
    command.arg(format!("-max_total_time={seconds}"));
    command.arg(format!("-artifact_prefix={}/{name}-", folder.display()));
    command
}

/// Runs a command to its end.
fn measured(command: &mut Command) -> Turn {
    let (start, before) = (Instant::now(), children());
    let output = command.stdin(Stdio::null()).output();
    let wall = start.elapsed().as_secs_f64();
    // Of several at a time each would count the others, so that no more than the time that passed is counted, with two threads.
    let seconds = match (before, children()) {
        (Some(before), Some(after)) => (after - before).min(2.0 * wall),
        _ => wall,
    };
    let output = match output {
        Ok(output) => output,
        Err(error) => {
            let finding = Some(format!("{command:?} does not start: {error}"));
            return Turn { seconds, finding, ..Turn::default() };
        }
    };
    let text = [output.stdout, output.stderr]
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .join("\n");
    let number = |line: &str, key: &str| -> Option<u64> {
        line.split_once(key)?.1.split_whitespace().next()?.parse().ok()
    };
    let last =
        |key: &str| text.lines().filter_map(|line| number(line, key)).next_back().unwrap_or(0);
    let tail = |text: &str| {
        text.chars().rev().take(20_000).collect::<Vec<_>>().into_iter().rev().collect()
    };
    Turn {
        executions: last("stat::number_of_executed_units:"),
        seconds,
        coverage: last(" cov: "),
        finding: (!output.status.success()).then(|| tail(&text)),
    }
}

/// Processor-seconds of all children that have ended, where the system tells (proc(5): fields 16 and 17, in hundredths).
fn children() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3)?.parse::<f64>().ok();
    Some((ticks(16)? + ticks(17)?) / 100.0)
}

/// Builds what the tasks need.
pub(super) fn build(tasks: &[Task]) -> Result<(), String> {
    let run = |command: &mut Command, what: &str| match command.status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("{what} is not built")),
    };
    if tasks.iter().any(|task| matches!(task, Task::Soak(..))) {
        run(cargo().args(["build", "--release", "--package", "trials"]), "the soak")?;
    }
    if tasks.iter().any(|task| matches!(task, Task::Files(..))) {
        let test = ["test", "--release", "--no-run", "--package", "impinge-cli", "--test", "it"];
        run(cargo().args(test), "the test of files")?;
    }
    if tasks.iter().any(|task| matches!(task, Task::Fuzz(..))) {
        let mut command = cargo();
        // The stable compiler accepts the passes of coverage only so.
        command
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", FUZZ_FLAGS)
            .current_dir(root().join("fuzz"));
        run(command.args(["build", "--release", "--target", TRIPLE]), "the fuzzers")?;
    }
    Ok(())
}
