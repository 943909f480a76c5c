//! A point and a point: the core of a ball.

use super::PointDistance;
use crate::answer::Feature;
use crate::number::length::length_and_unit;
use glam::DVec3;

/// The distance from the origin. At the origin itself every direction is an outward normal; z is taken.
#[inline(always)]
pub(crate) fn point_distance(p: DVec3) -> PointDistance {
    let (distance, normal) = length_and_unit(p).unwrap_or((0.0, DVec3::Z));
    PointDistance::exact(distance, DVec3::ZERO, normal, Feature::vertex(0))
}
