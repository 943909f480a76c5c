//! Do points span a plane, or space?

use super::{orient2d, orient3d};
use glam::{DVec2, DVec3};

/// True if all points lie in one plane. Exact.
pub(crate) fn are_coplanar(points: &[DVec3]) -> bool {
    let mut rest = points.iter().copied();
    let Some(a) = rest.next() else { return true };
    let Some(b) = rest.find(|p| *p != a) else { return true };
    let Some(c) = rest.find(|p| !are_collinear(a, b, *p)) else { return true };
    points.iter().all(|p| orient3d(a, b, c, *p) == 0)
}

/// True if the three points lie on a line: a triangle of them has no area. Exact.
///
/// ```
/// use impinge_geom::{glam::DVec3, predicate::are_collinear};
/// assert!(are_collinear(DVec3::ZERO, DVec3::ONE, DVec3::splat(1e9)));
/// assert!(!are_collinear(DVec3::ZERO, DVec3::ONE, DVec3::new(1.0, 1.0, 1.0f64.next_up())));
/// ```
pub fn are_collinear(a: DVec3, b: DVec3, c: DVec3) -> bool {
    let flat = |drop: fn(DVec3) -> DVec2| orient2d(drop(a), drop(b), drop(c)) == 0;
    flat(|p| DVec2::new(p.x, p.y))
        && flat(|p| DVec2::new(p.y, p.z))
        && flat(|p| DVec2::new(p.z, p.x))
}
