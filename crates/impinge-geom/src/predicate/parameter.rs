//! Where does a segment pass a plane, or a line of a coordinate plane?
//!
//! The parameter is `h(p) / (h(p) − h(q))` with the heights of the ends, which are known to be on opposite sides. In f64 the
//! heights of a segment that is almost parallel to the plane are all noise; so they are computed with twice the digits, and
//! in integers where even that does not give the parameter to 2^-52.

use super::dyadic::{Dyadic, ratio};
use crate::number::double_double::DoubleDouble;
use glam::{DVec2, DVec3};
use num_bigint::BigInt;

/// 2^-48: heights that add up to more than this, relative to the permanent, are right to 2^-52 with twice the digits, whose
/// error is below 2^-100 of the permanent.
const ENOUGH: f64 = f64::from_bits((1023 - 48) << 52);

/// 2^-700: below this permanent, low parts may have underflowed and been lifted by a third factor of up to 2^252.
const SMALLEST_PERMANENT: f64 = f64::from_bits((1023 - 700) << 52);

/// The parameter, between 0 at `p` and 1 at `q`, at which the segment passes the plane of the triangle.
///
/// `p` and `q` lie strictly on opposite sides of it.
pub(crate) fn passing_parameter(triangle: &[DVec3; 3], p: DVec3, q: DVec3) -> f64 {
    let ((height_p, permanent_p), (height_q, permanent_q)) =
        (height(triangle, p), height(triangle, q));
    parameter(height_p, height_q, permanent_p.max(permanent_q)).unwrap_or_else(|| {
        let [a, b, c] = *triangle;
        let numbers: [f64; 15] = std::array::from_fn(|k| [a, b, c, p, q][k / 3][k % 3]);
        let n = Dyadic::common(numbers);
        let determinant = |d: usize| {
            let row = |i: usize| [0, 1, 2].map(|k| &n[3 * i + k] - &n[3 * d + k]);
            let [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = [row(0), row(1), row(2)];
            az * (&bx * &cy - &cx * &by)
                + bz * (&cx * &ay - &ax * &cy)
                + cz * (&ax * &by - &bx * &ay)
        };
        exact_parameter(&determinant(3), &determinant(4))
    })
}

/// The same in a coordinate plane: where the segment passes the line through `a` and `b`.
pub(crate) fn passing_parameter_2d(a: DVec2, b: DVec2, p: DVec2, q: DVec2) -> f64 {
    let area = |x: DVec2| {
        let difference = DoubleDouble::difference;
        let left = difference(a.x, x.x) * difference(b.y, x.y);
        let right = difference(a.y, x.y) * difference(b.x, x.x);
        (left - right, left.high.abs() + right.high.abs())
    };
    let ((area_p, permanent_p), (area_q, permanent_q)) = (area(p), area(q));
    parameter(area_p, area_q, permanent_p.max(permanent_q)).unwrap_or_else(|| {
        let [ax, ay, bx, by, px, py, qx, qy] =
            Dyadic::common([a.x, a.y, b.x, b.y, p.x, p.y, q.x, q.y]);
        let area = |x: &BigInt, y: &BigInt| (&ax - x) * (&by - y) - (&ay - y) * (&bx - x);
        exact_parameter(&area(&px, &py), &area(&qx, &qy))
    })
}

/// The determinant of [`orient3d`](super::orient3d) with twice the digits, and the sum of the magnitudes of its terms.
fn height(triangle: &[DVec3; 3], d: DVec3) -> (DoubleDouble, f64) {
    let row = |a: DVec3| {
        let difference = |k: usize| DoubleDouble::difference(a[k], d[k]);
        [difference(0), difference(1), difference(2)]
    };
    let [a, b, c] = [row(triangle[0]), row(triangle[1]), row(triangle[2])];
    let minor = |p: &[DoubleDouble; 3], q: &[DoubleDouble; 3]| {
        let (left, right) = (p[0] * q[1], q[0] * p[1]);
        (left - right, left.high.abs() + right.high.abs())
    };
    let (bc, ca, ab) = (minor(&b, &c), minor(&c, &a), minor(&a, &b));
    let value = a[2] * bc.0 + b[2] * ca.0 + c[2] * ab.0;
    let permanent = a[2].high.abs() * bc.1 + b[2].high.abs() * ca.1 + c[2].high.abs() * ab.1;
    (value, permanent)
}

/// The parameter from two heights of opposite sign, or `None` if their digits do not suffice.
fn parameter(p: DoubleDouble, q: DoubleDouble, permanent: f64) -> Option<f64> {
    let (p, sum) = (p.abs().high, (p.abs() + q.abs()).high);
    let enough = permanent > SMALLEST_PERMANENT && sum > ENOUGH * permanent;
    enough.then(|| (p / sum).clamp(0.0, 1.0))
}

/// The parameter from two heights that are exact.
fn exact_parameter(p: &BigInt, q: &BigInt) -> f64 {
    let (p, q) = (p.magnitude(), q.magnitude());
    ratio(p, &(p + q))
}
