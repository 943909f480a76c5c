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
    ray_side_exact(origin, direction, a, b)
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
