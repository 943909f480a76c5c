//! The stage in f64: Bernstein polynomials with error bounds, subdivided in time.
//!
//! On an interval of time the cubic has no root where its Bernstein coefficients have one sign, and exactly one where its
//! ends have opposite signs and its differences one sign. There is no contact where two areas that have to agree have
//! opposite signs throughout. An interval about which none of that can be said is halved, a few times.
//!
//! Error bounds, with u = 2^-53 and `N_i` the larger length of `q_i` at the two ends: a coefficient of the cubic sums up
//! products of magnitude at most 1.16 N1 N2 N3 in all, each with at most 10 roundings, and restricting it to an interval
//! adds 10 more: 24 u N1 N2 N3, taken as 32. A component of `m` is below N_i N_j with at most 12 roundings: taken as 16;
//! of their sum 20 of each.

use super::Feature;
use crate::moving::EARLY;
use crate::number::tolerance::UNIT_ROUNDOFF;
use glam::DVec3;

/// Intervals are halved this often at most.
const DEPTH: u32 = 6;

/// The number of intervals examined before the question goes to the next stage.
const INTERVALS: u32 = 48;

/// Steps of the search for a simple root; Newton's steps halve the number of missing digits.
const STEPS: u32 = 24;

/// 2^-700: products below it may have lost digits to underflow.
const SMALLEST: f64 = f64::from_bits((1023 - 700) << 52);

/// What the filter says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Filtered {
    /// There is no contact.
    Never,
    /// The first contact is at this time or at most [`EARLY`] later.
    At(f64),
    /// Rounding hides the answer.
    Unknown,
}

/// The polynomials of the module's notes, as Bernstein coefficients on [0, 1].
#[derive(Clone, Copy, Debug)]
pub(super) struct Polynomials {
    /// Coefficients of f.
    pub(super) cubic: [f64; 4],
    /// The error of a restricted coefficient of f; not finite if nothing can be said.
    pub(super) cubic_error: f64,
    /// Coefficients of m1, m2, m3.
    pub(super) areas: [[DVec3; 3]; 3],
    /// The error of a component of any restricted coefficient of them, and of their sum.
    pub(super) area_error: f64,
}

impl Polynomials {
    /// From the points at both ends of the time.
    #[inline]
    pub(super) fn new(start: &[DVec3; 4], end: &[DVec3; 4]) -> Self {
        let a = [start[1] - start[0], start[2] - start[0], start[3] - start[0]];
        let b = [end[1] - end[0], end[2] - end[0], end[3] - end[0]];
        let first = [a[1].cross(a[2]), a[1].cross(b[2]) + b[1].cross(a[2]), b[1].cross(b[2])];
        let cubic = [
            a[0].dot(first[0]),
            (b[0].dot(first[0]) + a[0].dot(first[1])) / 3.0,
            (b[0].dot(first[1]) + a[0].dot(first[2])) / 3.0,
            b[0].dot(first[2]),
        ];
        let length = |i: usize| a[i].length_squared().max(b[i].length_squared()).sqrt();
        let (n1, n2, n3) = (length(0), length(1), length(2));
        let (n12, n23, n31) = (n1 * n2, n2 * n3, n3 * n1);
        let volume = n12 * n3;
        let safe = volume > SMALLEST && n12.min(n23).min(n31) > SMALLEST && volume.is_finite();
        Self {
            cubic,
            cubic_error: if safe { 32.0 * UNIT_ROUNDOFF * volume } else { f64::INFINITY },
            areas: [
                [first[0], first[1] * 0.5, first[2]],
                Self::area(a[2], a[0], b[2], b[0]),
                Self::area(a[0], a[1], b[0], b[1]),
            ],
            area_error: 20.0 * UNIT_ROUNDOFF * (n12 + n23 + n31),
        }
    }

    /// The coefficients of `p × q`.
    #[inline]
    fn area(p0: DVec3, q0: DVec3, p1: DVec3, q1: DVec3) -> [DVec3; 3] {
        [p0.cross(q0), (p0.cross(q1) + p1.cross(q0)) * 0.5, p1.cross(q1)]
    }
}

#[inline(always)]
fn mix(a: f64, b: f64, t: f64) -> f64 {
    a * (1.0 - t) + b * t
}

/// The Bernstein coefficients of a cubic on [l, r].
#[inline]
fn restricted(c: &[f64; 4], l: f64, r: f64) -> [f64; 4] {
    let at = |t: f64| {
        let (p, q, s) = (mix(c[0], c[1], t), mix(c[1], c[2], t), mix(c[2], c[3], t));
        (mix(p, q, t), mix(q, s, t))
    };
    let ((l0, l1), (r0, r1)) = (at(l), at(r));
    [mix(l0, l1, l), mix(l0, l1, r), mix(r0, r1, l), mix(r0, r1, r)]
}

/// The value of a cubic and a third of its derivative.
#[inline]
fn value(c: &[f64; 4], t: f64) -> (f64, f64) {
    let (p, q, s) = (mix(c[0], c[1], t), mix(c[1], c[2], t), mix(c[2], c[3], t));
    let (a, b) = (mix(p, q, t), mix(q, s, t));
    (mix(a, b, t), b - a)
}

/// 1 or −1 if all numbers are beyond the error on one side, else 0.
#[inline]
fn common_sign<const N: usize>(values: &[f64; N], error: f64) -> i32 {
    let above = values.iter().all(|v| *v > error);
    let below = values.iter().all(|v| *v < -error);
    i32::from(above) - i32::from(below)
}

/// Whether features whose points are coplanar meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    Yes,
    No,
    Unknown,
}

/// Whether they meet at any time of [l, r] at which they are coplanar, by the signs of areas along one axis.
pub(super) fn meeting(feature: Feature, polynomials: &Polynomials, l: f64, r: f64) -> Meeting {
    let middle = 0.5 * (l + r);
    let vector = |i: usize| {
        let [a, b, c] = polynomials.areas[i];
        let (p, q) = (a.lerp(b, middle), b.lerp(c, middle));
        p.lerp(q, middle).abs()
    };
    let size = vector(0) + vector(1) + vector(2);
    let axis = if size.x >= size.y && size.x >= size.z {
        0
    } else if size.y >= size.z {
        1
    } else {
        2
    };
    let error = polynomials.area_error;
    let area = |i: usize| {
        let [a, b, c] = polynomials.areas[i];
        let (a, b, c) = (a[axis], b[axis], c[axis]);
        let (p, q) = (mix(a, b, l), mix(b, c, l));
        [mix(p, q, l), mix(p, q, r), mix(mix(a, b, r), mix(b, c, r), r)]
    };
    let [m1, m2, m3] = [area(0), area(1), area(2)];
    let sign = |values: &[f64; 3]| common_sign(values, error);
    let (s1, s2, s3) = (sign(&m1), sign(&m2), sign(&m3));
    let opposite = |a: i32, b: i32| a * b < 0;
    match feature {
        Feature::VertexFace => {
            if opposite(s1, s2) || opposite(s2, s3) || opposite(s3, s1) {
                Meeting::No
            } else if s1 != 0 && s2 != 0 && s3 != 0 {
                Meeting::Yes
            } else {
                Meeting::Unknown
            }
        }
        Feature::EdgeEdge => {
            let sum = sign(&[0, 1, 2].map(|j| m1[j] + m2[j] + m3[j]));
            if opposite(s2, s3) || opposite(-s1, sum) {
                Meeting::No
            } else if s2 != 0 && s3 != 0 && s1 != 0 && sum != 0 {
                Meeting::Yes
            } else {
                Meeting::Unknown
            }
        }
    }
}

/// The sign on [l, r] of a polynomial with these Bernstein coefficients, each rounded once; 0 if it may have a root there.
pub(super) fn sign_between(coefficients: &[f64], l: f64, r: f64) -> i32 {
    let mut c = [0.0; 4];
    match *coefficients {
        [a, b] => c = [a, mix(a, b, 1.0 / 3.0), mix(a, b, 2.0 / 3.0), b],
        [a, b, d] => c = [a, (a + 2.0 * b) / 3.0, (2.0 * b + d) / 3.0, d],
        [a, b, d, e] => c = [a, b, d, e],
        _ => {}
    }
    let largest = c.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    common_sign(&restricted(&c, l, r), 32.0 * UNIT_ROUNDOFF * largest)
}

/// The first time of contact, if rounding does not hide it.
#[inline]
pub(super) fn first_time(feature: Feature, polynomials: &Polynomials) -> Filtered {
    let error = polynomials.cubic_error;
    if common_sign(&polynomials.cubic, error) != 0 {
        return Filtered::Never;
    }
    if !error.is_finite() {
        return Filtered::Unknown;
    }
    subdivided(feature, polynomials)
}

fn subdivided(feature: Feature, polynomials: &Polynomials) -> Filtered {
    let (cubic, error) = (&polynomials.cubic, polynomials.cubic_error);
    // The leftmost interval is on top; those beside the path down are at most one per level.
    let mut stack = [(0.0, 1.0, 0); DEPTH as usize + 2];
    let mut count = 1;
    for _ in 0..INTERVALS {
        if count == 0 {
            return Filtered::Never;
        }
        count -= 1;
        let (l, r, depth) = stack[count];
        let c = if depth == 0 { *cubic } else { restricted(cubic, l, r) };
        if common_sign(&c, error) != 0 || meeting(feature, polynomials, l, r) == Meeting::No {
            continue;
        }
        let slope = common_sign(&[c[1] - c[0], c[2] - c[1], c[3] - c[2]], 2.0 * error);
        let crosses = common_sign(&[c[0], -c[3]], error) != 0;
        if slope != 0 && crosses {
            let Some((from, to)) = simple_root(cubic, error, l, r, f64::from(slope)) else {
                return Filtered::Unknown;
            };
            match meeting(feature, polynomials, from, to) {
                Meeting::No => continue,
                Meeting::Yes => return Filtered::At(from),
                Meeting::Unknown => return Filtered::Unknown,
            }
        }
        if depth == DEPTH {
            return Filtered::Unknown;
        }
        let middle = 0.5 * (l + r);
        stack[count] = (middle, r, depth + 1);
        stack[count + 1] = (l, middle, depth + 1);
        count += 2;
    }
    if count == 0 { Filtered::Never } else { Filtered::Unknown }
}

/// An interval at most [`EARLY`] long around the only root in [l, r], where the cubic rises (1) or falls (−1): at the ends
/// its signs are certain.
fn simple_root(c: &[f64; 4], error: f64, l: f64, r: f64, slope: f64) -> Option<(f64, f64)> {
    let (mut low, mut high) = (l, r);
    let mut t = 0.5 * (l + r);
    let mut steep = 0.0;
    for _ in 0..STEPS {
        let (f, third) = value(c, t);
        let (f, derivative) = (f * slope, 3.0 * third * slope);
        steep = derivative;
        // Closer than rounding tells: the margin covers it.
        if f.abs() <= 0.125 * error {
            break;
        }
        if f < 0.0 {
            low = t
        } else {
            high = t
        }
        let next = t - f / derivative;
        let next = if next > low && next < high { next } else { 0.5 * (low + high) };
        let step = (next - t).abs();
        t = next;
        if step <= UNIT_ROUNDOFF {
            break;
        }
    }
    let mut margin = 1.25 * error / steep + 4.0 * UNIT_ROUNDOFF;
    for _ in 0..3 {
        let (from, to) = ((t - margin).max(l), (t + margin).min(r));
        if to - from > EARLY || !margin.is_finite() {
            return None;
        }
        if slope * value(c, from).0 < -error && slope * value(c, to).0 > error {
            return Some((from, to));
        }
        margin *= 4.0;
    }
    None
}
