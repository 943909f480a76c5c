//! A line and a triangle that it all but lies in, or that is all but a line: numbers that f64 would lose in rounding.
//!
//! With p, q, r the corners seen from the origin, the line meets the triangle's plane in the point with the weights d·(q×r), d·(r×p), d·(p×q) over their
//! sum, and at t = p·(q×r) over the same sum. Where the sum is small beside its terms, it is computed with twice the digits, and in integers where even that
//! does not give the quotients to 2^-52.

use crate::number::double_double::DoubleDouble;
use crate::number::exact::Exact;
use glam::DVec3;
use std::ops::{Add, Mul, Sub};

/// 2^-9: normal · direction, relative to the sum of the magnitudes of its terms, below which a triangle is thin along a line. Both terms of t have seven
/// roundings; of others t is right to 14 · 2^-53 · 2^9, less than 1e-12 of the largest coordinate.
pub(super) const THIN: f64 = 1.0 / 512.0;

/// 2^-47: a sum of weights that is more than this times its terms is right to 2^-52 with twice the digits.
const ENOUGH: f64 = f64::from_bits((1023 - 47) << 52);

/// 2^-700: of smaller terms low parts may have underflowed.
const SMALLEST: f64 = f64::from_bits((1023 - 700) << 52);

/// 2^-19: the same for the weights, whose terms are products of corners. Of others the point is right to 24 · 2^-53 · 2^19, about 1e-9 of the largest
/// coordinate; most are right to a tenth of that.
pub(super) const FAR: f64 = 1.0 / 524_288.0;

/// True if t would lose more than three of its digits, or the point more than six: `along` is the product of `d` and the normal, which is the product of two
/// edges at `p`.
#[inline(always)]
pub(super) fn is_thin(along: f64, p: DVec3, [first, second]: [DVec3; 2], d: DVec3) -> bool {
    let reach = |v: DVec3| v.x.abs() + v.y.abs() + v.z.abs();
    let (first, second) = (reach(first), reach(second));
    let (longer, shorter) = if first > second { (first, second) } else { (second, first) };
    let (thin, far) = (THIN * shorter, FAR * (reach(p) + longer));
    along.abs() < longer * (if thin > far { thin } else { far }) * d.abs().max_element()
}

/// Where the line meets the plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// In lengths of the direction; of any sign.
    pub(super) t: f64,
    /// Those of the corners, with the sum one.
    pub(super) weights: [f64; 3],
}

/// Where the line meets the plane of the triangle, which does not hold the line.
#[cold]
#[inline(never)]
pub(super) fn crossing(corners: &[DVec3; 3], o: DVec3, d: DVec3) -> Crossing {
    twice(corners, o, d).unwrap_or_else(|| exactly(corners, o, d))
}

fn twice(corners: &[DVec3; 3], o: DVec3, d: DVec3) -> Option<Crossing> {
    let seen = corners.map(|v| [0, 1, 2].map(|k| DoubleDouble::difference(v[k], o[k])));
    let direction = d.to_array().map(|x| DoubleDouble::difference(x, 0.0));
    let (weights, volume) = products(&seen, &direction);
    let reach = |v: &[DoubleDouble; 3]| v.iter().map(|x| x.high.abs()).fold(0.0, f64::max);
    let [p, q, r] = [0, 1, 2].map(|k| reach(&seen[k]));
    // No product is larger than six times this.
    let terms = (p * q).max(q * r).max(r * p) * d.abs().max_element();
    let sum = weights[0] + weights[1] + weights[2];
    let enough = terms > SMALLEST && terms < 1.0 / SMALLEST && sum.high.abs() > ENOUGH * terms;
    enough.then(|| Crossing {
        t: volume.high / sum.high,
        weights: weights.map(|weight| weight.high / sum.high),
    })
}

fn exactly(corners: &[DVec3; 3], o: DVec3, d: DVec3) -> Crossing {
    let o = o.to_array().map(Exact::from);
    let seen = corners.map(|v| [0, 1, 2].map(|k| Term(&Exact::from(v[k]) - &o[k])));
    let (weights, volume) = products(&seen, &d.to_array().map(|x| Term(Exact::from(x))));
    let sum = &(&weights[0].0 + &weights[1].0) + &weights[2].0;
    Crossing {
        t: volume.0.quotient(&sum),
        weights: weights.each_ref().map(|weight| weight.0.quotient(&sum)),
    }
}

/// d·(q×r), d·(r×p), d·(p×q), and p·(q×r).
fn products<N>([p, q, r]: &[[N; 3]; 3], d: &[N; 3]) -> ([N; 3], N)
where
    N: Clone + Add<Output = N> + Sub<Output = N> + Mul<Output = N>,
{
    let times = |a: &N, b: &N| a.clone() * b.clone();
    let cross = |u: &[N; 3], v: &[N; 3]| {
        [(1, 2), (2, 0), (0, 1)].map(|(i, j)| times(&u[i], &v[j]) - times(&u[j], &v[i]))
    };
    let dot =
        |u: &[N; 3], v: &[N; 3]| times(&u[0], &v[0]) + times(&u[1], &v[1]) + times(&u[2], &v[2]);
    let behind_p = cross(q, r);
    ([dot(d, &behind_p), dot(d, &cross(r, p)), dot(d, &cross(p, q))], dot(p, &behind_p))
}

/// An exact number by value, as generic arithmetic wants it.
#[derive(Clone)]
struct Term(Exact);

impl Add for Term {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(&self.0 + &other.0)
    }
}

impl Sub for Term {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(&self.0 - &other.0)
    }
}

impl Mul for Term {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self(&self.0 * &other.0)
    }
}

/// The share of the way from the first end of an edge to the second at which a line of the same coordinate plane passes it. The products of the direction
/// with the ends, `sides`, are of opposite sign; `terms` is the sum of the magnitudes of what they are sums of.
pub(super) fn share(sides: [f64; 2], terms: f64, exact: impl FnOnce() -> [Exact; 2]) -> f64 {
    let [near, far] = sides.map(f64::abs);
    if near + far > THIN * terms && terms > SMALLEST {
        return near / (near + far);
    }
    let [near, far] = exact();
    let (near, far) = (near.signed(near.sign()), far.signed(far.sign()));
    near.quotient(&(&near + &far))
}
