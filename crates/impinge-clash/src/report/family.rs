//! A family: one check over all variants of a model, the worst first.

use super::layout::laid_out;
use super::table::{TableOptions, findings};
use super::{Run, csv, json};
use crate::finding::Finding;
use crate::names::short_names;
use crate::plan::Kind;
use crate::status::Status;
use impinge_io::printable;
use std::cmp::Ordering;
use std::fmt::Write as _;

/// The runs of all variants. [`VariantReport::new`] puts the worst first.
#[derive(Clone, Debug)]
pub struct VariantReport<'r> {
    runs: Vec<Run<'r>>,
}

impl<'r> VariantReport<'r> {
    /// The family of some runs, ordered by their worst finding that nobody approved: by kind, then by distance; those without any come last, in the order
    /// that they were given.
    pub fn new(mut runs: Vec<Run<'r>>) -> Self {
        runs.sort_by(|x, y| match (worst(x), worst(y)) {
            (Some(one), Some(two)) => order(one, two).then(open(y).cmp(&open(x))),
            (one, two) => one.is_none().cmp(&two.is_none()),
        });
        Self { runs }
    }

    /// The runs, the worst first.
    pub fn runs(&self) -> &[Run<'r>] {
        &self.runs
    }
}

/// How many findings nobody approved.
fn open(run: &Run<'_>) -> usize {
    run.outcome.findings.iter().filter(|finding| finding.status != Status::Approved).count()
}

fn order(x: &Finding, y: &Finding) -> Ordering {
    let value = |finding: &Finding| finding.distance.map_or(0.0, |distance| distance.value);
    x.kind.cmp(&y.kind).then(value(x).total_cmp(&value(y)))
}

fn worst<'r>(run: &Run<'r>) -> Option<&'r Finding> {
    let open = run.outcome.findings.iter().filter(|finding| finding.status != Status::Approved);
    open.min_by(|x, y| order(x, y))
}

fn name<'r>(run: &Run<'r>) -> &'r str {
    run.model.variant.as_deref().unwrap_or(run.name)
}

/// The family as a table with a row for each variant, then a table for each that has findings.
pub fn family_table(family: &VariantReport<'_>, options: TableOptions) -> String {
    let mut text = String::new();
    let Some(first) = family.runs.first() else { return text };
    let failed = family.runs.iter().filter(|run| open(run) > 0).count();
    let _ = writeln!(
        text,
        "{}: {} variants, {failed} with open findings; the worst first\n",
        printable(first.name),
        family.runs.len()
    );
    let head = ["variant", "findings", "hard", "clearance", "other", "worst", "distance", "parts"];
    let mut rows: Vec<[String; 8]> = vec![head.map(str::to_string)];
    rows.extend(family.runs.iter().map(row));
    let widths: Vec<usize> = (0..head.len())
        .map(|k| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0))
        .collect();
    for row in &rows {
        let mut line = String::new();
        for (k, cell) in row.iter().enumerate() {
            let room = " ".repeat(widths[k] - cell.chars().count());
            let right = matches!(k, 1..=4 | 6);
            let padded = if right { format!("{room}{cell}") } else { format!("{cell}{room}") };
            let _ = write!(line, "{padded}  ");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    for run in family.runs.iter().filter(|run| !run.outcome.findings.is_empty()) {
        let _ = writeln!(text, "\n{}:", printable(name(run)));
        findings(run, options, &mut text);
    }
    text
}

fn row(run: &Run<'_>) -> [String; 8] {
    let list = &run.outcome.findings;
    let count =
        |kinds: &[Kind]| list.iter().filter(|f| kinds.contains(&f.kind)).count().to_string();
    let worst = worst(run);
    let names = short_names(run.model);
    let parts = |finding: &Finding| {
        finding.parts.iter().map(|&part| names[part]).collect::<Vec<_>>().join(" × ")
    };
    let distance = worst.and_then(|finding| finding.distance);
    let cells = [
        name(run).to_string(),
        list.len().to_string(),
        count(&[Kind::Hard]),
        count(&[Kind::Clearance]),
        count(&[Kind::Contained, Kind::Duplicate, Kind::Touching]),
        worst.map_or_else(|| "clear".to_string(), |finding| finding.kind.to_string()),
        distance.map_or_else(String::new, |distance| run.model.length(distance.value)),
        worst.map(parts).unwrap_or_default(),
    ];
    cells.map(|cell| printable(&cell).into_owned())
}

/// The family as JSON: `impinge.family/1`, with the report of each variant in `variants`, the worst first.
pub fn family_json(family: &VariantReport<'_>) -> String {
    let reports: Vec<serde_json::Value> = family.runs.iter().map(json::value).collect();
    let document = serde_json::json!({ "schema": "impinge.family/1", "variants": reports });
    // Two levels more: the list of variants and this document.
    laid_out(&document, json::LEVELS + 2)
}

/// The findings of all variants as CSV: the columns of [`csv`](super::csv()) behind one for the variant.
pub fn family_csv(family: &VariantReport<'_>) -> String {
    let mut text = String::new();
    for run in &family.runs {
        csv::rows(run, Some(name(run)), text.is_empty(), &mut text);
    }
    text
}
