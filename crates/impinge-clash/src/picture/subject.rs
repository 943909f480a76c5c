//! What a picture is about: the parts of one finding or of several, where they meet, and how much of that fits into a picture.

use crate::finding::Finding;
use crate::model::Model;
use crate::plan::Kind;
use impinge::geom::DAabb;
use impinge::geom::glam::DVec3;
use std::collections::BTreeSet;

/// The parts that a picture shows in colour and what it marks.
pub(super) struct Subject<'s> {
    pub(super) findings: Vec<&'s Finding>,
    /// The parts in the first colour, ascending.
    pub(super) first: Vec<usize>,
    /// The parts in the second colour, ascending.
    pub(super) second: Vec<usize>,
    /// Where to look.
    pub(super) place: DVec3,
    /// A ball about `place` that holds all that is marked.
    pub(super) reach: f64,
    /// True if parts interpenetrate, so that their common volume is shown.
    pub(super) shares_room: bool,
    /// True if all of a part is wrong, and not a spot of it: it is inside another, or a duplicate.
    pub(super) whole: bool,
}

fn has(findings: &[&Finding], kinds: &[Kind]) -> bool {
    findings.iter().any(|finding| kinds.contains(&finding.kind))
}

impl<'s> Subject<'s> {
    /// None if no part of the findings is in the model.
    pub(super) fn new(model: &Model, findings: &[&'s Finding]) -> Option<Self> {
        let known = |part: &&usize| **part < model.parts.len();
        let (mut first, mut second) = (BTreeSet::new(), BTreeSet::new());
        for finding in findings {
            let mut parts = finding.parts.iter().filter(known).copied();
            first.extend(parts.next());
            second.extend(parts);
        }
        first.retain(|part| !second.contains(part));
        if first.is_empty() {
            // Chains, where every first part is the second one of another finding.
            let lowest = second.pop_first()?;
            first.insert(lowest);
        }
        let marked: Vec<DVec3> =
            findings.iter().flat_map(|finding| marked(model, finding)).collect();
        if marked.is_empty() {
            return None;
        }
        let DAabb { low, high } = DAabb::of_points(marked.iter().copied());
        let place = 0.5 * low + 0.5 * high;
        let reach = marked.iter().map(|point| point.distance(place)).fold(0.0, f64::max);
        Some(Self {
            findings: findings.to_vec(),
            first: first.into_iter().collect(),
            second: second.into_iter().collect(),
            place,
            reach,
            // Of copies everything is shared: stripes tell more.
            shares_room: has(findings, &[Kind::Hard, Kind::Contained]),
            whole: has(findings, &[Kind::Contained, Kind::Duplicate]),
        })
    }

    /// A model with nothing in colour.
    pub(super) fn nothing(model: &Model) -> Self {
        let DAabb { low, high } = model.bounds();
        Self {
            findings: Vec::new(),
            first: Vec::new(),
            second: Vec::new(),
            place: 0.5 * low + 0.5 * high,
            reach: f64::INFINITY,
            shares_room: false,
            whole: true,
        }
    }

    /// All parts in colour.
    pub(super) fn parts(&self) -> impl Iterator<Item = usize> {
        self.first.iter().chain(&self.second).copied()
    }

    /// Points that should be seen: on the curves where surfaces cross, which lie on both; without curves the points of the findings.
    pub(super) fn targets(&self) -> Vec<DVec3> {
        const MOST: usize = 8;
        let curve: Vec<DVec3> = (self.findings.iter().flat_map(|finding| &finding.curve))
            .map(|[p, q]| 0.5 * *p + 0.5 * *q)
            .collect();
        let points: Vec<DVec3> = if curve.is_empty() {
            self.findings.iter().filter_map(|finding| finding.points).flatten().collect()
        } else {
            curve
        };
        if points.is_empty() {
            return vec![self.place];
        }
        let step = points.len().div_ceil(MOST);
        points.into_iter().step_by(step).collect()
    }

    /// The line along which a gap or a depth was measured.
    pub(super) fn axis(&self) -> DVec3 {
        let axes = self.findings.iter().filter_map(|finding| finding.points);
        axes.map(|[a, b]| (b - a).normalize_or_zero()).next().unwrap_or(DVec3::ZERO)
    }

    /// Centre and radius of the ball that a picture shows: the smaller part about as large as the picture, unless what is marked is
    /// much smaller or larger than it.
    pub(super) fn ball(&self, model: &Model) -> (DVec3, f64) {
        let balls = self.parts().map(|part| {
            let DAabb { low, high } = model.parts[part].bounds;
            (0.5 * low + 0.5 * high, 0.5 * low.distance(high))
        });
        let smaller = balls.min_by(|x, y| x.1.total_cmp(&y.1));
        let (centre, radius) = smaller.unwrap_or((self.place, 1.0));
        let least = if self.whole { 1.25 * radius } else { 0.75 * radius };
        let mut shown = (6.0 * self.reach).min(1.05 * radius).max(least);
        shown = shown.max(1.4 * self.reach);
        if !(shown.is_finite() && shown > 0.0) {
            shown = 1.0;
        }
        if self.whole && self.findings.len() == 1 {
            let all = 1.1 * (self.reach + centre.distance(self.place));
            return (centre, shown.max(all));
        }
        // What is marked stays near the middle.
        let shift = (centre - self.place).clamp_length_max(0.4 * shown);
        (self.place + shift, shown)
    }
}

/// What a finding marks; where it has only a verdict, the intersection of its parts' boxes.
fn marked(model: &Model, finding: &Finding) -> Vec<DVec3> {
    let mut points: Vec<DVec3> = finding.points.into_iter().flatten().collect();
    points.extend(finding.curve.iter().flatten());
    if points.is_empty() {
        let boxes = finding.parts.iter().filter_map(|&part| Some(model.parts.get(part)?.bounds));
        let common = boxes.reduce(|x, y| DAabb::new(x.low.max(y.low), x.high.min(y.high)));
        points.extend(common.into_iter().flat_map(|common| [common.low, common.high]));
    }
    points
}
