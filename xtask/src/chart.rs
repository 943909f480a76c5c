//! `cargo xtask chart`: the README's chart, drawn from a record of `versus`.
//!
//! `versus/records/clash.json` holds the figures of a run with its date and machine. Drawing is separate from measuring, so that
//! the picture can be made again by anyone; a test compares it with the one that is committed.

use crate::metadata::root;
use serde_json::Value;
use std::fmt::Write as _;

/// The record, and the picture that is made of it.
const FILES: [&str; 2] = ["versus/records/clash.json", "docs/pictures/versus.svg"];

/// Colours of the systems, readable on light and dark pages.
const COLOURS: [&str; 4] = ["#2563eb", "#d97706", "#9ca3af", "#059669"];

const WIDTH: f64 = 860.0;
/// Where bars begin, and how much room they have.
const LEFT: f64 = 230.0;
const SPAN: f64 = 530.0;
const BAR: f64 = 13.0;
const TOP: f64 = 74.0;

/// Draws the chart and writes it. False, with a line on why, if it cannot.
pub fn run() -> bool {
    let [record, picture] = FILES;
    let drawn = draw_record().and_then(|svg| {
        std::fs::write(root().join(picture), svg).map_err(|error| format!("{picture}: {error}"))
    });
    match &drawn {
        Ok(()) => println!("{picture} drawn from {record}"),
        Err(error) => println!("{error}"),
    }
    drawn.is_ok()
}

/// Reads the record and draws it.
fn draw_record() -> Result<String, String> {
    let name = FILES[0];
    let text =
        std::fs::read_to_string(root().join(name)).map_err(|error| format!("{name}: {error}"))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
    let record = Record::read(&value);
    let record =
        record.ok_or_else(|| format!("{name}: a field is missing or of the wrong type"))?;
    Ok(record.draw())
}

/// What is drawn of a record.
struct Record {
    title: String,
    /// Date and machine; what was measured.
    notes: [String; 2],
    systems: Vec<String>,
    cases: Vec<Case>,
}

/// A model, and the milliseconds that each system took.
struct Case {
    name: String,
    size: String,
    times: Vec<f64>,
}

impl Record {
    fn read(value: &Value) -> Option<Self> {
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let systems = value["systems"].as_object()?;
        let all = value["cases"].as_array()?;
        let case = |name: &Value| {
            let case = all.iter().find(|case| case["case"] == *name)?;
            let time = |key: &String| case["milliseconds"][key].as_f64().filter(|time| *time > 0.0);
            let [parts, triangles] =
                [&case["parts"], &case["triangles"]].map(|count| count.as_u64().map(thousands));
            Some(Case {
                name: name.as_str()?.replace('_', " "),
                size: format!("{} parts, {} triangles", parts?, triangles?),
                times: systems.keys().map(time).collect::<Option<_>>()?,
            })
        };
        Some(Self {
            title: text("title")?,
            notes: [format!("{}, {}", text("date")?, text("machine")?), text("quantity")?],
            systems: systems
                .values()
                .map(|name| name.as_str().map(str::to_owned))
                .collect::<Option<_>>()?,
            cases: value["shown"].as_array()?.iter().map(case).collect::<Option<_>>()?,
        })
    }

    /// A group of bars per case, a bar per system, on a logarithmic axis.
    fn draw(&self) -> String {
        let times = || self.cases.iter().flat_map(|case| &case.times).map(|time| time.log10());
        let from = times().fold(f64::INFINITY, f64::min).floor();
        let to = times().fold(f64::NEG_INFINITY, f64::max).ceil();
        let place = |time: f64| LEFT + SPAN * (time.log10() - from) / (to - from).max(1.0);
        let group = BAR * self.systems.len() as f64 + 14.0;
        let bottom = TOP + group * self.cases.len() as f64;
        let mut svg = head(&self.title, bottom + 74.0);
        legend(&mut svg, &self.systems);
        for decade in from as i32..=to as i32 {
            let (time, top, below) = (10f64.powi(decade), TOP - 6.0, bottom + 14.0);
            let (x, label) = (place(time), duration(time));
            let _ = writeln!(
                svg,
                "<line class=\"grid\" x1=\"{x:.1}\" y1=\"{top:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\"/>"
            );
            let _ = writeln!(
                svg,
                "<text class=\"note\" x=\"{x:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">{label}</text>"
            );
        }
        for (row, case) in self.cases.iter().enumerate() {
            case.draw(&mut svg, TOP + group * row as f64, place);
        }
        for (line, note) in self.notes.iter().enumerate() {
            let y = bottom + 40.0 + 16.0 * line as f64;
            let _ = writeln!(svg, "<text class=\"note\" x=\"10\" y=\"{y:.1}\">{note}</text>");
        }
        svg + "</svg>\n"
    }
}

impl Case {
    fn draw(&self, svg: &mut String, y: f64, place: impl Fn(f64) -> f64) {
        let Self { name, size, times } = self;
        let (x, middle) = (LEFT - 10.0, y + BAR * times.len() as f64 / 2.0);
        let below = middle + 13.0;
        let _ =
            writeln!(svg, "<text x=\"{x:.1}\" y=\"{middle:.1}\" text-anchor=\"end\">{name}</text>");
        let _ = writeln!(
            svg,
            "<text class=\"note\" x=\"{x:.1}\" y=\"{below:.1}\" text-anchor=\"end\">{size}</text>"
        );
        for (index, time) in times.iter().enumerate() {
            let (top, end, color) =
                (y + BAR * index as f64, place(*time), COLOURS[index % COLOURS.len()]);
            let (width, height, x, base) = (end - LEFT, BAR - 2.0, end + 5.0, top + 9.5);
            let ratio =
                if index == 0 { String::new() } else { format!(", {:.0}×", time / times[0]) };
            let label = duration(*time);
            let _ = writeln!(
                svg,
                "<rect x=\"{LEFT}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{color}\"/>"
            );
            let _ = writeln!(
                svg,
                "<text class=\"note\" x=\"{x:.1}\" y=\"{base:.1}\">{label}{ratio}</text>"
            );
        }
    }
}

/// The beginning of the picture, with its title and styles.
fn head(title: &str, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-label=\"{title}\">\n\
         <style>\n\
         text {{ font: 13px system-ui, sans-serif; fill: #111827 }}\n\
         .title {{ font-size: 15px; font-weight: 600 }}\n\
         .note {{ font-size: 11px; fill: #6b7280 }}\n\
         .grid {{ stroke: #9ca3af; stroke-opacity: .35 }}\n\
         @media (prefers-color-scheme: dark) {{ text {{ fill: #f3f4f6 }} .note {{ fill: #9ca3af }} }}\n\
         </style>\n\
         <text class=\"title\" x=\"10\" y=\"20\">{title}</text>\n"
    )
}

/// Which colour is which system.
fn legend(svg: &mut String, systems: &[String]) {
    let mut x = 10.0;
    for (index, name) in systems.iter().enumerate() {
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"36\" width=\"11\" height=\"11\" fill=\"{}\"/>",
            COLOURS[index % COLOURS.len()]
        );
        let _ =
            writeln!(svg, "<text class=\"note\" x=\"{:.1}\" y=\"45.5\">{name}</text>", x + 16.0);
        x += 40.0 + 6.2 * name.chars().count() as f64;
    }
}

/// Milliseconds for people.
fn duration(milliseconds: f64) -> String {
    let (value, unit) =
        if milliseconds < 1000.0 { (milliseconds, "ms") } else { (milliseconds / 1000.0, "s") };
    let digits = (2.0 - value.log10().floor()).clamp(0.0, 2.0) as usize;
    let text = format!("{value:.digits$}");
    let short = if digits > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{short} {unit}")
}

/// A count with its thousands set apart.
fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_that_of_the_record() {
        let drawn = std::fs::read_to_string(root().join(FILES[1])).unwrap();
        assert!(drawn == draw_record().unwrap(), "run `cargo xtask chart` and commit {}", FILES[1]);
    }

    #[test]
    fn durations_have_three_digits() {
        let shown = [12.0, 245.4, 80.14, 999.96, 1559.5999999999999, 41_269.0].map(duration);
        assert_eq!(shown, ["12 ms", "245 ms", "80.1 ms", "1000 ms", "1.56 s", "41.3 s"]);
    }

    #[test]
    fn an_incomplete_record_is_refused() {
        let record: Value = serde_json::from_str(
            r#"{"title":"t","date":"d","machine":"m","quantity":"q","systems":{"a":"A"},"shown":["x"],
                "cases":[{"case":"x","parts":1,"triangles":1200,"milliseconds":{"a":12}}]}"#,
        )
        .unwrap();
        let svg = Record::read(&record).map(|record| record.draw()).unwrap();
        assert!(svg.contains("12 ms") && svg.contains("1,200 triangles"));
        for (field, value) in [
            ("date", Value::Null),
            ("shown", serde_json::json!(["y"])),
            ("systems", serde_json::json!({"b": "B"})),
        ] {
            let mut without = record.clone();
            without[field] = value;
            assert!(Record::read(&without).is_none(), "{field}");
        }
    }
}
