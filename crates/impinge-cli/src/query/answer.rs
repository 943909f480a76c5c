//! One line of output.

use super::motion::{self, ImpactAnswer};
use super::request::{Ask, Features, Request};
use crate::body::{Body, FeatureName};
use impinge::geom::glam::DVec3;
use impinge::geom::moving;
use impinge::geom::ray::Ray;
use impinge::geom::{Certainty, Inside, Verdict};
use impinge::query::{self, Penetration, Separation, Workspace};
use serde::Serialize;
use serde_json::value::RawValue;

/// An answer; what does not apply is null.
#[derive(Default, Serialize)]
pub(crate) struct Answer<'a> {
    pub(crate) id: Option<&'a RawValue>,
    verdict: Option<&'static str>,
    inside: Option<&'static str>,
    distance: Option<f64>,
    method: Option<&'static str>,
    points: Option<[Option<[f64; 3]>; 2]>,
    features: Option<[Option<FeatureName>; 2]>,
    t: Option<f64>,
    /// There only where it is asked for; null where the bodies share no inner point or enclose nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    penetration: Option<Option<PenetrationAnswer>>,
    /// There only where it is asked for; null where the bodies are apart, or no translation frees them.
    #[serde(skip_serializing_if = "Option::is_none")]
    separation: Option<Option<SeparationAnswer>>,
    /// There only where it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<[u32; 2]>>,
}

/// The answer about moving vertices.
#[derive(Serialize)]
pub(crate) struct VertexAnswer<'a> {
    id: Option<&'a RawValue>,
    hit: bool,
    t: Option<f64>,
}

/// How deep the common points lie; lengths are positive.
#[derive(Serialize)]
struct PenetrationAnswer {
    value: f64,
    in_a: f64,
    in_b: f64,
    method: &'static str,
    /// The end of the certified interval; null where the value is an estimate.
    upper: Option<f64>,
    point: [f64; 3],
}

/// The shortest translation of b found that frees the two.
#[derive(Serialize)]
struct SeparationAnswer {
    value: f64,
    method: &'static str,
    direction: [f64; 3],
}

/// The answer to a line that could not be understood.
#[derive(Serialize)]
pub(crate) struct Refusal<'a> {
    pub(crate) id: Option<&'a RawValue>,
    pub(crate) error: String,
}

/// A line of output.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Answered<'a> {
    /// About bodies at rest.
    Rest(Answer<'a>),
    /// About bodies in motion.
    Motion(ImpactAnswer<'a>),
    /// About moving vertices.
    Vertices(VertexAnswer<'a>),
}

/// Asks the library. The answer does not depend on the lines before it.
pub(crate) fn answer<'a>(
    id: Option<&'a RawValue>,
    request: &Request,
    workspace: &mut Workspace,
) -> Result<Answered<'a>, String> {
    let answer = match request {
        Request::Vertices { features, start, end } => {
            let (start, end) = (start.map(DVec3::from_array), end.map(DVec3::from_array));
            let t = match features {
                Features::VertexFace => moving::vertex_face(&start, &end),
                Features::EdgeEdge => moving::edge_edge(&start, &end),
            };
            return Ok(Answered::Vertices(VertexAnswer { id, hit: t.is_some(), t }));
        }
        Request::Pair { ask: Ask::Pairs, a, b } => {
            let found =
                query::triangle_pairs_with(&a.pose, &a.geometry, &b.pose, &b.geometry, workspace);
            // A shape counts as one triangle with the index 0.
            let pairs = found.iter().map(|pair| pair.triangles.map(Option::unwrap_or_default));
            Answer { pairs: Some(pairs.collect()), ..Answer::default() }
        }
        Request::Pair { ask, a, b } => pair_answer(*ask, a, b, workspace),
        Request::Ray { a, origin, direction } => ray_answer(a, *origin, *direction, workspace)?,
        Request::Impact { a, b } => {
            return Ok(Answered::Motion(motion::answer(id, a, b, workspace)));
        }
    };
    Ok(Answered::Rest(Answer { id, ..answer }))
}

fn pair_answer(ask: Ask, a: &Body, b: &Body, workspace: &mut Workspace) -> Answer<'static> {
    let relation = query::relation_with(&a.pose, &a.geometry, &b.pose, &b.geometry, workspace);
    let (verdict, inside) = verdict_names(relation.verdict);
    let answer = Answer { verdict: Some(verdict), inside, ..Answer::default() };
    if ask == Ask::Verdict {
        // A verdict is exact, which goes without saying, unless it is not.
        let certainty = relation.certainty;
        let method = (certainty != Certainty::Exact).then(|| certainty_name(certainty));
        return Answer { method, ..answer };
    }
    let found = query::signed_distance_with(&a.pose, &a.geometry, &b.pose, &b.geometry, workspace);
    let answer = if ask == Ask::Penetration {
        let depth = query::penetration_with(&a.pose, &a.geometry, &b.pose, &b.geometry, workspace);
        Answer {
            penetration: Some(depth.map(|depth| PenetrationAnswer::of(&depth))),
            separation: Some(Separation::of(&found).map(|way| SeparationAnswer::of(&way))),
            ..answer
        }
    } else {
        answer
    };
    if !found.distance.is_finite() {
        return answer;
    }
    let [first, second] = found.features;
    let features = [FeatureName::of(&a.geometry, first), FeatureName::of(&b.geometry, second)];
    Answer {
        distance: Some(found.distance + 0.0),
        method: Some(certainty_name(found.certainty)),
        points: Some(found.points.map(|p| Some(coordinates(p)))),
        features: Some(features.map(Some)),
        ..answer
    }
}

impl PenetrationAnswer {
    fn of(depth: &Penetration) -> Self {
        Self {
            value: depth.value,
            in_a: depth.in_a,
            in_b: depth.in_b,
            method: certainty_name(depth.certainty),
            upper: depth.upper.is_finite().then_some(depth.upper),
            point: coordinates(depth.point),
        }
    }
}

impl SeparationAnswer {
    fn of(way: &Separation) -> Self {
        let method = certainty_name(way.certainty);
        Self { value: way.value, method, direction: coordinates(way.direction) }
    }
}

fn ray_answer(
    a: &Body,
    origin: [f64; 3],
    direction: [f64; 3],
    workspace: &mut Workspace,
) -> Result<Answer<'static>, String> {
    let ray = Ray::new(origin, direction).map_err(|error| error.to_string())?;
    let hit = query::cast_ray_with(&a.pose, &a.geometry, &ray, workspace);
    Ok(hit.map_or_else(Answer::default, |hit| Answer {
        points: Some([Some(coordinates(hit.point)), None]),
        features: Some([Some(FeatureName::whole(hit.feature)), None]),
        t: Some(hit.t + 0.0),
        ..Answer::default()
    }))
}

/// The words for a verdict and for the body that lies inside the other.
pub(crate) fn verdict_names(verdict: Verdict) -> (&'static str, Option<&'static str>) {
    match verdict {
        Verdict::Separated => ("separated", None),
        Verdict::Touching => ("touching", None),
        Verdict::Penetrating => ("penetrating", None),
        Verdict::Contained(Inside::A) => ("contained", Some("a")),
        Verdict::Contained(Inside::B) => ("contained", Some("b")),
    }
}

/// The word for how far a number can be trusted.
pub(crate) fn certainty_name(method: Certainty) -> &'static str {
    match method {
        Certainty::Exact => "exact",
        Certainty::Bound => "bound",
        Certainty::Estimate => "estimate",
    }
}

/// A point for printing; adding zero turns a negative zero into a plain one.
pub(super) fn coordinates(point: DVec3) -> [f64; 3] {
    (point + DVec3::ZERO).to_array()
}
