//! A point and a triangle.
//!
//! The frame is built on the longest edge: x along it, y towards the third corner, by Gram–Schmidt. The foot of the
//! perpendicular then has an error of a few roundings of the triangle's size however thin the triangle is: a wrong direction
//! of y, which a sliver of height t may have by (rounding · length / t), multiplies only what is left of p − a beside the
//! longest edge. Where the foot is not inside, the closest of the three edges is the answer.

use super::PointDistance;
use super::segment;
use crate::answer::{Feature, FeatureKind};
use crate::number::length::{length_and_unit, perpendicular};
use crate::number::tolerance::UNIT_ROUNDOFF;
use crate::predicate::{orient2d, orient3d};
use glam::{DVec2, DVec3, Vec3Swizzles as _};

/// Triangles with at least this ratio of height to length take their normal from a cross product of edges.
const PLUMP: f64 = 0.01;

/// 2^-900: squares of edges below it have lost digits, or have vanished.
const SMALLEST_SQUARE: f64 = f64::from_bits((1023 - 900) << 52);

/// 2^600: takes edges with such squares to at most 2^150.
const ENLARGEMENT: f64 = f64::from_bits((1023 + 600) << 52);

/// The distance from a triangle, which may be a segment or a point. The normal on it is that of its plane.
#[inline]
pub(crate) fn point_distance(points: &[DVec3; 3], p: DVec3) -> PointDistance {
    if let Some(answer) = above_face(points, p) {
        return answer;
    }
    let mut best = edge(points, 0, p);
    for index in 1..3 {
        let other = edge(points, index, p);
        if other.distance < best.distance {
            best = other;
        }
    }
    let largest = points.iter().fold(p.abs(), |m, v| m.max(v.abs())).max_element();
    if best.distance <= 8.0 * UNIT_ROUNDOFF * largest {
        // On the rim up to rounding, which may have made the offset: the plane's normal is an outward normal everywhere.
        if let Some(normal) = plane_normal(points) {
            best.normal = if normal.dot(best.normal) < 0.0 { -normal } else { normal };
        }
    }
    best
}

/// The answer where the foot of the perpendicular lies inside the triangle.
#[inline]
fn above_face(points: &[DVec3; 3], p: DVec3) -> Option<PointDistance> {
    // The longest edge is opposite `c`.
    let [a, b, c] = *points;
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let mut squares = [ab.length_squared(), bc.length_squared(), ca.length_squared()];
    if squares[0] + squares[1] + squares[2] < SMALLEST_SQUARE {
        squares = [ab, bc, ca].map(|edge| (edge * ENLARGEMENT).length_squared());
    }
    let (a, ab, ac) = if squares[0] >= squares[1] && squares[0] >= squares[2] {
        (a, ab, -ca)
    } else if squares[1] >= squares[2] {
        (b, bc, -ab)
    } else {
        (c, ca, -bc)
    };
    let (length, along) = length_and_unit(ab)?;
    let apex_x = ac.dot(along);
    let rest = ac - along * apex_x;
    let (apex_y, across) = length_and_unit(rest - along * rest.dot(along))?;
    if apex_y <= 4.0 * UNIT_ROUNDOFF * length {
        return None;
    }
    let from_a = p - a;
    let x = from_a.dot(along);
    let beside = from_a - along * x;
    let y = beside.dot(across);
    // How far up towards the apex, and how far from the two other sides at that height.
    let level = y / apex_y;
    if !(y >= 0.0 && x >= apex_x * level && length - x >= (length - apex_x) * level) {
        return None;
    }
    // The plain cross product is exact for triangles in coordinate planes; for slivers it has too few digits.
    let area = ab.cross(ac);
    let upright = match length_and_unit(area) {
        Some((size, unit)) if size >= PLUMP * length * length => unit,
        _ => length_and_unit(along.cross(across))?.1,
    };
    let height = from_a.dot(upright);
    let normal = if height < 0.0 { -upright } else { upright };
    Some(PointDistance::exact(height.abs(), p - upright * height, normal, Feature::face(0)))
}

/// The answer for one edge, with the triangle's numbering.
#[inline(always)]
fn edge(points: &[DVec3; 3], index: usize, p: DVec3) -> PointDistance {
    let mut answer = segment::point_distance(&[points[index], points[(index + 1) % 3]], p);
    answer.feature = match answer.feature {
        Feature { kind: FeatureKind::Vertex, index: end } => {
            Feature::vertex((index as u32 + end) % 3)
        }
        _ => Feature::edge(index as u32),
    };
    answer
}

/// The direction of the cross product of two edges, or any perpendicular where there is none.
fn plane_normal(&[a, b, c]: &[DVec3; 3]) -> Option<DVec3> {
    let (_, first) = length_and_unit(b - a).or_else(|| length_and_unit(c - a))?;
    let (_, second) = length_and_unit(c - a).or_else(|| length_and_unit(c - b))?;
    let rest = second - first * first.dot(second);
    let across = length_and_unit(rest).map(|(_, unit)| first.cross(unit));
    across.and_then(length_and_unit).map(|(_, unit)| unit).or(Some(perpendicular(first)))
}

/// True if the point lies on the closed triangle. Exact, also for degenerate ones.
pub(crate) fn triangle_contains(points: &[DVec3; 3], p: DVec3) -> bool {
    let [a, b, c] = *points;
    if orient3d(a, b, c, p) != 0 {
        return false;
    }
    let shadows: [fn(DVec3) -> DVec2; 3] = [|v| v.xy(), |v| v.yz(), |v| v.zx()];
    for shadow in shadows {
        let [a, b, c, p] = [a, b, c, p].map(shadow);
        let turn = orient2d(a, b, c);
        if turn != 0 {
            return [(a, b), (b, c), (c, a)].iter().all(|(u, v)| orient2d(*u, *v, p) != -turn);
        }
    }
    (0..3).any(|i| segment::segment_contains(&[points[i], points[(i + 1) % 3]], p))
}
