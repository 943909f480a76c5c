//! Two spheres, one of which moves on a line.
//!
//! The quadratic of a ray and a sphere, in the stable form of E. Haines, J. Günther, T. Akenine-Möller, "Precision
//! improvements for ray/sphere intersection" (Ray Tracing Gems, 2019): the discriminant from the part of the distance
//! across the motion, and the roots without a difference of nearly equal numbers.

use super::Times;
use glam::DVec3;

/// When a sphere that moves by `motion` is in contact with one that rests.
///
/// `between` goes from the centre of the resting sphere to that of the moving one, `radius` is the sum of the radii.
///
/// ```
/// use impinge_geom::{glam::DVec3, moving::sphere_sphere};
/// let times = sphere_sphere(DVec3::new(4.0, 0.0, 0.0), 2.0, DVec3::new(-8.0, 0.0, 0.0)).unwrap();
/// assert_eq!((times.first, times.last), (0.25, 0.75));
/// assert!(sphere_sphere(DVec3::new(4.0, 2.5, 0.0), 2.0, DVec3::new(-8.0, 0.0, 0.0)).is_none());
/// ```
pub fn sphere_sphere(between: DVec3, radius: f64, motion: DVec3) -> Option<Times> {
    let distance = between.length();
    let square = motion.length_squared();
    if square == 0.0 {
        return (distance <= radius).then_some(Times::ALWAYS);
    }
    let along = between.dot(motion);
    let across = between - motion * (along / square);
    let left = radius * radius - across.length_squared();
    if left < 0.0 {
        return None;
    }
    let root = (square * left).sqrt();
    // The root farther from zero first; the other from the product of both.
    let far = if along > 0.0 { -along - root } else { root - along };
    let product = (distance - radius) * (distance + radius);
    let (one, other) = (far / square, if far == 0.0 { 0.0 } else { product / far });
    Times::clipped(one.min(other), one.max(other))
}
