//! One line of output.

use super::request::{Body, Request};
use impinge::geom::glam::DVec3;
use impinge::geom::{Feature, FeatureKind, Inside, Method, Verdict, pair, ray};
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
}

/// The answer to a line that could not be understood.
#[derive(Serialize)]
pub(crate) struct Refusal<'a> {
    pub(crate) id: Option<&'a RawValue>,
    pub(crate) error: String,
}

#[derive(Serialize)]
struct FeatureName {
    kind: &'static str,
    index: u32,
}

impl From<Feature> for FeatureName {
    fn from(feature: Feature) -> Self {
        let kind = match feature.kind {
            FeatureKind::Vertex => "vertex",
            FeatureKind::Edge => "edge",
            FeatureKind::Face => "face",
            FeatureKind::Surface => "surface",
        };
        Self { kind, index: feature.index }
    }
}

/// Asks the kernel. The answer does not depend on the lines before it.
pub(crate) fn answer<'a>(
    id: Option<&'a RawValue>,
    request: &Request,
) -> Result<Answer<'a>, String> {
    match request {
        Request::Pair { with_distance, a, b } => Ok(pair_answer(id, *with_distance, a, b)),
        Request::Ray { a, origin, direction } => ray_answer(id, a, *origin, *direction),
    }
}

fn pair_answer<'a>(
    id: Option<&'a RawValue>,
    with_distance: bool,
    a: &Body,
    b: &Body,
) -> Answer<'a> {
    let b_in_a = a.pose.relative(&b.pose);
    let mut cache = pair::Cache::default();
    let verdict = pair::verdict(&a.shape, &b.shape, &b_in_a, &mut cache);
    let (verdict, inside) = verdict_names(verdict);
    let answer = Answer { id, verdict: Some(verdict), inside, ..Answer::default() };
    if !with_distance {
        return answer;
    }
    match pair::signed_distance(&a.shape, &b.shape, &b_in_a, &mut cache) {
        None => answer,
        Some(found) => Answer {
            distance: Some(found.distance + 0.0),
            method: Some(method_name(found.method)),
            points: Some(found.points.map(|p| Some(coordinates(a.pose.map(p))))),
            features: Some(found.features.map(|feature| Some(feature.into()))),
            ..answer
        },
    }
}

fn ray_answer<'a>(
    id: Option<&'a RawValue>,
    a: &Body,
    origin: [f64; 3],
    direction: [f64; 3],
) -> Result<Answer<'a>, String> {
    // Checked as given, so that the error speaks of the user's numbers, then once more in the frame of the shape.
    ray::Ray::new(origin, direction).map_err(|error| error.to_string())?;
    let origin = a.pose.map_back(DVec3::from_array(origin)).to_array();
    let direction = a.pose.turn_back(DVec3::from_array(direction)).to_array();
    let ray = ray::Ray::new(origin, direction).map_err(|error| error.to_string())?;
    let Some(hit) = ray::cast(&a.shape, &ray) else {
        return Ok(Answer { id, ..Answer::default() });
    };
    Ok(Answer {
        id,
        points: Some([Some(coordinates(a.pose.map(hit.point))), None]),
        features: Some([Some(hit.feature.into()), None]),
        t: Some(hit.t + 0.0),
        ..Answer::default()
    })
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
pub(crate) fn method_name(method: Method) -> &'static str {
    match method {
        Method::Exact => "exact",
        Method::Bound => "bound",
        Method::Estimate => "estimate",
    }
}

/// A point for printing; adding zero turns a negative zero into a plain one.
fn coordinates(point: DVec3) -> [f64; 3] {
    (point + DVec3::ZERO).to_array()
}
