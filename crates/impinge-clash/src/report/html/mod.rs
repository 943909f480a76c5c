//! One self-contained page: the findings and the model in 3D, to be opened from disk without a network.

mod hierarchy;
mod motion;
mod packed;
mod scene;
mod still;
mod volume;

use super::{Run, json};
use std::fmt::Write as _;

/// The program that shows a report in a browser: what `viewer/` is built into.
#[derive(Clone, Copy, Debug)]
pub struct Viewer<'v> {
    /// A classic script.
    pub script: &'v str,
    /// Its style sheet.
    pub style: &'v str,
}

/// What the page may do: run what is in it, and load nothing.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";

/// The run as one HTML page. Without a viewer it lists the findings and shows a picture of each.
///
/// The page holds the report as [`json`](super::json) has it and the model, both compressed; `docs/report.md` says how to take them out.
///
/// ```
/// use impinge_clash::{Comparison, Model, CheckOptions, Plan, check, report};
/// use impinge_io::{SceneFormat, parse_scene};
/// let text = b"o left\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no right\nv 0 0 -1\nv 1 0 1\nv 0 1 1\nf 4 5 6\n";
/// let scene = parse_scene(text, SceneFormat::Obj, "pair.obj", &impinge_io::LoadOptions::default())?;
/// let plan = Plan::parse("[[test]]\nname = \"all\"", "tests.toml")?;
/// let model = Model::new(&scene);
/// let outcome = check(&model, &plan, &CheckOptions::default());
/// let comparison = Comparison::default();
/// let run = report::Run { model: &model, name: "pair", plan: &plan, outcome: &outcome, comparison: &comparison };
/// let page = report::html(&run, None);
/// assert!(page.starts_with("<!doctype html>") && page.contains("left"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn html(run: &Run<'_>, viewer: Option<&Viewer<'_>>) -> String {
    let mut page =
        String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    let _ = writeln!(page, "<title>{} – clash report</title>", escaped(run.name));
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
    let _ = writeln!(page, "<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    match viewer {
        Some(viewer) => with_viewer(run, viewer, &mut page),
        None => still::write(run, &mut page),
    }
    page.push_str("</html>\n");
    page
}

fn with_viewer(run: &Run<'_>, viewer: &Viewer<'_>, page: &mut String) {
    let style = viewer.style.replace("</style", "<\\/style");
    // Inside a script only this ends it, and in code it only stands in texts, where the backslash changes nothing.
    let script = viewer.script.replace("</script", "<\\/script").replace("<!--", "<\\!--");
    let _ = writeln!(page, "<style>{style}</style>\n</head>\n<body>");
    page.push_str("<div id=\"impinge\"><p class=\"opening\">Loading the report …</p></div>\n");
    page.push_str("<noscript>This report needs JavaScript.</noscript>\n");
    let mut data = |id: &str, text: &str| {
        let _ =
            writeln!(page, "<script type=\"application/octet-stream\" id=\"{id}\">{text}</script>");
    };
    let report = impinge_io::shown_json(&json::dense(run));
    data("impinge-report", &packed::compressed(report.as_bytes()));
    data("impinge-scene", &scene::text(run));
    let _ = writeln!(page, "<script>{script}</script>\n</body>");
}

/// Text in HTML, also in attributes, with control characters shown.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in impinge_io::printable_lines(text).chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(letter),
        }
    }
    safe
}
