//! The page without the viewer: headline, findings with a picture each, and no script at all.

use super::escaped;
use super::packed::base64;
use crate::explain::length;
use crate::finding::Finding;
use crate::picture;
use crate::plan::Kind;
use crate::report::{Run, certainty_name};
use impinge::tree::parallel;
use std::fmt::Write as _;

/// Later findings have no picture: they would take long, and nobody scrolls that far.
const MOST_PICTURES: usize = 200;
/// The sides of a picture, in pixels.
const SIZE: [u32; 2] = [800, 500];

const STYLE: &str = "\
:root{--ground:#f6f7f9;--card:#fff;--text:#1b222b;--soft:#5b6675;--line:#dfe3e8}\
@media(prefers-color-scheme:dark){:root{--ground:#12161b;--card:#1a2027;--text:#e6eaef;--soft:#98a4b3;--line:#2c353f}}\
body{margin:0 auto;max-width:60rem;padding:1.5rem 1rem;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif}\
h1{font-size:1.5rem;margin:0}p{margin:.4rem 0}.soft{color:var(--soft)}\
article{background:var(--card);border:1px solid var(--line);border-radius:.6rem;margin:1rem 0;padding:1rem;overflow-wrap:anywhere}\
article h2{font-size:1rem;margin:0 0 .4rem}img{display:block;max-width:100%;height:auto;border-radius:.4rem;margin-top:.6rem}\
code{font-size:.85em}";

pub(super) fn write(run: &Run<'_>, page: &mut String) {
    let _ = writeln!(page, "<style>{STYLE}</style>\n</head>\n<body>\n<main>");
    headline(run, page);
    let findings = &run.outcome.findings;
    let pictures = parallel::tasks(findings.len().min(MOST_PICTURES), |k| {
        picture::of_finding(run.model, &findings[k], SIZE[0], SIZE[1]).png()
    });
    for (k, finding) in findings.iter().enumerate() {
        article(run, finding, pictures.get(k).map(Vec::as_slice), page);
    }
    for hidden in &run.outcome.hidden {
        let (rule, reason) = (escaped(&hidden.rule), escaped(&hidden.reason));
        let count = hidden.findings.len();
        let _ = writeln!(page, "<p class=\"soft\">Rule “{rule}” hid {count}: {reason}</p>");
    }
    page.push_str("</main>\n</body>\n");
}

fn headline(run: &Run<'_>, page: &mut String) {
    let outcome = run.outcome;
    let _ = writeln!(page, "<h1>{}</h1>", escaped(run.name));
    let _ = writeln!(
        page,
        "<p class=\"soft\">{} parts, {} triangles, unit {}</p>",
        run.model.parts.len(),
        run.model.triangle_count(),
        run.model.unit
    );
    let counts =
        Kind::ALL.map(|kind| (kind, outcome.findings.iter().filter(|f| f.kind == kind).count()));
    let list: Vec<String> =
        counts.iter().filter(|(_, n)| *n > 0).map(|(kind, n)| format!("{n} {kind}")).collect();
    let found = match outcome.findings.len() {
        0 => "No findings.".to_string(),
        1 => format!("1 finding: {}.", list.join(", ")),
        n => format!("{n} findings: {}.", list.join(", ")),
    };
    let _ = writeln!(page, "<p><strong>{found}</strong></p>");
    if outcome.is_partial() {
        page.push_str("<p>The check was interrupted: the list may be incomplete.</p>\n");
    }
}

fn article(run: &Run<'_>, finding: &Finding, picture: Option<&[u8]>, page: &mut String) {
    let id = escaped(&finding.id);
    let names: Vec<String> =
        finding.parts.iter().map(|&k| escaped(&run.model.parts[k].path)).collect();
    let _ = writeln!(page, "<article id=\"finding={id}\">\n<h2>{}</h2>", names.join(" × "));
    let _ = writeln!(page, "<p>{}</p>", escaped(&finding.explanation));
    let measured = finding.distance.map(|distance| {
        let method = certainty_name(distance.certainty);
        format!(" · {} {} ({method})", length(distance.value), run.model.unit)
    });
    let (kind, status, test) = (finding.kind, finding.status.name(), escaped(&finding.test));
    let _ = writeln!(
        page,
        "<p class=\"soft\">{kind}{} · {status} · {test} · <code>{id}</code></p>",
        measured.unwrap_or_default()
    );
    if !finding.comment.is_empty() {
        let _ = writeln!(page, "<p>“{}”</p>", escaped(&finding.comment));
    }
    if let Some(picture) = picture {
        let [width, height] = SIZE;
        let (picture, words) = (base64(picture), names.join(" and "));
        let _ = writeln!(
            page,
            "<img width=\"{width}\" height=\"{height}\" loading=\"lazy\" alt=\"{words}\" src=\"data:image/png;base64,{picture}\">"
        );
    }
    page.push_str("</article>\n");
}
