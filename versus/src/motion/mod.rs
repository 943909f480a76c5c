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
use case::Case;
use judge::Answers;

/// All systems, in the order of the table.
const SYSTEMS: [Listed; 9] = [
    Listed::new("impinge"),
    Listed::on_request("impinge-before"),
    Listed::new("parry"),
    Listed::new("box3d"),
    Listed::new("jolt"),
    Listed::new("bullet"),
    Listed::new("fcl"),
    Listed::with("tight-inclusion", "ipctk"),
    Listed::with("additive", "ipctk"),
];

fn rounds(options: &Options) -> Rounds {
    Rounds { most: if options.quick { 3 } else { 7 }, nanoseconds: 20_000_000_000 }
}

fn run_case(
    options: &Options,
    case: &Case,
    systems: &mut Vec<System>,
    rows: &mut Vec<Row>,
) -> Result<(), String> {
    let before: Vec<(&str, [u64; 2])> =
        systems.iter().map(|system| (system.name, system.watch_memory())).collect();
    let times = drive::measure(case.name(), systems, rounds(options));
    let (mut answers, mut seen) = (Vec::new(), Vec::new());
    for system in systems.iter_mut().filter(|system| system.offers(case.name())) {
        let [_, peak] = system.memory();
        let resident = before.iter().find(|(name, _)| *name == system.name);
        let grown = resident.map_or(0, |(_, [now, _])| peak.saturating_sub(*now));
        seen.push((system.name, peak, grown, system.slowest(case.name())));
        let values = system.answers(case.name(), &options.work()?.join("answers"))?;
        answers.push(Answers { system: system.name, precision: system.precision, values });
    }
    let sample = case.samples[usize::from(options.quick)];
    let truths = judge::truths(case, sample, options.seed, &answers);
    let of = |name: &str| answers.iter().find(|entry| entry.system == name);
    let reference = of("impinge").map(|entry| entry.values.as_slice());
    for (system, time) in times {
        let Some(answers) = of(system) else { continue };
        let (verdict, wrong) = judge::judge(case.kind, &truths, answers, reference);
        let count = |number: usize| number as f64;
        let examined = truths.range(..answers.values.len()).count();
        let seen = seen.iter().find(|(name, ..)| *name == system);
        let (peak, grown, slowest) =
            seen.map_or((0, 0, None), |(_, peak, grown, slowest)| (*peak, *grown, *slowest));
        let mut more = vec![
            ("missed", count(wrong.missed)),
            ("invented", count(wrong.invented)),
            ("late", count(wrong.late)),
            ("early", count(wrong.early)),
            ("peak_kib", peak as f64),
            ("grown_kib", grown as f64),
        ];
        more.extend(slowest.map(|time| ("slowest", time as f64)));
        rows.push(Row {
            case: case.name().to_string(),
            system,
            nanoseconds: time as f64 / answers.values.len() as f64,
            queries: answers.values.len(),
            sample: examined,
            verdict,
            more,
        });
    }
    Ok(())
}

/// Runs the workload and prints its tables.
pub fn run(options: &Options) -> Result<(), String> {
    println!("motion: seed {}, {}", options.seed, drive::pin());
    let work = options.work()?;
    let cases = case::all(options)?;
    let mut paths = Vec::new();
    for case in &cases {
        let path = work.join(format!("{}.motion", case.name().replace(' ', "-")));
        case.input.write(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        paths.push(path);
    }
    let mut systems = drive::start(&SYSTEMS, &options.adapters, &paths);
    let mut rows = Vec::new();
    for case in &cases {
        run_case(options, case, &mut systems, &mut rows)?;
    }
    println!("\nProcessor time per query (over impinge's)\n{}", table::times(&rows));
    println!(
        "Wrong among the examined queries / largest error of a time\n{}",
        table::errors(&rows)
    );
    println!("Answers equal to impinge's / hits\n{}", table::agreement(&rows));
    for row in &rows {
        let number = |name| row.more(name).unwrap_or(0.0);
        let slowest =
            row.more("slowest").map(|time| format!("; slowest {}", table::duration(time)));
        println!(
            "{:22} {:16} missed {} invented {} late {} early {}; peak {:.0} MiB, {:.1} of it in the case{}",
            row.case,
            row.system,
            number("missed"),
            number("invented"),
            number("late"),
            number("early"),
            number("peak_kib") / 1024.0,
            number("grown_kib") / 1024.0,
            slowest.unwrap_or_default()
        );
    }
    drive::write_json(options, &rows)
}
