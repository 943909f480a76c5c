//! Findings as text for people: Markdown, and one HTML page that loads nothing.

use crate::experiment::Experiment;
use crate::finding::{Claim, Finding};
use crate::machine::{Machine, today};
use crate::table::Table;
use std::fmt::Write;

/// The finding in Markdown.
pub(crate) fn markdown(
    experiment: &Experiment,
    finding: &Finding,
    settings: &str,
    seconds: f64,
) -> String {
    let mut text = format!(
        "# {}\n\n{}, {}.\n\n{}\n",
        experiment.title,
        experiment.document.citation(),
        experiment.place,
        finding.paragraph()
    );
    let charts = finding.charts.iter().map(|chart| &chart.name);
    for name in charts.chain(finding.pictures.iter().map(|picture| &picture.name)) {
        let _ = writeln!(text, "![{name}]({}-{name}.svg)\n", experiment.name);
    }
    for table in &finding.tables {
        let _ = writeln!(text, "{}\n\n{}", table.title, table.markdown());
    }
    let _ = writeln!(text, "{}", made(settings, seconds));
    text
}

fn made(settings: &str, seconds: f64) -> String {
    let Machine { processor, threads } = Machine::this();
    format!("{settings}; {}, {processor}, {threads} threads, {seconds:.1} s.", today())
}

/// The finding as a part of the page.
pub(crate) fn part(
    experiment: &Experiment,
    finding: &Finding,
    pictures: &[(&str, String)],
    settings: &str,
    seconds: f64,
) -> String {
    let mut text = format!(
        "<article id=\"{}\">\n<h2>{}</h2>\n<p class=\"source\">{}, {}</p>\n<p>{}</p>\n",
        experiment.name,
        escaped(experiment.title),
        escaped(experiment.document.citation()),
        escaped(experiment.place),
        escaped(&finding.setting)
    );
    if !finding.claims.is_empty() {
        text +=
            "<table class=\"claims\">\n<tr><th>claim</th><th>measured</th><th>verdict</th></tr>\n";
        for Claim { statement, measured, verdict, why } in &finding.claims {
            let class = verdict.to_string().replace(' ', "-");
            let _ = writeln!(
                text,
                "<tr><td>{}</td><td>{} {}</td><td class=\"{class}\">{verdict}</td></tr>",
                escaped(statement),
                escaped(measured),
                escaped(why)
            );
        }
        text += "</table>\n";
    }
    for (name, svg) in pictures {
        let _ = writeln!(
            text,
            "<figure role=\"img\" aria-label=\"{}\">\n{svg}\n</figure>",
            escaped(name)
        );
    }
    for table in &finding.tables {
        let open = if pictures.is_empty() { " open" } else { "" };
        let _ = writeln!(
            text,
            "<details{open}><summary>{}</summary>\n{}</details>",
            escaped(&table.title),
            rows(table)
        );
    }
    let _ =
        writeln!(text, "<p class=\"made\">{}</p>\n</article>", escaped(&made(settings, seconds)));
    text
}

fn rows(table: &Table) -> String {
    let mut text = String::from("<div class=\"wide\"><table>\n");
    // The Markdown has the right texts already; its second line, on which side they stand, is dropped.
    for (k, line) in table.markdown().lines().enumerate().filter(|(k, _)| *k != 1) {
        let tag = if k == 0 { "th" } else { "td" };
        let cells = line.trim_start_matches("| ").trim_end_matches(" |").split(" | ");
        let _ = writeln!(
            text,
            "<tr>{}</tr>",
            cells.map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect::<String>()
        );
    }
    text + "</table></div>\n"
}

/// One page of the parts that there are.
pub fn page(parts: &[(&Experiment, String)]) -> String {
    let mut text = String::from(HEAD);
    text += "<nav>\n";
    for (experiment, _) in parts {
        let _ = writeln!(text, "<a href=\"#{0}\">{0}</a>", experiment.name);
    }
    text += "</nav>\n";
    for (_, part) in parts {
        text += part;
    }
    text + "</body>\n</html>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const HEAD: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>impinge-lab</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 1180px; margin: 0 auto; padding: 1rem; color: #111827; background: #fff; }
nav { display: flex; flex-wrap: wrap; gap: .2rem .9rem; padding: .5rem 0 1rem; border-bottom: 1px solid #d1d5db; }
article { border-bottom: 1px solid #d1d5db; padding: 1rem 0; }
h2 { margin: .2rem 0; }
.source, .made { color: #4b5563; font-size: .85rem; margin: .2rem 0; }
figure { margin: 1rem 0; }
figure svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; font-size: .85rem; margin: .5rem 0; }
th, td { border: 1px solid #d1d5db; padding: .2rem .5rem; text-align: left; vertical-align: top; }
.wide { overflow-x: auto; }
summary { cursor: pointer; color: #1d4ed8; }
td.reproduced { background: #dcfce7; }
td.differs { background: #fee2e2; }
td.partly { background: #fef9c3; }
td.not-tried { background: #f3f4f6; }
</style>
</head>
<body>
<h1>Figures and claims, measured again</h1>
<p>Counts are exact and the same in every run with the same seed; times are compared within one run only. Published values are drawn as rings on dashed lines.</p>
"#;
