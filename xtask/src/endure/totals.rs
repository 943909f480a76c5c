//! What was done so far, over all calls: a file for the next call, and a page to read.

use super::task::Turn;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The sums of one task.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sum {
    pub(super) rounds: u64,
    pub(super) executions: u64,
    pub(super) seconds: f64,
    /// Edges that a fuzzer has seen.
    pub(super) coverage: u64,
    pub(super) findings: u64,
    unit: String,
}

/// All sums, by task.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Totals {
    sums: Vec<(String, Sum)>,
}

const FILE: &str = "totals.json";
const PAGE: &str = "totals.md";

impl Totals {
    /// What earlier calls left; nothing if there were none.
    pub(super) fn load(folder: &Path) -> Result<Self, String> {
        let path = folder.join(FILE);
        let Ok(text) = fs::read_to_string(&path) else { return Ok(Self::default()) };
        Self::parse(&text).ok_or_else(|| format!("{} is damaged: remove it", path.display()))
    }

    fn parse(text: &str) -> Option<Self> {
        Self::of_value(&serde_json::from_str(text).ok()?)
    }

    /// The sums of a map of tasks.
    pub(super) fn of_value(value: &Value) -> Option<Self> {
        let mut sums = Vec::new();
        for (name, sum) in value.as_object()? {
            let whole = |key: &str| sum.get(key)?.as_u64();
            let sum = Sum {
                rounds: whole("rounds")?,
                executions: whole("executions")?,
                seconds: sum.get("seconds")?.as_f64()?,
                coverage: whole("coverage")?,
                findings: whole("findings")?,
                unit: sum.get("unit")?.as_str()?.to_string(),
            };
            sums.push((name.clone(), sum));
        }
        Some(Self { sums })
    }

    /// A map of tasks.
    pub(super) fn value(&self) -> Value {
        let entry = |(name, sum): &(String, Sum)| {
            let value = json!({
                "rounds": sum.rounds, "executions": sum.executions,
                "seconds": (sum.seconds * 10.0).round() / 10.0,
                "coverage": sum.coverage, "findings": sum.findings, "unit": sum.unit,
            });
            (name.clone(), value)
        };
        let entries: Map<String, Value> = self.sums.iter().map(entry).collect();
        Value::Object(entries)
    }

    /// Writes both files; a call that is killed leaves the old or the new ones.
    pub(super) fn save(&self, folder: &Path) -> Result<(), String> {
        let write = |name: &str, text: String| {
            let new = folder.join(format!("{name}.new"));
            fs::write(&new, text).and_then(|()| fs::rename(&new, folder.join(name)))
        };
        fs::create_dir_all(folder)
            .and_then(|()| write(FILE, format!("{:#}\n", self.value())))
            .and_then(|()| write(PAGE, self.page()))
            .map_err(|error| format!("{}: {error}", folder.display()))
    }

    /// The sums of a task.
    pub(super) fn of(&self, name: &str) -> Sum {
        let known = self.sums.iter().find(|(known, _)| known == name);
        known.map_or_else(Sum::default, |(_, sum)| sum.clone())
    }

    pub(super) fn add(&mut self, name: &str, unit: &str, turn: &Turn) {
        let mut sum = self.of(name);
        sum.rounds += 1;
        sum.executions += turn.executions;
        sum.seconds += turn.seconds;
        sum.coverage = sum.coverage.max(turn.coverage);
        sum.findings += u64::from(turn.finding.is_some());
        sum.unit = unit.to_string();
        self.put(name, sum);
    }

    /// Adds all sums of others.
    pub(super) fn add_all(&mut self, others: &Self) {
        for (name, other) in &others.sums {
            let mut sum = self.of(name);
            sum.rounds += other.rounds;
            sum.executions += other.executions;
            sum.seconds += other.seconds;
            sum.coverage = sum.coverage.max(other.coverage);
            sum.findings += other.findings;
            sum.unit.clone_from(&other.unit);
            self.put(name, sum);
        }
    }

    fn put(&mut self, name: &str, sum: Sum) {
        self.sums.retain(|(known, _)| known != name);
        self.sums.push((name.to_string(), sum));
        self.sums.sort_by(|x, y| x.0.cmp(&y.0));
    }

    pub(super) fn hours(&self) -> f64 {
        self.sums.iter().map(|(_, sum)| sum.seconds).sum::<f64>() / 3600.0
    }

    pub(super) fn findings(&self) -> u64 {
        self.sums.iter().map(|(_, sum)| sum.findings).sum()
    }

    /// The page.
    pub(super) fn page(&self) -> String {
        let (hours, findings) = (self.hours(), self.findings());
        let table = self.table();
        format!("# Endurance\n\n{table}\n{hours:.2} processor-hours in all, {findings} findings.")
    }

    /// A row for each task.
    pub(super) fn table(&self) -> String {
        let mut text = String::from(
            "| task | turns | what | processor time | edges seen | findings |\n|---|---:|---:|---:|---:|---:|\n",
        );
        for (name, sum) in &self.sums {
            let Sum { rounds, executions, seconds, coverage, findings, unit } = sum;
            let edges = if *coverage > 0 { coverage.to_string() } else { String::new() };
            let minutes = seconds / 60.0;
            // Into a string: this does not fail.
            let _ = writeln!(
                text,
                "| {name} | {rounds} | {executions} {unit} | {minutes:.1} min | {edges} | {findings} |"
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_add_up_and_are_read_again() {
        let mut totals = Totals::default();
        let turn = Turn { executions: 5, seconds: 1800.0, coverage: 7, finding: None };
        totals.add("fuzz hull", "runs", &turn);
        totals.add(
            "fuzz hull",
            "runs",
            &Turn { coverage: 3, finding: Some("x".into()), ..turn.clone() },
        );
        totals.add("soak rays", "rays", &turn);
        let sum = totals.of("fuzz hull");
        assert_eq!((sum.rounds, sum.executions, sum.coverage, sum.findings), (2, 10, 7, 1));
        assert_eq!(Totals::of_value(&totals.value()), Some(totals.clone()));
        assert!(
            totals.page().contains("1.50 processor-hours in all, 1 findings"),
            "{}",
            totals.page()
        );
        for damaged in ["", "[]", "{\"a\": {}}"] {
            assert_eq!(Totals::parse(damaged), None, "{damaged}");
        }
    }
}
