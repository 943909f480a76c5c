//! A table for people: the headline first, then what to look at.

use super::{Run, certainty_name};
use crate::explain::length;
use crate::finding::Finding;
use crate::motion::Tally;
use crate::names::{file_names, short_names};
use crate::plan::Kind;
use impinge::geom::DAabb;
use impinge_io::printable;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Findings that are explained; beyond that a table is enough.
const MOST_SENTENCES: usize = 20;

/// How a table looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableOptions {
    /// Adds the colour codes of terminals.
    pub colour: bool,
    /// Findings that are listed; the rest is counted.
    pub limit: usize,
}

impl Default for TableOptions {
    fn default() -> Self {
        Self { colour: false, limit: usize::MAX }
    }
}

/// The run as a table.
pub fn table(run: &Run<'_>, options: TableOptions) -> String {
    let mut text = String::new();
    headline(run, options.colour, &mut text);
    findings(run, options, &mut text);
    groups(run, &mut text);
    hidden(run, &mut text);
    text
}

/// The findings of a run: rows, then sentences.
pub(super) fn findings(run: &Run<'_>, options: TableOptions, text: &mut String) {
    let names = short_names(run.model);
    let shown = &run.outcome.findings[..run.outcome.findings.len().min(options.limit)];
    if !shown.is_empty() {
        text.push('\n');
        write_rows(run, shown, &names, options.colour, text);
        text.push('\n');
        for finding in shown.iter().take(MOST_SENTENCES) {
            let sentence = sentence(run, finding, &names);
            let _ = writeln!(text, "{}  {sentence}", &finding.id[..8]);
        }
    }
    let more = run.outcome.findings.len() - shown.len();
    if more > 0 {
        let _ = writeln!(text, "… and {more} more: --limit 0 lists all, or write a report with -o");
    } else if shown.len() > MOST_SENTENCES {
        let _ = writeln!(
            text,
            "The first {MOST_SENTENCES} are explained; JSON, CSV and HTML reports explain all."
        );
    }
}

/// What is wrong, with short names, and why it is open again.
fn sentence(run: &Run<'_>, finding: &Finding, names: &[&str]) -> String {
    let mut sentence = finding.explanation.clone();
    for &part in &finding.parts {
        let long = format!("\"{}\"", run.model.parts[part].path);
        sentence = sentence.replace(&long, &format!("\"{}\"", names[part]));
    }
    if let Some(approved) = finding.reopened {
        let _ = write!(sentence, " Reopened: approved at {}.", run.model.length(approved));
    }
    printable(&sentence).into_owned()
}

/// The findings of a run in a line: `5 findings: 2 hard, 3 clearance (1 added, …)`.
pub fn summary(run: &Run<'_>, colour: bool) -> String {
    let (outcome, comparison) = (run.outcome, run.comparison);
    let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
    outcome.findings.iter().for_each(|finding| *kinds.entry(finding.kind).or_default() += 1);
    let list: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let count = outcome.findings.len();
    let found = match count {
        0 => "no findings".to_string(),
        1 => format!("1 finding: {}", list.join(", ")),
        _ => format!("{count} findings: {}", list.join(", ")),
    };
    let code = if count == 0 { "32" } else { "1;31" };
    let mut text = if colour { format!("\x1b[{code}m{found}\x1b[0m") } else { found };
    let _ = write!(
        text,
        " ({} added, {} persistent, {} resolved since the last run)",
        comparison.added,
        comparison.persistent,
        comparison.resolved.len()
    );
    if comparison.reopened > 0 {
        let _ = write!(text, "\n{} reopened: approved, and worse now", comparison.reopened);
    }
    if outcome.is_partial() {
        text.push_str(
            "\nPARTIAL: interrupted before all pairs were checked; the findings listed are valid",
        );
    }
    text
}

fn headline(run: &Run<'_>, colour: bool, text: &mut String) {
    let (model, outcome) = (run.model, run.outcome);
    let DAabb { low, high } = model.bounds();
    let factor = model.unit.in_unit(model.display_unit);
    let size = ((high - low) * factor).to_array().map(length).join(" × ");
    let _ = writeln!(
        text,
        "{}: {} part{}, {} triangles, {size} {}",
        printable(run.name),
        model.parts.len(),
        if model.parts.len() == 1 { "" } else { "s" },
        model.triangle_count(),
        model.display_unit
    );
    let _ = writeln!(text, "{}", summary(run, colour));
    let _ = writeln!(
        text,
        "{} pair{} tested: {} close enough to check, {} checked",
        outcome.pairs_asked,
        if outcome.pairs_asked == 1 { "" } else { "s" },
        outcome.pairs_near,
        outcome.pairs_done
    );
    if let (Some(tally), Some(movement)) = (outcome.tally, &model.motion) {
        let Tally { moving, free, meeting, at_start, undecided } = tally;
        let _ = writeln!(
            text,
            "{}: {moving} pairs move relative to each other: {free} certified free, {meeting} meet or come too near, {at_start} in contact at the start, {undecided} undecided",
            printable(&movement.name)
        );
    }
    let not_asked = run.comparison.not_asked;
    if not_asked > 0 && !outcome.is_partial() {
        let _ = writeln!(
            text,
            "{not_asked} earlier finding{} outside these tests: unchanged",
            if not_asked == 1 { "" } else { "s" }
        );
    }
    let count = model.adjacent.count();
    if count > 0 {
        let _ = writeln!(text, "{count} pairs of neighbouring links skipped: joints connect them");
    }
    if run.plan.tests.iter().any(|test| test.tolerance.is_none()) {
        let noise = model.noise() * factor;
        let _ = writeln!(
            text,
            "Overlaps and gaps below {noise:.1e} {} are treated as rounding error (set --tolerance to change this).",
            model.display_unit
        );
    }
    for reason in &model.left_out {
        let _ = writeln!(text, "skipped: {}", printable(reason));
    }
}

/// A column: its title, its cells, and whether they stand to the right.
struct Column {
    title: &'static str,
    cells: Vec<String>,
    right: bool,
}

fn columns(run: &Run<'_>, shown: &[Finding], names: &[&str]) -> Vec<Column> {
    let model = run.model;
    let factor = model.unit.in_unit(model.display_unit);
    let column = |title: &'static str, right: bool, cell: &dyn Fn(&Finding) -> String| Column {
        title,
        right,
        cells: shown.iter().map(|finding| printable(&cell(finding)).into_owned()).collect(),
    };
    let has = |present: &dyn Fn(&Finding) -> bool| shown.iter().any(present);
    let mut columns = vec![
        column("id", false, &|f| f.id[..8].to_string()),
        column("kind", false, &|f| f.kind.to_string()),
        column("status", false, &|f| match f.reopened {
            Some(_) => "reopened".to_string(),
            None => f.status.to_string(),
        }),
    ];
    if has(&|f| f.assignee.is_some()) {
        columns.push(column("assignee", false, &|f| f.assignee.clone().unwrap_or_default()));
    }
    if run.plan.tests.len() > 1 {
        columns.push(column("test", false, &|f| f.test.clone()));
    }
    if has(&|f| f.group.is_some()) {
        columns.push(column("group", false, &|f| f.group.clone().unwrap_or_default()));
    }
    if let Some(files) = file_names(model) {
        columns.push(column("files", false, &|f| {
            let mut names: Vec<&str> = Vec::new();
            for &part in &f.parts {
                if !names.contains(&files[part]) {
                    names.push(files[part]);
                }
            }
            names.join(" × ")
        }));
    }
    columns.push(column("parts", false, &|f| {
        f.parts.iter().map(|&part| names[part]).collect::<Vec<_>>().join(" × ")
    }));
    columns.push(column("distance", true, &|f| {
        f.distance.map_or_else(String::new, |distance| model.length(distance.value))
    }));
    if let Some(movement) = model.motion.as_deref().filter(|_| has(&|f| f.motion.is_some())) {
        columns.push(column("when", false, &|f| {
            f.motion.map_or_else(String::new, |found| movement.words(model, found.shown))
        }));
    }
    columns.push(column("method", false, &|f| {
        f.distance.map_or("", |distance| certainty_name(distance.certainty)).to_string()
    }));
    let places = places(factor * model.bounds().low.distance(model.bounds().high));
    columns.push(column("where (x, y, z)", false, &|f| {
        let shown = |x: f64| {
            let text = format!("{:.places$}", x * factor);
            // What rounds to zero has no sign.
            let is_zero = text.starts_with('-') && !text.contains(|c| matches!(c, '1'..='9'));
            if is_zero { text[1..].to_string() } else { text }
        };
        f.place().map_or_else(String::new, |place| place.to_array().map(shown).join(", "))
    }));
    columns
}

/// Digits behind the point that tell a ten-thousandth of a model's size.
fn places(size: f64) -> usize {
    if size > 0.0 && size.is_finite() {
        (4 - size.log10().floor() as i32).clamp(0, 9) as usize
    } else {
        3
    }
}

fn write_rows(run: &Run<'_>, shown: &[Finding], names: &[&str], colour: bool, text: &mut String) {
    let columns = columns(run, shown, names);
    let width = |column: &Column| {
        let cells = column.cells.iter().map(|cell| cell.chars().count());
        cells.chain([column.title.chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = columns.iter().map(width).collect();
    let mut line = |cells: &dyn Fn(&Column) -> String, code: &str| {
        let mut joined = String::new();
        for (column, width) in columns.iter().zip(&widths) {
            let cell = cells(column);
            let room = " ".repeat(width - cell.chars().count());
            let padded =
                if column.right { format!("{room}{cell}") } else { format!("{cell}{room}") };
            joined.push_str(&padded);
            joined.push_str("  ");
        }
        let joined = joined.trim_end();
        if colour && !code.is_empty() {
            let _ = writeln!(text, "\x1b[{code}m{joined}\x1b[0m");
        } else {
            let _ = writeln!(text, "{joined}");
        }
    };
    line(&|column| column.title.to_string(), "1");
    for row in 0..shown.len() {
        line(&|column| column.cells[row].clone(), "");
    }
}

fn groups(run: &Run<'_>, text: &mut String) {
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in &run.outcome.findings {
        if let Some(group) = &finding.group {
            *groups.entry(group).or_default() += 1;
        }
    }
    if !groups.is_empty() {
        text.push_str("\nfindings by group:\n");
    }
    // The largest first.
    let mut list: Vec<(&str, usize)> = groups.into_iter().collect();
    list.sort_by(|x, y| y.1.cmp(&x.1).then(x.0.cmp(y.0)));
    for (group, count) in list {
        let _ = writeln!(text, "  {count:5}  {}", printable(group));
    }
}

fn hidden(run: &Run<'_>, text: &mut String) {
    for hidden in &run.outcome.hidden {
        let _ = write!(
            text,
            "\nrule \"{}\" hid {} ({})",
            printable(&hidden.rule),
            hidden.findings.len(),
            printable(&hidden.reason)
        );
        if hidden.too_deep > 0 {
            let _ = write!(text, "; {} deeper than its max_depth, still listed", hidden.too_deep);
        }
    }
    if !run.outcome.hidden.is_empty() {
        text.push('\n');
    }
}
