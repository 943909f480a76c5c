//! The results: a table for people and JSON lines for programs.

use std::fmt::Write;

use crate::case::CONVEX;
use crate::judge::Verdict;

/// One system in one case.
#[derive(Clone, Debug)]
pub struct Row {
    pub case: &'static str,
    pub system: &'static str,
    /// Least processor time over the rounds, per query.
    pub nanoseconds: f64,
    pub queries: usize,
    /// Examined pairs.
    pub sample: usize,
    pub verdict: Verdict,
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
        let _ = writeln!(
            out,
            "{{\"workload\":\"{workload}\",\"case\":\"{}\",\"system\":\"{}\",\"nanoseconds\":{:.2},\"answers\":{},\
             \"wrong\":{},\"agree\":{agree},\"queries\":{},\"sample\":{},\"max_error\":{max_error}}}",
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

/// Systems down, cases across; each cell made by `cell`.
fn grid(rows: &[Row], cell: impl Fn(&Row) -> String) -> String {
    let mut systems: Vec<&str> = Vec::new();
    for row in rows {
        if !systems.contains(&row.system) {
            systems.push(row.system);
        }
    }
    systems.sort_by_key(|system| crate::system::NAMES.iter().position(|name| name == system));
    let mut out = format!("{:8}", "");
    for case in CONVEX {
        let _ = write!(out, " {:>17}", case.name);
    }
    out.push('\n');
    for system in systems {
        let _ = write!(out, "{system:8}");
        for case in CONVEX {
            let found = rows.iter().find(|row| row.system == system && row.case == case.name);
            let _ = write!(out, " {:>17}", found.map_or("–".into(), &cell));
        }
        out.push('\n');
    }
    out
}

/// Nanoseconds per query and, in brackets, that over impinge's.
pub fn times(rows: &[Row]) -> String {
    grid(rows, |row| {
        let ours = rows.iter().find(|other| other.system == "impinge" && other.case == row.case);
        match ours {
            Some(ours) => {
                format!("{:.0} ({:.2}×)", row.nanoseconds, row.nanoseconds / ours.nanoseconds)
            }
            None => format!("{:.0}", row.nanoseconds),
        }
    })
}

/// Wrong answers among the examined pairs, and the largest error.
pub fn errors(rows: &[Row]) -> String {
    grid(rows, |row| match row.verdict.max_error {
        Some(error) => format!("{} / {error:.0e}", row.verdict.wrong),
        None => row.verdict.wrong.to_string(),
    })
}

/// Answers within the agreement tolerance of impinge's, and positive answers.
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
        Row { case: "box depth", system, nanoseconds, queries: 10, sample: 4, verdict }
    }

    #[test]
    fn the_ratio_is_to_impinge() {
        let table = times(&[row("parry", 30.0), row("impinge", 10.0)]);
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[1].starts_with("impinge") && lines[1].contains("10 (1.00×)"), "{table}");
        assert!(lines[2].contains("30 (3.00×)"), "{table}");
    }

    #[test]
    fn json_lines() {
        let expected = "{\"workload\":\"convex\",\"case\":\"box depth\",\"system\":\"parry\",\"nanoseconds\":30.00,\
                        \"answers\":3,\"wrong\":0,\"agree\":7,\"queries\":10,\"sample\":4,\"max_error\":5e-13}\n";
        assert_eq!(json("convex", &[row("parry", 30.0)]), expected);
    }
}
