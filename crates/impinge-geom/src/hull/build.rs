//! From raw input to the outline of the hull: which points are extreme, and in what loops.

use super::exact::lexicographic;
use super::lattice::Lattice;
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
    let order = distinct(points);
    let sorted: Vec<DVec3> = order.iter().map(|index| points[*index as usize]).collect();
    let mut outline = outline_of_distinct(&sorted);
    for index in outline.corners.iter_mut().chain(&mut outline.loops) {
        *index = order[*index as usize];
    }
    outline.corners.sort_unstable();
    outline
}

/// From this many points on they are brought into spatial order, so that neighbours in space are neighbours in memory.
const MANY: usize = 4096;

/// The smallest index of every different point; many points along a Z-order curve through their bounding box.
fn distinct(points: &[DVec3]) -> Vec<u32> {
    let low = points.iter().copied().fold(DVec3::MAX, DVec3::min);
    let high = points.iter().copied().fold(DVec3::MIN, DVec3::max);
    let size = (high - low).max_element();
    let factor = if size > 0.0 { power_of_two_near_inverse(size) } else { 1.0 };
    let code = |p: DVec3| {
        let cell = (p - low) * factor * f64::from(1 << 20);
        spread(cell.x as u64) | spread(cell.y as u64) << 1 | spread(cell.z as u64) << 2
    };
    let many = points.len() >= MANY;
    let mut order: Vec<(u64, u32)> = points
        .iter()
        .zip(0..)
        .map(|(point, index)| (if many { code(*point) } else { 0 }, index))
        .collect();
    let point = |index: u32| points[index as usize];
    order.sort_unstable_by(|(code, i), (other, j)| {
        code.cmp(other).then_with(|| lexicographic(point(*i), point(*j))).then(i.cmp(j))
    });
    order.dedup_by(|later, kept| point(later.1) == point(kept.1));
    order.into_iter().map(|(_, index)| index).collect()
}

/// The lowest 21 bits with two zeros between neighbours.
fn spread(value: u64) -> u64 {
    let mut bits = value & 0x1f_ffff;
    for (shift, mask) in [
        (32, 0x001f_0000_0000_ffff),
        (16, 0x001f_0000_ff00_00ff),
        (8, 0x100f_00f0_0f00_f00f),
        (4, 0x10c3_0c30_c30c_30c3),
        (2, 0x1249_2492_4924_9249),
    ] {
        bits = (bits | bits << shift) & mask;
    }
    bits
}

/// As [`outline`], in indices of points that are all different.
fn outline_of_distinct(points: &[DVec3]) -> Outline {
    let largest = points.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let factor = if largest > 0.0 { power_of_two_near_inverse(largest) } else { 1.0 };
    // Products of these neither overflow nor, unless they are negligible, underflow: heuristics and filters read them. Exact
    // predicates do so too, if no coordinate has lost bits on the way.
    let scaled: Vec<DVec3> = points.iter().map(|p| *p * factor).collect();
    let lossless = points.iter().zip(&scaled).all(|(point, scaled)| *scaled / factor == *point);
    let (points, lattice) = if lossless {
        (&scaled[..], Lattice::new(largest * factor))
    } else {
        (points, Lattice::new(largest))
    };
    let (first, last) = lexicographic_ends(points);
    if first == last {
        return flat::few(0, vec![first as u32]);
    }
    let Some(third) = off_line(points, &scaled, lattice, [first, last]) else {
        return flat::few(1, vec![first as u32, last as u32]);
    };
    let Some(fourth) = off_plane(points, &scaled, lattice, [first, last, third]) else {
        return flat::polygon(points, lattice, [first, last, third]);
    };
    let simplex = [first, last, third, fourth].map(|index| index as u32);
    merge::faces(points, lattice, &Quickhull::run(points, &scaled, lattice, simplex))
}

/// The indices of the first and the last point in lexicographic order; points are all different.
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
fn off_line(
    points: &[DVec3],
    scaled: &[DVec3],
    lattice: Lattice,
    [a, b]: [usize; 2],
) -> Option<usize> {
    let along = scaled[b] - scaled[a];
    let best = farthest(scaled, |p| along.cross(p - scaled[a]).length_squared());
    let off = |c: &usize| !lattice.collinear(points[a], points[b], points[*c]);
    Some(best).filter(off).or_else(|| (0..points.len()).find(off))
}

/// A point that is not on the plane of three others, if there is one; far from it where rounding allows to tell.
fn off_plane(
    points: &[DVec3],
    scaled: &[DVec3],
    lattice: Lattice,
    [a, b, c]: [usize; 3],
) -> Option<usize> {
    let normal = (scaled[b] - scaled[a]).cross(scaled[c] - scaled[a]);
    let best = farthest(scaled, |p| normal.dot(p - scaled[a]).abs());
    let off = |d: &usize| lattice.side(points[a], points[b], points[c], points[*d]) != 0;
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
