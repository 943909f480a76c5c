//! The workload `convex`: pairs of hulls, boxes and capsules.

pub mod case;
pub mod format;
pub mod generate;
pub mod judge;
pub mod oracle;

use std::path::{Path, PathBuf};

use crate::drive::{self, Rounds};
use crate::options::Options;
use crate::system::{Listed, System};
use crate::table::{self, Row};
use case::{CONVEX, Case};
use format::{Input, Kind};
use judge::{Answers, Sample};

/// All systems, in the order of the table.
const SYSTEMS: [Listed; 9] = [
    Listed::new("impinge"),
    Listed::on_request("impinge-before"),
    Listed::new("parry"),
    Listed::new("coal"),
    Listed::new("libccd"),
    Listed::new("fcl"),
    Listed::new("bullet"),
    Listed::new("jolt"),
    Listed::new("box3d"),
];

fn pair_count(options: &Options) -> usize {
    if options.quick { 20_000 } else { 200_000 }
}

fn rounds(options: &Options) -> Rounds {
    Rounds { most: if options.quick { 3 } else { 7 }, nanoseconds: u64::MAX }
}

fn make_inputs(options: &Options) -> Result<(Vec<Input>, [PathBuf; 3]), String> {
    let work = options.work()?;
    let paths = Kind::ALL.map(|kind| work.join(format!("{}.pairs", kind.name())));
    let mut inputs = Vec::new();
    for (kind, path) in Kind::ALL.into_iter().zip(&paths) {
        let input = generate::input(kind, options.seed, pair_count(options));
        input.write(path).map_err(|error| format!("{}: {error}", path.display()))?;
        inputs.push(input);
    }
    Ok((inputs, paths))
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
    let work = options.work()?;
    let cases: Vec<&Case> = CONVEX.iter().filter(|case| case.kind == input.kind).collect();
    let (mut times, mut all_answers) = (Vec::new(), Vec::new());
    for case in &cases {
        times.push(drive::measure(case.name, systems, rounds(options)));
        all_answers.extend(collect(case, systems, &work)?);
    }
    let random_count = if options.quick { 500 } else { 2_000 };
    let sample = Sample::new(input, random_count, options.seed, &all_answers);
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
                case: case.name.to_string(),
                system,
                nanoseconds: time as f64 / answers.values.len() as f64,
                queries: answers.values.len(),
                sample: sample.len(),
                verdict: sample.judge(answers, reference),
                more: Vec::new(),
            });
        }
    }
    Ok(())
}

/// Runs the workload and prints its tables.
pub fn run(options: &Options) -> Result<(), String> {
    println!(
        "convex: seed {}, {} pairs per kind of shape, least of {} rounds, {}",
        options.seed,
        pair_count(options),
        rounds(options).most,
        drive::pin()
    );
    let (inputs, paths) = make_inputs(options)?;
    let mut systems = drive::start(&SYSTEMS, &options.adapters, &paths);
    let mut rows = Vec::new();
    for input in &inputs {
        run_kind(options, input, &mut systems, &mut rows)?;
    }
    println!("\nProcessor time per query (over impinge's)\n{}", table::times(&rows));
    println!("Wrong among the examined pairs / largest error\n{}", table::errors(&rows));
    println!("Answers equal to impinge's / positive answers\n{}", table::agreement(&rows));
    drive::write_json(options, &rows)
}
