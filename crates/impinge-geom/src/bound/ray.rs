//! A ray in a body's frame.

use super::Frame;
use crate::number::tolerance::{
    BOUND_MARGIN, POSE_MARGIN, RAY_MARGIN, UNIT_ROUNDOFF, UNIT_ROUNDOFF_F32,
};
use crate::ray::{PrecomputedRay, Ray};
use glam::{DVec3, Vec3A};

/// The part of a ray that can meet a body, in the body's frame and in f32.
///
/// A ray from far away begins where it enters a ball around the body, so that its coordinates are about those of the body. Places
/// on it are counted in steps, multiples of its direction.
#[derive(Clone, Copy, Debug)]
// Written in whole vectors and read in parts soon after: none of them lies across two lines of the cache, where the processor could
// not hand over what it has not written yet.
#[repr(C, align(64))]
pub struct LocalRay {
    /// The direction; one step along it moves the ray by one unit along its main axis.
    pub precomputed: PrecomputedRay,
    /// The origin.
    pub origin: [f32; 3],
    /// The end: hits are searched up to here, in steps from the origin.
    pub end: f32,
    /// Margin for volumes with axes of their own, in local units: exceeds the rounding error of the ray.
    pub margin: f32,
    /// The margin for triangles and axis-aligned boxes, where less is computed (`docs/maths/ray-block.md`).
    pub fine_margin: f32,
    /// Multiples of the ray's scaled direction per unit of its own t: a quotient.
    unit: [f64; 2],
    /// The beginning, in such multiples from the ray's own origin.
    start: f64,
}

/// A [`LocalRay`] parametrised by length.
#[derive(Clone, Copy, Debug)]
pub struct MeasuredRay {
    /// The origin.
    pub origin: Vec3A,
    /// The direction, of unit length up to rounding.
    pub direction: Vec3A,
    /// The end, in local lengths from the origin.
    pub end: f32,
    /// The length of one step of the ray.
    pub step: f32,
}

impl LocalRay {
    /// A ray that hits nothing: it ends before it begins.
    pub const NOWHERE: Self = Self {
        origin: [0.0; 3],
        precomputed: PrecomputedRay::X,
        end: -1.0,
        margin: 0.0,
        fine_margin: 0.0,
        unit: [1.0; 2],
        start: 0.0,
    };

    /// The part of the ray near a body, or `None` if it misses the bounding ball.
    ///
    /// ```
    /// use impinge_geom::{bound::{Frame, LocalRay}, glam::DVec3, ray::Ray};
    /// let frame = Frame::new(DVec3::splat(-1.0), DVec3::splat(1.0));
    /// let ray = LocalRay::new(&frame, &Ray::new([1e9, 0.0, 0.0], [-1.0, 0.0, 0.0])?).expect("it hits");
    /// assert!(ray.origin[0] < 3.0);
    /// assert!(LocalRay::new(&frame, &Ray::new([1e9, 0.0, 0.0], [1.0, 0.0, 0.0])?).is_none());
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    #[inline(always)]
    pub fn new(frame: &Frame, ray: &Ray) -> Option<Self> {
        let mut local = Self::NOWHERE;
        local.set(frame, ray).then_some(local)
    }

    /// Like the constructor, in place, which is faster; false if the ray misses the ball.
    #[inline(always)]
    pub fn set(&mut self, frame: &Frame, ray: &Ray) -> bool {
        let mut point = frame.local_f64(ray.origin());
        let (mut distance, mut start) = (greatest(point), 0.0);
        let lost = lost(frame, distance);
        if distance > NEAR * frame.extent() {
            let Some(begin) = far(frame, ray, point, lost) else { return false };
            (point, start) = begin;
            distance = greatest(point);
        }
        let reach = distance + frame.extent();
        // A little more, for the rounding here.
        let (reach, lost) = (reach as f32 * 1.001, lost as f32 * 1.001 + f32::MIN_POSITIVE);
        let fine_margin = RAY_MARGIN as f32 * UNIT_ROUNDOFF_F32 * reach + lost;
        self.origin = point.to_array().map(|x| x as f32);
        self.precomputed = *ray.precomputed();
        // Along the largest coordinate a step is one unit.
        self.end = 1.01 * reach + lost;
        self.margin = BOUND_MARGIN as f32 * UNIT_ROUNDOFF_F32 * reach + lost;
        self.fine_margin = fine_margin;
        self.unit = [frame.factor(), ray.factor()];
        self.start = start;
        true
    }

    /// The ray with a unit direction, for volumes whose tests use distances.
    ///
    /// ```
    /// use impinge_geom::{bound::{Frame, LocalRay}, glam::DVec3, ray::Ray};
    /// let frame = Frame::new(DVec3::splat(-1.0), DVec3::splat(1.0));
    /// let ray = LocalRay::new(&frame, &Ray::new([2.0; 3], [-5.0; 3])?).expect("it hits");
    /// let measured = ray.measured();
    /// assert!((measured.direction.length() - 1.0).abs() < 1e-6);
    /// assert!((measured.end - ray.end * measured.step).abs() < 1e-6);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    #[inline(always)]
    pub fn measured(&self) -> MeasuredRay {
        let direction = Vec3A::from_array(self.precomputed.direction);
        let step = direction.length();
        MeasuredRay {
            origin: Vec3A::from_array(self.origin),
            direction: direction / step,
            end: self.end * step,
            step,
        }
    }

    /// The same ray up to another end.
    #[inline(always)]
    pub(super) fn up_to(&self, end: f32) -> Self {
        Self { end, ..*self }
    }

    /// True if it begins at the ray's own origin, which is not far from the body.
    #[inline(always)]
    pub fn is_near(&self) -> bool {
        self.start == 0.0
    }

    /// A place behind which no hit comes before the ray's own `t`, in steps.
    #[inline(always)]
    pub fn steps_to(&self, t: f64) -> f32 {
        ((t * (self.unit[0] / self.unit[1]) - self.start) as f32 * self.precomputed.step).max(0.0)
            + self.margin
    }

    /// Shortens the ray to a hit at the ray's own `t`.
    #[inline(always)]
    pub fn stop_at(&mut self, t: f64) {
        self.end = self.end.min(self.steps_to(t));
    }
}

/// Origins up to this many extents from the centre stay as they are: in coordinates no larger, little is lost.
const NEAR: f64 = 6.0;

/// The greater one, in one instruction.
#[inline(always)]
fn greater<N: PartialOrd>(a: N, b: N) -> N {
    if a > b { a } else { b }
}

/// The greatest magnitude of a coordinate.
#[inline(always)]
fn greatest(v: DVec3) -> f64 {
    greater(greater(v.x.abs(), v.y.abs()), v.z.abs())
}

/// What the subtraction of the centre may lose for a point at that distance from it.
#[inline(always)]
fn lost(frame: &Frame, distance: f64) -> f64 {
    let reach = distance + 2.0 * frame.offset();
    POSE_MARGIN * UNIT_ROUNDOFF * reach
}

/// The beginning of a ray whose origin, `own`, is far away: where it enters a ball around the body, or `None` if it misses that. Also
/// where that is, in multiples of the scaled direction.
#[cold]
#[inline(never)]
fn far(frame: &Frame, ray: &Ray, own: DVec3, lost: f64) -> Option<(DVec3, f64)> {
    let scaled = ray.scaled();
    let square = scaled.length_squared();
    let ball = frame.extent() * 1.7321 + lost;
    let nearest = -own.dot(scaled) / square;
    let beside = (own + scaled * nearest).length_squared();
    let radius = ball / square.sqrt();
    if beside > ball * ball || nearest + radius < 0.0 {
        return None;
    }
    let start = (nearest - radius).max(0.0);
    Some((own + scaled * start, start))
}
