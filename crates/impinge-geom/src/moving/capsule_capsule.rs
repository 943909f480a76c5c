//! Two capsules, one of which moves without turning; spheres are capsules of no length.
//!
//! The difference of two segments is a parallelogram, and two balls around them add up: the origin moves against a polygon
//! with a radius.

use super::{Times, sphere_polygon};
use glam::DVec3;

/// When two capsules are in contact, the second of which moves by `motion`. Each is the ends of its core segment and a
/// radius.
///
/// ```
/// use impinge_geom::{glam::DVec3, moving::capsule_capsule};
/// let a = ([DVec3::NEG_Z, DVec3::Z], 0.5);
/// let b = ([DVec3::new(4.0, -1.0, 0.0), DVec3::new(4.0, 1.0, 0.0)], 0.5);
/// let times = capsule_capsule(a, b, DVec3::new(-6.0, 0.0, 0.0)).unwrap();
/// assert!((times.first - 0.5).abs() < 1e-15 && (times.last - 5.0 / 6.0).abs() < 1e-15);
/// ```
pub fn capsule_capsule(
    (a, radius_a): ([DVec3; 2], f64),
    (b, radius_b): ([DVec3; 2], f64),
    motion: DVec3,
) -> Option<Times> {
    let corners = [a[0] - b[0], a[1] - b[0], a[1] - b[1], a[0] - b[1]];
    sphere_polygon(DVec3::ZERO, radius_a + radius_b, &corners, motion)
}
