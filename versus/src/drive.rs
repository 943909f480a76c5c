//! What all workloads share: starting the systems, interleaving their rounds, printing the results.

use std::path::{Path, PathBuf};

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::options::Options;
use crate::system::{Listed, System};
use crate::table::{self, Row};

/// Keeps this process, and the adapters it starts, on one processor: the last one allowed.
pub fn pin() -> String {
    let pinned = || {
        let allowed = sched_getaffinity(None).ok()?;
        let last = (0..CpuSet::MAX_CPU).rev().find(|&index| allowed.is_set(index))?;
        let mut one = CpuSet::new();
        one.set(last);
        sched_setaffinity(None, &one).ok().map(|()| last)
    };
    pinned().map_or("unpinned".into(), |index| format!("on processor {index}"))
}

/// Starts every system that is set up and says why the others are left out.
pub fn start(listed: &[Listed], adapters: &Path, inputs: &[PathBuf]) -> Vec<System> {
    start_and_say(listed, adapters, inputs, |line| println!("{line}"))
}

/// As [`start`]; what there is to say is given to `say`, line by line.
pub fn start_and_say(
    listed: &[Listed],
    adapters: &Path,
    inputs: &[PathBuf],
    say: impl Fn(&str),
) -> Vec<System> {
    let mut systems = Vec::new();
    for &Listed { name, adapter, on_request } in listed {
        let note = |kind: &str| std::fs::read_to_string(adapters.join(format!("{adapter}.{kind}")));
        if let Ok(reason) = note("skipped") {
            say(&format!("{name:13} skipped: {}", reason.trim()));
            continue;
        }
        if on_request && !adapters.join(adapter).exists() {
            continue;
        }
        match System::start(name, &adapters.join(adapter), inputs) {
            // What has nothing to say about this workload is not mentioned.
            Ok(system) if system.offers_nothing() => {}
            Ok(system) => {
                let flags = note("flags").unwrap_or_default();
                let System { version, precision, .. } = &system;
                say(&format!("{name:13} {version} {precision:?}; {}", flags.trim()));
                systems.push(system);
            }
            Err(reason) => say(&format!("{name:13} skipped: {reason}")),
        }
    }
    systems
}

/// How often a case is run.
#[derive(Clone, Copy, Debug)]
pub struct Rounds {
    pub most: usize,
    /// A system that has used so much time on a case has no further round of it.
    pub nanoseconds: u64,
}

/// Least time over interleaved rounds, per system that offers the case. A system that fails leaves.
pub fn measure(case: &str, systems: &mut Vec<System>, rounds: Rounds) -> Vec<(&'static str, u64)> {
    /// Least and total time of a system.
    struct Spent(&'static str, u64, u64);
    let mut spent: Vec<Spent> = Vec::new();
    for _ in 0..rounds.most {
        systems.retain_mut(|system| {
            let index = spent.iter().position(|entry| entry.0 == system.name);
            let exhausted = index.is_some_and(|index| spent[index].2 > rounds.nanoseconds);
            if !system.offers(case) || exhausted {
                return true;
            }
            match system.round(case) {
                Ok(time) => {
                    match index.map(|index| &mut spent[index]) {
                        Some(entry) => *entry = Spent(entry.0, time.min(entry.1), entry.2 + time),
                        None => spent.push(Spent(system.name, time, time)),
                    }
                    true
                }
                Err(reason) => {
                    println!("{} fails in {case}: {reason}", system.name);
                    false
                }
            }
        });
    }
    spent.into_iter().map(|Spent(name, least, _)| (name, least)).collect()
}

/// Writes the JSON lines, if asked for.
pub fn write_json(options: &Options, rows: &[Row]) -> Result<(), String> {
    let Some(path) = &options.json else { return Ok(()) };
    std::fs::write(path, table::json(options.workload.name(), rows))
        .map_err(|error| format!("{}: {error}", path.display()))
}
