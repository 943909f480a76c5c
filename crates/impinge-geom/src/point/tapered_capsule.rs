//! A point and the hull of two balls, in the plane of the distance from the axis and the height.

use super::PointDistance;
use super::cylinder::away_from_axis;
use crate::answer::Feature;
use crate::number::length::length_and_unit;
use crate::shape::TaperedCapsule;
use glam::DVec3;

/// The distance from a tapered capsule.
///
/// Its support function is the larger of two balls', so the signed distance is that of the bottom ball before the line on
/// which the mantle touches it, that of the top ball beyond the line on which it touches that, and the height above the
/// mantle between the two, inside as well as outside.
#[inline]
pub(crate) fn point_distance(shape: &TaperedCapsule, p: DVec3) -> PointDistance {
    let (bottom, top, half_height) = (shape.bottom(), shape.top(), shape.half_height());
    let length = 2.0 * half_height;
    if bottom - top >= length {
        return ball(-half_height, bottom, p, DVec3::NEG_Z);
    }
    if top - bottom >= length {
        return ball(half_height, top, p, DVec3::Z);
    }
    // The mantle's normal leans from the horizontal by the angle with this sine.
    let sine = (bottom - top) / length;
    let cosine = ((1.0 - sine) * (1.0 + sine)).sqrt();
    let (reach, outwards) = away_from_axis(p);
    let height = p.z + half_height;
    let position = height * cosine - reach * sine;
    if position <= 0.0 {
        return ball(-half_height, bottom, p, DVec3::NEG_Z);
    }
    if position >= length * cosine {
        return ball(half_height, top, p, DVec3::Z);
    }
    let distance = reach * cosine + height * sine - bottom;
    let normal = (outwards * cosine).with_z(sine);
    let foot = (reach - distance * cosine).max(0.0);
    let point = (outwards * foot).with_z(p.z - distance * sine);
    PointDistance::exact(distance, point, normal, Feature::SURFACE)
}

/// The distance from a ball on the axis.
#[inline(always)]
fn ball(z: f64, radius: f64, p: DVec3, outwards: DVec3) -> PointDistance {
    let center = DVec3::new(0.0, 0.0, z);
    let (distance, normal) = length_and_unit(p - center).unwrap_or((0.0, outwards));
    PointDistance::exact(distance - radius, center + normal * radius, normal, Feature::SURFACE)
}
