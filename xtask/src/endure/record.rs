//! What was done by all machines so far: a file in the repository to which each keeps what it has done, and the page drawn from it.

use super::totals::Totals;
use crate::metadata::root;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

const FILE: &str = "docs/internals/endurance.json";
const PAGE: &str = "docs/internals/endurance.md";

/// The totals of one stretch of work, on the code between two commits.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    first: String,
    last: String,
    date: String,
    /// Of the findings, those whose cause is gone, with a test that shows it.
    cured: u64,
    totals: Totals,
}

impl Entry {
    fn parse(value: &Value) -> Option<Self> {
        let text = |key: &str| Some(value.get(key)?.as_str()?.to_string());
        Some(Self {
            first: text("first")?,
            last: text("last")?,
            date: text("date")?,
            cured: value.get("cured")?.as_u64()?,
            totals: Totals::of_value(value.get("tasks")?)?,
        })
    }

    fn value(&self) -> Value {
        json!({
            "first": self.first, "last": self.last, "date": self.date, "cured": self.cured,
            "tasks": self.totals.value(),
        })
    }
}

fn parse(text: &str) -> Option<Vec<Entry>> {
    let value: Value = serde_json::from_str(text).ok()?;
    value.as_array()?.iter().map(Entry::parse).collect()
}

/// Takes the totals of a folder into the repository's record, draws the page, and leaves the folder with none.
pub(super) fn keep(totals: &Totals, first: &str) -> Result<(), String> {
    let path = root().join(FILE);
    let text = fs::read_to_string(&path).unwrap_or_else(|_| "[]".to_string());
    let mut entries = parse(&text).ok_or_else(|| format!("{FILE} is damaged"))?;
    if totals.hours() > 0.0 {
        let entry = Entry {
            first: first.to_string(),
            last: commit(),
            date: output("git", &["log", "-1", "--format=%cs"]),
            cured: 0,
            totals: totals.clone(),
        };
        entries.push(entry);
    }
    let text = format!("{:#}\n", Value::Array(entries.iter().map(Entry::value).collect()));
    let failed = |error| format!("{FILE}: {error}");
    fs::write(&path, text).map_err(failed)?;
    fs::write(root().join(PAGE), page(&entries)).map_err(failed)
}

/// The commit that is checked out, shortened.
pub(super) fn commit() -> String {
    output("git", &["rev-parse", "--short=7", "HEAD"])
}

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(root()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    text.ok().filter(|text| !text.is_empty()).unwrap_or_else(|| "unknown".to_string())
}

fn page(entries: &[Entry]) -> String {
    let mut all = Totals::default();
    entries.iter().for_each(|entry| all.add_all(&entry.totals));
    let cured: u64 = entries.iter().map(|entry| entry.cured).sum();
    let found = all.findings();
    let mut text = format!(
        "# Endurance\n\nWhat `cargo xtask endure` has done, over all sessions. Each works on the code of its day; `cargo xtask endure --keep` adds it to\n\
         [endurance.json](endurance.json) and draws this page.\n\n\
         {:.2} processor-hours in all, {found} findings, {} of them left.\n\n\
         | commits | date | processor-hours | findings | cured |\n|---|---|---:|---:|---:|\n",
        all.hours(),
        found.saturating_sub(cured),
    );
    for Entry { first, last, date, cured, totals } in entries {
        let commits = if first == last { first.clone() } else { format!("{first} to {last}") };
        let (hours, found) = (totals.hours(), totals.findings());
        // Into a string: this does not fail.
        let _ = writeln!(text, "| {commits} | {date} | {hours:.2} | {found} | {cured} |");
    }
    text.push('\n');
    text.push_str(&all.table());
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endure::task::Turn;

    fn entry(first: &str, cured: u64) -> Entry {
        let mut totals = Totals::default();
        let finding = Some("wrong".to_string());
        totals.add(
            "soak rays",
            "rays",
            &Turn { executions: 7, seconds: 1800.0, coverage: 0, finding },
        );
        Entry { first: first.into(), last: "b".into(), date: "2026-01-02".into(), cured, totals }
    }

    #[test]
    fn entries_add_up_on_the_page() {
        let entries = [entry("a", 1), entry("b", 0)];
        let text = Value::Array(entries.iter().map(Entry::value).collect()).to_string();
        assert_eq!(parse(&text), Some(entries.to_vec()));
        assert_eq!(parse("{}"), None);
        let page = page(&entries);
        for expected in [
            "1.00 processor-hours in all, 2 findings, 1 of them left",
            "| a to b | 2026-01-02 | 0.50 | 1 | 1 |",
            "| b | 2026-01-02 | 0.50 | 1 | 0 |",
            "| soak rays | 2 | 14 rays | 60.0 min |  | 2 |",
        ] {
            assert!(page.contains(expected), "{expected}\n{page}");
        }
    }

    /// The page in the repository is drawn from the file in the repository.
    #[test]
    fn the_page_is_that_of_the_record() {
        let text = fs::read_to_string(root().join(FILE)).unwrap();
        let drawn = page(&parse(&text).unwrap());
        assert_eq!(
            fs::read_to_string(root().join(PAGE)).unwrap(),
            drawn,
            "cargo xtask endure --hours 0 --keep"
        );
    }
}
