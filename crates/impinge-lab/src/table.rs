//! Tables: as CSV for programs, as Markdown for people.

use crate::file::checksum;
use std::fmt::Write;

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The heading.
    pub name: String,
    /// The unit, or nothing for names, counts and ratios.
    pub unit: &'static str,
    /// Whether the values differ from run to run, as times do. Those that do not are compared by tests and by [`Table::hash`].
    pub varies: bool,
}

/// A value in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A name.
    Text(String),
    /// How many.
    Count(u64),
    /// A number, printed with four significant digits.
    Number(f64),
    /// Not measured, or not published.
    Missing,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Self {
        Self::Count(count as u64)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        if number.is_finite() { Self::Number(number) } else { Self::Missing }
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

impl Cell {
    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(count) => count.to_string(),
            Self::Number(number) => significant(*number),
            Self::Missing => String::new(),
        }
    }
}

/// Four significant digits, without an exponent.
pub(crate) fn significant(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return number.to_string();
    }
    let before = number.abs().log10().floor() as i32 + 1;
    let text = format!("{number:.*}", (4 - before).clamp(0, 12) as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    } else {
        text
    }
}

/// Rows of values under headings.
///
/// ```
/// use impinge_lab::Table;
/// let mut table = Table::new("memory", "Memory by levels").column("levels", "").column("vertex table", "kB").varying("time", "ms");
/// table.row([0_usize.into(), 25.5.into(), 3.0.into()]);
/// assert_eq!(table.csv(), "levels,vertex table [kB],time [ms]\n0,25.5,3\n");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Part of the file's name: small letters and hyphens.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// From left to right.
    pub columns: Vec<Column>,
    /// From above to below, as long as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without columns.
    pub fn new(name: &str, title: impl Into<String>) -> Self {
        Self { name: name.into(), title: title.into(), columns: Vec::new(), rows: Vec::new() }
    }

    /// Adds a column whose values are the same in every run.
    #[must_use]
    pub fn column(mut self, name: impl Into<String>, unit: &'static str) -> Self {
        self.columns.push(Column { name: name.into(), unit, varies: false });
        self
    }

    /// Adds a column whose values differ from run to run, as times and ratios of times do.
    #[must_use]
    pub fn varying(mut self, name: impl Into<String>, unit: &'static str) -> Self {
        self.columns.push(Column { name: name.into(), unit, varies: true });
        self
    }

    /// Adds a row. What is missing at its end is left empty, what is too much is dropped.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let mut cells: Vec<Cell> = cells.into_iter().collect();
        cells.resize(self.columns.len(), Cell::Missing);
        self.rows.push(cells);
    }

    fn headings(&self) -> impl Iterator<Item = String> + '_ {
        self.columns.iter().map(|Column { name, unit, .. }| match *unit {
            "" => name.clone(),
            unit => format!("{name} [{unit}]"),
        })
    }

    /// As CSV (RFC 4180), with units in the headings.
    pub fn csv(&self) -> String {
        let quoted = |text: String| {
            if text.contains([',', '"', '\n']) {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text
            }
        };
        let line = |cells: Vec<String>| cells.into_iter().map(quoted).collect::<Vec<_>>().join(",");
        let mut text = line(self.headings().collect()) + "\n";
        for row in &self.rows {
            text += &(line(row.iter().map(Cell::text).collect()) + "\n");
        }
        text
    }

    /// As a table in Markdown.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = line(self.headings().collect());
        let numbers = |k: usize| !self.rows.iter().any(|row| matches!(row[k], Cell::Text(_)));
        text.push('|');
        for k in 0..self.columns.len() {
            text.push_str(if numbers(k) { "---:|" } else { "---|" });
        }
        text.push('\n');
        for row in &self.rows {
            text += &line(
                row.iter()
                    .map(|cell| {
                        let text = cell.text().replace('|', "\\|");
                        if text.is_empty() { "–".to_string() } else { text }
                    })
                    .collect(),
            );
        }
        text
    }

    /// A number that is the same if all values are that do not vary (a checksum of the text).
    pub fn hash(&self) -> u64 {
        let mut kept = String::new();
        for row in &self.rows {
            for (column, cell) in self.columns.iter().zip(row) {
                if !column.varies {
                    let _ = writeln!(kept, "{}={}", column.name, cell.text());
                }
            }
        }
        checksum(kept.as_bytes())
    }
}

/// The fields of each line of a CSV text, as [`Table::csv`] writes it.
///
/// ```
/// let rows = impinge_lab::fields("who,n\n\"a, or \"\"b\"\"\",7\n");
/// assert_eq!(rows, [["who", "n"], ["a, or \"b\"", "7"]]);
/// ```
pub fn fields(csv: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut characters = csv.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            // Two quotes within quotes are one.
            '"' if quoted && characters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            other => field.push(other),
        }
    }
    if !field.is_empty() || !row.is_empty() {
        row.push(field);
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits() {
        for (number, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (0.012345, "0.01235"),
            (-12.3456, "-12.35"),
            (123456.7, "123457"),
            (99.99, "99.99"),
        ] {
            assert_eq!(significant(number), text);
        }
    }

    #[test]
    fn names_with_commas_are_quoted_and_times_are_not_hashed() {
        let table = |time: f64, count: usize| {
            let mut table = Table::new("a", "").column("who, or what", "").column("n", "");
            table = table.varying("time", "s");
            table.row(["say \"a\"".into(), count.into(), time.into()]);
            table.row(["b".into()]);
            table
        };
        assert_eq!(
            table(0.5, 7).csv(),
            "\"who, or what\",n,time [s]\n\"say \"\"a\"\"\",7,0.5\nb,,\n"
        );
        assert_eq!(table(0.5, 7).hash(), table(0.7, 7).hash());
        assert_ne!(table(0.5, 7).hash(), table(0.5, 8).hash());
        assert_eq!(
            table(0.5, 7).markdown(),
            "| who, or what | n | time [s] |\n|---|---:|---:|\n| say \"a\" | 7 | 0.5 |\n| b | – | – |\n"
        );
    }
}
