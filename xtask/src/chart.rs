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
    let record: Value = serde_json::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
    draw(&record).ok_or_else(|| format!("{name}: a field is missing or of the wrong type"))
}

/// The picture of a record: a group of bars per case, a bar per system, on a logarithmic axis.
fn draw(record: &Value) -> Option<String> {
    let systems: Vec<(&str, &str)> = record["systems"]
        .as_object()?
        .iter()
        .map(|(key, name)| Some((key.as_str(), name.as_str()?)))
        .collect::<Option<_>>()?;
    let all = record["cases"].as_array()?;
    let mut cases = Vec::new();
    for name in record["shown"].as_array()? {
        cases.push(all.iter().find(|case| case["case"] == *name)?);
    }
    let mut times = Vec::new();
    for case in &cases {
        for (key, _) in &systems {
            times.push(case["milliseconds"][key].as_f64().filter(|time| *time > 0.0)?);
        }
    }
    let decades = |time: f64| time.log10();
    let low = times.iter().copied().fold(f64::INFINITY, f64::min);
    let high = times.iter().copied().fold(0.0, f64::max);
    let (from, to) = (decades(low).floor(), decades(high).ceil());
    let place = |time: f64| LEFT + SPAN * (decades(time) - from) / (to - from).max(1.0);

    let group = BAR * systems.len() as f64 + 14.0;
    let bottom = TOP + group * cases.len() as f64;
    let height = bottom + 58.0;
    let mut svg = head(record, height)?;
    legend(&mut svg, &systems);
    for decade in from as i32..=to as i32 {
        let (time, x) = (10f64.powi(decade), place(10f64.powi(decade)));
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\"/>",
            TOP - 6.0
        );
        let _ = writeln!(
            svg,
            "<text class=\"note\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 14.0,
            duration(time)
        );
    }
    for (row, case) in cases.iter().enumerate() {
        let y = TOP + group * row as f64;
        let label = y + BAR * systems.len() as f64 / 2.0;
        let name = case["case"].as_str()?.replace('_', " ");
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{label:.1}\" text-anchor=\"end\">{name}</text>",
            LEFT - 10.0
        );
        let size = format!(
            "{} parts, {} triangles",
            thousands(case["parts"].as_u64()?),
            thousands(case["triangles"].as_u64()?)
        );
        let _ = writeln!(
            svg,
            "<text class=\"note\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{size}</text>",
            LEFT - 10.0,
            label + 13.0
        );
        let own = case["milliseconds"][systems[0].0].as_f64()?;
        for (index, (key, _)) in systems.iter().enumerate() {
            let time = case["milliseconds"][key].as_f64()?;
            let top = y + BAR * index as f64;
            let _ = writeln!(
                svg,
                "<rect x=\"{LEFT}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"/>",
                place(time) - LEFT,
                BAR - 2.0,
                COLOURS[index % COLOURS.len()]
            );
            let ratio = if index == 0 { String::new() } else { format!(", {:.0}×", time / own) };
            let _ = writeln!(
                svg,
                "<text class=\"note\" x=\"{:.1}\" y=\"{:.1}\">{}{ratio}</text>",
                place(time) + 5.0,
                top + 9.5,
                duration(time)
            );
        }
    }
    let text = |key: &str| record[key].as_str();
    let _ = writeln!(
        svg,
        "<text class=\"note\" x=\"10\" y=\"{:.1}\">{}, {}; {}</text>\n</svg>",
        bottom + 40.0,
        text("date")?,
        text("machine")?,
        text("quantity")?
    );
    Some(svg)
}

/// The beginning of the picture, with its title and styles.
fn head(record: &Value, height: f64) -> Option<String> {
    let title = record["title"].as_str()?;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-label=\"{title}\">\n\
         <style>\n\
         text {{ font: 13px system-ui, sans-serif; fill: #111827 }}\n\
         .title {{ font-size: 15px; font-weight: 600 }}\n\
         .note {{ font-size: 11px; fill: #6b7280 }}\n\
         .grid {{ stroke: #9ca3af; stroke-opacity: .35 }}\n\
         @media (prefers-color-scheme: dark) {{ text {{ fill: #f3f4f6 }} .note {{ fill: #9ca3af }} }}\n\
         </style>\n\
         <text class=\"title\" x=\"10\" y=\"20\">{title}</text>"
    ))
}

/// Which colour is which system.
fn legend(svg: &mut String, systems: &[(&str, &str)]) {
    let mut x = 10.0;
    for (index, (_, name)) in systems.iter().enumerate() {
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
    match milliseconds {
        time if time >= 1000.0 => format!("{} s", time / 1000.0),
        time => format!("{time} ms"),
    }
}

/// A count with its thousands set apart.
fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
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
    fn an_incomplete_record_is_refused() {
        let record: Value = serde_json::from_str(
            r#"{"title":"t","date":"d","machine":"m","quantity":"q","systems":{"a":"A"},"shown":["x"],
                "cases":[{"case":"x","parts":1,"triangles":1200,"milliseconds":{"a":12}}]}"#,
        )
        .unwrap();
        assert!(
            draw(&record)
                .is_some_and(|svg| svg.contains("12 ms") && svg.contains("1,200 triangles"))
        );
        for (field, value) in [
            ("date", Value::Null),
            ("shown", serde_json::json!(["y"])),
            ("systems", serde_json::json!({"b": "B"})),
        ] {
            let mut without = record.clone();
            without[field] = value;
            assert!(draw(&without).is_none(), "{field}");
        }
    }
}
