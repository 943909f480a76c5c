//! A ray and a plane, a half-space, or a plane with a thickness.

use super::solid::at_origin;
use super::{Ray, ShapeHit};
use crate::answer::Feature;
use glam::DVec3;

/// The plane n·x = d: a surface with two sides. A ray in it hits at once, a parallel one never.
pub(crate) fn cast_plane(normal: DVec3, offset: f64, ray: &Ray) -> Option<ShapeHit> {
    let height = normal.dot(ray.origin) - offset;
    let rate = normal.dot(ray.scaled());
    let facing = if rate > 0.0 { -normal } else { normal };
    crossing(height, rate, ray, facing, false)
}

/// The half-space n·x ≤ d. A ray inside that never leaves it has no hit.
pub(crate) fn cast_half_space(normal: DVec3, offset: f64, ray: &Ray) -> Option<ShapeHit> {
    let height = normal.dot(ray.origin) - offset;
    crossing(height, normal.dot(ray.scaled()), ray, normal, height < 0.0)
}

/// The points within `radius` of a plane.
pub(crate) fn cast_slab(normal: DVec3, offset: f64, radius: f64, ray: &Ray) -> Option<ShapeHit> {
    let height = normal.dot(ray.origin) - offset;
    let rate = normal.dot(ray.scaled());
    let above = if height == 0.0 { rate > 0.0 } else { height > 0.0 };
    let inside = height.abs() < radius;
    // From outside it is the near face, from inside the face that the ray flies to.
    let up = if inside && rate != 0.0 { rate > 0.0 } else { above };
    let outwards = if up { normal } else { -normal };
    let height = if up { height - radius } else { -height - radius };
    crossing(height, outwards.dot(ray.scaled()), ray, outwards, inside)
}

/// The hit where a height that changes at this rate becomes zero.
fn crossing(height: f64, rate: f64, ray: &Ray, normal: DVec3, inside: bool) -> Option<ShapeHit> {
    if height == 0.0 {
        return Some(at_origin(ray, normal, Feature::face(0)));
    }
    let at = -height / rate;
    (at >= 0.0 && at.is_finite()).then(|| ShapeHit {
        t: ray.t(at),
        point: ray.at(at),
        normal,
        feature: Feature::face(0),
        inside,
    })
}
