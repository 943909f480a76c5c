//! From raw input to the outline of the hull: which points are extreme, and in what loops.

use super::exact::{collinear, coplanar, lexicographic};
use super::{flat, merge, quickhull::Quickhull};
use crate::number::error::{GeometryError, check_point, power_of_two_near_inverse};
use glam::DVec3;

/// The hull in terms of input indices, before numbering.
pub(super) struct Outline {
    pub(super) dimension: u8,
    /// Extreme points, ascending.
    pub(super) corners: Vec<u32>,
    /// Faces, counter-clockwise seen from outside: loop `i` is `loops[starts[i]..starts[i + 1]]`.
    pub(super) starts: Vec<u32>,
    pub(super) loops: Vec<u32>,
}

/// Refuses what cannot have a hull or cannot be numbered.
pub(super) fn check(points: &[[f64; 3]]) -> Result<Vec<DVec3>, GeometryError> {
    if points.is_empty() {
        return Err(GeometryError::Empty { argument: "points" });
    }
    if points.len() > 1 << 31 {
        return Err(GeometryError::TooMany { argument: "points", count: points.len() });
    }
    points
        .iter()
        .enumerate()
        .map(|(index, point)| check_point(*point, "points", Some(index)))
        .collect()
}

/// Finds the dimension of the points and hands them to the algorithm for it.
pub(super) fn outline(points: &[DVec3]) -> Outline {
    let scaled = scaled(points);
    let (first, last) = lexicographic_ends(points);
    if points[first] == points[last] {
        return flat::few(0, vec![first as u32]);
    }
    let Some(third) = off_line(points, &scaled, first, last) else {
        return flat::few(1, vec![first as u32, last as u32]);
    };
    let Some(fourth) = off_plane(points, &scaled, [first, last, third]) else {
        return flat::polygon(points, [first, last, third]);
    };
    let simplex = [first, last, third, fourth].map(|index| index as u32);
    merge::faces(points, &Quickhull::run(points, &scaled, simplex))
}

/// The points times a power of two that brings the largest coordinate near one, so that products neither overflow nor, unless
/// they are negligible, underflow. Heuristics and filters read these; exact predicates read the input.
fn scaled(points: &[DVec3]) -> Vec<DVec3> {
    let largest = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let factor = if largest > 0.0 { power_of_two_near_inverse(largest) } else { 1.0 };
    points.iter().map(|p| *p * factor).collect()
}

/// The indices of the first and the last point in lexicographic order; of equal points the one with the smallest index.
fn lexicographic_ends(points: &[DVec3]) -> (usize, usize) {
    let (mut first, mut last) = (0, 0);
    for (index, point) in points.iter().enumerate() {
        if lexicographic(*point, points[first]).is_lt() {
            first = index;
        }
        if lexicographic(*point, points[last]).is_gt() {
            last = index;
        }
    }
    (first, last)
}

/// A point that is not on the line of two others, if there is one; far from it where rounding allows to tell.
fn off_line(points: &[DVec3], scaled: &[DVec3], a: usize, b: usize) -> Option<usize> {
    let along = scaled[b] - scaled[a];
    let best = farthest(scaled, |p| along.cross(p - scaled[a]).length_squared());
    let off = |c: &usize| !collinear(points[a], points[b], points[*c]);
    Some(best).filter(off).or_else(|| (0..points.len()).find(off))
}

/// A point that is not on the plane of three others, if there is one; far from it where rounding allows to tell.
fn off_plane(points: &[DVec3], scaled: &[DVec3], [a, b, c]: [usize; 3]) -> Option<usize> {
    let normal = (scaled[b] - scaled[a]).cross(scaled[c] - scaled[a]);
    let best = farthest(scaled, |p| normal.dot(p - scaled[a]).abs());
    let off = |d: &usize| !coplanar(points[a], points[b], points[c], points[*d]);
    Some(best).filter(off).or_else(|| (0..points.len()).find(off))
}

/// The first point with the largest value.
fn farthest(points: &[DVec3], value: impl Fn(DVec3) -> f64) -> usize {
    let mut best = (0, -1.0);
    for (index, point) in points.iter().enumerate() {
        let candidate = value(*point);
        if candidate > best.1 {
            best = (index, candidate);
        }
    }
    best.0
}
