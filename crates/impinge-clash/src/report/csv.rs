//! CSV as RFC 4180 has it, with a header.

use super::{Run, certainty_name, motion};
use impinge_io::printable_lines;

/// The findings as CSV, one line each.
pub fn csv(run: &Run<'_>) -> String {
    let mut text = String::new();
    rows(run, None, true, &mut text);
    text
}

/// The lines of a run, behind the name of its variant where there are several, with a header if it is the first.
pub(super) fn rows(run: &Run<'_>, variant: Option<&str>, header: bool, text: &mut String) {
    let unit = run.model.unit;
    let before = |name: &str| variant.map_or_else(String::new, |_| format!("{name},"));
    let head = format!(
        "id,test,kind,status,change,group,part a,part b,more parts,distance ({unit}),method,penetration ({unit}),separation ({unit}),volume ({unit}³),x,y,z,explanation,comment,assignee,also found by,file a,file b{}\r\n",
        motion::csv_titles(run)
    );
    if header {
        text.push_str(&before("variant"));
        text.push_str(&head);
    }
    let variant = before(&quoted(variant.unwrap_or_default()));
    for finding in &run.outcome.findings {
        let path = |k: usize| {
            let part = finding.parts.get(k);
            part.map_or("", |&part| run.model.parts[part].path.as_str()).to_string()
        };
        let file = |k: usize| {
            let part = finding.parts.get(k);
            part.map_or("", |&part| run.model.parts[part].file.as_str()).to_string()
        };
        let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
        let place = finding.place();
        let change = match finding.change {
            crate::Change::Added => "added",
            crate::Change::Persistent => "persistent",
        };
        let more = finding.parts.iter().skip(2).map(|&part| run.model.parts[part].path.as_str());
        let fields = [
            finding.id.clone(),
            finding.test.clone(),
            finding.kind.to_string(),
            finding.status.to_string(),
            change.to_string(),
            finding.group.clone().unwrap_or_default(),
            path(0),
            path(1),
            more.collect::<Vec<_>>().join("; "),
            number(finding.distance.map(|distance| distance.value)),
            finding.distance.map_or("", |distance| certainty_name(distance.certainty)).to_string(),
            number(finding.penetration.map(|penetration| penetration.value)),
            number(finding.separation.map(|separation| separation.value)),
            number(finding.volume),
            number(place.map(|p| p.x)),
            number(place.map(|p| p.y)),
            number(place.map(|p| p.z)),
            finding.explanation.clone(),
            finding.comment.clone(),
            finding.assignee.clone().unwrap_or_default(),
            finding.also.join("; "),
            file(0),
            file(1),
        ];
        text.push_str(&variant);
        text.push_str(&fields.map(|field| quoted(&field)).join(","));
        for cell in motion::csv_cells(run, finding.motion.as_ref()) {
            text.push(',');
            text.push_str(&cell);
        }
        text.push_str("\r\n");
    }
}

/// A field, in quotes if it needs them; control characters are shown.
///
/// Text that a spreadsheet would take for a formula gets an apostrophe before it: at the start, and after `;`, tabs and line ends, where a spreadsheet
/// that separates fields by these begins a cell. Numbers stay numbers.
fn quoted(field: &str) -> String {
    let mut guarded = String::with_capacity(field.len());
    let mut starts_cell = field.parse::<f64>().is_err();
    for letter in printable_lines(field).chars() {
        if starts_cell && matches!(letter, '=' | '+' | '-' | '@') {
            guarded.push('\'');
        }
        let ends_cell = matches!(letter, ';' | '\t' | '\r' | '\n');
        starts_cell = ends_cell || (starts_cell && letter == ' ');
        guarded.push(letter);
    }
    if guarded.contains([',', ';', '"', '\t', '\n', '\r']) {
        return format!("\"{}\"", guarded.replace('"', "\"\""));
    }
    guarded
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn formulas_are_text() {
        for (field, expected) in [
            ("-1.5e-3", "-1.5e-3"),
            ("=1+1", "'=1+1"),
            (" =1", " '=1"),
            ("a;=1", "\"a;'=1\""),
            ("a; =1", "\"a; '=1\""),
            ("a\t@x\r-y", "\"a\t'@x\r'-y\""),
            ("\t=1", "\"\t'=1\""),
            ("a-b", "a-b"),
            ("a\u{1b}[31m\u{202e}b", "a\\u{1b}[31m\\u{202e}b"),
            ("say \"x\", y", "\"say \"\"x\"\", y\""),
        ] {
            assert_eq!(quoted(field), expected, "{field:?}");
        }
    }
}
