//! The closest point of a triangle to a point.
//!
//! Barycentric coordinates of a sliver are wrong by the inverse of its smallest angle. Here the foot of the perpendicular is
//! found in an orthogonal frame along the longest edge, where the coordinates are right to the rounding of the extent; the
//! error of the barycentric coordinates then cancels when the point is put together (`docs/maths/triangle-distance.md`).

use crate::answer::Feature;
use crate::number::error::power_of_two_near_inverse;
use crate::segment::closest_to_point;
use glam::DVec3;

/// An orthogonal frame in the plane of a triangle, along its longest edge.
#[derive(Clone, Copy)]
pub(super) struct FaceFrame {
    /// The start of the longest edge.
    corner: DVec3,
    /// The longest edge, and the edge from `corner` to the opposite corner.
    base: DVec3,
    side: DVec3,
    /// A vector in the plane, perpendicular to the base, towards the opposite corner.
    across: DVec3,
    /// `base · base`, `base · side` and `across · side`.
    length: f64,
    foot: f64,
    height: f64,
}

/// 2^-500: `across · side`, a product of four lengths, is less only if the triangle is thinner than 2^-125 of the extent. To
/// all intents it is a segment then.
const SMALLEST_HEIGHT: f64 = f64::from_bits((1023 - 500) << 52);

impl FaceFrame {
    /// The frame of a triangle with coordinates of about one.
    #[inline(always)]
    pub(super) fn new(t: &[DVec3; 3]) -> Self {
        let squares = [0, 1, 2].map(|k: usize| (t[(k + 1) % 3] - t[k]).length_squared());
        let longest = match (squares[0] >= squares[1], squares[1] >= squares[2]) {
            (true, _) if squares[0] >= squares[2] => 0,
            (false, true) => 1,
            _ => 2,
        };
        let corner = t[longest];
        let (base, side) = (t[(longest + 1) % 3] - corner, t[(longest + 2) % 3] - corner);
        let across = base.cross(side).cross(base);
        Self {
            corner,
            base,
            side,
            across,
            length: base.length_squared(),
            foot: base.dot(side),
            height: across.dot(side),
        }
    }

    /// The foot of the perpendicular from `point`, if it lies inside the triangle.
    #[inline(always)]
    pub(super) fn project(&self, point: DVec3) -> Option<DVec3> {
        if self.height < SMALLEST_HEIGHT {
            return None;
        }
        let away = point - self.corner;
        let v = away.dot(self.across) / self.height;
        // The same `v` in both places: whatever its error, it does not move the point along the base.
        let w = (away.dot(self.base) - v * self.foot) / self.length;
        let inside = (v >= 0.0) & (w >= 0.0) & (v + w <= 1.0);
        inside.then(|| self.corner + self.base * w + self.side * v)
    }
}

/// The closest point of the triangle to `point`, and the feature it lies on.
///
/// The distance to it exceeds the true one by at most a few units in the last place of the extent, also for slivers and for
/// triangles without area.
///
/// ```
/// use impinge_geom::triangle::closest_point;
/// use impinge_geom::{Feature, glam::DVec3};
/// let triangle = [DVec3::ZERO, DVec3::X * 4.0, DVec3::Y * 4.0];
/// assert_eq!(closest_point(&triangle, DVec3::new(1.0, 1.0, 5.0)), (DVec3::new(1.0, 1.0, 0.0), Feature::face(0)));
/// assert_eq!(closest_point(&triangle, DVec3::new(1.0, -2.0, 0.0)), (DVec3::X, Feature::edge(0)));
/// assert_eq!(closest_point(&triangle, DVec3::new(9.0, 0.0, 9.0)), (DVec3::X * 4.0, Feature::vertex(1)));
/// ```
pub fn closest_point(triangle: &[DVec3; 3], point: DVec3) -> (DVec3, Feature) {
    let origin = triangle[0];
    let (local, target) = (triangle.map(|p| p - origin), point - origin);
    let largest = local.iter().fold(target.abs(), |m, p| m.max(p.abs())).max_element();
    let factor = power_of_two_near_inverse(largest);
    let (local, target) = (local.map(|p| p * factor), target * factor);
    if let Some(foot) = FaceFrame::new(&local).project(target) {
        return (origin + foot / factor, Feature::face(0));
    }
    let candidates = [0, 1, 2].map(|edge| {
        let (t, nearest) = closest_to_point(local[edge], local[(edge + 1) % 3], target);
        (nearest.distance_squared(target), nearest, edge_feature(edge, t))
    });
    let best = candidates[1..]
        .iter()
        .fold(candidates[0], |best, other| if other.0 < best.0 { *other } else { best });
    (restored(triangle, best.2, origin + best.1 / factor), best.2)
}

/// The edge, or the corner at one of its ends.
#[inline(always)]
pub(super) fn edge_feature(edge: usize, t: f64) -> Feature {
    if t == 0.0 {
        Feature::vertex(edge as u32)
    } else if t == 1.0 {
        Feature::vertex((edge as u32 + 1) % 3)
    } else {
        Feature::edge(edge as u32)
    }
}

/// The corner itself, if the point is one; rounding in the local frame has moved the others by no more than a unit.
#[inline(always)]
pub(super) fn restored(triangle: &[DVec3; 3], feature: Feature, point: DVec3) -> DVec3 {
    match feature.kind {
        crate::FeatureKind::Vertex => triangle[feature.index as usize % 3],
        _ => point,
    }
}
