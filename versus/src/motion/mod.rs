//! The workload `motion`: when do two things meet that move?

pub mod case;
pub mod format;
pub mod generate;
pub mod judge;
pub mod oracle;

use crate::drive::{self, Rounds};
use crate::options::Options;
use crate::system::{Listed, System};
use crate::table::{self, Row};
use case::{CASES, Case};
use format::Input;
use judge::Answers;

/// All systems, in the order of the table.
const SYSTEMS: [Listed; 7] = [
    Listed::new("impinge"),
    Listed::on_request("impinge-before"),
    Listed::new("parry"),
    Listed::new("box3d"),
    Listed::new("jolt"),
    Listed::with("tight-inclusion", "ipctk"),
    Listed::with("additive", "ipctk"),
];

fn rounds(options: &Options) -> Rounds {
    Rounds { most: if options.quick { 3 } else { 7 }, nanoseconds: 20_000_000_000 }
}

fn run_case(
    options: &Options,
    case: &Case,
    input: &Input,
    systems: &mut Vec<System>,
    rows: &mut Vec<Row>,
) -> Result<(), String> {
    let times = drive::measure(case.name, systems, rounds(options));
    let mut answers = Vec::new();
    for system in systems.iter_mut().filter(|system| system.offers(case.name)) {
        let values = system.answers(case.name, &options.work()?.join("answers"))?;
        answers.push(Answers { system: system.name, precision: system.precision, values });
    }
    let sample = if options.quick { 500 } else { 2_000 };
    let truths = judge::truths(case, input, sample, options.seed, &answers);
    let of = |name: &str| answers.iter().find(|entry| entry.system == name);
    let reference = of("impinge").map(|entry| entry.values.as_slice());
    for (system, time) in times {
        let Some(answers) = of(system) else { continue };
        let (verdict, wrong) = judge::judge(&truths, answers, reference);
        let count = |number: usize| number as f64;
        rows.push(Row {
            case: case.name.to_string(),
            system,
            nanoseconds: time as f64 / answers.values.len() as f64,
            queries: answers.values.len(),
            sample: truths.len(),
            verdict,
            more: vec![
                ("missed", count(wrong.missed)),
                ("invented", count(wrong.invented)),
                ("late", count(wrong.late)),
                ("early", count(wrong.early)),
            ],
        });
    }
    Ok(())
}

/// Runs the workload and prints its tables.
pub fn run(options: &Options) -> Result<(), String> {
    println!("motion: seed {}, {}", options.seed, drive::pin());
    let work = options.work()?;
    let (mut inputs, mut paths) = (Vec::new(), Vec::new());
    for case in &CASES {
        let input = (case.input)(options.seed, case.queries[usize::from(options.quick)]);
        let path = work.join(format!("{}.motion", case.name.replace(' ', "-")));
        input.write(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        inputs.push(input);
        paths.push(path);
    }
    let mut systems = drive::start(&SYSTEMS, &options.adapters, &paths);
    let mut rows = Vec::new();
    for (case, input) in CASES.iter().zip(&inputs) {
        run_case(options, case, input, &mut systems, &mut rows)?;
    }
    println!("\nProcessor time per query (over impinge's)\n{}", table::times(&rows));
    println!(
        "Wrong among the examined queries / largest error of a time\n{}",
        table::errors(&rows)
    );
    println!("Answers equal to impinge's / hits\n{}", table::agreement(&rows));
    for row in &rows {
        let number = |name| row.more(name).unwrap_or(0.0);
        println!(
            "{:16} {:16} missed {} invented {} late {} early {}",
            row.case,
            row.system,
            number("missed"),
            number("invented"),
            number("late"),
            number("early")
        );
    }
    drive::write_json(options, &rows)
}
