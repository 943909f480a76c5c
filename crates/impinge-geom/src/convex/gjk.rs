//! The point of A − B closest to the origin.
//!
//! Gilbert, Johnson, Keerthi 1988, in the form of van den Bergen 1999: a simplex of at most four vertices of A − B whose point
//! `v` closest to the origin approaches the true one. Each step asks for the vertex `w` farthest along −v; `v·w / |v|` is then a
//! lower bound of the distance and `|v|` an upper one.
//!
//! Termination differs from the papers. The loop stops when the two bounds meet up to rounding ([`Difference::scale`] times
//! [`NOISE`]), when `w` is already in the simplex, when `|v|` no longer shrinks, or after [`MAX_STEPS`]; it always reports both
//! bounds, and claims "separated" or "inside" only where they are beyond the rounding errors. What is within them is reported as
//! [`Status::Near`] and decided exactly by the caller.

use super::difference::{Body, Difference, Vertex};
use super::simplex::{self, InTetrahedron};
use crate::number::tolerance::UNIT_ROUNDOFF;
use crate::simd::Simd;
use glam::DVec3;

/// Upper bound of the steps of one query. Polytopes need about ten; smooth bodies converge within a few dozen.
pub(crate) const MAX_STEPS: u32 = 200;

/// Rounding errors of `v·w / |v|`, as a multiple of the scale: the mapping and the choice of the support vertices (8 u), the
/// difference (1 u) and the dot product (3 u), rounded up.
pub(crate) const NOISE: f64 = 16.0 * UNIT_ROUNDOFF;

/// The bounds are said to meet where they differ by less than this times the distance.
const CONVERGED: f64 = 32.0 * UNIT_ROUNDOFF;

/// What GJK found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// The origin is outside, by more than rounding errors.
    Separated,
    /// The origin is inside the tetrahedron, by more than rounding errors.
    Inside,
    /// The origin is within rounding errors of the simplex.
    Near,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Goal {
    /// Stop at the first certificate that the distance is above this number (scaled), or not.
    Within(f64),
    /// Go on to the closest point.
    Distance,
}

/// The end of a search, in scaled units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) status: Status,
    pub(crate) vertices: [Vertex; 4],
    pub(crate) weights: [f64; 4],
    pub(crate) count: usize,
    /// The closest point of the simplex; with [`Goal::Within`], a separating direction.
    pub(crate) v: DVec3,
    /// A lower bound of the distance, before rounding.
    pub(crate) lower: f64,
}

/// Searches from the direction `start`, which may be zero.
#[inline(always)]
pub(crate) fn search<S: Simd, A: Body, B: Body>(
    simd: S,
    difference: &Difference<'_, A, B>,
    start: DVec3,
    goal: Goal,
) -> Found {
    let noise = NOISE * difference.scale;
    let noise_square = noise * noise;
    // Squares of the distances above which the answer is "no", and below which it is "yes".
    let (beyond, within) = match goal {
        Goal::Within(reach) => {
            ((reach + noise) * (reach + noise), (reach * reach).max(noise_square))
        }
        Goal::Distance => (f64::INFINITY, noise_square),
    };
    let mut v = if start == DVec3::ZERO { difference.center() } else { start };
    if v == DVec3::ZERO {
        v = DVec3::X;
    }
    let first = difference.support(simd, -v, [0, 0]);
    let mut found = Found {
        status: Status::Near,
        vertices: [first; 4],
        weights: [1.0, 0.0, 0.0, 0.0],
        count: 1,
        v,
        lower: 0.0,
    };
    let along = v.dot(first.w);
    if along > 0.0 && along * along > beyond * v.length_squared() {
        found.status = Status::Separated;
        found.lower = along / v.length();
        return found;
    }
    found.v = first.w;
    let mut near = first.ids;
    for _ in 0..MAX_STEPS {
        let square = found.v.length_squared();
        if square <= within {
            return found;
        }
        let vertex = difference.support(simd, -found.v, near);
        near = vertex.ids;
        let along = found.v.dot(vertex.w);
        if along > 0.0 && along * along > beyond * square {
            found.status = Status::Separated;
            found.lower = along / square.sqrt();
            return found;
        }
        let gap = square - along;
        let converged = gap <= CONVERGED * square
            || gap * gap <= noise_square * square
            || found.vertices[..found.count].iter().any(|known| known.same(&vertex));
        if converged || !improve(&mut found, vertex, square) {
            found.lower = along / square.sqrt();
            found.status = if found.lower > noise { Status::Separated } else { Status::Near };
            return found;
        }
        if found.count == 4 {
            // `improve` leaves four vertices only where the origin is inside; `lower` holds the certified depth.
            found.status = if found.lower > noise { Status::Inside } else { Status::Near };
            return found;
        }
    }
    let square = found.v.length_squared();
    let vertex = difference.support(simd, -found.v, near);
    let along = found.v.dot(vertex.w);
    found.lower = if square > 0.0 { along / square.sqrt() } else { 0.0 };
    found.status = if found.lower > noise { Status::Separated } else { Status::Near };
    found
}

/// Adds a vertex and keeps the smallest simplex that holds the new closest point. False, and unchanged, without progress.
#[inline(always)]
fn improve(found: &mut Found, vertex: Vertex, square: f64) -> bool {
    let [a, b, c, _] = found.vertices.map(|known| known.w);
    let w = vertex.w;
    let (weights, point) = match found.count {
        1 => {
            let closest = simplex::segment(a, w);
            ([closest.weights[0], closest.weights[1], 0.0, 0.0], closest.point)
        }
        2 => {
            let closest = simplex::triangle(a, b, w);
            let [x, y, z] = closest.weights;
            ([x, y, z, 0.0], closest.point)
        }
        _ => match simplex::tetrahedron(a, b, c, w) {
            InTetrahedron::Outside(closest) => (closest.weights, closest.point),
            InTetrahedron::Inside(depth) => {
                found.vertices[3] = vertex;
                found.count = 4;
                found.v = DVec3::ZERO;
                found.lower = depth;
                return true;
            }
        },
    };
    if point.length_squared() >= square {
        return false;
    }
    let last = found.count.min(3);
    found.vertices[last] = vertex;
    found.count = 0;
    for (index, weight) in weights.into_iter().enumerate().take(last + 1) {
        if weight > 0.0 {
            found.vertices[found.count] = found.vertices[index];
            found.weights[found.count] = weight;
            found.count += 1;
        }
    }
    found.v = point;
    true
}

impl Found {
    /// The two points, in A's frame, that the weights single out.
    pub(crate) fn points(&self) -> [DVec3; 2] {
        let mut points = [DVec3::ZERO; 2];
        for (vertex, weight) in self.vertices.iter().zip(self.weights).take(self.count) {
            points[0] += vertex.a * weight;
            points[1] += vertex.b * weight;
        }
        points
    }

    /// The vertices that take part.
    pub(crate) fn simplex(&self) -> &[Vertex] {
        &self.vertices[..self.count]
    }
}
