//! Culling of what a moving body cannot meet: by the shaft of its box, by a swept sphere, by a few of them.
//!
//! A shaft is the convex hull of a box at both ends of its way (E. Haines, J. Wallace, "Shaft culling for efficient ray-cast
//! radiosity", 1991). For two boxes of one size it is bounded by their common box and by three slabs along the motion.

use crate::aabb::DAabb;
use crate::number::tolerance::UNIT_ROUNDOFF;
use glam::DVec3;

/// The shaft of a box that moves without turning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shaft {
    center: DVec3,
    half: DVec3,
    motion: DVec3,
    /// Rounding errors of a projection, per unit of the axis.
    error: f64,
}

impl Shaft {
    /// The shaft of a box that moves by `motion`.
    ///
    /// ```
    /// use impinge_geom::{DAabb, glam::DVec3, moving::Shaft};
    /// let unit = DAabb { low: DVec3::ZERO, high: DVec3::ONE };
    /// let shaft = Shaft::new(&unit, DVec3::new(9.0, 9.0, 0.0));
    /// let moved = |by: DVec3| DAabb { low: unit.low + by, high: unit.high + by };
    /// assert!(shaft.may_meet(&moved(DVec3::new(5.0, 4.5, 0.0))));
    /// assert!(!shaft.may_meet(&moved(DVec3::new(7.0, 2.0, 0.0))), "beside the way, inside the common box");
    /// ```
    pub fn new(of: &DAabb, motion: DVec3) -> Self {
        let (center, half) = (0.5 * (of.low + of.high), 0.5 * (of.high - of.low));
        let size = center.abs().max_element() + half.max_element() + motion.abs().max_element();
        Self { center, half, motion, error: 32.0 * UNIT_ROUNDOFF * size }
    }

    /// False only if the box at rest meets the moving one at no time.
    pub fn may_meet(&self, other: &DAabb) -> bool {
        let between = 0.5 * (other.low + other.high) - self.center;
        let half = self.half + 0.5 * (other.high - other.low);
        let size = other.high.abs().max(other.low.abs()).max_element();
        let error = self.error + 32.0 * UNIT_ROUNDOFF * size;
        // The common box: the way's middle, and half its extent.
        let way = 0.5 * self.motion;
        let reach = half + way.abs() + DVec3::splat(error);
        if ((between - way).abs().cmpgt(reach)).any() {
            return false;
        }
        // Slabs across the motion and an axis: the products with the unit vectors.
        let product = self.motion.cross(between).abs();
        let m = self.motion.abs();
        let slab = DVec3::new(
            m.y * half.z + m.z * half.y,
            m.z * half.x + m.x * half.z,
            m.x * half.y + m.y * half.x,
        );
        let slack = DVec3::splat(2.0 * error * m.element_sum());
        !product.cmpgt(slab + slack).any()
    }
}

/// False only if a sphere that moves meets the box at no time: the shaft of its box misses, or it stays on one side of a plane across the way between the
/// points of its line and of the box that are nearest to each other.
///
/// ```
/// use impinge_geom::{DAabb, glam::DVec3, moving::swept_sphere_may_meet};
/// let unit = DAabb { low: DVec3::ZERO, high: DVec3::ONE };
/// assert!(swept_sphere_may_meet(DVec3::splat(-2.0), 0.5, DVec3::splat(3.0), &unit));
/// assert!(!swept_sphere_may_meet(DVec3::splat(-2.0), 0.5, DVec3::X * 9.0, &unit));
/// ```
pub fn swept_sphere_may_meet(center: DVec3, radius: f64, motion: DVec3, other: &DAabb) -> bool {
    let around = DVec3::splat(radius);
    let shaft = Shaft::new(&DAabb { low: center - around, high: center + around }, motion);
    shaft.may_meet(other) && !is_on_one_side(center, radius, motion, other)
}

/// Planes that are tried: the points come nearer to the nearest ones with each.
const PLANES: u32 = 3;

/// True only if a plane separates the way of a sphere from a box.
fn is_on_one_side(center: DVec3, radius: f64, motion: DVec3, other: &DAabb) -> bool {
    let (middle, half) = (0.5 * (other.low + other.high), 0.5 * (other.high - other.low));
    let from = center - middle;
    let sizes = center.abs() + motion.abs() + other.low.abs().max(other.high.abs());
    let error = 32.0 * UNIT_ROUNDOFF * (sizes.element_sum() + radius);
    let mut on_box = DVec3::ZERO;
    for _ in 0..PLANES {
        let along = motion.dot(on_box - from) / motion.length_squared();
        // Without a motion the start is all there is.
        let on_way = from + motion * if along > 0.0 { along.min(1.0) } else { 0.0 };
        on_box = on_way.clamp(-half, half);
        let normal = on_way - on_box;
        let near = normal.dot(from).min(normal.dot(from + motion));
        let reach = normal.abs().dot(half) + (radius + error) * normal.length();
        if near > reach {
            return true;
        }
    }
    false
}

/// The same for a few spheres that together hold a body: all of them have to miss.
///
/// ```
/// use impinge_geom::{DAabb, glam::DVec3, moving::swept_spheres_may_meet};
/// let unit = DAabb { low: DVec3::ZERO, high: DVec3::ONE };
/// let rod = [0.0, 1.0, 2.0].map(|x| (DVec3::new(x, 3.0, 0.0), 0.75));
/// assert!(!swept_spheres_may_meet(&rod, DVec3::X * 9.0, &unit));
/// ```
pub fn swept_spheres_may_meet(spheres: &[(DVec3, f64)], motion: DVec3, other: &DAabb) -> bool {
    spheres.iter().any(|(center, radius)| swept_sphere_may_meet(*center, *radius, motion, other))
}
