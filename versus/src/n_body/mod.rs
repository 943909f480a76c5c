//! The workload `n-body`: many meshes that move; which of them meet?

pub mod motion;
pub mod record;
pub mod truth;

use std::collections::HashMap;

use crate::broad::record::PairSet;
use crate::drive::{self, Rounds};
use crate::mesh::files;
use crate::mesh::model::Model;
use crate::mesh::workload::LARGE;
use crate::options::Options;
use crate::system::Listed;
use crate::table::{self, Row, Verdict};
use motion::Encounter;
use record::Recording;

/// All systems, in the order of the table.
const SYSTEMS: [Listed; 8] = [
    Listed::new("impinge"),
    Listed::on_request("impinge-before"),
    Listed::with("impinge-scene", "impinge"),
    Listed::with("scene-plain", "impinge"),
    Listed::with("impinge-solids", "impinge"),
    Listed::with("solids-plain", "impinge"),
    Listed::new("coal"),
    Listed::new("fcl"),
];

const BODIES: usize = 600;

/// Frames of encounters.
const SHORT: usize = 10;

fn rounds(options: &Options) -> Rounds {
    match options.quick {
        true => Rounds { most: 3, nanoseconds: 500_000_000 },
        false => Rounds { most: 7, nanoseconds: 5_000_000_000 },
    }
}

/// The frames whose truth is found by brute force: the first, the middle and the last, or the first alone.
fn examined(options: &Options, frames: usize) -> Vec<usize> {
    if options.quick { vec![0] } else { vec![0, frames / 2, frames - 1] }
}

/// One line per system and frame whose pairs are not impinge's.
fn disagreements(answers: &HashMap<&str, Vec<f64>>) -> String {
    let mut out = String::new();
    let Some(ours) = answers.get("impinge") else { return out };
    for (system, values) in answers {
        let given = values.chunks_exact(PairSet::WIDTH);
        for (frame, (other, ours)) in given.zip(ours.chunks_exact(PairSet::WIDTH)).enumerate() {
            if other != ours {
                let counts = format!("{} pairs, impinge {}", other[0], ours[0]);
                out += &format!("{system} in frame {frame}: {counts}\n");
            }
        }
    }
    out
}

/// Measures and judges one model.
fn run_model(options: &Options, recording: &Recording) -> Result<(Vec<Row>, String), String> {
    let path = options.work()?.join("n-body.bodies");
    recording.write(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut systems = drive::start(&SYSTEMS, &options.adapters, &[path]);
    let times = drive::measure(&recording.name, &mut systems, rounds(options));
    let scratch = options.work()?.join("answers");
    let mut answers: HashMap<&str, Vec<f64>> = HashMap::new();
    for system in systems.iter_mut().filter(|system| system.offers(&recording.name)) {
        answers.insert(system.name, system.answers(&recording.name, &scratch)?);
    }
    let truths: Vec<(usize, PairSet)> = examined(options, recording.frames.len())
        .into_iter()
        .map(|frame| (frame, truth::meetings(&recording.mesh, &recording.frames[frame])))
        .collect();
    let reference = answers.get("impinge");
    let row = |(system, time): (&'static str, u64)| {
        let given: Vec<&[f64]> = answers.get(system)?.chunks_exact(PairSet::WIDTH).collect();
        let agree = reference.map(|ours| {
            let both = given.iter().zip(ours.chunks_exact(PairSet::WIDTH));
            both.filter(|(answer, ours)| *answer == ours).count()
        });
        let wrong = truths.iter().filter(|(frame, truth)| given[*frame] != truth.values()).count();
        Some(Row {
            case: recording.name.clone(),
            system,
            nanoseconds: time as f64 / given.len() as f64,
            queries: given.len(),
            sample: truths.len(),
            verdict: Verdict {
                positives: given.iter().map(|answer| answer[0] as usize).sum(),
                wrong,
                max_error: None,
                agree,
            },
            more: Vec::new(),
        })
    };
    Ok((times.into_iter().filter_map(row).collect(), disagreements(&answers)))
}

/// Runs the workload and prints its tables.
pub fn run(options: &Options) -> Result<(), String> {
    let frames = if options.quick { 10 } else { 60 };
    let Rounds { most, nanoseconds } = rounds(options);
    println!(
        "n-body: seed {}, {BODIES} bodies, {frames} frames, least of {most} rounds or {} s, {}",
        options.seed,
        nanoseconds as f64 / 1e9,
        drive::pin()
    );
    let (mut rows, mut differences) = (Vec::new(), String::new());
    for Model { name, mesh } in files::all(options.models.as_deref())? {
        if mesh.triangles.len() > LARGE {
            continue;
        }
        let (pairs, seed) = (if options.quick { 40 } else { 150 }, options.seed);
        let short = |kind, text: &str| {
            motion::encounters(format!("{name} {text}"), &mesh, kind, (pairs, SHORT), seed)
        };
        let near = short(Encounter::NearMiss, "near misses");
        let colliding = short(Encounter::Colliding, "colliding");
        for recording in [motion::record(name, mesh, BODIES, frames, seed), near, colliding] {
            let (of_recording, said) = run_model(options, &recording)?;
            rows.extend(of_recording);
            differences += &said;
        }
    }
    println!("\nProcessor time per frame (over impinge's)\n{}", table::times(&rows));
    for (kind, with, without) in
        [("surfaces", "impinge-scene", "scene-plain"), ("solids", "impinge-solids", "solids-plain")]
    {
        let gain = table::gain(&rows, without, with);
        println!("Time of a scene of {kind} without support tables over that with them\n{gain}");
    }
    println!("Examined frames with a wrong set of pairs\n{}", table::errors(&rows));
    println!("Frames equal to impinge's / pairs in all\n{}", table::agreement(&rows));
    let none = if differences.is_empty() { "none\n" } else { "" };
    println!("Frames with other pairs than impinge's\n{none}{differences}");
    drive::write_json(options, &rows)
}
