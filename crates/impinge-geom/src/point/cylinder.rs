//! A point and a cylinder: a box in the plane of the distance from the axis and the height.
//!
//! The side is the curved surface; face and edge 0 are the bottom cap and its rim, face and edge 1 the top ones.

use super::PointDistance;
use crate::answer::Feature;
use crate::number::length::{length_and_unit, planar_length};
use glam::DVec3;

/// The distance from a cylinder along z; without a radius it is a segment, without a height a disc.
#[inline(always)]
pub(crate) fn point_distance(radius: f64, half_height: f64, p: DVec3) -> PointDistance {
    let (reach, outwards) = away_from_axis(p);
    let side = if p.z >= 0.0 { 1.0 } else { -1.0 };
    let cap = (p.z >= 0.0) as u32;
    let beyond_side = reach - radius;
    let beyond_cap = p.z.abs() - half_height;
    if beyond_side > 0.0 && beyond_cap > 0.0 {
        let point = (outwards * radius).with_z(side * half_height);
        let (distance, normal) = rim_offset(beyond_side, beyond_cap * side, outwards);
        return PointDistance::exact(distance, point, normal, Feature::edge(cap));
    }
    if beyond_cap >= beyond_side {
        let point = p.with_z(side * half_height);
        PointDistance::exact(beyond_cap, point, DVec3::new(0.0, 0.0, side), Feature::face(cap))
    } else {
        let point = (outwards * radius).with_z(p.z);
        PointDistance::exact(beyond_side, point, outwards, Feature::SURFACE)
    }
}

/// The distance from the z axis and the unit vector away from it; on the axis, x is taken.
#[inline(always)]
pub(crate) fn away_from_axis(p: DVec3) -> (f64, DVec3) {
    let reach = planar_length(p.x, p.y);
    if reach >= f64::MIN_POSITIVE {
        (reach, DVec3::new(p.x / reach, p.y / reach, 0.0))
    } else if reach > 0.0 {
        // Quotients of subnormal numbers have too few digits; the factor is exact.
        let factor = f64::from_bits((1023 + 500) << 52);
        (reach, away_from_axis(DVec3::new(p.x * factor, p.y * factor, 0.0)).1)
    } else {
        (0.0, DVec3::X)
    }
}

/// The length and direction of an offset that is given by its parts away from the axis and along it.
#[inline(always)]
pub(crate) fn rim_offset(away: f64, up: f64, outwards: DVec3) -> (f64, DVec3) {
    match length_and_unit(DVec3::new(away, 0.0, up)) {
        Some((distance, unit)) => (distance, (outwards * unit.x).with_z(unit.z)),
        None => (0.0, if up.is_sign_negative() { DVec3::NEG_Z } else { DVec3::Z }),
    }
}
