//! The workload `broad`: all pairs of overlapping boxes among many that move.

pub mod mix;
pub mod oracle;
pub mod record;
pub mod serve;

use std::collections::HashMap;

use crate::drive::{self, Rounds};
use crate::options::Options;
use crate::system::{Listed, System};
use crate::table::{self, Row, Verdict};
use mix::Mix;
use record::{BoxData, PairSet, Recording};

/// All systems, in the order of the table.
const SYSTEMS: [Listed; 8] = [
    Listed::new("impinge"),
    Listed::on_request("impinge-before"),
    Listed::new("parry"),
    Listed::new("embree"),
    Listed::new("fcl"),
    Listed::new("jolt"),
    Listed::new("box3d"),
    Listed::new("bullet"),
];

/// impinge's broad phases, with `--phases`.
const PHASES: [Listed; 6] = [
    Listed::with("impinge-grid", "impinge"),
    Listed::with("impinge-levels", "impinge"),
    Listed::with("impinge-hash", "impinge"),
    Listed::with("impinge-octree", "impinge"),
    Listed::with("impinge-tree", "impinge"),
    Listed::with("impinge-sweep", "impinge"),
];

/// Numbers of boxes, by name; `--quick` leaves out the last.
const SIZES: [(&str, usize); 3] = [("10k", 10_000), ("100k", 100_000), ("1M", 1_000_000)];

/// A system that is expected to take longer than this for a round has none, at that number of boxes.
const LONGEST_ROUND: f64 = 10e9;

/// Ten times the boxes take at least so many times as long.
const GROWTH: f64 = 12.0;

fn rounds(options: &Options) -> Rounds {
    match options.quick {
        true => Rounds { most: 3, nanoseconds: 500_000_000 },
        false => Rounds { most: 7, nanoseconds: 5_000_000_000 },
    }
}

fn frame_count(options: &Options) -> usize {
    if options.quick { 4 } else { 8 }
}

/// The sets of pairs that are right: of the first frame, and of each frame after it.
struct Truth {
    first: PairSet,
    frames: Vec<PairSet>,
}

impl Truth {
    fn new(recording: &Recording) -> Truth {
        let mut boxes: Vec<BoxData> = recording.first.clone();
        let first = oracle::pairs(&boxes);
        let frame = |moved: &Vec<(u32, BoxData)>| {
            moved.iter().for_each(|&(index, entry)| boxes[index as usize] = entry);
            oracle::pairs(&boxes)
        };
        Truth { first, frames: recording.frames.iter().map(frame).collect() }
    }
}

/// Compares the answers of one system with the truth and with impinge's.
fn judge(answers: &[f64], truth: &[PairSet], reference: Option<&[f64]>) -> Verdict {
    let given = answers.chunks_exact(PairSet::WIDTH);
    let agree = reference.map(|reference| {
        let pairs = given.clone().zip(reference.chunks_exact(PairSet::WIDTH));
        pairs.filter(|(answer, ours)| answer == ours).count()
    });
    Verdict {
        positives: given.clone().map(|answer| answer[0] as usize).sum(),
        wrong: given.zip(truth).filter(|(answer, truth)| *answer != truth.values()).count(),
        max_error: None,
        agree,
    }
}

/// Measures and judges one case.
fn run_case(
    options: &Options,
    case: &str,
    truth: &[PairSet],
    systems: &mut Vec<System>,
) -> Result<Vec<Row>, String> {
    let times = drive::measure(case, systems, rounds(options));
    let scratch = options.work()?.join("answers");
    let mut answers: HashMap<&str, Vec<f64>> = HashMap::new();
    for system in systems.iter_mut().filter(|system| system.offers(case)) {
        answers.insert(system.name, system.answers(case, &scratch)?);
    }
    let reference = answers.get("impinge").map(Vec::as_slice);
    let row = |(system, time): (&'static str, u64)| {
        let values = answers.get(system)?;
        Some(Row {
            case: case.to_string(),
            system,
            nanoseconds: time as f64 / truth.len() as f64,
            queries: truth.len(),
            sample: truth.len(),
            verdict: judge(values, truth, reference),
            more: Vec::new(),
        })
    };
    Ok(times.into_iter().filter_map(row).collect())
}

/// Which of the systems are asked about ten times the boxes, after these rows; what is said of the others.
fn able(all: &[Listed], rows: &[Row], frames: usize) -> (Vec<Listed>, String) {
    let mut said = String::new();
    let mut enough = |listed: &Listed| {
        let slowest = rows.iter().filter(|row| row.system == listed.name).max_by(|a, b| {
            (a.nanoseconds * a.queries as f64).total_cmp(&(b.nanoseconds * b.queries as f64))
        });
        let Some(row) = slowest else { return rows.is_empty() };
        let expected = GROWTH * row.nanoseconds * frames.max(row.queries) as f64;
        if expected > LONGEST_ROUND {
            let time = table::duration(row.nanoseconds);
            said += &format!("{} takes {time} in {}; ", listed.name, row.case);
        }
        expected <= LONGEST_ROUND
    };
    (all.iter().copied().filter(|listed| enough(listed)).collect(), said)
}

/// How many times impinge's time the fastest other system takes.
fn best_peers(rows: &[Row]) -> String {
    let mut out = String::new();
    for ours in rows.iter().filter(|row| row.system == "impinge") {
        let peers =
            rows.iter().filter(|row| row.case == ours.case && !row.system.starts_with("impinge"));
        let best = peers.min_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
        if let Some(best) = best {
            let ratio = best.nanoseconds / ours.nanoseconds;
            out += &format!("{:27} {:8} {ratio:6.2}×\n", ours.case, best.system);
        }
    }
    out
}

/// Runs one mix at one number of boxes.
fn run_recording(
    options: &Options,
    recording: &Recording,
    listed: &[Listed],
    announce: bool,
) -> Result<Vec<Row>, String> {
    let path = options.work()?.join("broad.boxes");
    recording.write(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let truth = Truth::new(recording);
    let say = |line: &str| {
        if announce {
            println!("{line}");
        }
    };
    let mut systems = drive::start_and_say(listed, &options.adapters, &[path], say);
    let frame = format!("{} frame", recording.name);
    let mut rows = run_case(options, &frame, &truth.frames, &mut systems)?;
    let scratch = format!("{} scratch", recording.name);
    rows.extend(run_case(options, &scratch, &[truth.first], &mut systems)?);
    Ok(rows)
}

/// Runs the workload and prints its tables.
pub fn run(options: &Options) -> Result<(), String> {
    let (frames, Rounds { most, nanoseconds }) = (frame_count(options), rounds(options));
    println!(
        "broad: seed {}, {frames} frames after the first, least of {most} rounds or {} s, {}",
        options.seed,
        nanoseconds as f64 / 1e9,
        drive::pin()
    );
    let sizes = if options.quick { &SIZES[..2] } else { &SIZES[..] };
    let mut all = SYSTEMS.to_vec();
    if options.phases {
        all.splice(1..1, PHASES);
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut last: HashMap<&str, Vec<Row>> = HashMap::new();
    for (size, count) in sizes {
        for mix in Mix::ALL {
            let name = format!("{size} {}", mix.name());
            let before = last.remove(mix.name()).unwrap_or_default();
            let (listed, said) = able(&all, &before, frames);
            if !said.is_empty() {
                println!("left out of {name}: {}", said.trim_end_matches("; "));
            }
            let recording = mix::record(mix, name, *count, frames, options.seed);
            let of_mix = run_recording(options, &recording, &listed, rows.is_empty())?;
            rows.extend(of_mix.iter().cloned());
            last.insert(mix.name(), of_mix);
        }
    }
    println!("\nProcessor time per frame or per build (over impinge's)\n{}", table::times(&rows));
    println!("Fastest peer and its time over impinge's\n{}", best_peers(&rows));
    println!("Frames with a wrong set of pairs\n{}", table::errors(&rows));
    println!("Frames equal to impinge's / pairs in all\n{}", table::agreement(&rows));
    drive::write_json(options, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_pair_too_many_is_noticed() {
        let right = [PairSet::of(&[[1, 2], [3, 4]]), PairSet::of(&[[1, 2]])];
        let mut answers = right.map(PairSet::values).concat();
        assert_eq!(judge(&answers, &right, None).wrong, 0);
        let ours = answers.clone();
        answers[3..].copy_from_slice(&PairSet::of(&[[1, 2], [2, 5]]).values());
        let verdict = judge(&answers, &right, Some(&ours));
        assert_eq!((verdict.wrong, verdict.agree, verdict.positives), (1, Some(1), 4));
    }
}
