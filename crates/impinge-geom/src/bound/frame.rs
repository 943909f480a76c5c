//! The recentred, scaled frame in which acceleration data lives in f32, and the motion from one such frame into another.

use crate::Pose;
use crate::number::error::power_of_two_near_inverse;
use crate::number::length::length_and_unit;
use crate::number::outward::round_up;
use crate::number::tolerance::{BOUND_MARGIN, POSE_MARGIN, UNIT_ROUNDOFF, UNIT_ROUNDOFF_F32};
use glam::{DVec3, Mat3A, Vec3A};

/// Coordinates relative to a centre, times a power of two, so that they are about one in f32.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    center: DVec3,
    /// A power of two.
    factor: f64,
    /// No local coordinate is larger than this.
    extent: f64,
    /// The sum of the magnitudes of the centre's coordinates, in local units.
    offset: f64,
}

impl Frame {
    /// The frame of all points between two corners.
    ///
    /// ```
    /// use impinge_geom::{bound::Frame, glam::DVec3};
    /// let frame = Frame::new(DVec3::splat(1e7), DVec3::splat(1e7 + 4.0));
    /// assert_eq!(frame.local(DVec3::splat(1e7 + 4.0)).x, frame.local(DVec3::splat(1e7)).x.abs());
    /// ```
    pub fn new(low: DVec3, high: DVec3) -> Self {
        let center = low + (high - low) * 0.5;
        // Of no points at all.
        let center = if center.is_finite() { center } else { DVec3::ZERO };
        let half = (high - center).max(center - low).max_element();
        let half = if half.is_finite() { half } else { 0.0 };
        let factor = power_of_two_near_inverse(half);
        Self::with(center, factor, half * factor * (1.0 + 4.0 * f64::EPSILON))
    }

    fn with(center: DVec3, factor: f64, extent: f64) -> Self {
        let offset = (center.x.abs() + center.y.abs() + center.z.abs()) * factor;
        Self { center, factor, extent, offset }
    }

    /// The centre, in the coordinates of the model.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// Local lengths are lengths of the model times this power of two.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// The largest magnitude of a local coordinate.
    pub fn extent(&self) -> f64 {
        self.extent
    }

    /// The sum of the magnitudes of the centre's coordinates, in local units.
    #[inline(always)]
    pub(super) fn offset(&self) -> f64 {
        self.offset
    }

    /// The numbers that define the frame, in the order in which they are saved.
    pub fn numbers(&self) -> [f64; 5] {
        [self.center.x, self.center.y, self.center.z, self.factor, self.extent]
    }

    /// Restores a frame from saved numbers; `None` if they do not describe one.
    ///
    /// ```
    /// use impinge_geom::{bound::Frame, glam::DVec3};
    /// let frame = Frame::new(DVec3::ZERO, DVec3::splat(3.0));
    /// assert_eq!(Frame::from_numbers(frame.numbers()), Some(frame));
    /// assert_eq!(Frame::from_numbers([0.0, 0.0, 0.0, 3.0, 1.0]), None);
    /// ```
    pub fn from_numbers([x, y, z, factor, extent]: [f64; 5]) -> Option<Self> {
        let center = DVec3::new(x, y, z);
        let power_of_two = factor.is_normal() && factor > 0.0 && factor.to_bits() << 12 == 0;
        let sizes = center.is_finite() && (0.0..=2.5).contains(&extent);
        (power_of_two && sizes).then(|| Self::with(center, factor, extent))
    }

    /// The point in this frame, rounded to f32; wrong by at most [`Frame::error`] per coordinate.
    #[inline(always)]
    pub fn local(&self, p: DVec3) -> Vec3A {
        ((p - self.center) * self.factor).as_vec3a()
    }

    /// The point in this frame, in f64.
    #[inline(always)]
    pub fn local_f64(&self, p: DVec3) -> DVec3 {
        (p - self.center) * self.factor
    }

    /// The largest error of a local f32 coordinate, in local units.
    ///
    /// One rounding to f32 at most `extent` large; the subtraction and an underflow of f32 are far below.
    pub fn error(&self) -> f32 {
        round_up(self.extent * f64::from(UNIT_ROUNDOFF_F32) * 1.01 + f64::from(f32::MIN_POSITIVE))
    }
}

/// A motion from one body's frame to another's in f32, with a bound on the rounding error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameMotion {
    /// The rotation alone.
    pub rotation: Mat3A,
    /// The scale.
    pub scale: f32,
    /// The image of the source's origin.
    pub translation: Vec3A,
    /// The margin, in units of the target frame: no test between volumes or triangles there errs by more.
    pub margin: f32,
    /// The translation before it was rounded.
    offset: DVec3,
    /// The margin of tests in which the translation has no part.
    near_margin: f32,
}

/// Two bodies so far apart that f32 coordinates of one are too coarse in the frame of the other.
///
/// Of the way from a point of A to one of B only the part along the line of centres is then bounded: it is `base`, which stays
/// in f64, plus the difference of the points' own heights along that line, which are small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Far {
    /// The unit vector from A's centre to B's, in A's frame.
    pub in_a: Vec3A,
    /// The same in B's frame.
    pub in_b: Vec3A,
    /// The distance of the centres, in units of A's frame.
    pub base: f64,
}

/// Bodies are far from each other where the distance of their centres is more than about this many times their sizes.
const FAR: f32 = 64.0;

/// The relative pose of two frames, in both directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativeFrame {
    /// From B's local frame to A's.
    pub b_to_a: FrameMotion,
    /// From A's local frame to B's.
    pub a_to_b: FrameMotion,
}

impl RelativeFrame {
    /// Places B, scaled by `scale` (in B's own frame) and moved by `b_in_a`, in A's frame.
    ///
    /// ```
    /// use impinge_geom::{Pose, bound::{Frame, RelativeFrame}, glam::DVec3};
    /// let frame = Frame::new(DVec3::ZERO, DVec3::splat(2.0));
    /// let placement = RelativeFrame::new(&frame, &frame, &Pose::from_translation([2.0, 0.0, 0.0])?, 1.0);
    /// let corner = frame.local(DVec3::ZERO);
    /// assert_eq!(placement.b_to_a.map(corner), frame.local(DVec3::new(2.0, 0.0, 0.0)));
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn new(a: &Frame, b: &Frame, b_in_a: &Pose, scale: f64) -> Self {
        let rotation = b_in_a.rotation();
        let ratio = a.factor / b.factor * scale;
        let back = 1.0 / ratio;
        let offset = b_in_a.transform_point(b.center * scale) - a.center;
        let translation = offset * a.factor;
        let inverse = -b_in_a.inverse_rotate(offset) / scale * b.factor;
        // What the mapping of points in f64 loses, in the model's unit.
        let reach = a.center.abs().max_element()
            + b.center.abs().max_element() * scale
            + b_in_a.translation().abs().max_element()
            + b.extent / b.factor * scale;
        let lost = POSE_MARGIN * UNIT_ROUNDOFF * reach;
        let unit = BOUND_MARGIN * f64::from(UNIT_ROUNDOFF_F32);
        let margin = |size: f64, factor: f64| {
            round_up(unit * size + lost * factor + f64::from(f32::MIN_POSITIVE))
        };
        let (size_a, size_b) = (a.extent + ratio * b.extent, b.extent + back * a.extent);
        let factor_b = b.factor / scale;
        Self {
            b_to_a: FrameMotion {
                rotation: rotation.as_mat3().into(),
                scale: ratio as f32,
                translation: translation.as_vec3a(),
                margin: margin(size_a + translation.abs().max_element(), a.factor),
                offset: translation,
                near_margin: margin(size_a, a.factor),
            },
            a_to_b: FrameMotion {
                rotation: rotation.transpose().as_mat3().into(),
                scale: back as f32,
                translation: inverse.as_vec3a(),
                margin: margin(size_b + inverse.abs().max_element(), factor_b),
                offset: inverse,
                near_margin: margin(size_b, factor_b),
            },
        }
    }
}

impl RelativeFrame {
    /// The placement of A in B's frame.
    pub fn reversed(&self) -> Self {
        Self { b_to_a: self.a_to_b, a_to_b: self.b_to_a }
    }

    /// If the bodies are far apart: along which line, and both brought together, centre on centre.
    ///
    /// ```
    /// use impinge_geom::{Pose, bound::{Frame, RelativeFrame}, glam::DVec3};
    /// let frame = Frame::new(DVec3::splat(-1.0), DVec3::splat(1.0));
    /// let far = |x: f64| RelativeFrame::new(&frame, &frame, &Pose::from_translation([x, 0.0, 0.0]).unwrap(), 1.0).far();
    /// assert!(far(3.0).is_none());
    /// assert_eq!(far(1e9).map(|(far, _)| far.base), Some(1e9));
    /// ```
    pub fn far(&self) -> Option<(Far, Self)> {
        if self.b_to_a.margin <= FAR * self.b_to_a.near_margin {
            return None;
        }
        let (base, unit) = length_and_unit(self.b_to_a.offset)?;
        let in_a = unit.as_vec3a();
        let far = Far { in_a, in_b: self.a_to_b.rotation * in_a, base };
        let centred = |motion: &FrameMotion| FrameMotion {
            translation: Vec3A::ZERO,
            margin: motion.near_margin,
            ..*motion
        };
        Some((far, Self { b_to_a: centred(&self.b_to_a), a_to_b: centred(&self.a_to_b) }))
    }
}

impl FrameMotion {
    /// Transforms a point.
    #[inline(always)]
    pub fn map(&self, p: Vec3A) -> Vec3A {
        self.rotation * (p * self.scale) + self.translation
    }
}
