//! JSON with a version: `docs/clash-json.md` describes it.

use super::layout::laid_out;
use super::motion::{self, EncounterEntry, MotionEntry};
use super::{Run, certainty_name};
use crate::finding::Finding;
use impinge::geom::glam::DVec3;
use serde::Serialize;

/// The name and version of the format: the version changes when a field is removed or changes its meaning, not when one is added.
pub const SCHEMA: &str = "impinge.clash/1";

#[derive(Serialize)]
struct Document<'d> {
    schema: &'static str,
    model: &'d str,
    variant: Option<&'d str>,
    unit: &'static str,
    partial: bool,
    counts: Counts,
    parts: Vec<PartEntry<'d>>,
    left_out: &'d [String],
    tests: Vec<TestEntry<'d>>,
    motion: Option<MotionEntry<'d>>,
    findings: Vec<FindingEntry<'d>>,
    hidden: Vec<HiddenEntry<'d>>,
    resolved: Vec<ResolvedEntry<'d>>,
}

#[derive(Serialize)]
struct Counts {
    parts: usize,
    triangles: usize,
    pairs_asked: usize,
    pairs_near: usize,
    pairs_done: usize,
    findings: usize,
    added: usize,
    persistent: usize,
    resolved: usize,
    reopened: usize,
    not_asked: usize,
    hidden: usize,
}

#[derive(Serialize)]
struct PartEntry<'d> {
    path: &'d str,
    name: &'d str,
    file: &'d str,
    shape: &'static str,
    triangles: usize,
    closed: bool,
    low: [f64; 3],
    high: [f64; 3],
}

#[derive(Serialize)]
struct TestEntry<'d> {
    name: &'d str,
    kinds: Vec<&'static str>,
    a: String,
    b: Option<String>,
    tolerance: f64,
    clearance: Option<f64>,
}

#[derive(Serialize)]
struct FindingEntry<'d> {
    id: &'d str,
    test: &'d str,
    also_found_by: &'d [String],
    kind: &'static str,
    /// By index in `parts`.
    parts: &'d [usize],
    paths: Vec<&'d str>,
    distance: Option<f64>,
    method: Option<&'static str>,
    penetration: Option<PenetrationEntry>,
    separation: Option<SeparationEntry>,
    points: Option<[[f64; 3]; 2]>,
    triangles: Option<[u32; 2]>,
    curve: Vec<[[f64; 3]; 2]>,
    curve_cut_short: bool,
    curve_method: Option<&'static str>,
    volume: Option<f64>,
    volume_method: Option<&'static str>,
    certain: bool,
    motion: Option<EncounterEntry>,
    explanation: &'d str,
    group: Option<&'d str>,
    status: &'static str,
    assignee: Option<&'d str>,
    approved_distance: Option<f64>,
    comment: &'d str,
    remarks: &'d [crate::Remark],
    found: Option<&'d str>,
    change: crate::status::Change,
}

/// The local penetration of an overlap; lengths are positive.
#[derive(Serialize)]
struct PenetrationEntry {
    value: f64,
    in_a: f64,
    in_b: f64,
    method: &'static str,
    /// The end of the certified interval; null where the value is an estimate.
    upper: Option<f64>,
    point: [f64; 3],
}

/// The separation of an overlap.
#[derive(Serialize)]
struct SeparationEntry {
    value: f64,
    method: &'static str,
    direction: [f64; 3],
}

#[derive(Serialize)]
struct HiddenEntry<'d> {
    rule: &'d str,
    reason: &'d str,
    count: usize,
    too_deep: usize,
    ids: Vec<&'d str>,
}

#[derive(Serialize)]
struct ResolvedEntry<'d> {
    id: &'d str,
    test: &'d str,
    paths: &'d [String],
    status_before: &'static str,
}

/// Levels of arrays and objects that are broken into lines: the document, its lists, findings, and their lists.
pub(super) const LEVELS: usize = 4;

/// The run as JSON, indented.
pub fn json(run: &Run<'_>) -> String {
    laid_out(&document(run, true), LEVELS)
}

/// The run as a value, for documents that hold several.
pub(super) fn value(run: &Run<'_>) -> serde_json::Value {
    serde_json::to_value(document(run, true)).unwrap_or_default()
}

/// The same without spaces and without the segments of curves, which are most of it.
pub(super) fn dense(run: &Run<'_>) -> String {
    impinge_io::printable_json(serde_json::to_string(&document(run, false)).unwrap_or_default())
}

fn document<'d>(run: &Run<'d>, curves: bool) -> Document<'d> {
    let Run { model, outcome, comparison, .. } = *run;
    let array = DVec3::to_array;
    let parts = model.parts.iter().map(|part| PartEntry {
        path: &part.path,
        name: &part.name,
        file: &part.file,
        shape: part.primitive.map_or("mesh", |primitive| primitive.name()),
        triangles: part.instance.mesh().triangles().len(),
        closed: part.closed,
        low: array(&part.bounds.low),
        high: array(&part.bounds.high),
    });
    let tests = run.plan.tests.iter().map(|test| TestEntry {
        name: &test.name,
        kinds: test.kinds.iter().map(|kind| kind.name()).collect(),
        a: test.a.to_string(),
        b: test.b.as_ref().map(ToString::to_string),
        tolerance: model.tolerance(test),
        clearance: test.clearance.map(|length| length.in_unit(model.unit)),
    });
    let hidden = outcome.hidden.iter().map(|hidden| HiddenEntry {
        rule: &hidden.rule,
        reason: &hidden.reason,
        count: hidden.findings.len(),
        too_deep: hidden.too_deep,
        ids: hidden.findings.iter().map(|finding| finding.id.as_str()).collect(),
    });
    let resolved = comparison.resolved.iter().map(|(id, record)| ResolvedEntry {
        id,
        test: &record.test,
        paths: &record.parts,
        status_before: record.status.name(),
    });
    Document {
        schema: SCHEMA,
        model: run.name,
        variant: model.variant.as_deref(),
        unit: model.unit.symbol(),
        partial: outcome.is_partial(),
        counts: counts(run),
        parts: parts.collect(),
        left_out: &model.left_out,
        tests: tests.collect(),
        motion: motion::motion(run),
        findings: outcome.findings.iter().map(|finding| entry(run, finding, curves)).collect(),
        hidden: hidden.collect(),
        resolved: resolved.collect(),
    }
}

fn counts(run: &Run<'_>) -> Counts {
    let Run { model, outcome, comparison, .. } = *run;
    Counts {
        parts: model.parts.len(),
        triangles: model.triangle_count(),
        pairs_asked: outcome.pairs_asked,
        pairs_near: outcome.pairs_near,
        pairs_done: outcome.pairs_done,
        findings: outcome.findings.len(),
        added: comparison.added,
        persistent: comparison.persistent,
        resolved: comparison.resolved.len(),
        reopened: comparison.reopened,
        not_asked: comparison.not_asked,
        hidden: outcome.hidden.iter().map(|hidden| hidden.findings.len()).sum(),
    }
}

fn entry<'d>(run: &Run<'d>, finding: &'d Finding, curves: bool) -> FindingEntry<'d> {
    let curve = if curves { finding.curve.as_slice() } else { &[] };
    let Finding { distance, volume, .. } = *finding;
    FindingEntry {
        id: &finding.id,
        test: &finding.test,
        also_found_by: &finding.also,
        kind: finding.kind.name(),
        parts: &finding.parts,
        paths: finding.parts.iter().map(|&part| run.model.parts[part].path.as_str()).collect(),
        distance: distance.map(|distance| distance.value),
        method: distance.map(|distance| certainty_name(distance.certainty)),
        penetration: finding.penetration.map(|found| PenetrationEntry {
            value: found.value,
            in_a: found.in_a,
            in_b: found.in_b,
            method: certainty_name(found.certainty),
            upper: found.upper.is_finite().then_some(found.upper),
            point: found.point.to_array(),
        }),
        separation: finding.separation.map(|found| SeparationEntry {
            value: found.value,
            method: certainty_name(found.certainty),
            direction: found.direction.to_array(),
        }),
        points: finding.points.map(|points| points.map(|p| p.to_array())),
        triangles: finding.triangles,
        curve: curve.iter().map(|ends| ends.map(|p| p.to_array())).collect(),
        curve_cut_short: finding.curve_is_cut_short,
        curve_method: (!finding.curve.is_empty()).then(|| certainty_name(finding.curve_certainty)),
        volume,
        volume_method: volume.map(|_| "estimate"),
        certain: finding.certain,
        motion: run
            .model
            .motion
            .as_deref()
            .zip(finding.motion.as_ref())
            .map(|(movement, found)| motion::encounter(movement, found)),
        explanation: &finding.explanation,
        group: finding.group.as_deref(),
        status: finding.status.name(),
        assignee: finding.assignee.as_deref(),
        approved_distance: finding.reopened,
        comment: &finding.comment,
        remarks: &finding.remarks,
        found: finding.found.as_deref(),
        change: finding.change,
    }
}
