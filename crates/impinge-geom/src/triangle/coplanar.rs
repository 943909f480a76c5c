//! The cases in which a side test says nothing: triangles in one plane, and triangles without area.

use super::verdict::TriangleVerdict;
use crate::predicate::{orient2d, orient2d_filter, orient3d};
use glam::{DVec2, DVec3};

/// A triangle without area against one that has some and does not lie in a common plane with it.
///
/// `sides` are the signs of the segment's points with respect to the triangle's plane.
#[cold]
pub(super) fn segment_verdict(
    segment: &[DVec3; 3],
    sides: [i32; 3],
    triangle: &[DVec3; 3],
) -> TriangleVerdict {
    let (start, end) = segment_ends(segment);
    let (p, q) = (segment[start], segment[end]);
    let turns = [0, 1, 2].map(|i| orient3d(p, q, triangle[i], triangle[(i + 1) % 3]));
    if turns.contains(&1) && turns.contains(&-1) {
        TriangleVerdict::Separated
    } else if sides[start] * sides[end] < 0 && !turns.contains(&0) {
        TriangleVerdict::Crossing
    } else {
        TriangleVerdict::Touching
    }
}

/// True if f64 can tell that in a coordinate plane an edge of one of two triangles has the other one strictly beyond it: then they have no common point.
/// Most pairs of one flat side end here.
#[cold]
pub(super) fn are_beside(a: &[DVec3; 3], b: &[DVec3; 3]) -> bool {
    let normal = (a[1] - a[0]).cross(a[2] - a[0]).abs();
    let drop = if normal.z >= normal.x && normal.z >= normal.y {
        DROPS[0]
    } else if normal.x >= normal.y {
        DROPS[1]
    } else {
        DROPS[2]
    };
    let (a, b) = (a.map(drop), b.map(drop));
    let parts = |s: &[DVec2; 3], t: &[DVec2; 3]| {
        let facing = orient2d_filter(s[0], s[1], s[2]);
        facing.is_some()
            && (0..3).any(|i| {
                let beyond = |p: &DVec2| {
                    orient2d_filter(s[i], s[(i + 1) % 3], *p)
                        .is_some_and(|side| Some(-side) == facing)
                };
                t.iter().all(beyond)
            })
    };
    parts(&a, &b) || parts(&b, &a)
}

/// The first and the last of three collinear points in lexicographic order, which runs along their line.
pub(super) fn segment_ends(points: &[DVec3; 3]) -> (usize, usize) {
    let before = |i: usize, j: usize| points[i].to_array() < points[j].to_array();
    let (mut first, mut last) = (0, 0);
    for k in 1..3 {
        if before(k, first) {
            first = k;
        }
        if before(last, k) {
            last = k;
        }
    }
    (first, last)
}

/// Two triangles that lie in one plane, or neither of which has any area; their boxes have a common point.
#[cold]
pub(super) fn coplanar_verdict(a: &[DVec3; 3], b: &[DVec3; 3]) -> TriangleVerdict {
    let meet = match [a, b].into_iter().find_map(shadow_with_area) {
        Some(drop) => shadows_meet(&a.map(drop), &b.map(drop)),
        None => segments_meet(a, b),
    };
    if meet { TriangleVerdict::Touching } else { TriangleVerdict::Separated }
}

/// Two triangles without area, whose boxes have a common point.
fn segments_meet(a: &[DVec3; 3], b: &[DVec3; 3]) -> bool {
    let ((start_a, end_a), (start_b, end_b)) = (segment_ends(a), segment_ends(b));
    let [p, q, r, s] = [a[start_a], a[end_a], b[start_b], b[end_b]];
    if orient3d(p, q, r, s) != 0 {
        return false;
    }
    match [[p, q, r], [p, q, s], [p, r, s], [q, r, s]].iter().find_map(shadow_with_area) {
        Some(drop) => shadows_meet(&a.map(drop), &b.map(drop)),
        // All on one line: there, segments meet iff their boxes do.
        None => true,
    }
}

/// Drops one coordinate.
pub(super) type Drop = fn(DVec3) -> DVec2;

/// The three ways to drop a coordinate.
pub(super) const DROPS: [Drop; 3] =
    [|p| DVec2::new(p.x, p.y), |p| DVec2::new(p.y, p.z), |p| DVec2::new(p.z, p.x)];

/// A coordinate plane on which the shadow of the triangle has an area: its plane falls one to one onto that.
pub(super) fn shadow_with_area(t: &[DVec3; 3]) -> Option<Drop> {
    DROPS.into_iter().find(|drop| orient2d(drop(t[0]), drop(t[1]), drop(t[2])) != 0)
}

/// Do two closed triangles of the plane have a common point? They may be segments or points.
fn shadows_meet(a: &[DVec2; 3], b: &[DVec2; 3]) -> bool {
    // turns_b[i][j]: on which side of edge i of `a` is corner j of `b`; turns_a the other way round. None if an edge parts the two.
    let turns = |s: &[DVec2; 3], t: &[DVec2; 3]| {
        let facing = orient2d(s[0], s[1], s[2]);
        let mut turns = [[0; 3]; 3];
        for (i, row) in turns.iter_mut().enumerate() {
            *row = [0, 1, 2].map(|j| orient2d(s[i], s[(i + 1) % 3], t[j]));
            if facing != 0 && *row == [-facing; 3] {
                return None;
            }
        }
        Some(turns)
    };
    let (Some(turns_b), Some(turns_a)) = (turns(a, b), turns(b, a)) else { return false };
    // A corner is inside a triangle iff it is on the same side of all edges; on the boundary, the edges see it.
    let inside = |turns: &[[i32; 3]; 3]| {
        turns[0][0] != 0 && turns[0][0] == turns[1][0] && turns[1][0] == turns[2][0]
    };
    if inside(&turns_b) || inside(&turns_a) {
        return true;
    }
    (0..3).any(|i| {
        let (i, next_i) = (i, (i + 1) % 3);
        (0..3).any(|j| {
            let next_j = (j + 1) % 3;
            // Each segment meets the other's line, and the boxes meet: this holds for collinear segments and points, too.
            turns_b[i][j] * turns_b[i][next_j] <= 0
                && turns_a[j][i] * turns_a[j][next_i] <= 0
                && spans_meet([a[i], a[next_i]], [b[j], b[next_j]])
        })
    })
}

/// True if the boxes of the segments have a common point.
fn spans_meet(p: [DVec2; 2], q: [DVec2; 2]) -> bool {
    let (low_p, high_p) = (p[0].min(p[1]), p[0].max(p[1]));
    let (low_q, high_q) = (q[0].min(q[1]), q[0].max(q[1]));
    low_p.cmple(high_q).all() && low_q.cmple(high_p).all()
}
