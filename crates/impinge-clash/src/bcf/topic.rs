//! What becomes a topic: a finding, or a group of them.

use super::guid::{Of, guid};
use super::{Export, Topics};
use crate::explain::length;
use crate::finding::Finding;
use crate::plan::Kind;
use crate::report::{Run, certainty_name};
use crate::status::{Remark, Status};
use std::collections::BTreeMap;

/// Findings that a description lists; the rest of a larger group is counted.
const MOST_LISTED: usize = 5000;

/// A topic to be written.
pub(super) struct Topic<'t> {
    pub(super) guid: String,
    pub(super) viewpoint: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) priority: &'static str,
    pub(super) labels: Vec<String>,
    pub(super) status: Status,
    /// Empty for nobody, and for a group whose findings have several.
    pub(super) assignee: String,
    /// When it was found first.
    pub(super) date: String,
    pub(super) findings: Vec<&'t Finding>,
    pub(super) comments: Vec<Remark>,
}

/// The topics of a run, in the order of its findings.
pub(super) fn topics<'t>(run: &Run<'t>, export: &Export<'_>) -> Vec<Topic<'t>> {
    let findings = &run.outcome.findings;
    match export.topics {
        Topics::Findings => findings.iter().map(|finding| single(run, export, finding)).collect(),
        Topics::Groups => {
            let mut places: BTreeMap<&str, usize> = BTreeMap::new();
            let mut groups: Vec<(Option<&str>, Vec<&Finding>)> = Vec::new();
            for finding in findings {
                let name = finding.group.as_deref();
                let known = name.and_then(|name| places.get(name).copied());
                match known.and_then(|place| groups.get_mut(place)) {
                    Some((_, list)) => list.push(finding),
                    None => {
                        name.map(|name| places.insert(name, groups.len()));
                        groups.push((name, vec![finding]));
                    }
                }
            }
            let topic =
                |(name, list): (Option<&str>, Vec<&'t Finding>)| match (name, list.as_slice()) {
                    (None, [finding]) => single(run, export, finding),
                    _ => group(run, export, name.unwrap_or_default(), list),
                };
            groups.into_iter().map(topic).collect()
        }
    }
}

fn single<'t>(run: &Run<'t>, export: &Export<'_>, finding: &'t Finding) -> Topic<'t> {
    let paths: Vec<&str> =
        finding.parts.iter().filter_map(|&k| Some(run.model.parts.get(k)?.path.as_str())).collect();
    let unit = run.model.unit;
    let measure = finding.distance.filter(|distance| distance.value != 0.0);
    let measure =
        measure.map(|d| format!(", {} {unit}", length(d.value.abs()))).unwrap_or_default();
    let mut labels = vec![finding.kind.name().to_string(), finding.test.clone()];
    labels.extend(finding.group.clone());
    Topic {
        guid: guid(Of::Finding, &finding.id),
        viewpoint: guid(Of::Viewpoint, &finding.id),
        title: format!("{}: {}{measure}", kind_words(finding.kind), paths.join(" × ")),
        description: format!("{}\n\n{}", finding.explanation, facts(run, finding)),
        priority: priority(finding.kind),
        labels: cleaned(labels),
        status: finding.status,
        assignee: finding.assignee.clone().unwrap_or_default(),
        date: date(export, [finding].into_iter()),
        findings: vec![finding],
        comments: comments(export, finding),
    }
}

fn group<'t>(
    run: &Run<'t>,
    export: &Export<'_>,
    name: &str,
    findings: Vec<&'t Finding>,
) -> Topic<'t> {
    let mut description =
        String::from("Each line has the id of a finding, its status and what is wrong.\n");
    for finding in findings.iter().take(MOST_LISTED) {
        description
            .push_str(&format!("\n{} ({}) {}", finding.id, finding.status, finding.explanation));
    }
    if findings.len() > MOST_LISTED {
        description.push_str(&format!("\nand {} more", findings.len() - MOST_LISTED));
    }
    let mut labels: Vec<String> = Vec::new();
    for finding in &findings {
        labels.extend([finding.kind.name().to_string(), finding.test.clone()]);
    }
    let kinds = findings.iter().map(|finding| finding.kind);
    let statuses = findings.iter().map(|finding| finding.status);
    let count = findings.len();
    let plural = if count == 1 { "" } else { "s" };
    Topic {
        guid: guid(Of::Group, name),
        viewpoint: guid(Of::Viewpoint, &format!("group {name}")),
        title: format!("{name}: {count} finding{plural} in {}", run.name),
        description,
        priority: kinds.min().map_or("Normal", priority),
        labels: cleaned(labels),
        // As long as one is open the group is.
        status: statuses.min().unwrap_or_default(),
        assignee: common_assignee(&findings),
        date: date(export, findings.iter().copied()),
        comments: findings.iter().flat_map(|finding| comments(export, finding)).collect(),
        findings,
    }
}

/// The numbers behind a finding, and its id, by which `impinge status` knows it.
fn facts(run: &Run<'_>, finding: &Finding) -> String {
    let unit = run.model.unit;
    let mut text = format!("Found by test \"{}\".", finding.test);
    if let Some(distance) = finding.distance {
        let word = if distance.value < 0.0 { "Depth" } else { "Gap" };
        let value = length(distance.value.abs());
        text.push_str(&format!(" {word} {value} {unit} ({}).", certainty_name(distance.certainty)));
    }
    if let Some(volume) = finding.volume {
        text.push_str(&format!(" Common volume about {} {unit}³.", length(volume)));
    }
    if let Some(place) = finding.place() {
        let [x, y, z] = place.to_array().map(length);
        text.push_str(&format!(" At ({x}, {y}, {z}) {unit}."));
    }
    text.push_str(&format!(" impinge id {}.", finding.id));
    text
}

fn comments(export: &Export<'_>, finding: &Finding) -> Vec<Remark> {
    let mut list = Vec::new();
    if !finding.comment.trim().is_empty() {
        list.push(Remark {
            guid: guid(Of::Comment, &finding.id),
            author: export.author.to_string(),
            date: date(export, [finding].into_iter()),
            text: finding.comment.clone(),
        });
    }
    list.extend(finding.remarks.iter().filter(|remark| !remark.text.trim().is_empty()).cloned());
    list
}

/// The assignee that all findings share.
fn common_assignee(findings: &[&Finding]) -> String {
    let first = findings.first().and_then(|finding| finding.assignee.as_ref());
    let shared = first.filter(|first| findings.iter().all(|f| f.assignee.as_ref() == Some(*first)));
    shared.cloned().unwrap_or_default()
}

/// When the first of them was found; dates in records are in one form, so that their order is that of their text.
fn date<'f>(export: &Export<'_>, findings: impl Iterator<Item = &'f Finding>) -> String {
    let known = findings.filter_map(|finding| finding.found.as_ref()).min();
    known.cloned().unwrap_or_else(|| export.date.to_string())
}

/// What is wrong, in a word or two.
fn kind_words(kind: Kind) -> &'static str {
    match kind {
        Kind::Hard => "Clash",
        Kind::Contained => "Inside",
        Kind::Duplicate => "Duplicate",
        Kind::Clearance => "Too close",
        Kind::Touching => "Touching",
    }
}

fn priority(kind: Kind) -> &'static str {
    match kind {
        Kind::Hard => "High",
        Kind::Contained | Kind::Duplicate | Kind::Clearance => "Normal",
        Kind::Touching => "Low",
    }
}

/// Each label once, none blank.
fn cleaned(mut labels: Vec<String>) -> Vec<String> {
    labels.iter_mut().for_each(|label| *label = label.trim().to_string());
    labels.retain(|label| !label.is_empty());
    labels.sort_unstable();
    labels.dedup();
    labels
}
