//! Exact decisions about points of a hull, with short cuts for the commonest degeneracy: points in an axis-parallel plane.

use crate::predicate::dyadic::Dyadic;
use crate::predicate::{orient2d, orient3d};
use glam::{DVec3, Vec3Swizzles as _};
use num_bigint::BigInt;
use std::cmp::Ordering;

/// The order of points by x, then y, then z. Positive and negative zero are equal.
pub(super) fn lexicographic(p: DVec3, q: DVec3) -> Ordering {
    let compare = |a: f64, b: f64| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
    compare(p.x, q.x).then(compare(p.y, q.y)).then(compare(p.z, q.z))
}

/// As [`orient3d`]: positive if `d` lies below the plane of `a`, `b`, `c`, which turn counter-clockwise seen from above.
#[inline]
pub(super) fn side(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> i32 {
    let level = |i: usize| a[i] == d[i] && b[i] == d[i] && c[i] == d[i];
    if level(0) || level(1) || level(2) { 0 } else { orient3d(a, b, c, d) }
}

/// True if the four points lie in one plane.
pub(super) fn coplanar(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> bool {
    side(a, b, c, d) == 0
}

/// True if the three points lie on one line: their shadows on all three coordinate planes do.
pub(super) fn collinear(a: DVec3, b: DVec3, c: DVec3) -> bool {
    (0..3).all(|axis| turn(axis, a, b, c) == 0)
}

/// The turn of the points seen along a coordinate axis: 1 if counter-clockwise about it, -1 if clockwise, 0 if straight.
#[inline]
pub(super) fn turn(axis: usize, a: DVec3, b: DVec3, c: DVec3) -> i32 {
    let shadow = |p: DVec3| match axis {
        0 => p.yz(),
        1 => p.zx(),
        _ => p.xy(),
    };
    let (a, b, c) = (shadow(a), shadow(b), shadow(c));
    let level = |i: usize| a[i] == c[i] && b[i] == c[i];
    if level(0) || level(1) { 0 } else { orient2d(a, b, c) }
}

/// The normal (b − a) × (c − a), computed exactly and then rounded once per component, at a scale of its own: the largest
/// component is between 2^61 and 2^63. Zero only for collinear points.
pub(super) fn exact_normal(a: DVec3, b: DVec3, c: DVec3) -> DVec3 {
    let [ax, ay, az, bx, by, bz, cx, cy, cz] =
        Dyadic::common([a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z]);
    let (ux, uy, uz) = (bx - &ax, by - &ay, bz - &az);
    let (vx, vy, vz) = (cx - ax, cy - ay, cz - az);
    let normal = [&uy * &vz - &uz * &vy, &uz * &vx - &ux * &vz, &ux * &vy - &uy * &vx];
    let bits = normal.iter().map(BigInt::bits).max().unwrap_or(0);
    let component = |value: &BigInt| {
        let value = if bits > 62 { value >> (bits - 62) } else { value << (62 - bits) };
        i64::try_from(value).unwrap_or(0) as f64
    };
    DVec3::from_array([0, 1, 2].map(|i| component(&normal[i])))
}
