//! A sphere, or a point, against anything: the point's signed distance.

use crate::answer::{Feature, SignedDistance};
use crate::point::{PointDistance, core_signed_distance};
use crate::pose::Pose;
use crate::shape::Core;
use glam::DVec3;

/// A core against the origin of B.
pub(super) fn any_point(core: &Core<'_>, pose: &Pose) -> SignedDistance {
    any_at(core, pose, DVec3::ZERO)
}

/// A core against a point of B.
pub(super) fn any_at(core: &Core<'_>, pose: &Pose, point: DVec3) -> SignedDistance {
    let point = pose.transform_point(point);
    answer(core_signed_distance(core, point), point)
}

/// The origin of A against a core.
pub(super) fn point_any(core: &Core<'_>, pose: &Pose) -> SignedDistance {
    at_any(DVec3::ZERO, core, pose)
}

/// A point of A against a core.
pub(super) fn at_any(point: DVec3, core: &Core<'_>, pose: &Pose) -> SignedDistance {
    let seen = pose.inverse_transform_point(point);
    let there = answer(core_signed_distance(core, seen), seen);
    SignedDistance {
        points: [point, pose.transform_point(there.points[0])],
        normal: pose.rotate(-there.normal),
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
        certainty: found.certainty,
    }
}
