//! Triangle against triangle: the exact verdict first, then the number that goes with it.

use super::cache::Cache;
use super::{convex_convex, short_gap};
use crate::answer::{Certainty, SignedDistance};
use crate::convex::difference::unit_or;
use crate::convex::exact::Origin;
use crate::pose::Pose;
use crate::shape::{Core, Triangle};
use crate::triangle::{self, TriangleVerdict};
use glam::DVec3;

/// The exact position of the origin relative to the difference.
pub(super) fn position(a: &Triangle, b: &Triangle, pose: &Pose) -> Origin {
    match triangle::verdict(&a.points(), &b.mapped(pose).points()) {
        TriangleVerdict::Separated => Origin::Outside,
        TriangleVerdict::Touching => Origin::Boundary,
        TriangleVerdict::Crossing => Origin::Interior,
    }
}

/// The signed distance; zero iff the triangles touch.
pub(super) fn signed_distance(
    a: &Triangle,
    b: &Triangle,
    pose: &Pose,
    cache: &mut Cache,
) -> SignedDistance {
    if position(a, b, pose) != Origin::Outside {
        return convex_convex::signed_distance(Core::Triangle(a), Core::Triangle(b), pose, cache);
    }
    let (a, b) = (a.points(), b.mapped(pose).points());
    let found = triangle::distance(&a, &b);
    let between = found.points[1] - found.points[0];
    let scale = a.iter().chain(&b).fold(0.0, |most: f64, p| most.max(p.abs().max_element()));
    let normal = if short_gap::is_short(found.distance, scale) {
        let edges = |[p, q, r]: [DVec3; 3]| [q - p, r - q, p - r];
        let ([p, q, r], [s, t, u]) = (edges(a), edges(b));
        short_gap::direction(between, &[p, q, r, s, t, u], |n| {
            let height = |p: &DVec3| n.dot(*p);
            b.iter().map(height).fold(f64::INFINITY, f64::min)
                - a.iter().map(height).fold(f64::NEG_INFINITY, f64::max)
        })
    } else {
        unit_or(between, DVec3::Z)
    };
    SignedDistance {
        distance: found.distance,
        uncertainty: 0.0,
        points: found.points,
        normal,
        features: found.features,
        certainty: Certainty::Exact,
    }
}
