//! A point and a segment.

use super::PointDistance;
use crate::answer::Feature;
use crate::number::length::{length_and_unit, perpendicular};
use crate::number::tolerance::LEANING_OFFSET;
use crate::predicate::orient2d;
use glam::{DVec3, Vec3Swizzles as _};

/// A normal that leans by less than this (its cosine) is perpendicular up to rounding.
const UPRIGHT: f64 = 1e-15;

/// The distance from a segment, which may be a point.
///
/// The offset is what is left of p − a when its part along the unit direction is taken off; for segments along an axis, such
/// as the core of a capsule, it is exact.
#[inline(always)]
pub(crate) fn point_distance(points: &[DVec3; 2], p: DVec3) -> PointDistance {
    let [a, b] = *points;
    if a.x == b.x && a.y == b.y {
        return upright(a, b.z, p);
    }
    let Some((length, along)) = length_and_unit(b - a) else {
        return vertex(a, 0, p, DVec3::Z);
    };
    let from_a = p - a;
    let position = from_a.dot(along);
    if position <= 0.0 {
        return end(a, 0, p, -along);
    }
    if position >= length {
        return end(b, 1, p, along);
    }
    // Taken off twice, so that a short offset is as perpendicular as a long one.
    let offset = from_a - along * position;
    let offset = offset - along * offset.dot(along);
    let point = a + along * position;
    match length_and_unit(offset) {
        // On the line up to rounding, so that the direction of the offset means nothing: any perpendicular is a normal.
        Some((distance, normal)) if normal.dot(along) * normal.dot(along) > LEANING_OFFSET => {
            PointDistance::exact(distance, point, perpendicular(along), Feature::edge(0))
        }
        Some((distance, normal)) => {
            // An offset of few digits, such as a subnormal one, leans by more than rounding.
            let lean = normal.dot(along);
            let normal = if lean.abs() > UPRIGHT {
                length_and_unit(normal - along * lean).map_or(normal, |(_, unit)| unit)
            } else {
                normal
            };
            PointDistance::exact(distance, point, normal, Feature::edge(0))
        }
        None => PointDistance::exact(0.0, p, perpendicular(along), Feature::edge(0)),
    }
}

/// A segment along z, such as the core of a capsule: clamping replaces the projection.
#[inline(always)]
fn upright(a: DVec3, other_end: f64, p: DVec3) -> PointDistance {
    let (low, high) = (a.z.min(other_end), a.z.max(other_end));
    let point = a.with_z(p.z.clamp(low, high));
    let end = |top: bool| (top != (a.z > other_end)) as u32;
    let (feature, outwards) = if p.z <= low {
        (Feature::vertex(if low == high { 0 } else { end(false) }), DVec3::NEG_Z)
    } else if p.z >= high {
        (Feature::vertex(if low == high { 0 } else { end(true) }), DVec3::Z)
    } else {
        (Feature::edge(0), DVec3::X)
    };
    let (distance, normal) = length_and_unit(p - point).unwrap_or((0.0, outwards));
    PointDistance::exact(distance, point, normal, feature)
}

/// An end, beyond which the point lies up to rounding: an offset back along the segment, which rounding has made, is no normal.
#[inline(always)]
fn end(corner: DVec3, index: u32, p: DVec3, outwards: DVec3) -> PointDistance {
    let found = vertex(corner, index, p, outwards);
    let lean = found.normal.dot(outwards);
    if lean >= 0.0 {
        return found;
    }
    let normal = length_and_unit(found.normal - outwards * lean).map_or(outwards, |(_, n)| n);
    PointDistance { normal, ..found }
}

#[inline(always)]
fn vertex(corner: DVec3, index: u32, p: DVec3, outwards: DVec3) -> PointDistance {
    let (distance, normal) = length_and_unit(p - corner).unwrap_or((0.0, outwards));
    PointDistance::exact(distance, corner, normal, Feature::vertex(index))
}

/// True if the point lies on the segment. Exact: it is collinear in all three coordinate planes, and between the ends.
pub(crate) fn segment_contains(points: &[DVec3; 2], p: DVec3) -> bool {
    let [a, b] = *points;
    let between = a.min(b).cmple(p).all() && p.cmple(a.max(b)).all();
    between
        && orient2d(a.truncate(), b.truncate(), p.truncate()) == 0
        && orient2d(a.yz(), b.yz(), p.yz()) == 0
        && orient2d(a.zx(), b.zx(), p.zx()) == 0
}
