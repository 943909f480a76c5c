//! Whether two polytopes meet, decided without rounding.
//!
//! Two polytopes are apart iff a face normal or a cross product of edges separates them. Each axis is first looked at in
//! `f64` with a bound on the error; what the bound does not decide is done again in rational numbers.

use dashu_ratio::RBig;

use super::polytope::{Axis, Polytope, axes, factors, gap};
use super::vector::{cross, length};

/// Rounding of a dot product of a unit vector with coordinates below 1, with a wide margin.
const DOT_ERROR: f64 = 1e-14;

/// Whether the closed polytopes share a point.
pub(super) fn overlap(a: &Polytope, b: &Polytope) -> bool {
    let largest =
        a.vertices.iter().chain(&b.vertices).flatten().fold(1.0_f64, |m, v| m.max(v.abs()));
    !axes(a, b).any(|axis| separates(a, b, axis, largest))
}

/// Whether the axis separates, exactly.
fn separates(a: &Polytope, b: &Polytope, axis: Axis, largest: f64) -> bool {
    let (u, v) = factors(a, b, axis);
    let normal = cross(u, v);
    let size = length(normal);
    // The cross product is off by a few units in the last place of |u||v|, so its direction by that over its length.
    let direction_error = 1e-15 * length(u) * length(v) / size;
    let error = largest * (DOT_ERROR + 4.0 * direction_error);
    if size > 0.0 && error.is_finite() {
        let value = gap(a, b, normal.map(|value| value / size));
        // Whatever the direction is exactly, a gap along it is a gap.
        if value > largest * DOT_ERROR {
            return true;
        }
        if value < -error {
            return false;
        }
    }
    separates_exactly(a, b, axis)
}

type Exact = [RBig; 3];

fn exact(vector: [f64; 3]) -> Exact {
    vector.map(|value| RBig::try_from(value).unwrap_or(RBig::ZERO))
}

fn difference(to: [f64; 3], from: [f64; 3]) -> Exact {
    let (to, from) = (exact(to), exact(from));
    std::array::from_fn(|axis| &to[axis] - &from[axis])
}

fn separates_exactly(a: &Polytope, b: &Polytope, axis: Axis) -> bool {
    let side = |polytope: &Polytope, from: usize, to: usize| {
        difference(polytope.vertices[to], polytope.vertices[from])
    };
    let (u, v) = match axis {
        Axis::FaceOfA([p, q, r]) => (side(a, p, q), side(a, p, r)),
        Axis::FaceOfB([p, q, r]) => (side(b, p, q), side(b, p, r)),
        Axis::Edges([from, to], [start, end]) => (side(a, from, to), side(b, start, end)),
    };
    let term = |i: usize, j: usize| &u[i] * &v[j] - &u[j] * &v[i];
    let normal = [term(1, 2), term(2, 0), term(0, 1)];
    let (low_a, high_a) = interval(a, &normal);
    let (low_b, high_b) = interval(b, &normal);
    low_b > high_a || low_a > high_b
}

/// Exact least and greatest value of the vertices along a direction.
fn interval(polytope: &Polytope, direction: &Exact) -> (RBig, RBig) {
    let mut values: Vec<RBig> = polytope
        .vertices
        .iter()
        .map(|&vertex| {
            exact(vertex)
                .iter()
                .zip(direction)
                .map(|(x, n)| x * n)
                .fold(RBig::ZERO, |sum, term| sum + term)
        })
        .collect();
    values.sort();
    match (values.first(), values.last()) {
        (Some(low), Some(high)) => (low.clone(), high.clone()),
        _ => (RBig::ZERO, RBig::ZERO),
    }
}
