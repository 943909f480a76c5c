//! Triangle against triangle: the exact verdict first, then the number that goes with it.

use super::cache::Cache;
use super::convex_convex;
use crate::answer::{Method, SignedDistance};
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
    let found = triangle::distance(&a.points(), &b.mapped(pose).points());
    SignedDistance {
        distance: found.distance,
        uncertainty: 0.0,
        points: found.points,
        normal: unit_or(found.points[1] - found.points[0], DVec3::Z),
        features: found.features,
        method: Method::Exact,
    }
}
