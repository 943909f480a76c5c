//! A table for people: the headline first, then what to look at.

use super::{Run, certainty_name};
use crate::explain::length;
use crate::plan::Kind;
use impinge::geom::DAabb;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Findings that are explained; beyond that a table is enough.
const MOST_SENTENCES: usize = 20;

/// The run as a table; `colour` adds the codes of terminals.
pub fn table(run: &Run<'_>, colour: bool) -> String {
    let mut text = String::new();
    headline(run, colour, &mut text);
    let rows = rows(run);
    if !rows.is_empty() {
        text.push('\n');
        write_rows(&rows, colour, &mut text);
        text.push('\n');
        for finding in run.outcome.findings.iter().take(MOST_SENTENCES) {
            let _ = writeln!(text, "{}  {}", &finding.id[..8], finding.explanation);
        }
        if let Some(more) = rows.len().checked_sub(MOST_SENTENCES).filter(|&more| more > 0) {
            let _ = writeln!(text, "and {more} more; JSON and CSV have a sentence for each");
        }
    }
    groups(run, &mut text);
    hidden(run, &mut text);
    text
}

fn headline(run: &Run<'_>, colour: bool, text: &mut String) {
    let (model, outcome, comparison) = (run.model, run.outcome, run.comparison);
    let DAabb { low, high } = model.bounds();
    let size = high - low;
    let _ = writeln!(
        text,
        "{}: {} part{}, {} triangles, {} × {} × {} {}",
        run.name,
        model.parts.len(),
        if model.parts.len() == 1 { "" } else { "s" },
        model.triangle_count(),
        length(size.x),
        length(size.y),
        length(size.z),
        model.unit
    );
    let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
    outcome.findings.iter().for_each(|finding| *kinds.entry(finding.kind).or_default() += 1);
    let list: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let count = outcome.findings.len();
    let found = match count {
        0 => "nothing found".to_string(),
        1 => format!("1 finding: {}", list.join(", ")),
        _ => format!("{count} findings: {}", list.join(", ")),
    };
    let code = if count == 0 { "32" } else { "1;31" };
    let found = if colour { format!("\x1b[{code}m{found}\x1b[0m") } else { found };
    let _ = writeln!(
        text,
        "{found} ({} added, {} persistent, {} resolved since the last run)",
        comparison.added,
        comparison.persistent,
        comparison.resolved.len()
    );
    let _ = writeln!(
        text,
        "{} pairs asked, {} near, {} looked at",
        outcome.pairs_asked, outcome.pairs_near, outcome.pairs_done
    );
    if !model.adjacent.is_empty() {
        let count = model.adjacent.len();
        let _ = writeln!(
            text,
            "{count} pairs of neighbouring links are not asked: joints hold them together"
        );
    }
    for test in run.plan.tests.iter().filter(|test| test.tolerance.is_none()) {
        let noise = format!("{:.1e} {}", model.noise(), model.unit);
        let _ = writeln!(
            text,
            "test \"{}\": overlaps up to {noise} are taken for rounding; a tolerance of your own replaces that",
            test.name
        );
    }
    if outcome.is_partial() {
        let _ = writeln!(
            text,
            "PARTIAL: stopped before all pairs were looked at; what is listed holds"
        );
    }
    for reason in &model.left_out {
        let _ = writeln!(text, "left out: {reason}");
    }
}

const HEAD: [&str; 7] = ["id", "kind", "status", "parts", "distance", "method", "where (x, y, z)"];

fn rows(run: &Run<'_>) -> Vec<[String; 7]> {
    let unit = run.model.unit;
    let row = |finding: &crate::Finding| {
        let paths: Vec<&str> =
            finding.parts.iter().map(|&part| run.model.parts[part].path.as_str()).collect();
        let distance = finding.distance.map(|d| format!("{} {unit}", length(d.value)));
        let place = finding.place().map(|p| format!("{:.3}, {:.3}, {:.3}", p.x, p.y, p.z));
        [
            finding.id[..8].to_string(),
            finding.kind.to_string(),
            finding.status.to_string(),
            paths.join(" × "),
            distance.unwrap_or_default(),
            finding.distance.map_or("", |d| certainty_name(d.certainty)).to_string(),
            place.unwrap_or_default(),
        ]
    };
    run.outcome.findings.iter().map(row).collect()
}

fn write_rows(rows: &[[String; 7]], colour: bool, text: &mut String) {
    let width = |k: usize| {
        let cells = rows.iter().map(|row| row[k].chars().count());
        cells.chain([HEAD[k].chars().count()]).max().unwrap_or(0)
    };
    let widths = [0, 1, 2, 3, 4, 5, 6].map(width);
    let mut line = |cells: [&str; 7], code: &str| {
        let mut joined = String::new();
        for (k, cell) in cells.iter().enumerate() {
            let room = " ".repeat(widths[k] - cell.chars().count());
            // Lengths stand to the right.
            let padded = if k == 4 { format!("{room}{cell}") } else { format!("{cell}{room}") };
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
    line(HEAD, "1");
    for row in rows {
        line([0, 1, 2, 3, 4, 5, 6].map(|k| row[k].as_str()), "");
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
        text.push_str("\ngroups:\n");
    }
    for (group, count) in groups {
        let _ = writeln!(text, "  {count:5}  {group}");
    }
}

fn hidden(run: &Run<'_>, text: &mut String) {
    for hidden in &run.outcome.hidden {
        let _ = write!(
            text,
            "\nrule \"{}\" hid {} ({})",
            hidden.rule,
            hidden.findings.len(),
            hidden.reason
        );
        if hidden.too_deep > 0 {
            let _ = write!(text, "; {} are deeper than it allows and are shown", hidden.too_deep);
        }
    }
    if !run.outcome.hidden.is_empty() {
        text.push('\n');
    }
}
