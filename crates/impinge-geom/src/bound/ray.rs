//! A ray in a body's frame.

use super::Frame;
use crate::number::tolerance::{
    BOUND_MARGIN, POSE_MARGIN, RAY_MARGIN, UNIT_ROUNDOFF, UNIT_ROUNDOFF_F32,
};
use crate::ray::Ray;
use glam::{DVec3, Vec3A};

/// The part of a ray that can meet a body, in the body's frame and in f32.
///
/// A ray from far away begins where it enters a ball around the body, so that its coordinates are about those of the body. Places
/// on it are counted in steps, multiples of its direction.
#[derive(Clone, Copy, Debug)]
pub struct LocalRay {
    /// The beginning.
    pub origin: [f32; 3],
    /// The direction; its largest coordinate is 1 or −1, up to rounding.
    pub direction: [f32; 3],
    /// One over each coordinate of the direction, infinite where it is zero.
    pub inverse: [f32; 3],
    /// Hits are looked for up to here, in steps from the beginning.
    pub end: f32,
    /// Volumes with axes of their own are widened by this, in local units: more than what rounding moves the ray by.
    pub margin: f32,
    /// The same for triangles and for boxes along the axes, where less is computed (`docs/maths/ray-block.md`).
    pub fine_margin: f32,
    /// Multiples of the ray's scaled direction per unit of its own t.
    unit: f64,
    /// The beginning, in such multiples from the ray's own origin.
    start: f64,
    /// Steps per such multiple.
    step: f32,
}

/// A [`LocalRay`] in lengths.
#[derive(Clone, Copy, Debug)]
pub struct MeasuredRay {
    /// The beginning.
    pub origin: Vec3A,
    /// The direction, of unit length up to rounding.
    pub direction: Vec3A,
    /// The end, in local lengths from the beginning.
    pub end: f32,
    /// The length of one of the ray's steps.
    pub step: f32,
}

impl LocalRay {
    /// The part of the ray near a body, or `None` if it misses the ball around the body.
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
        let origin = frame.local_f64(ray.origin());
        let (scaled, factor) = ray.scaled();
        let mut distance = greatest(origin);
        let mut begin = Begin { point: origin, start: 0.0, lost: lost(frame, distance) };
        if distance > NEAR * frame.extent() {
            begin = far(frame, scaled, &begin)?;
            distance = greatest(begin.point);
        }
        let reach = distance + frame.extent();
        // A little more, for the rounding here.
        let (reach, lost) = (reach as f32 * 1.001, begin.lost as f32 * 1.001 + f32::MIN_POSITIVE);
        // In f32: relative to each other the coordinates of the direction are wrong by four roundings.
        let [x, y, z] = scaled.to_array();
        let direction = [x as f32, y as f32, z as f32];
        let step = greater(greater(direction[0].abs(), direction[1].abs()), direction[2].abs());
        let shorter = 1.0 / step;
        let [x, y, z] = begin.point.to_array();
        Some(Self {
            origin: [x as f32, y as f32, z as f32],
            direction: [direction[0] * shorter, direction[1] * shorter, direction[2] * shorter],
            inverse: [step / direction[0], step / direction[1], step / direction[2]],
            // Along the largest coordinate a step is one unit.
            end: 1.01 * reach + lost,
            margin: BOUND_MARGIN as f32 * UNIT_ROUNDOFF_F32 * reach + lost,
            fine_margin: RAY_MARGIN as f32 * UNIT_ROUNDOFF_F32 * reach + lost,
            unit: frame.factor() / factor,
            step,
            start: begin.start,
        })
    }

    /// The same ray with a direction of unit length, for volumes whose tests go by distances.
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
        let direction = Vec3A::from_array(self.direction);
        let step = direction.length();
        MeasuredRay {
            origin: Vec3A::from_array(self.origin),
            direction: direction / step,
            end: self.end * step,
            step,
        }
    }

    /// A place behind which no hit is earlier than one at the ray's own `t`, in steps.
    #[inline(always)]
    pub fn steps_to(&self, t: f64) -> f32 {
        ((t * self.unit - self.start) as f32 * self.step).max(0.0) + self.margin
    }

    /// Looks no further than a hit at the ray's own `t`.
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

/// Where a ray begins in the frame of a body.
struct Begin {
    point: DVec3,
    /// In multiples of the scaled direction from the ray's own origin.
    start: f64,
    /// By how much the point may be wrong, in local units.
    lost: f64,
}

/// What the subtraction of the centre may lose for a point at that distance from it.
#[inline(always)]
fn lost(frame: &Frame, distance: f64) -> f64 {
    let center = frame.center().abs();
    let reach = distance + 2.0 * (center.x + center.y + center.z) * frame.factor();
    POSE_MARGIN * UNIT_ROUNDOFF * reach
}

/// The beginning of a ray whose origin is far away: where it enters a ball around the body, or `None` if it misses that.
#[cold]
#[inline(never)]
fn far(frame: &Frame, scaled: DVec3, own: &Begin) -> Option<Begin> {
    let square = scaled.length_squared();
    let ball = frame.extent() * 1.7321 + own.lost;
    let nearest = -own.point.dot(scaled) / square;
    let beside = (own.point + scaled * nearest).length_squared();
    let radius = ball / square.sqrt();
    if beside > ball * ball || nearest + radius < 0.0 {
        return None;
    }
    let start = (nearest - radius).max(0.0);
    Some(Begin { point: own.point + scaled * start, start, lost: own.lost })
}
