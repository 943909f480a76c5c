//! The programs that are set up, and running them in turn.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::answers::{self, Report};
use super::command::{Spent, Stopwatch};
use super::models::Model;
use crate::drive::Rounds;
use crate::options::Options;

/// The peers; both are one program, which is told which of them it is.
pub const PEERS: [&str; 2] = ["trimesh", "trimesh-shared"];

/// One system on one model: what it took, and what it printed in the quickest round.
pub struct Measured {
    pub system: &'static str,
    pub spent: Spent,
    /// Nanoseconds over all rounds.
    total: u64,
    pub printed: String,
}

/// What is needed to run any system.
pub struct Bench {
    stopwatch: Stopwatch,
    adapters: PathBuf,
    tests: PathBuf,
    systems: Vec<&'static str>,
}

impl Bench {
    /// The systems that are set up; why others are not is printed.
    pub fn new(options: &Options) -> Result<Bench, String> {
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
    pub fn measure(&self, model: &Model, for_peers: &Path, rounds: Rounds) -> Vec<Measured> {
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
                            if spent.wall < entry.spent.wall {
                                entry.printed = printed;
                            }
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
    pub fn names(&self, input: &Path, report: &Report) -> Result<BTreeMap<String, usize>, String> {
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
