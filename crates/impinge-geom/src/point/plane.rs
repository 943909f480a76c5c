//! A point and a plane or half-space.

use super::PointDistance;
use crate::answer::Feature;
use crate::shape::{HalfSpace, Plane};
use glam::DVec3;

/// The distance from a surface with two sides; on it, the plane's own normal is reported.
#[inline(always)]
pub(crate) fn plane_distance(plane: &Plane, p: DVec3) -> PointDistance {
    let height = plane.normal().dot(p) - plane.offset();
    let point = p - plane.normal() * height;
    let normal = if height < 0.0 { -plane.normal() } else { plane.normal() };
    PointDistance::exact(height.abs(), point, normal, Feature::face(0))
}

/// The signed height above the boundary.
#[inline(always)]
pub(crate) fn half_space_distance(half_space: &HalfSpace, p: DVec3) -> PointDistance {
    let height = half_space.normal().dot(p) - half_space.offset();
    let point = p - half_space.normal() * height;
    PointDistance::exact(height, point, half_space.normal(), Feature::face(0))
}
