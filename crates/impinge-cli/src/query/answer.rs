//! One line of output.

use super::request::{Ask, Request};
use crate::body::{Body, FeatureName, Form, Memory, Pair};
use impinge::geom::glam::DVec3;
use impinge::geom::{Inside, Method, Verdict, ray};
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
    /// There only where it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<[u32; 2]>>,
}

/// The answer to a line that could not be understood.
#[derive(Serialize)]
pub(crate) struct Refusal<'a> {
    pub(crate) id: Option<&'a RawValue>,
    pub(crate) error: String,
}

/// Asks the library. The answer does not depend on the lines before it.
pub(crate) fn answer<'a>(
    id: Option<&'a RawValue>,
    request: &Request,
    memory: &mut Memory,
) -> Result<Answer<'a>, String> {
    let answer = match request {
        Request::Pair { ask: Ask::Pairs, a, b } => {
            let pairs = Pair::new(a, b)?.triangles(memory);
            Answer { pairs: Some(pairs), ..Answer::default() }
        }
        Request::Pair { ask, a, b } => pair_answer(*ask, &Pair::new(a, b)?, memory),
        Request::Ray { a, origin, direction } => ray_answer(a, *origin, *direction, memory)?,
    };
    Ok(Answer { id, ..answer })
}

fn pair_answer(ask: Ask, pair: &Pair<'_>, memory: &mut Memory) -> Answer<'static> {
    let stand = pair.stand(memory);
    let (verdict, inside) = verdict_names(stand.verdict);
    let answer = Answer { verdict: Some(verdict), inside, ..Answer::default() };
    if ask != Ask::Distance {
        // A verdict is exact, which goes without saying, unless it is not.
        let method = (stand.method != Method::Exact).then(|| method_name(stand.method));
        return Answer { method, ..answer };
    }
    match pair.distance(stand, memory) {
        None => answer,
        Some(found) => Answer {
            distance: Some(found.distance + 0.0),
            method: Some(method_name(found.method)),
            points: found.points.map(|points| points.map(|p| Some(coordinates(p)))),
            features: found.features,
            ..answer
        },
    }
}

fn ray_answer(
    a: &Body,
    origin: [f64; 3],
    direction: [f64; 3],
    memory: &mut Memory,
) -> Result<Answer<'static>, String> {
    // Checked as given, so that the error speaks of the user's numbers, then once more in the frame of the body.
    ray::Ray::new(origin, direction).map_err(|error| error.to_string())?;
    let origin = a.pose.map_back(DVec3::from_array(origin)).to_array();
    let direction = a.pose.turn_back(DVec3::from_array(direction)).to_array();
    let ray = ray::Ray::new(origin, direction).map_err(|error| error.to_string())?;
    let hit = match &a.form {
        Form::Shape(shape) => {
            ray::cast(shape, &ray).map(|hit| (hit.t, hit.point, FeatureName::from(hit.feature)))
        }
        Form::Mesh(mesh, _) => mesh
            .ray(&ray, &mut memory.scratch)
            .map(|found| (found.hit.t, found.hit.point, FeatureName::face(found.triangle))),
    };
    Ok(match hit {
        None => Answer::default(),
        Some((t, point, feature)) => Answer {
            points: Some([Some(coordinates(a.pose.map(point))), None]),
            features: Some([Some(feature), None]),
            t: Some(t + 0.0),
            ..Answer::default()
        },
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
