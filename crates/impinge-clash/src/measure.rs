//! The two measures of an overlap: how deep the common points lie, and how far one part must go to be free.

use crate::model::ModelPart;
use crate::relation::Wanted;
use impinge::geom::Certainty;
use impinge::geom::glam::DVec3;
use impinge::mesh::Accuracy;
use impinge::query::{self, Workspace};

/// The local penetration of two parts: over the points that they share, the greatest distance to either surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penetration {
    /// The depth of `point`, the larger of the two below, in the unit of the model.
    pub value: f64,
    /// No common point lies deeper; infinite where the value is an estimate.
    pub upper: f64,
    /// The greatest depth below the surface of the first part.
    pub in_a: f64,
    /// The greatest depth below the surface of the second part.
    pub in_b: f64,
    /// Exact up to rounding; a bound, to one part in a hundred or a micrometre; or an estimate, where a part is open or round.
    pub certainty: Certainty,
    /// The deepest common point, in the scene.
    pub point: DVec3,
}

/// The separation of two parts: a translation of the second that frees them, the shortest that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// Its length, in the unit of the model.
    pub value: f64,
    /// The unit vector along which the second part moves.
    pub direction: DVec3,
    /// Exact if there is no shorter one, else a bound.
    pub certainty: Certainty,
}

/// By which measure overlaps are put in order, the worst first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rank {
    /// The deepest common point.
    #[default]
    Penetration,
    /// The way that frees the parts.
    Separation,
    /// The overlap volume of the parts.
    Volume,
}

impl Rank {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Penetration, Self::Separation, Self::Volume];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Penetration => "penetration",
            Self::Separation => "separation",
            Self::Volume => "volume",
        }
    }
}

/// Where two parts overlap most: the deepest common point, the nearest point of the surface below which it lies, and the triangles of both.
pub(crate) struct Deepest {
    pub(crate) penetration: Penetration,
    /// What tolerances are compared with: no common point lies deeper; of open parts, none of many was; infinite if it is not known.
    pub(crate) at_most: f64,
    pub(crate) points: [DVec3; 2],
    pub(crate) triangles: Option<[u32; 2]>,
}

/// A depth below which all common points of two closed meshes lie, if no test reports it; none if it is not certain. `separation` and `met` are those of [`penetration`].
pub(crate) fn hidden_depth(
    a: &ModelPart,
    b: &ModelPart,
    wanted: &Wanted,
    separation: Option<f64>,
    met: &[[u32; 2]],
    workspace: &mut Workspace,
) -> Option<f64> {
    let limit = wanted.reported_above;
    if limit <= 0.0 {
        return None;
    }
    let accuracy = closer(limit, separation);
    let found =
        query::penetration_among(a.pose(), &a.mesh, b.pose(), &b.mesh, &accuracy, met, workspace)?;
    (found.upper <= limit).then_some(found.upper)
}

/// As close as it takes to decide whether a local penetration is above a limit.
fn closer(limit: f64, separation: Option<f64>) -> Accuracy {
    Accuracy {
        absolute: 0.25 * limit,
        decide_at: Some(limit),
        separation: separation.unwrap_or(f64::INFINITY),
        ..Accuracy::default()
    }
}

/// The local penetration of two parts that overlap; none if nothing is enclosed. `separation` is the length of a translation that frees them, if one is
/// known; `met` are the triangles that meet, if both are meshes. Where the interval leaves open whether the finding is reported, it is asked again until
/// that is decided.
pub(crate) fn penetration(
    a: &ModelPart,
    b: &ModelPart,
    wanted: &Wanted,
    separation: Option<f64>,
    met: Option<&[[u32; 2]]>,
    workspace: &mut Workspace,
) -> Option<Deepest> {
    let accuracy = Accuracy {
        absolute: wanted.micrometre,
        separation: separation.unwrap_or(f64::INFINITY),
        ..Accuracy::default()
    };
    // A box is its own mesh; of cylinders and balls the true shapes are asked, and of what is open beside them the surface.
    let shapes = (a.is_exact() && a.is_round()) || (b.is_exact() && b.is_round());
    let [of_a, of_b] =
        [a, b].map(|part| if part.is_solid() { part.solid() } else { part.surface() });
    let mut ask = |accuracy: &Accuracy| match met {
        Some(met) => {
            query::penetration_among(a.pose(), &a.mesh, b.pose(), &b.mesh, accuracy, met, workspace)
        }
        None if shapes => {
            query::penetration_to(a.pose(), of_a, b.pose(), of_b, accuracy, workspace)
        }
        None => query::penetration_to(a.pose(), &a.mesh, b.pose(), &b.mesh, accuracy, workspace),
    };
    let mut found = ask(&accuracy)?;
    let limit = wanted.reported_above;
    let freed = separation.unwrap_or(f64::INFINITY);
    let mut at_most = found.upper;
    if limit > 0.0 && found.value <= limit && found.upper.min(freed) > limit {
        if found.upper.is_finite() {
            // It stops where it is decided, so that it may know less otherwise.
            if let Some(decided) = ask(&closer(limit, separation))
                && (decided.value > limit || decided.upper < found.upper)
            {
                // Both ends hold.
                found = query::Penetration { upper: decided.upper.min(found.upper), ..decided };
            }
            at_most = found.upper;
        } else if met.is_some() {
            // A few points of an open part may all be shallow, so many are tested.
            found = ask(&closer(limit, separation))?;
            if found.value <= limit {
                at_most = found.value;
            }
        }
    }
    let query::Penetration { value, upper, in_a, in_b, point, certainty, .. } = found;
    let penetration = Penetration { value, upper, in_a, in_b, certainty, point };
    let on_a = query::closest_point_with(a.pose(), a.surface(), point, workspace)?;
    let on_b = query::closest_point_with(b.pose(), b.surface(), point, workspace)?;
    let points = if in_a >= in_b { [on_a.point, point] } else { [point, on_b.point] };
    let triangles = on_a.feature.triangle.zip(on_b.feature.triangle).map(|(a, b)| [a, b]);
    Some(Deepest { penetration, at_most, points, triangles })
}
