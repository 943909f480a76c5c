//! A ray in a body's frame.

use super::Frame;
use crate::number::error::power_of_two_near_inverse;
use crate::number::outward::round_up;
use crate::number::tolerance::{BOUND_MARGIN, POSE_MARGIN, UNIT_ROUNDOFF, UNIT_ROUNDOFF_F32};
use crate::ray::Ray;
use glam::Vec3A;

/// The part of a ray that can meet a body, in the body's frame and in f32.
///
/// It begins where the ray enters a ball around the body, so that its coordinates are no larger than the body's however far
/// away the ray's own origin is.
#[derive(Clone, Copy, Debug)]
pub struct LocalRay {
    /// The beginning.
    pub origin: Vec3A,
    /// The direction, of unit length up to rounding.
    pub direction: Vec3A,
    /// One over each coordinate of the direction, infinite where it is zero.
    pub inverse: Vec3A,
    /// Hits are looked for up to here, in local lengths from the beginning.
    pub end: f32,
    /// Volumes are widened by this, in local units: more than what rounding moves the ray by.
    pub margin: f32,
    /// Local lengths per unit of the ray's own t.
    unit: f64,
    /// The beginning, in local lengths from the ray's own origin.
    start: f64,
}

impl LocalRay {
    /// The part of the ray near a body, or `None` if it misses the ball around the body.
    ///
    /// ```
    /// use impinge_geom::{bound::{Frame, LocalRay}, glam::DVec3, ray::Ray};
    /// let frame = Frame::new(DVec3::splat(-1.0), DVec3::splat(1.0));
    /// let ray = LocalRay::new(&frame, &Ray::new([1e9, 0.0, 0.0], [-1.0, 0.0, 0.0])?).expect("it hits");
    /// assert!(ray.origin.length() < 3.0);
    /// assert!(LocalRay::new(&frame, &Ray::new([1e9, 0.0, 0.0], [1.0, 0.0, 0.0])?).is_none());
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn new(frame: &Frame, ray: &Ray) -> Option<Self> {
        let direction = ray.direction();
        let factor = power_of_two_near_inverse(direction.abs().max_element());
        let scaled = direction * factor;
        let length = scaled.length();
        let unit = scaled / length;
        let center = frame.center();
        let origin = frame.local_f64(ray.origin());
        // What the subtraction of the centre, and the way to the body, may lose.
        let reach = (ray.origin().abs() + center.abs()).max_element() * frame.factor();
        let lost = POSE_MARGIN * UNIT_ROUNDOFF * reach;
        let ball = frame.extent() * 1.7321 + lost;
        let middle = -origin.dot(unit);
        let beside = (origin + unit * middle).length();
        if beside > ball || middle + ball < 0.0 {
            return None;
        }
        let start = (middle - ball).max(0.0);
        let begin = origin + unit * start;
        let margin = BOUND_MARGIN * f64::from(UNIT_ROUNDOFF_F32) * (frame.extent() + ball) + lost;
        let direction = unit.as_vec3a();
        Some(Self {
            origin: begin.as_vec3a(),
            direction,
            inverse: direction.recip(),
            end: round_up(middle + ball - start + margin),
            margin: round_up(margin + f64::from(f32::MIN_POSITIVE)),
            unit: length * frame.factor() / factor,
            start,
        })
    }

    /// Looks no further than a hit at the ray's own `t`.
    #[inline(always)]
    pub fn stop_at(&mut self, t: f64) {
        let end = (t * self.unit - self.start) as f32;
        self.end = self.end.min(end.max(0.0) + self.margin);
    }
}
