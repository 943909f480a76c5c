//! How far are two triangles apart, and between which points and features?
//!
//! The closest points of disjoint triangles lie on two edges, or one is a corner and the other inside a face: nine and six
//! candidates. Each candidate is a pair of points of the triangles, so none is too small, and each formula is conditioned such
//! that the right one is too large by no more than the rounding of the extent, also between slivers and almost parallel edges;
//! `docs/maths/triangle-distance.md` shows why. Whether the distance is zero is left to the exact verdict.
//!
//! An edge pair ends the search at once if the slab between its points, perpendicular to their difference, parts the triangles
//! (Larsen, Gottschalk, Lin and Manocha, "Fast Proximity Queries with Swept Sphere Volumes", 1999, §5).

use super::closest_point::{FaceFrame, edge_feature, restored};
use super::intersection::Meetings;
use super::sides::larger;
use super::verdict::{TriangleVerdict, boxes_apart, verdict};
use crate::answer::Feature;
use crate::number::error::power_of_two_near_inverse;
use crate::segment::{blend, parameters};
use glam::DVec3;

/// The distance between two triangles, with its witness points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleDistance {
    /// Zero if and only if the triangles have a common point.
    pub distance: f64,
    /// A point of each triangle, the distance apart. If they have a common point, both are one of those.
    pub points: [DVec3; 2],
    /// The feature of each triangle its point lies on: a vertex, an edge, or face 0.
    pub features: [Feature; 2],
}

/// (2^-8)²: where the squared distance of two points, for an extent of about one, is above this, the direction between them
/// is right to 2^-42, enough for a slab perpendicular to it to be trusted to 1e-12 of the extent.
const FAR: f64 = f64::from_bits((1023 - 16) << 52);

/// The distance between two closed triangles, right to 1e-12 of their common extent, and zero exactly when they meet.
///
/// ```
/// use impinge_geom::triangle::distance;
/// use impinge_geom::{Feature, glam::DVec3};
/// let floor = [DVec3::new(-2.0, -2.0, 0.0), DVec3::new(2.0, -2.0, 0.0), DVec3::new(0.0, 2.0, 0.0)];
/// let nail = [DVec3::new(0.0, 0.0, 0.5), DVec3::new(0.0, 0.1, 1.0), DVec3::new(0.1, 0.0, 1.0)];
/// let answer = distance(&floor, &nail);
/// assert_eq!(answer.distance, 0.5);
/// assert_eq!(answer.points, [DVec3::ZERO, nail[0]]);
/// assert_eq!(answer.features, [Feature::face(0), Feature::vertex(0)]);
/// ```
pub fn distance(a: &[DVec3; 3], b: &[DVec3; 3]) -> TriangleDistance {
    if !boxes_apart(a, b) && verdict(a, b) != TriangleVerdict::Separated {
        return common_point(a, b);
    }
    let origin = a[0];
    let (local_a, local_b) = (a.map(|p| p - origin), b.map(|p| p - origin));
    let largest = [local_a[1], local_a[2], local_b[0], local_b[1], local_b[2]]
        .into_iter()
        .fold(DVec3::ZERO, |most, p| larger(most, p.abs()))
        .max_element();
    let factor = power_of_two_near_inverse(largest);
    let best = search(&local_a.map(|p| p * factor), &local_b.map(|p| p * factor));
    let points = best.points.map(|p| origin + p / factor);
    TriangleDistance {
        // Rounding may have closed the gap, but it is there.
        distance: (best.square.sqrt() / factor).max(f64::from_bits(1)),
        points: [
            restored(a, best.features[0], points[0]),
            restored(b, best.features[1], points[1]),
        ],
        features: best.features,
    }
}

/// The answer for triangles that meet.
#[cold]
fn common_point(a: &[DVec3; 3], b: &[DVec3; 3]) -> TriangleDistance {
    let meetings = Meetings::new(a, b);
    let (point, features) = match meetings.as_slice() {
        [meeting, ..] => (meeting.point, meeting.features),
        [] => (a[0], [Feature::vertex(0); 2]),
    };
    TriangleDistance { distance: 0.0, points: [point; 2], features }
}

/// The closest pair of points so far.
#[derive(Clone, Copy)]
struct Best {
    square: f64,
    points: [DVec3; 2],
    features: [Feature; 2],
}

impl Best {
    #[inline(always)]
    fn offer(&mut self, points: [DVec3; 2], features: [Feature; 2]) {
        let square = points[0].distance_squared(points[1]);
        if square < self.square {
            *self = Self { square, points, features };
        }
    }
}

/// The best of the fifteen candidates; coordinates are of about one.
#[inline]
fn search(a: &[DVec3; 3], b: &[DVec3; 3]) -> Best {
    let mut best = Best {
        square: f64::INFINITY,
        points: [a[0], b[0]],
        features: [Feature::vertex(0), Feature::vertex(0)],
    };
    let towards = (b[0] + b[1] + b[2]) - (a[0] + a[1] + a[2]);
    // Begin with the edges that face each other: those opposite the corners that are farthest away.
    let (first_a, first_b) = (facing_edge(a, towards), facing_edge(b, -towards));
    for k in 0..9 {
        let (i, j) = ((first_a + k / 3) % 3, (first_b + k % 3) % 3);
        let ([p0, p1, p2], [q0, q1, q2]) = (from_edge(a, i), from_edge(b, j));
        let (d1, d2) = (p1 - p0, q1 - q0);
        let (s, t) = parameters(d1, d2, p0 - q0);
        let (p, q) = (blend(p0, p1, s), blend(q0, q1, t));
        let gap = q - p;
        if gap.length_squared() < best.square {
            best.offer([p, q], [edge_feature(i, s), edge_feature(j, t)]);
            let parted = ((p2 - p).dot(gap) <= 0.0) & ((q2 - q).dot(gap) >= 0.0);
            if parted & (best.square > FAR) {
                return best;
            }
        }
    }
    let (face_a, face_b) = (FaceFrame::new(a), FaceFrame::new(b));
    for k in 0..3 {
        if let Some(foot) = face_b.project(a[k]) {
            best.offer([a[k], foot], [Feature::vertex(k as u32), Feature::face(0)]);
        }
        if let Some(foot) = face_a.project(b[k]) {
            best.offer([foot, b[k]], [Feature::face(0), Feature::vertex(k as u32)]);
        }
    }
    best
}

/// The edge opposite the corner that lies least far in the direction.
#[inline(always)]
fn facing_edge(t: &[DVec3; 3], direction: DVec3) -> usize {
    let [x, y, z] = t.map(|p| p.dot(direction));
    if (x < y) & (x < z) {
        1
    } else if y < z {
        2
    } else {
        0
    }
}

/// The corners in circular order, beginning with the start of the edge.
#[inline(always)]
fn from_edge(t: &[DVec3; 3], edge: usize) -> [DVec3; 3] {
    [t[edge], t[[1, 2, 0][edge]], t[[2, 0, 1][edge]]]
}
