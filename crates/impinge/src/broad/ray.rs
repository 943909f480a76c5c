//! A ray as broad phases see it: in f32, in the frame of the boxes, and a little thicker than it is.

use super::Aabb;
use impinge_geom::glam::DVec3;
use impinge_geom::ray::Ray;

/// Nothing farther from the origin of the boxes is looked up in f32.
const FARTHEST: f64 = (1u64 << 60) as f64;
/// The largest slope. A ray that is closer to parallel to a side moves across it by less than the least margin, 2^-42, on its way through
/// everything up to [`FARTHEST`].
const STEEPEST: f64 = (1u128 << 110) as f64;
/// More than rounding the origin to f32 moves it, in units of its largest coordinate.
const MARGIN: f64 = 4.0 * f32::EPSILON as f64;
/// The margin is not less than that of an origin with this coordinate.
const NEAREST: f64 = 1.0 / (1 << 20) as f64;
/// More than rounding changes where a side is crossed, relatively; sorting takes three bits of it.
pub(super) const SLACK: f32 = 32.0 * f32::EPSILON;

/// A ray in the frame of the boxes. It hits every box that the real ray hits, and possibly some that it barely misses.
///
/// ```
/// use impinge::broad::{BroadRay, Aabb};
/// use impinge::geom::{glam::DVec3, ray::Ray};
/// let ray = BroadRay::new(&Ray::new([0.0; 3], [0.0, 0.0, 2.0])?, DVec3::ZERO).unwrap();
/// assert!(ray.meets(&Aabb::new([-1.0, -1.0, 5.0], [1.0, 1.0, 6.0]), 2.5));
/// assert!(!ray.meets(&Aabb::new([2.0, -1.0, 5.0], [3.0, 1.0, 6.0]), f64::INFINITY));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BroadRay {
    /// What the near sides of boxes are compared with, per axis: the origin, moved on by the margin.
    pub(super) near: [f32; 3],
    /// What the far sides are compared with: the origin, moved back by the margin.
    pub(super) far: [f32; 3],
    /// One over the direction, whose largest coordinate is ±1.
    pub(super) inverse: [f32; 3],
    /// Steps per unit of the ray's own t.
    steps: f64,
}

impl BroadRay {
    /// Converts a ray to the frame of the boxes; `None` if it starts too far away for f32. Boxes with finite sides must be within 2^60.
    pub fn new(ray: &Ray, origin: DVec3) -> Option<Self> {
        let (from, direction) = (ray.origin() - origin, ray.direction());
        let (distance, steps) = (from.abs().max_element(), direction.abs().max_element());
        if distance > FARTHEST || !(1e-200..=1e200).contains(&steps) {
            return None;
        }
        let margin = MARGIN * distance.max(NEAREST);
        let unit = direction / steps;
        let inverse = DVec3::ONE.copysign(unit) / unit.abs().max(DVec3::splat(1.0 / STEEPEST));
        let ahead = DVec3::ONE.copysign(unit) * margin;
        let single = |v: DVec3| v.to_array().map(|x| x as f32);
        Some(Self {
            near: single(from + ahead),
            far: single(from - ahead),
            inverse: single(inverse),
            steps,
        })
    }

    /// Past this step, no hit comes before `t`, which may be infinite. Nothing enters a box there that is not beyond [`FARTHEST`].
    #[inline]
    pub(super) fn end(&self, t: f64) -> f32 {
        ((t * self.steps) as f32 * (1.0 + SLACK) + f32::MIN_POSITIVE).min(0.5 * f32::MAX)
    }

    /// True if the ray may hit a box before parameter `t`, which may be infinite.
    pub fn meets(&self, extent: &Aabb, t: f64) -> bool {
        self.meets_before(extent, self.end(t))
    }

    /// True if the ray may meet a box before a step.
    #[inline]
    pub(super) fn meets_before(&self, extent: &Aabb, end: f32) -> bool {
        let (low, high) = (extent.low.to_array(), extent.high.to_array());
        let (mut enter, mut leave) = (0.0f32, end);
        for axis in 0..3 {
            let ahead = self.inverse[axis] > 0.0;
            let (first, last) = if ahead { (low, high) } else { (high, low) };
            enter = enter.max((first[axis] - self.near[axis]) * self.inverse[axis]);
            leave = leave.min((last[axis] - self.far[axis]) * self.inverse[axis]);
        }
        enter <= leave * (1.0 + SLACK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geom::DAabb;

    /// A ray that passes through a point of a box meets it, whatever the distances, the slopes and the rounding.
    #[test]
    fn no_box_is_missed() {
        let mut state = 7u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let mut missed = 0;
        for round in 0..200_000 {
            let size = 10f64.powi(round % 13 - 6);
            let mut vector = |scale: f64| DVec3::new(random(), random(), random()) * scale;
            let center = vector(100.0);
            let half = vector(size).abs();
            let inside = center + half * vector(1.0);
            let mut direction = vector(1.0);
            // Some rays are parallel to sides, or nearly.
            direction[(round % 3) as usize] *= [1.0, 0.0, 1e-9, 1e-30][(round / 3 % 4) as usize];
            let origin = inside - direction * 10f64.powi(round % 7);
            let ray = Ray::new(origin.to_array(), direction.to_array()).unwrap();
            let extent = DAabb::new(center - half, center + half).to_f32(DVec3::ZERO);
            let local = BroadRay::new(&ray, DVec3::ZERO).unwrap();
            // The origin was rounded: the ray passes within this of the point.
            if half.min_element() > 1e-9 * origin.abs().max_element() {
                let there = 10f64.powi(round % 7) * (1.0 + 1e-9);
                assert!(local.meets(&extent, there), "round {round}: {ray:?} {extent:?}");
            }
            let beside =
                Ray::new((origin + half * 4.0 + 1.0).to_array(), direction.to_array()).unwrap();
            missed += u32::from(
                !BroadRay::new(&beside, DVec3::ZERO).unwrap().meets(&extent, f64::INFINITY),
            );
        }
        assert!(missed > 100_000, "the test rejects: {missed}");
    }
}
