//! What `clash` prints: tables for people, and a file with every pair that is answered in two ways.

use std::fmt::Write;
use std::path::Path;

use impinge_clash::Model;

use super::answers::{Pair, Report, Said};
use super::compare::{Answers, Examined};
use super::truth::{Surfaces, Truth, gap};
use crate::table::{self, Row};

/// The kinds of findings that are asked for, the worst first.
pub const KINDS: [&str; 4] = ["hard", "contained", "duplicate", "touching"];

/// Lines of each model's disagreements that are printed; all are in the file.
const SHOWN: usize = 3;

/// What was found so far.
#[derive(Default)]
pub struct Results {
    pub rows: Vec<Row>,
    /// For people: what was examined, and the first disagreements.
    said: String,
    /// The file: one line per disagreement.
    listed: String,
    /// Of hard pairs and of all: how many examined ones are equal to the truth, and how many there are.
    equal: [[usize; 2]; 2],
}

impl Results {
    /// Notes the pairs on which a peer and impinge differ.
    pub fn disagree(
        &mut self,
        case: &str,
        answers: &Answers,
        model: &Model,
        report: &Report,
        pairs: &[(Pair, Truth)],
    ) {
        if pairs.is_empty() {
            return;
        }
        let count = |kind: fn(&Truth) -> bool| pairs.iter().filter(|pair| kind(&pair.1)).count();
        let crossing = count(|truth| truth.surfaces == Surfaces::Crossing);
        let touching = count(|truth| matches!(truth.surfaces, Surfaces::Touching(_)));
        let _ = write!(
            self.said,
            "{case}: {} and impinge differ on {} pairs; in truth {crossing} cross, {touching} touch",
            answers.system,
            pairs.len(),
        );
        let apart = pairs.iter().filter(|(_, truth)| !truth.meets());
        let gaps = apart.map(|(pair, _)| gap(model, *pair));
        let _ = match gaps.clone().count() {
            0 => writeln!(self.said),
            apart => {
                let most = gaps.fold(0.0, f64::max);
                writeln!(self.said, ", {apart} are apart, by at most {most:.1e}")
            }
        };
        for (index, (pair, truth)) in pairs.iter().enumerate() {
            let [a, b] = pair.map(|part| model.parts[part].path.as_str());
            let theirs = if answers.meeting.contains(pair) { "meet" } else { "apart" };
            let ours = report.kind(*pair).unwrap_or("apart");
            let system = answers.system;
            let line = format!("{case}\t{system}\t{a}\t{b}\t{theirs}\t{ours}\t{truth}\n");
            if index < SHOWN {
                let _ = writeln!(
                    self.said,
                    "    {a} and {b}: {system} {theirs}, impinge {ours}, truth: {truth}"
                );
            }
            self.listed += &line;
        }
    }

    /// Notes the pairs about which impinge's report is wrong.
    pub fn wrong(
        &mut self,
        case: &str,
        system: &str,
        model: &Model,
        report: &Report,
        pairs: &[(Pair, Truth)],
    ) {
        for (pair, truth) in pairs {
            let [a, b] = pair.map(|part| model.parts[part].path.as_str());
            let ours = report.kind(*pair).unwrap_or("apart");
            let _ =
                writeln!(self.said, "{case}: WRONG: {a} and {b}: {system} {ours}, truth: {truth}");
        }
    }

    /// Notes how many pairs were examined.
    pub fn examined(&mut self, case: &str, examined: &Examined, report: &Report) {
        let [solids, unknown] = examined.solids();
        let wrong = examined.wrong_in(report);
        let hard = wrong.iter().filter(|(pair, _)| report.said(*pair) == Said::Penetrating).count();
        let equal = [
            [examined.hard() - hard, examined.hard()],
            [examined.len() - wrong.len(), examined.len()],
        ];
        for (sum, own) in self.equal.as_flattened_mut().iter_mut().zip(equal.as_flattened()) {
            *sum += own;
        }
        let _ = writeln!(
            self.said,
            "{case}: {}; {solids} pairs of closed parts, {unknown} of which are no solids to the oracle",
            equality(equal),
        );
    }

    /// Prints everything and writes the file.
    pub fn print(&self, listed: &Path) -> Result<(), String> {
        let rows = &self.rows;
        println!("\nEnd to end, wall time (over impinge's)\n{}", table::times(rows));
        println!(
            "End to end, processor time (over impinge's)\n{}",
            over_impinge(rows, "processor_nanoseconds", table::duration)
        );
        println!(
            "Peak memory (over impinge's)\n{}",
            over_impinge(rows, "kilobytes", |kilobytes| format!("{:.1} MB", kilobytes / 1024.0))
        );
        let peers: Vec<Row> =
            rows.iter().filter(|row| row.more("importing_seconds").is_some()).cloned().collect();
        if !peers.is_empty() {
            let importing = |row: &Row, name: &str| 1e9 * row.more(name).unwrap_or(0.0);
            let wall = |row: &Row| row.nanoseconds - importing(row, "importing_seconds");
            println!(
                "Wall time without importing libraries (over impinge's)\n{}",
                begun(rows, &peers, wall)
            );
            let processor = |row: &Row| {
                let whole = row.more("processor_nanoseconds").unwrap_or(f64::NAN);
                whole - importing(row, "processor_importing")
            };
            println!(
                "Processor time without starting and importing libraries (over impinge's)\n{}",
                begun(rows, &peers, processor)
            );
        }
        println!("Findings of impinge\n{}", findings(rows));
        println!(
            "Pairs that meet / answered otherwise than by impinge\n{}",
            table::grid(rows, |row| {
                let differing = row.more("disagreements").unwrap_or(0.0);
                format!("{} / {differing}", row.verdict.positives)
            })
        );
        println!("Examined pairs with a wrong answer\n{}", table::errors(rows));
        println!("{}", self.said);
        println!("All models: {}", equality(self.equal));
        let header = "model\tsystem\tpart a\tpart b\tsystem says\timpinge says\ttruth\n";
        std::fs::write(listed, format!("{header}{}", self.listed))
            .map_err(|error| format!("{}: {error}", listed.display()))?;
        let count = self.listed.lines().count();
        let name = listed.file_name().unwrap_or_default().to_string_lossy();
        println!("{count} disagreements, all in {name}");
        Ok(())
    }
}

fn equality([hard, all]: [[usize; 2]; 2]) -> String {
    format!(
        "hard pairs equal to the truth: {} of {}, examined pairs of all kinds: {} of {}",
        hard[0], hard[1], all[0], all[1]
    )
}

/// A value of each system and, in brackets, that over impinge's.
fn over_impinge(rows: &[Row], name: &str, shown: impl Fn(f64) -> String) -> String {
    table::grid(rows, |row| {
        let Some(value) = row.more(name) else { return "–".into() };
        let ours = rows.iter().find(|other| other.system == "impinge" && other.case == row.case);
        match ours.and_then(|ours| ours.more(name)) {
            Some(ours) => format!("{} ({:.2}×)", shown(value), value / ours),
            None => shown(value),
        }
    })
}

/// What is left of the peers' time when their libraries are there, and that over impinge's, which imports nothing.
fn begun(rows: &[Row], peers: &[Row], left: impl Fn(&Row) -> f64) -> String {
    table::grid(peers, |row| {
        let ours = rows.iter().find(|other| other.system == "impinge" && other.case == row.case);
        let ratio = ours.map_or(f64::NAN, |ours| left(row) / left(ours));
        format!("{} ({ratio:.2}×)", table::duration(left(row)))
    })
}

/// One line per model: its parts and triangles, the pairs whose boxes meet, and impinge's findings.
fn findings(rows: &[Row]) -> String {
    let rows: Vec<&Row> = rows.iter().filter(|row| row.system == "impinge").collect();
    let first = rows.iter().map(|row| row.case.chars().count()).max().unwrap_or(0);
    let mut out = format!("{:first$} {:>7} {:>10} {:>7}", "", "parts", "triangles", "near");
    KINDS.iter().for_each(|kind| out += &format!(" {kind:>10}"));
    out.push('\n');
    for row in rows {
        let number = |name: &str| row.more(name).unwrap_or(0.0);
        let (parts, triangles) = (number("parts"), number("triangles"));
        let _ = write!(out, "{:first$} {parts:>7} {triangles:>10} {:>7}", row.case, row.queries);
        KINDS.iter().for_each(|kind| out += &format!(" {:>10}", number(kind)));
        out.push('\n');
    }
    out
}
