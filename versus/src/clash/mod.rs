//! The workload `clash`: whole programs, from a file to the parts that meet.

pub mod answers;
pub mod command;
pub mod compare;
pub mod listed;
pub mod models;
pub mod results;
pub mod truth;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::drive::{self, Rounds};
use crate::options::Options;
use crate::table::{Row, Verdict};
use answers::{Pairs, Report};
use command::{Spent, Stopwatch};
use compare::{Answers, Examined};
use models::Model;
use results::Results;

/// The peers; both are one program, which is told which of them it is.
const PEERS: [&str; 2] = ["trimesh", "trimesh-shared"];

/// What the peers read themselves; everything else is listed for them.
const READ_BY_PEERS: [&str; 6] = ["glb", "gltf", "stl", "obj", "ply", "off"];

fn rounds(options: &Options) -> Rounds {
    match options.quick {
        true => Rounds { most: 1, nanoseconds: 0 },
        false => Rounds { most: 5, nanoseconds: 20_000_000_000 },
    }
}

/// Random pairs that are examined of those that meet, and of those that do not.
fn sample(options: &Options) -> usize {
    if options.quick { 30 } else { 300 }
}

/// One system on one model: what it took and what it printed last.
struct Measured {
    system: &'static str,
    spent: Spent,
    /// Nanoseconds over all rounds.
    total: u64,
    printed: String,
}

/// What is needed to run any system.
struct Bench {
    stopwatch: Stopwatch,
    adapters: PathBuf,
    tests: PathBuf,
    systems: Vec<&'static str>,
}

impl Bench {
    /// The systems that are set up; why others are not is printed.
    fn new(options: &Options) -> Result<Bench, String> {
        let adapters = options.adapters.canonicalize().map_err(|_| "nothing is set up")?;
        let mut systems = Vec::new();
        for name in ["impinge", "impinge-before"].into_iter().chain(PEERS) {
            let program = if PEERS.contains(&name) { PEERS[0] } else { name };
            let note = |kind| std::fs::read_to_string(adapters.join(format!("{program}.{kind}")));
            match (note("skipped"), note("flags")) {
                (Ok(reason), _) => println!("{name:15} skipped: {}", reason.trim()),
                (_, Ok(flags)) => {
                    println!("{name:15} {}", flags.trim());
                    systems.push(name);
                }
                _ => {}
            }
        }
        let tests = Path::new("peers/clash/tests.toml").canonicalize();
        Ok(Bench {
            stopwatch: Stopwatch::new(adapters.join("measure"), options.work()?.join("clash.out")),
            tests: tests.map_err(|error| format!("peers/clash/tests.toml: {error}"))?,
            adapters,
            systems,
        })
    }

    fn run(&self, system: &'static str, model: &Path) -> Result<(Spent, String), String> {
        let path = |path: &Path| path.as_os_str().to_owned();
        if PEERS.contains(&system) {
            let arguments = [system.into(), path(model)];
            return self.stopwatch.run(&self.adapters.join(PEERS[0]), arguments, &[0]);
        }
        let mut arguments = vec!["check".into(), path(model), "--test".into(), path(&self.tests)];
        let switches = ["--verdicts-only", "--format", "json", "--no-status", "--quiet"];
        arguments.extend(switches.map(Into::into));
        self.stopwatch.run(&self.adapters.join(system), arguments, &[0, 1])
    }

    /// Least time over interleaved rounds; what fails is said and leaves.
    fn measure(&self, model: &Model, for_peers: &Path, rounds: Rounds) -> Vec<Measured> {
        let mut found: Vec<Measured> = Vec::new();
        let mut failed: BTreeSet<&str> = BTreeSet::new();
        for _ in 0..rounds.most {
            for &system in &self.systems {
                let index = found.iter().position(|entry| entry.system == system);
                let exhausted = index.is_some_and(|index| found[index].total > rounds.nanoseconds);
                if failed.contains(system) || exhausted {
                    continue;
                }
                let input = if PEERS.contains(&system) { for_peers } else { &model.path };
                match self.run(system, input) {
                    Ok((spent, printed)) => match index.map(|index| &mut found[index]) {
                        Some(entry) => {
                            entry.spent = entry.spent.best(spent);
                            entry.total += spent.wall;
                        }
                        None => found.push(Measured { system, spent, total: spent.wall, printed }),
                    },
                    Err(reason) => {
                        println!("{system} fails on {}: {reason}", model.name);
                        failed.insert(system);
                    }
                }
            }
        }
        found
    }

    /// Which of impinge's parts the peers' names stand for.
    fn names(&self, input: &Path, report: &Report) -> Result<BTreeMap<String, usize>, String> {
        if input.extension().is_some_and(|extension| extension == "json") {
            return Ok((0..report.parts.len())
                .map(|number| (number.to_string(), number))
                .collect());
        }
        let arguments = [PEERS[0].as_ref(), input.as_os_str(), "--parts".as_ref()];
        let (_, text) = self.stopwatch.run(&self.adapters.join(PEERS[0]), arguments, &[0])?;
        let listed = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let theirs = answers::parts(&listed).ok_or("the peer lists no parts")?;
        let found = answers::recognise(&report.parts, &theirs);
        if found.len() < theirs.len().max(report.parts.len()) {
            println!(
                "{} of impinge's {} parts and the peers' {} are recognised in each other",
                found.len(),
                report.parts.len(),
                theirs.len()
            );
        }
        Ok(found)
    }
}

/// Measures and judges one model.
fn run_model(
    options: &Options,
    bench: &Bench,
    model: &Model,
    results: &mut Results,
) -> Result<(), String> {
    let scene = impinge_io::read_scene(&model.path, &impinge_io::Options::default());
    let built = impinge_clash::Model::new(&scene.map_err(|error| error.to_string())?);
    let input = if models::has_extension(&model.path, &READ_BY_PEERS) {
        model.path.clone()
    } else {
        listed::write(&built, &options.work()?.join(format!("clash-{}", model.name)))?
    };
    let measured = bench.measure(model, &input, rounds(options));
    let Some(ours) = measured.iter().find(|entry| entry.system == "impinge") else {
        return Err("without impinge's report there is nothing to compare".into());
    };
    let report = Report::parse(&ours.printed)?;
    if report.parts.len() != built.parts.len() {
        return Err("impinge's report is about other parts".into());
    }
    let mut importing = BTreeMap::new();
    let mut answers = Vec::new();
    let has_peers = measured.iter().any(|entry| PEERS.contains(&entry.system));
    let names = if has_peers { bench.names(&input, &report)? } else { BTreeMap::new() };
    for entry in measured.iter().filter(|entry| PEERS.contains(&entry.system)) {
        let pairs = Pairs::parse(&entry.printed)?;
        let mut meeting = pairs.numbered(&names);
        meeting.retain(|pair| built.adjacent.binary_search(pair).is_err());
        let known = names.values().copied().collect();
        importing.insert(entry.system, pairs.importing);
        answers.push(Answers { system: entry.system, meeting, known });
    }
    let examined = Examined::new(&built, &report, &answers, options.seed, sample(options));
    for entry in &measured {
        let theirs = answers.iter().find(|answers| answers.system == entry.system);
        let (positives, wrong, differing) = match theirs {
            Some(theirs) => {
                let listed = examined.disagreements(theirs);
                results.disagree(&model.name, theirs, &built, &report, &listed);
                (theirs.meeting.len(), examined.wrong(theirs), listed.len())
            }
            None => {
                let own = Report::parse(&entry.printed)?;
                let wrong = examined.wrong_in(&own);
                results.wrong(&model.name, entry.system, &built, &own, &wrong);
                let differing = own
                    .kinds
                    .iter()
                    .filter(|(pair, kind)| report.kind(**pair) != Some(kind.as_str()));
                let meeting = own.kinds.values().filter(|kind| *kind != "contained").count();
                (meeting, wrong.len(), differing.count())
            }
        };
        let agree = Some(examined.near.saturating_sub(differing));
        let mut more = vec![
            ("processor_nanoseconds", entry.spent.processor as f64),
            ("kilobytes", entry.spent.kilobytes as f64),
            ("disagreements", differing as f64),
        ];
        more.extend(importing.get(entry.system).map(|seconds| ("importing_seconds", *seconds)));
        if theirs.is_none() {
            let counts = results::KINDS.map(|kind| (kind, report.count(kind) as f64));
            more.extend([("parts", report.parts.len() as f64)]);
            more.extend([("triangles", report.triangles as f64)]);
            more.extend(counts);
        }
        results.rows.push(Row {
            case: model.name.clone(),
            system: entry.system,
            nanoseconds: entry.spent.wall as f64,
            queries: examined.near,
            sample: examined.len(),
            verdict: Verdict { positives, wrong, max_error: None, agree },
            more,
        });
    }
    results.examined(&model.name, &examined, &report);
    Ok(())
}

/// Runs the workload and prints its tables.
pub fn run(options: &Options) -> Result<(), String> {
    let folder = options.models.as_deref().ok_or("clash needs --models DIR")?;
    let found = models::find(folder)?;
    if found.is_empty() {
        return Err(format!("{}: there is no model", folder.display()));
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
        if let Err(reason) = run_model(options, &bench, model, &mut results) {
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
