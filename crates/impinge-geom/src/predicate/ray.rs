//! On which side of an edge does a ray pass? The sign that makes ray casting against meshes watertight.

use super::dyadic::{Dyadic, sign};
use super::orient::UNDERFLOW_GUARD;
use crate::number::tolerance::UNIT_ROUNDOFF;
use glam::{DVec2, DVec3};
use num_bigint::BigInt;

/// The sign of direction · ((a − origin) × (b − origin)): 1 if the ray's line passes the directed edge from `a` to `b` on one
/// side, −1 on the other, 0 if they meet or are parallel. Exact, and so opposite for the edge from `b` to `a`.
///
/// ```
/// use impinge_geom::{glam::DVec3, predicate::ray_side};
/// let (origin, direction) = (DVec3::new(0.0, 0.0, -1.0), DVec3::Z);
/// assert_eq!(ray_side(origin, direction, DVec3::X, DVec3::Y), 1);
/// assert_eq!(ray_side(origin, direction, DVec3::Y, DVec3::X), -1);
/// assert_eq!(ray_side(origin, direction, DVec3::X, DVec3::NEG_X), 0);
/// ```
#[inline]
pub fn ray_side(origin: DVec3, direction: DVec3, a: DVec3, b: DVec3) -> i32 {
    let (p, q, d) = (a - origin, b - origin, direction);
    let (yz, zy) = (p.y * q.z, p.z * q.y);
    let (zx, xz) = (p.z * q.x, p.x * q.z);
    let (xy, yx) = (p.x * q.y, p.y * q.x);
    let determinant = d.x * (yz - zy) + d.y * (zx - xz) + d.z * (xy - yx);
    let permanent = d.x.abs() * (yz.abs() + zy.abs())
        + d.y.abs() * (zx.abs() + xz.abs())
        + d.z.abs() * (xy.abs() + yx.abs());
    // Two differences, two products and three sums lie on the way of every term: 7u, and 8u covers the permanent's rounding.
    let bound = 8.0 * UNIT_ROUNDOFF * permanent;
    if permanent > UNDERFLOW_GUARD {
        if determinant > bound {
            return 1;
        }
        if determinant < -bound {
            return -1;
        }
    }
    // Along an axis through a corner, or in a plane of two axes with it, all is zero: differences are zero only where they are so exactly.
    let none = |u: f64, v: f64| (u == 0.0) | (v == 0.0);
    let x = (d.x == 0.0) | none(p.y, q.z) & none(p.z, q.y);
    let y = (d.y == 0.0) | none(p.z, q.x) & none(p.x, q.z);
    let z = (d.z == 0.0) | none(p.x, q.y) & none(p.y, q.x);
    if x & y & z { 0 } else { ray_side_exact(origin, direction, a, b) }
}

#[cold]
fn ray_side_exact(o: DVec3, d: DVec3, a: DVec3, b: DVec3) -> i32 {
    // The polynomial is of degree one in the direction and two in the coordinates: each has its own power of two.
    let [dx, dy, dz] = Dyadic::common(d.to_array());
    let [ox, oy, oz, ax, ay, az, bx, by, bz] =
        Dyadic::common([o.x, o.y, o.z, a.x, a.y, a.z, b.x, b.y, b.z]);
    let p: [BigInt; 3] = [ax - &ox, ay - &oy, az - &oz];
    let q: [BigInt; 3] = [bx - &ox, by - &oy, bz - &oz];
    let determinant = dx * (&p[1] * &q[2] - &p[2] * &q[1])
        + dy * (&p[2] * &q[0] - &p[0] * &q[2])
        + dz * (&p[0] * &q[1] - &p[1] * &q[0]);
    sign(&determinant)
}

/// The sign of direction × (a − origin) in a coordinate plane: 1 if `a` lies to the left of the ray's line. Exact.
pub(crate) fn ray_side_planar(origin: DVec2, direction: DVec2, a: DVec2) -> i32 {
    let left = direction.x * (a.y - origin.y);
    let right = direction.y * (a.x - origin.x);
    let permanent = left.abs() + right.abs();
    let bound = 4.0 * UNIT_ROUNDOFF * permanent;
    if permanent > UNDERFLOW_GUARD {
        if left - right > bound {
            return 1;
        }
        if left - right < -bound {
            return -1;
        }
    }
    let [dx, dy] = Dyadic::common(direction.to_array());
    let [ox, oy, ax, ay] = Dyadic::common([origin.x, origin.y, a.x, a.y]);
    sign(&(dx * (ay - oy) - dy * (ax - ox)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_those_of_exact_arithmetic_where_coordinates_are_equal() {
        // All directions and corners of a small grid, far from the origin and near it, where products underflow.
        let mut zeros = 0;
        for (shift, size) in [(0.0, 1.0), (1e7, 0.25), (0.0, 5e-324), (3.0, 1e-16)] {
            let point = |k: u32| {
                let along = |power: u32| f64::from(k / 3u32.pow(power) % 3) - 1.0;
                DVec3::new(along(0), along(1), along(2))
            };
            let origin = DVec3::splat(shift);
            for (i, j, k) in (0..27 * 27 * 27).map(|n| (n / 729, n / 27 % 27, n % 27)) {
                let (a, b) = (origin + point(i) * size, origin + point(j) * size);
                let side = ray_side(origin, point(k), a, b);
                assert_eq!(side, ray_side_exact(origin, point(k), a, b), "{a} {b} {}", point(k));
                zeros += u32::from(side == 0);
            }
        }
        assert!(zeros > 20_000 && zeros < 4 * 27 * 27 * 27, "{zeros}");
    }
}
