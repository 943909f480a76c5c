//! Exact order and exact normals of points.

use crate::predicate::dyadic::Dyadic;
use glam::DVec3;
use num_bigint::BigInt;
use std::cmp::Ordering;

/// The order of points by x, then y, then z. Positive and negative zero are equal.
pub(super) fn lexicographic(p: DVec3, q: DVec3) -> Ordering {
    let compare = |a: f64, b: f64| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
    compare(p.x, q.x).then(compare(p.y, q.y)).then(compare(p.z, q.z))
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
