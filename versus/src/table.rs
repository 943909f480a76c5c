//! The results: a table for people and JSON lines for programs.

use std::fmt::Write;

/// What became of the answers of one system to one case.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Positive answers: overlaps, distances > 0, depths > 0, rays that hit; all pairs of triangles.
    pub positives: usize,
    /// Wrong ones among the examined queries.
    pub wrong: usize,
    /// Largest error among the examined queries; none for yes/no answers.
    pub max_error: Option<f64>,
    /// Answers equal to impinge's, if impinge is there.
    pub agree: Option<usize>,
}

/// One system in one case.
#[derive(Clone, Debug)]
pub struct Row {
    pub case: String,
    pub system: &'static str,
    /// Least time over the rounds, per query.
    pub nanoseconds: f64,
    pub queries: usize,
    /// Examined queries.
    pub sample: usize,
    pub verdict: Verdict,
    /// What only some workloads know, by its name in the JSON lines.
    pub more: Vec<(&'static str, f64)>,
}

impl Row {
    /// The value of that name, if this workload knows it.
    pub fn more(&self, name: &str) -> Option<f64> {
        self.more.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }
}

/// One JSON object per row, each on a line.
pub fn json(workload: &str, rows: &[Row]) -> String {
    let mut out = String::new();
    for row in rows {
        let verdict = &row.verdict;
        let agree = verdict.agree.map_or("null".into(), |count| count.to_string());
        let max_error = match verdict.max_error {
            Some(error) if error.is_finite() => format!("{error:e}"),
            _ => "null".into(),
        };
        let more: String =
            row.more.iter().map(|(name, value)| format!(",\"{name}\":{value}")).collect();
        let _ = writeln!(
            out,
            "{{\"workload\":\"{workload}\",\"case\":\"{}\",\"system\":\"{}\",\"nanoseconds\":{:.2},\"answers\":{},\
             \"wrong\":{},\"agree\":{agree},\"queries\":{},\"sample\":{},\"max_error\":{max_error}{more}}}",
            row.case,
            row.system,
            row.nanoseconds,
            verdict.positives,
            verdict.wrong,
            row.queries,
            row.sample,
        );
    }
    out
}

/// Different entries of a column, in order of first appearance.
fn distinct<'a>(rows: &'a [Row], entry: impl Fn(&'a Row) -> &'a str) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for row in rows {
        if !found.contains(&entry(row)) {
            found.push(entry(row));
        }
    }
    found
}

/// Cases down, systems across; each cell made by `cell`.
pub fn grid(rows: &[Row], cell: impl Fn(&Row) -> String) -> String {
    let (cases, systems) = (distinct(rows, |row| &row.case), distinct(rows, |row| row.system));
    let first = cases.iter().map(|case| case.chars().count()).max().unwrap_or(0);
    let mut out = format!("{:first$}", "");
    for system in &systems {
        let _ = write!(out, " {system:>17}");
    }
    out.push('\n');
    for case in cases {
        let _ = write!(out, "{case:first$}");
        for system in &systems {
            let found = rows.iter().find(|row| row.system == *system && row.case == case);
            let _ = write!(out, " {:>17}", found.map_or("–".into(), &cell));
        }
        out.push('\n');
    }
    out
}

/// Time per query and, in brackets, that over impinge's.
pub fn times(rows: &[Row]) -> String {
    grid(rows, |row| {
        let ours = rows.iter().find(|other| other.system == "impinge" && other.case == row.case);
        let time = duration(row.nanoseconds);
        match ours {
            Some(ours) => format!("{time} ({:.2}×)", row.nanoseconds / ours.nanoseconds),
            None => time,
        }
    })
}

/// By how much one system is faster than another, in the cases that both answer.
pub fn gain(rows: &[Row], slow: &str, fast: &str) -> String {
    let mut out = String::new();
    for row in rows.iter().filter(|row| row.system == fast) {
        let other = rows.iter().find(|other| other.system == slow && other.case == row.case);
        if let Some(other) = other {
            let _ = writeln!(out, "{}: {:.2}×", row.case, other.nanoseconds / row.nanoseconds);
        }
    }
    out
}

/// Three digits or more, in a unit that suits.
pub fn duration(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        _ if nanoseconds < 1e4 => return format!("{nanoseconds:.0} ns"),
        _ if nanoseconds < 1e7 => (nanoseconds / 1e3, "µs"),
        _ => (nanoseconds / 1e6, "ms"),
    };
    if value < 100.0 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

/// Wrong answers among the examined queries, and the largest error.
pub fn errors(rows: &[Row]) -> String {
    grid(rows, |row| match row.verdict.max_error {
        Some(error) => format!("{} / {error:.0e}", row.verdict.wrong),
        None => row.verdict.wrong.to_string(),
    })
}

/// Answers equal to impinge's, and positive answers.
pub fn agreement(rows: &[Row]) -> String {
    grid(rows, |row| {
        let agree = row.verdict.agree.map_or("–".into(), |count| count.to_string());
        format!("{agree} / {}", row.verdict.positives)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(system: &'static str, nanoseconds: f64) -> Row {
        let verdict = Verdict { positives: 3, wrong: 0, max_error: Some(5e-13), agree: Some(7) };
        let case = "box depth".to_string();
        Row { case, system, nanoseconds, queries: 10, sample: 4, verdict, more: Vec::new() }
    }

    #[test]
    fn the_ratio_is_to_impinge() {
        let table = times(&[row("impinge", 10.0), row("parry", 30.0)]);
        let lines: Vec<&str> = table.lines().collect();
        let columns: Vec<&str> = lines[0].split_whitespace().collect();
        assert_eq!(columns, ["impinge", "parry"]);
        assert!(lines[1].starts_with("box depth") && lines[1].contains("10 ns (1.00×)"), "{table}");
        assert!(lines[1].ends_with("30 ns (3.00×)"), "{table}");
    }

    #[test]
    fn a_gain_is_that_of_the_second_over_the_first() {
        let rows = [row("impinge", 30.0), row("impinge-supports", 20.0), row("parry", 1.0)];
        assert_eq!(gain(&rows, "impinge", "impinge-supports"), "box depth: 1.50×\n");
        assert_eq!(gain(&rows, "impinge", "coal"), "");
    }

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(duration(424.2), "424 ns");
        assert_eq!(duration(29_140.0), "29.1 µs");
        assert_eq!(duration(213_000_000.0), "213 ms");
    }

    #[test]
    fn json_lines() {
        let expected = "{\"workload\":\"convex\",\"case\":\"box depth\",\"system\":\"parry\",\"nanoseconds\":30.00,\
                        \"answers\":3,\"wrong\":0,\"agree\":7,\"queries\":10,\"sample\":4,\"max_error\":5e-13}\n";
        assert_eq!(json("convex", &[row("parry", 30.0)]), expected);
    }
}
