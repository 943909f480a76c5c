//! The driver: makes the inputs, starts the systems, interleaves their rounds, judges the answers, prints the table.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use versus::case::{CONVEX, Case};
use versus::format::{Input, Kind};
use versus::generate;
use versus::judge::{Answers, Sample};
use versus::system::{NAMES, System};
use versus::table::{self, Row};

const USAGE: &str = "usage: ./versus/run convex [--quick] [--seed N] [--json FILE]";

/// What the command line says.
struct Options {
    quick: bool,
    seed: u64,
    json: Option<PathBuf>,
    /// Folder with the adapters, and beside each its `.flags`, or a `.skipped` with the reason.
    adapters: PathBuf,
    /// Folder for inputs and answers.
    work: PathBuf,
}

impl Options {
    fn parse() -> Result<Options, String> {
        let mut arguments = std::env::args().skip(1);
        if arguments.next().as_deref() != Some("convex") {
            return Err(USAGE.into());
        }
        let mut options = Options {
            quick: false,
            seed: 1,
            json: None,
            adapters: "target/adapters".into(),
            work: "target/work".into(),
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(USAGE);
            match argument.as_str() {
                "--quick" => options.quick = true,
                "--seed" => options.seed = value()?.parse().map_err(|_| USAGE)?,
                "--json" => options.json = Some(value()?.into()),
                "--adapters" => options.adapters = value()?.into(),
                "--work" => options.work = value()?.into(),
                _ => return Err(USAGE.into()),
            }
        }
        Ok(options)
    }

    fn pair_count(&self) -> usize {
        if self.quick { 20_000 } else { 200_000 }
    }

    fn rounds(&self) -> usize {
        if self.quick { 3 } else { 7 }
    }

    fn sample(&self) -> usize {
        if self.quick { 500 } else { 2_000 }
    }
}

/// Keeps this process, and the adapters it starts, on one processor: the last one allowed.
fn pin() -> Option<usize> {
    let allowed = sched_getaffinity(None).ok()?;
    let last = (0..CpuSet::MAX_CPU).rev().find(|&index| allowed.is_set(index))?;
    let mut one = CpuSet::new();
    one.set(last);
    sched_setaffinity(None, &one).ok().map(|()| last)
}

fn make_inputs(options: &Options) -> Result<(Vec<Input>, [PathBuf; 3]), String> {
    std::fs::create_dir_all(&options.work).map_err(|error| error.to_string())?;
    let work = options.work.canonicalize().map_err(|error| error.to_string())?;
    let paths = Kind::ALL.map(|kind| work.join(format!("{}.pairs", kind.name())));
    let mut inputs = Vec::new();
    for (kind, path) in Kind::ALL.into_iter().zip(&paths) {
        let input = generate::input(kind, options.seed, options.pair_count());
        input.write(path).map_err(|error| format!("{}: {error}", path.display()))?;
        inputs.push(input);
    }
    Ok((inputs, paths))
}

/// Starts every system that is set up and says why the others are left out.
fn start_systems(adapters: &Path, paths: &[PathBuf; 3]) -> Vec<System> {
    let mut systems = Vec::new();
    for name in NAMES {
        let note = |kind: &str| std::fs::read_to_string(adapters.join(format!("{name}.{kind}")));
        if let Ok(reason) = note("skipped") {
            println!("{name:8} skipped: {}", reason.trim());
            continue;
        }
        match System::start(name, &adapters.join(name), paths) {
            Ok(system) => {
                let flags = note("flags").unwrap_or_default();
                println!("{name:8} {} {:?}; {}", system.version, system.precision, flags.trim());
                systems.push(system);
            }
            Err(reason) => println!("{name:8} skipped: {reason}"),
        }
    }
    systems
}

/// Least processor time over interleaved rounds, per system that offers the case. A system that fails leaves.
fn measure(case: &Case, systems: &mut Vec<System>, rounds: usize) -> Vec<(&'static str, u64)> {
    let mut best: Vec<(&'static str, u64)> = Vec::new();
    for _ in 0..rounds {
        systems.retain_mut(|system| {
            if !system.offers(case.name) {
                return true;
            }
            match system.round(case.name) {
                Ok(time) => {
                    match best.iter_mut().find(|(name, _)| *name == system.name) {
                        Some((_, least)) => *least = time.min(*least),
                        None => best.push((system.name, time)),
                    }
                    true
                }
                Err(reason) => {
                    println!("{} fails in {}: {reason}", system.name, case.name);
                    false
                }
            }
        });
    }
    best
}

fn collect(case: &Case, systems: &mut [System], work: &Path) -> Result<Vec<Answers>, String> {
    let mut answers = Vec::new();
    for system in systems.iter_mut().filter(|system| system.offers(case.name)) {
        let values = system.answers(case.name, &work.join("answers"))?;
        answers.push(Answers {
            system: system.name,
            precision: system.precision,
            question: case.question,
            values,
        });
    }
    Ok(answers)
}

/// Measures and judges all cases on one input.
fn run_kind(
    options: &Options,
    input: &Input,
    systems: &mut Vec<System>,
    rows: &mut Vec<Row>,
) -> Result<(), String> {
    let work = options.work.canonicalize().map_err(|error| error.to_string())?;
    let cases: Vec<&Case> = CONVEX.iter().filter(|case| case.kind == input.kind).collect();
    let (mut times, mut all_answers) = (Vec::new(), Vec::new());
    for case in &cases {
        times.push(measure(case, systems, options.rounds()));
        all_answers.extend(collect(case, systems, &work)?);
    }
    let sample = Sample::new(input, options.sample(), options.seed, &all_answers);
    for (case, times) in cases.iter().zip(times) {
        let of_case = |system: &str| {
            all_answers
                .iter()
                .find(|entry| entry.question == case.question && entry.system == system)
        };
        let reference = of_case("impinge").map(|entry| entry.values.as_slice());
        for (system, time) in times {
            let Some(answers) = of_case(system) else { continue };
            rows.push(Row {
                case: case.name,
                system,
                nanoseconds: time as f64 / answers.values.len() as f64,
                queries: answers.values.len(),
                sample: sample.len(),
                verdict: sample.judge(answers, reference),
            });
        }
    }
    Ok(())
}

fn run() -> Result<(), String> {
    let options = Options::parse()?;
    let processor = pin().map_or("unpinned".into(), |index| format!("on processor {index}"));
    println!(
        "convex: seed {}, {} pairs per kind of shape, least of {} rounds, {processor}",
        options.seed,
        options.pair_count(),
        options.rounds()
    );
    let (inputs, paths) = make_inputs(&options)?;
    let mut systems = start_systems(&options.adapters, &paths);
    let mut rows = Vec::new();
    for input in &inputs {
        run_kind(&options, input, &mut systems, &mut rows)?;
    }
    println!("\nProcessor time, nanoseconds per query (over impinge's)\n{}", table::times(&rows));
    println!("Wrong among the examined pairs / largest error\n{}", table::errors(&rows));
    println!("Answers equal to impinge's / positive answers\n{}", table::agreement(&rows));
    if let Some(path) = options.json {
        std::fs::write(&path, table::json("convex", &rows))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::from(2)
        }
    }
}
