//! The same experiments several times: whether verdicts stay, and how far figures move.
//!
//! `impinge-lab stability --runs 10` runs everything ten times, each run in a folder of its own, and writes a page. Claims that rest on
//! counts have the same figures in every run; those that rest on times must have the same verdict all the same.

use crate::error::LabError;
use crate::experiment::Experiment;
use crate::file::put;
use crate::machine::{Machine, today};
use crate::store;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Where one of several runs is written; they count from one.
pub fn run_folder(folder: &Path, run: usize) -> PathBuf {
    folder.join(format!("run-{run}"))
}

/// Notes in the folder of a run how busy the machine is: the load average over a minute, where the system tells it.
pub fn note_load(folder: &Path) -> Result<(), LabError> {
    let path = folder.join(LOADS);
    let Ok(now) = std::fs::read_to_string("/proc/loadavg") else { return Ok(()) };
    let Some(load) = now.split_whitespace().next() else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(|error| LabError::file(folder, error))?;
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    put(&path, format!("{before}{load}\n"))
}

/// The file with the loads of a run.
const LOADS: &str = "load.txt";

/// What became of a claim in several runs.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimRuns {
    /// Of which experiment.
    pub experiment: &'static str,
    /// What is claimed.
    pub claim: String,
    /// Each verdict with the number of runs that have it, by the run in which it appears first.
    pub verdicts: Vec<(String, usize)>,
    /// The greatest spread of a figure in what was measured: (largest − least) / median. Nothing if sentences differ in more than figures.
    pub spread: Option<f64>,
}

impl ClaimRuns {
    /// True if all runs have one verdict.
    pub fn is_stable(&self) -> bool {
        self.verdicts.len() == 1
    }
}

/// Of the values of an experiment's tables that differ between runs: how many, and the spreads, sorted.
struct Spreads {
    experiment: &'static str,
    spreads: Vec<f64>,
}

/// What became of all claims of some experiments in `runs` runs. An error names what is missing.
pub fn claims(
    folder: &Path,
    runs: usize,
    experiments: &[&'static Experiment],
) -> Result<Vec<ClaimRuns>, LabError> {
    let mut all = Vec::new();
    for experiment in experiments {
        let found: Vec<_> =
            (1..=runs).map(|run| store::claims_of(&run_folder(folder, run), experiment)).collect();
        let count = found.first().map_or(0, Vec::len);
        if count == 0 || found.iter().any(|claims| claims.len() != count) {
            let name = experiment.name;
            return Err(LabError::Failed(format!("{name}: not all runs have the same claims")));
        }
        for k in 0..count {
            all.push(claim(experiment.name, found.iter().map(|claims| &claims[k])));
        }
    }
    Ok(all)
}

fn claim<'c>(
    experiment: &'static str,
    runs: impl Iterator<Item = &'c [String; 3]> + Clone,
) -> ClaimRuns {
    let mut verdicts: Vec<(String, usize)> = Vec::new();
    for [_, _, verdict] in runs.clone() {
        match verdicts.iter_mut().find(|(known, _)| known == verdict) {
            Some((_, count)) => *count += 1,
            None => verdicts.push((verdict.clone(), 1)),
        }
    }
    let figures: Vec<Vec<f64>> = runs.clone().map(|[_, measured, _]| numbers(measured)).collect();
    let count = figures.first().map_or(0, Vec::len);
    let alike = figures.iter().all(|figures| figures.len() == count);
    let at = |k: usize| spread(&figures.iter().map(|figures| figures[k]).collect::<Vec<_>>());
    let spread = alike.then(|| (0..count).filter_map(at).fold(0.0, f64::max));
    let claim = runs.clone().next().map_or(String::new(), |[claim, ..]| claim.clone());
    ClaimRuns { experiment, claim, verdicts, spread }
}

/// (largest − least) / median; nothing for values that are not all numbers other than zero.
fn spread(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (least, most) = (*sorted.first()?, *sorted.last()?);
    let median = sorted[sorted.len() / 2];
    let spread = (most - least) / median.abs();
    spread.is_finite().then_some(spread)
}

/// The numbers of a sentence.
fn numbers(text: &str) -> Vec<f64> {
    let digits = |character: char| character.is_ascii_digit() || character == '.';
    let parts = text.split(move |character| !digits(character));
    parts.filter_map(|part| part.trim_end_matches('.').parse().ok()).collect()
}

/// How far the values in the tables of an experiment move.
fn values(folder: &Path, runs: usize, experiment: &'static Experiment) -> Spreads {
    let tables: Vec<_> =
        (1..=runs).map(|run| store::tables_of(&run_folder(folder, run), experiment)).collect();
    let mut spreads = Vec::new();
    let cell = |run: usize, table: usize, row: usize, column: usize| -> Option<f64> {
        tables[run].get(table)?.1.get(row)?.get(column)?.parse().ok()
    };
    for (t, (_, rows)) in tables.first().into_iter().flatten().enumerate() {
        for (r, row) in rows.iter().enumerate() {
            for column in 0..row.len() {
                let cells: Option<Vec<f64>> =
                    (0..tables.len()).map(|run| cell(run, t, r, column)).collect();
                spreads.extend(cells.and_then(|cells| spread(&cells)).filter(|one| *one > 0.0));
            }
        }
    }
    spreads.sort_by(f64::total_cmp);
    Spreads { experiment: experiment.name, spreads }
}

/// The page, in Markdown: every claim with its verdicts, and how far the figures of each experiment move.
pub fn page(
    folder: &Path,
    runs: usize,
    experiments: &[&'static Experiment],
    command: &str,
) -> Result<String, LabError> {
    let all = claims(folder, runs, experiments)?;
    let Machine { processor, threads } = Machine::this();
    let stable = all.iter().filter(|one| one.is_stable()).count();
    let mut text = format!(
        "# How stable the lab's verdicts are\n\n\
         Every experiment, run {runs} times: {stable} of {} verdicts are the same in all runs. Written by `{command}` on {}, {processor}, {threads} threads{}.\n\n\
         A figure's spread is the largest value minus the least, over the median, across the runs. Counts have none.\n\n\
         ## Verdicts\n\n\
         | experiment | claim | verdict in {runs} runs | largest spread of a figure |\n|---|---|---|---:|\n",
        all.len(),
        today(),
        loads(folder, runs),
    );
    for one in &all {
        let verdicts: Vec<String> = match one.verdicts.as_slice() {
            [(verdict, _)] => vec![verdict.clone()],
            several => several.iter().map(|(v, count)| format!("**{count} × {v}**")).collect(),
        };
        let spread = match one.spread {
            None => "which one varies".into(),
            Some(0.0) => "none".into(),
            Some(spread) => percent(spread),
        };
        let claim = one.claim.replace('|', "\\|");
        let _ = writeln!(
            text,
            "| `{}` | {claim} | {} | {spread} |",
            one.experiment,
            verdicts.join(", ")
        );
    }
    text += "\n## Figures in tables\n\nOf the values that differ between runs, times and their ratios:\n\n\
             | experiment | values | median spread | nine in ten within | largest |\n|---|---:|---:|---:|---:|\n";
    for experiment in experiments {
        let Spreads { experiment, spreads } = values(folder, runs, experiment);
        let at = |share: f64| {
            let place = (share * spreads.len() as f64) as usize;
            spreads
                .get(place.min(spreads.len().saturating_sub(1)))
                .map_or("none".into(), |one| percent(*one))
        };
        let count = spreads.len();
        let _ = writeln!(
            text,
            "| `{experiment}` | {count} | {} | {} | {} |",
            at(0.5),
            at(0.9),
            at(1.0)
        );
    }
    Ok(text)
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// How busy the machine was, as a part of a sentence.
fn loads(folder: &Path, runs: usize) -> String {
    let read =
        |run| std::fs::read_to_string(run_folder(folder, run).join(LOADS)).unwrap_or_default();
    let all: Vec<f64> = (1..=runs).flat_map(|run| numbers(&read(run))).collect();
    let (least, most) =
        all.iter().fold((f64::MAX, 0.0), |(l, m), x| (f64::min(l, *x), f64::max(m, *x)));
    if all.is_empty() {
        return String::new();
    }
    format!(", with a load average between {least:.1} and {most:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::find;

    fn runs(name: &str, measured: &[(&str, &str)]) -> (PathBuf, Vec<&'static Experiment>) {
        let folder =
            std::env::temp_dir().join(format!("impinge-lab-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        for (k, (measured, verdict)) in measured.iter().enumerate() {
            let own = run_folder(&folder, k + 1);
            note_load(&own).unwrap();
            let claims = format!("claim,measured,verdict,why\na | b,\"{measured}\",{verdict},\n");
            std::fs::write(own.join("growth-claims.csv"), claims).unwrap();
            let times = format!("n,time [ms]\n7,{}\n8,0\n", 10 + k);
            std::fs::write(own.join("growth-times.csv"), times).unwrap();
        }
        (folder, vec![find("growth").unwrap()])
    }

    #[test]
    fn a_verdict_that_flips_is_shown() {
        let measured =
            [("1.0, of 5", "partly"), ("1.2, of 5.", "differs"), ("1.0, of 5", "partly")];
        let (folder, experiments) = runs("flips", &measured);
        let found = claims(&folder, 3, &experiments).unwrap();
        assert_eq!(found[0].verdicts, [("partly".to_string(), 2), ("differs".to_string(), 1)]);
        assert!((found[0].spread.unwrap() - 0.2).abs() < 1e-12);
        let page = page(&folder, 3, &experiments, "impinge-lab stability").unwrap();
        assert!(page.contains("0 of 1 verdicts"), "{page}");
        assert!(
            page.contains("| `growth` | a \\| b | **2 × partly**, **1 × differs** | 20 % |"),
            "{page}"
        );
        assert!(page.contains("| `growth` | 1 | 18 % | 18 % | 18 % |"), "{page}");
        assert!(claims(&folder, 4, &experiments).is_err(), "the fourth run is missing");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn sentences_that_name_something_else_have_no_spread() {
        let (folder, experiments) = runs("names", &[("OBB: 3", "partly"), ("26-DOP: 3", "partly")]);
        let found = claims(&folder, 2, &experiments).unwrap();
        assert!(found[0].is_stable() && found[0].spread.is_none(), "{found:?}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
