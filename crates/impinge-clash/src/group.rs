//! Findings in groups, so that a thousand of them can be looked at in a dozen.

use crate::check::Outcome;
use crate::finding::Finding;
use crate::model::Model;
use crate::names::{file_names, without_number};
use std::collections::BTreeMap;

/// How findings are grouped. Groups that people made by hand are kept in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum GroupBy {
    /// Not at all.
    #[default]
    Nothing,
    /// By the part that most findings share, then the next one.
    Part,
    /// By the names of both parts without their numbers: `bolt × wall`.
    PartPair,
    /// By the files that the parts come from, one of each discipline: `architecture × structure`.
    Files,
    /// By place: findings within this distance of each other, in the unit of the model, directly or by others in between.
    Cluster(f64),
}

/// Names the group of every finding.
pub fn group(model: &Model, outcome: &mut Outcome, by: GroupBy) {
    let names = match by {
        GroupBy::Nothing => return,
        GroupBy::Part => by_part(model, &outcome.findings),
        GroupBy::PartPair => by_part_pair(model, &outcome.findings),
        GroupBy::Files => by_files(model, &outcome.findings),
        GroupBy::Cluster(distance) => by_cluster(&outcome.findings, distance),
    };
    for (finding, name) in outcome.findings.iter_mut().zip(names) {
        if finding.group.is_none() {
            finding.group = Some(name);
        }
    }
}

/// The part that most of the remaining findings have, again and again.
fn by_part(model: &Model, findings: &[Finding]) -> Vec<String> {
    let mut of_part: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, finding) in findings.iter().enumerate() {
        finding.parts.iter().for_each(|&part| of_part.entry(part).or_default().push(index));
    }
    // The order is that of the counts at the beginning: one pass, and the same groups after a small change.
    let mut order: Vec<(&usize, &Vec<usize>)> = of_part.iter().collect();
    order.sort_by(|x, y| y.1.len().cmp(&x.1.len()).then(x.0.cmp(y.0)));
    let mut names = vec![String::new(); findings.len()];
    for (&part, list) in order {
        for &index in list {
            if names[index].is_empty() {
                names[index].clone_from(&model.parts[part].path);
            }
        }
    }
    names
}

fn by_part_pair(model: &Model, findings: &[Finding]) -> Vec<String> {
    let plain = |part: usize| {
        let path = &model.parts[part].path;
        without_number(path.rsplit('/').next().unwrap_or(path)).to_string()
    };
    by_names(findings, plain)
}

fn by_files(model: &Model, findings: &[Finding]) -> Vec<String> {
    let files = file_names(model);
    let name = |part: usize| match &files {
        Some(files) => files[part].to_string(),
        None => model.parts[part].file.clone(),
    };
    by_names(findings, name)
}

/// The names of all parts, each once, in order.
fn by_names(findings: &[Finding], name: impl Fn(usize) -> String) -> Vec<String> {
    let of_finding = |finding: &Finding| {
        let mut names: Vec<String> = finding.parts.iter().map(|&part| name(part)).collect();
        names.sort_unstable();
        names.dedup();
        names.join(" × ")
    };
    findings.iter().map(of_finding).collect()
}

/// Cells of the distance's size; findings in neighbouring cells are compared.
fn by_cluster(findings: &[Finding], distance: f64) -> Vec<String> {
    let places: Vec<Option<impinge::geom::glam::DVec3>> =
        findings.iter().map(Finding::place).collect();
    let size = if distance > 0.0 { distance } else { f64::MIN_POSITIVE };
    let cell_of = |p: impinge::geom::glam::DVec3| (p / size).to_array().map(|x| x.floor() as i64);
    let mut cells: BTreeMap<[i64; 3], Vec<usize>> = BTreeMap::new();
    for (index, place) in places.iter().enumerate() {
        if let Some(place) = place {
            cells.entry(cell_of(*place)).or_default().push(index);
        }
    }
    let mut leader: Vec<usize> = (0..findings.len()).collect();
    for (cell, list) in &cells {
        for step in 0..27 {
            let shift = [step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1];
            let near = [0, 1, 2].map(|k| cell[k].saturating_add(shift[k]));
            for &other in cells.get(&near).into_iter().flatten() {
                for &index in list {
                    let (Some(p), Some(q)) = (places[index], places[other]) else { continue };
                    if p.distance(q) <= distance {
                        let (a, b) = (first(&leader, index), first(&leader, other));
                        leader[a.max(b)] = a.min(b);
                    }
                }
            }
        }
    }
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    (0..findings.len())
        .map(|index| {
            let next = numbers.len() + 1;
            format!("cluster {}", numbers.entry(first(&leader, index)).or_insert(next))
        })
        .collect()
}

/// The first finding of a cluster.
fn first(leader: &[usize], mut index: usize) -> usize {
    while leader[index] != index {
        index = leader[index];
    }
    index
}
