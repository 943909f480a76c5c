//! Orientation of points: on which side of a line (in a coordinate plane) or of a plane does a point lie?
//!
//! Stage 1 is the static filter of Shewchuk ("Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
//! Predicates", 1997, §4), stage 2 integers of fixed width (`fixed`), stage 3 his adaptive expansions (the `robust` crate). Expansions are exact only while no product
//! underflows or overflows, so they are used only when every coordinate is zero or within 2^-300 … 2^250: a coordinate is
//! then a multiple of 2^-353 and a product of three a multiple of 2^-1059, above the smallest subnormal 2^-1074. Stage 4
//! takes integers of any length.

use super::dyadic::{Dyadic, sign};
use super::fixed;
use crate::number::tolerance::UNIT_ROUNDOFF;
use glam::{DVec2, DVec3};
use robust::{Coord, Coord3D};

/// 2^-300: see the module's note on expansions.
const SMALLEST_SAFE: f64 = f64::from_bits((1023 - 300) << 52);

/// True if expansions are exact on this coordinate.
#[inline]
fn is_safe(value: f64) -> bool {
    value == 0.0 || value.abs() >= SMALLEST_SAFE
}

/// Positive (1) if `d` lies below the plane through `a`, `b`, `c` — the side from which they turn clockwise is above —,
/// negative (-1) if above, 0 if the four points are coplanar. Exact.
///
/// It is the sign of the determinant with rows `a − d`, `b − d`, `c − d`.
///
/// ```
/// use impinge_geom::predicate::orient3d;
/// use glam::DVec3;
/// assert_eq!(orient3d(DVec3::X, DVec3::Y, DVec3::Z, DVec3::ZERO), 1);
/// assert_eq!(orient3d(DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE), -1);
/// let tiny = 2f64.powi(-400);
/// assert_eq!(orient3d(DVec3::X * tiny, DVec3::Y * tiny, DVec3::Z * tiny, DVec3::ZERO), 1);
/// ```
#[inline]
pub fn orient3d(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> i32 {
    match orient3d_filter(a, b, c, d) {
        Some(sign) => sign,
        None => orient3d_slow(a, b, c, d),
    }
}

/// The floating filter of [`orient3d`]: none where rounding may hide the sign.
#[inline]
pub(crate) fn orient3d_filter(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Option<i32> {
    let (p, q, r) = (a - d, b - d, c - d);
    let bc = q.x * r.y - r.x * q.y;
    let ca = r.x * p.y - p.x * r.y;
    let ab = p.x * q.y - q.x * p.y;
    let determinant = p.z * bc + q.z * ca + r.z * ab;
    let permanent = ((q.x * r.y).abs() + (r.x * q.y).abs()) * p.z.abs()
        + ((r.x * p.y).abs() + (p.x * r.y).abs()) * q.z.abs()
        + ((p.x * q.y).abs() + (q.x * p.y).abs()) * r.z.abs();
    // Shewchuk's bound (7 + 56u)u, rounded up to 8u, which leaves room for what underflow adds above the guard.
    let bound = 8.0 * UNIT_ROUNDOFF * permanent;
    if permanent > UNDERFLOW_GUARD {
        if determinant > bound {
            return Some(1);
        }
        if determinant < -bound {
            return Some(-1);
        }
    }
    None
}

/// 2^-760: below this permanent the relative error bounds of the filters are not trusted.
///
/// A product of two that underflows is wrong by up to 2^-1075, and the third factor, a difference of coordinates up to
/// 2^252 (2^250 after a rigid motion), lifts that to 2^-822; six of them stay below 2^-819. Above the guard the spare unit
/// roundoff of the bound is worth at least 2^-813.
pub(crate) const UNDERFLOW_GUARD: f64 = f64::from_bits((1023 - 760) << 52);

#[cold]
fn orient3d_slow(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> i32 {
    // A point that is a corner of the triangle, four points of a plane across an axis, and of two lines along one: most of what is flush.
    if d == a || d == b || d == c || (a.cmpeq(d) & b.cmpeq(d) & c.cmpeq(d)).any() {
        return 0;
    }
    if are_on_two_lines_along_an_axis([a, b, c, d]) {
        return 0;
    }
    let coordinates = [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z];
    if let Some(sign) = fixed::orient3d(&coordinates) {
        return sign;
    }
    if coordinates.iter().all(|v| is_safe(*v)) {
        let coordinate = |p: DVec3| Coord3D { x: p.x, y: p.y, z: p.z };
        let value = robust::orient3d(coordinate(a), coordinate(b), coordinate(c), coordinate(d));
        return (value > 0.0) as i32 - (value < 0.0) as i32;
    }
    let [ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz] = Dyadic::common(coordinates);
    let (px, py, pz) = (ax - &dx, ay - &dy, az - &dz);
    let (qx, qy, qz) = (bx - &dx, by - &dy, bz - &dz);
    let (rx, ry, rz) = (cx - &dx, cy - &dy, cz - &dz);
    let determinant =
        pz * (&qx * &ry - &rx * &qy) + qz * (&rx * &py - &px * &ry) + rz * (&px * &qy - &qx * &py);
    sign(&determinant)
}

/// True if along some axis no more than two of four points are seen, as of the side of a prism: then they lie in one plane.
fn are_on_two_lines_along_an_axis(points: [DVec3; 4]) -> bool {
    let [a, b, c, d] = points;
    let same = |p: DVec3, q: DVec3| {
        let equal = p.cmpeq(q);
        [equal.y & equal.z, equal.z & equal.x, equal.x & equal.y]
    };
    let (ab, ac, ad) = (same(a, b), same(a, c), same(a, d));
    let (bc, bd, cd) = (same(b, c), same(b, d), same(c, d));
    (0..3).any(|k| {
        let pairs = (ab[k] & cd[k]) | (ac[k] & bd[k]) | (ad[k] & bc[k]);
        let three = (ab[k] & ac[k]) | (ab[k] & ad[k]) | (ac[k] & ad[k]) | (bc[k] & bd[k]);
        pairs | three
    })
}

/// Positive (1) if `a`, `b`, `c` turn counter-clockwise, negative (-1) if clockwise, 0 if they are collinear. Exact.
///
/// ```
/// use impinge_geom::predicate::orient2d;
/// use glam::DVec2;
/// assert_eq!(orient2d(DVec2::ZERO, DVec2::X, DVec2::Y), 1);
/// assert_eq!(orient2d(DVec2::ZERO, DVec2::Y, DVec2::X), -1);
/// assert_eq!(orient2d(DVec2::ZERO, DVec2::ONE, DVec2::ONE * 3.0), 0);
/// ```
#[inline]
pub fn orient2d(a: DVec2, b: DVec2, c: DVec2) -> i32 {
    match orient2d_filter(a, b, c) {
        Some(sign) => sign,
        None => orient2d_slow(a, b, c),
    }
}

/// The floating filter of [`orient2d`]: none where rounding may hide the sign.
#[inline]
pub(crate) fn orient2d_filter(a: DVec2, b: DVec2, c: DVec2) -> Option<i32> {
    let left = (a.x - c.x) * (b.y - c.y);
    let right = (a.y - c.y) * (b.x - c.x);
    let determinant = left - right;
    let permanent = left.abs() + right.abs();
    let bound = 4.0 * UNIT_ROUNDOFF * permanent;
    if permanent > UNDERFLOW_GUARD {
        if determinant > bound {
            return Some(1);
        }
        if determinant < -bound {
            return Some(-1);
        }
    }
    None
}

#[cold]
fn orient2d_slow(a: DVec2, b: DVec2, c: DVec2) -> i32 {
    // Two of the points are one, or all lie on a line along an axis.
    if a == c || b == c || a == b || (a.cmpeq(c) & b.cmpeq(c)).any() {
        return 0;
    }
    let coordinates = [a.x, a.y, b.x, b.y, c.x, c.y];
    if let Some(sign) = fixed::orient2d(&coordinates) {
        return sign;
    }
    if coordinates.iter().all(|v| is_safe(*v)) {
        let coordinate = |p: DVec2| Coord { x: p.x, y: p.y };
        let value = robust::orient2d(coordinate(a), coordinate(b), coordinate(c));
        return (value > 0.0) as i32 - (value < 0.0) as i32;
    }
    let [ax, ay, bx, by, cx, cy] = Dyadic::common(coordinates);
    let determinant = (ax - &cx) * (by - &cy) - (ay - &cy) * (bx - &cx);
    sign(&determinant)
}

/// On which side of the line from `u` to `v` a point on it is after a shift by (ε, ε²), for all small ε: the sign that
/// [`orient2d`] then has. Zero only if `u` and `v` are one point.
///
/// A point that is shifted so lies on no line through two of finitely many points, so that half-open rules need no cases
/// (H. Edelsbrunner and E. Mücke, "Simulation of simplicity", 1990).
///
/// ```
/// use impinge_geom::predicate::shifted_side;
/// use glam::DVec2;
/// assert_eq!(shifted_side(DVec2::ZERO, DVec2::Y), -1);
/// assert_eq!(shifted_side(DVec2::ZERO, DVec2::X), 1);
/// ```
#[inline]
pub fn shifted_side(u: DVec2, v: DVec2) -> i32 {
    let sign = |from: f64, to: f64| (to > from) as i32 - (to < from) as i32;
    match sign(v.y, u.y) {
        0 => sign(u.x, v.x),
        side => side,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corners of prisms along each axis, in all orders: the shortcut says no more than integers do, and finds what it should.
    #[test]
    fn points_on_two_lines_along_an_axis_are_in_one_plane() {
        let columns = [[0.1, 0.7], [0.3, -0.2], [1.0 / 3.0, 0.9]];
        let mut found = 0;
        for code in 0..81usize * 27 {
            let digit = |k: u32| code / 3usize.pow(k) % 3;
            let mut points = [0, 1, 2, 3].map(|k| {
                let [x, y] = columns[digit(k)];
                DVec3::new(x, y, 0.37 * digit(4 + k % 3) as f64 + 0.11 * f64::from(k))
            });
            for _ in 0..3 {
                points = points.map(|p| DVec3::new(p.z, p.x, p.y));
                let [a, b, c, d] = points;
                let coordinates = [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, d.x, d.y, d.z];
                let exact = fixed::orient3d(&coordinates);
                assert_eq!(exact, Some(orient3d(a, b, c, d)));
                if are_on_two_lines_along_an_axis(points) {
                    assert_eq!(exact, Some(0), "{points:?}");
                    found += 1;
                }
            }
        }
        // Four points in three columns: 45 of 81 ways use two of them at most.
        assert_eq!(found, 45 * 27 * 3);
    }
}
