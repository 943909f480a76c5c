//! The workload `clash`: whole programs, from a file to the parts that meet.

pub mod answers;
pub mod bench;
pub mod command;
pub mod compare;
pub mod generated;
pub mod listed;
pub mod models;
pub mod results;
pub mod truth;

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::drive::{self, Rounds};
use crate::options::Options;
use crate::table::{Row, Verdict};
use answers::{Pairs, Report};
use bench::{Bench, Measured, PEERS};
use compare::{Answers, Examined};
use models::Model;
use results::Results;

/// What the peers read themselves; everything else is listed for them.
const READ_BY_PEERS: [&str; 6] = ["glb", "gltf", "stl", "obj", "ply", "off"];

fn rounds(options: &Options) -> Rounds {
    let most = options.rounds.unwrap_or(if options.quick { 1 } else { 5 });
    Rounds { most, nanoseconds: 20_000_000_000 }
}

/// How many random pairs are examined of those that meet, and of those that do not; by default all.
fn sample(options: &Options) -> Option<usize> {
    match options {
        Options { unjudged: true, .. } => Some(0),
        Options { quick: true, .. } => Some(30),
        _ => None,
    }
}

/// A model as all systems were given it, and what they answered.
struct Answered {
    model: impinge_clash::Model,
    measured: Vec<Measured>,
    report: Report,
    peers: Vec<Answers>,
    /// Seconds that each peer took until its libraries were there, and those of processors.
    importing: BTreeMap<&'static str, [f64; 2]>,
}

impl Answered {
    /// Runs all systems on a model.
    fn new(options: &Options, bench: &Bench, found: &Model) -> Result<Answered, String> {
        let scene = impinge_io::read_scene(&found.path, &impinge_io::LoadOptions::default());
        let model = impinge_clash::Model::new(&scene.map_err(|error| error.to_string())?);
        let input: PathBuf = if models::has_extension(&found.path, &READ_BY_PEERS) {
            found.path.clone()
        } else {
            listed::write(&model, &options.work()?.join(format!("clash-{}", found.name)))?
        };
        let measured = bench.measure(found, &input, rounds(options));
        let ours = measured.iter().find(|entry| entry.system == "impinge");
        let ours = ours.ok_or("without impinge's report there is nothing to compare")?;
        let report = Report::parse(&ours.printed)?;
        if report.parts.len() != model.parts.len() {
            return Err("impinge's report is about other parts".into());
        }
        let of_peers: Vec<&Measured> =
            measured.iter().filter(|entry| PEERS.contains(&entry.system)).collect();
        let names =
            if of_peers.is_empty() { BTreeMap::new() } else { bench.names(&input, &report)? };
        let (mut peers, mut importing) = (Vec::new(), BTreeMap::new());
        for entry in of_peers {
            let pairs = Pairs::parse(&entry.printed)?;
            let mut meeting = pairs.numbered(&names);
            meeting.retain(|&[a, b]| !model.adjacent.contains(a, b));
            importing.insert(entry.system, [pairs.importing, pairs.processor_importing]);
            let known = names.values().copied().collect();
            peers.push(Answers { system: entry.system, meeting, known });
        }
        Ok(Answered { model, measured, report, peers, importing })
    }

    /// Judges the answers of all systems.
    fn judge(&self, options: &Options, case: &str, results: &mut Results) -> Result<(), String> {
        let Answered { model, report, .. } = self;
        let examined = Examined::new(model, report, &self.peers, options.seed, sample(options));
        for entry in &self.measured {
            let peer = self.peers.iter().find(|answers| answers.system == entry.system);
            let mut more = vec![
                ("processor_nanoseconds", entry.spent.processor as f64),
                ("kilobytes", entry.spent.kilobytes as f64),
            ];
            if let Some([wall, processor]) = self.importing.get(entry.system) {
                more.push(("importing_seconds", *wall));
                more.push(("processor_importing", *processor));
            }
            let (positives, wrong, differing) = match peer {
                Some(peer) => {
                    let listed = examined.disagreements(peer);
                    results.disagree(case, peer, model, report, &listed);
                    (peer.meeting.len(), examined.wrong(peer), listed.len())
                }
                None => {
                    let own = Report::parse(&entry.printed)?;
                    let wrong = examined.wrong_in(&own);
                    results.wrong(case, entry.system, model, &own, &wrong);
                    more.push(("parts", own.parts.len() as f64));
                    more.push(("triangles", own.triangles as f64));
                    more.extend(results::KINDS.map(|kind| (kind, own.count(kind) as f64)));
                    (own.meeting(), wrong.len(), own.differing(report))
                }
            };
            more.push(("disagreements", differing as f64));
            let agree = Some(examined.near.saturating_sub(differing));
            results.rows.push(Row {
                case: case.to_string(),
                system: entry.system,
                nanoseconds: entry.spent.wall as f64,
                queries: examined.near,
                sample: examined.len(),
                verdict: Verdict { positives, wrong, max_error: None, agree },
                more,
            });
        }
        results.examined(case, &examined, report);
        Ok(())
    }
}

/// Runs the workload and prints its tables.
pub fn run(options: &Options) -> Result<(), String> {
    let mut found = match options.models.as_deref() {
        Some(folder) => models::find(folder)?,
        None => Vec::new(),
    };
    found.extend(generated::write(&options.work()?.join("clash-generated"), options.seed)?);
    if !options.cases.is_empty() {
        found.retain(|model| options.cases.contains(&model.name));
    }
    let Rounds { most, nanoseconds } = rounds(options);
    println!(
        "clash: seed {}, least of {most} rounds or {} s, on all processors",
        options.seed,
        nanoseconds / 1_000_000_000
    );
    let bench = Bench::new(options)?;
    let mut results = Results::default();
    for model in &found {
        eprintln!("{}", model.name);
        let answered = Answered::new(options, &bench, model);
        let judged =
            answered.and_then(|answered| answered.judge(options, &model.name, &mut results));
        if let Err(reason) = judged {
            println!("{} is left out: {reason}", model.name);
        }
    }
    let beside = match &options.json {
        Some(path) => path.with_extension("disagreements.tsv"),
        None => options.work()?.join("clash.disagreements.tsv"),
    };
    results.print(&beside)?;
    drive::write_json(options, &results.rows)
}
