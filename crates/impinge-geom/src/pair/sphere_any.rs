//! A sphere, or a point, against anything: the point's signed distance.

use crate::answer::{Feature, SignedDistance};
use crate::point::{PointDistance, core_signed_distance};
use crate::pose::Pose;
use crate::shape::Core;
use glam::DVec3;

/// A core against the origin of B.
pub(super) fn any_point(core: &Core<'_>, pose: &Pose) -> SignedDistance {
    let point = pose.map(DVec3::ZERO);
    answer(core_signed_distance(core, point), point)
}

/// The origin of A against a core.
pub(super) fn point_any(core: &Core<'_>, pose: &Pose) -> SignedDistance {
    let point = pose.map_back(DVec3::ZERO);
    let there = answer(core_signed_distance(core, point), point);
    SignedDistance {
        points: [DVec3::ZERO, pose.map(there.points[0])],
        normal: pose.turn(-there.normal),
        features: [there.features[1], there.features[0]],
        ..there
    }
}

fn answer(found: PointDistance, point: DVec3) -> SignedDistance {
    SignedDistance {
        distance: found.distance,
        uncertainty: found.uncertainty,
        points: [found.point, point],
        normal: found.normal,
        features: [found.feature, Feature::vertex(0)],
        method: found.method,
    }
}
