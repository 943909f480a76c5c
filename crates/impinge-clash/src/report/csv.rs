//! CSV as RFC 4180 has it, with a header.

use super::{Run, certainty_name};

/// The findings as CSV, one line each.
pub fn csv(run: &Run<'_>) -> String {
    let unit = run.model.unit;
    let mut text = format!(
        "id,test,kind,status,change,group,part a,part b,more parts,distance ({unit}),method,penetration ({unit}),separation ({unit}),volume ({unit}³),x,y,z,explanation,comment\r\n"
    );
    for finding in &run.outcome.findings {
        let path = |k: usize| {
            let part = finding.parts.get(k);
            part.map_or("", |&part| run.model.parts[part].path.as_str()).to_string()
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
        ];
        text.push_str(&fields.map(|field| quoted(&field)).join(","));
        text.push_str("\r\n");
    }
    text
}

/// A field, in quotes if it needs them. One that a spreadsheet would take for a formula gets an apostrophe before it.
fn quoted(field: &str) -> String {
    let is_number = field.parse::<f64>().is_ok();
    let guarded = if field.starts_with(['=', '+', '-', '@']) && !is_number {
        format!("'{field}")
    } else {
        field.to_string()
    };
    if guarded.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", guarded.replace('"', "\"\""));
    }
    guarded
}
