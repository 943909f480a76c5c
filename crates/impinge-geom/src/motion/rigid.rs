//! A line and a constant turn: translations, turns about a moving point, and screws are one motion with different centres.

use super::{Motion, VelocityBound};
use crate::number::error::{GeometryError, check_direction, check_number, check_point};
use crate::pose::Pose;
use glam::{DMat3, DQuat, DVec3};

/// A point of the body moves on a line while the body turns about it with a constant angular velocity, over the time from 0 to 1.
///
/// A turn may go beyond a full revolution; certified queries then take work in proportion to the number of turns.
///
/// ```
/// use impinge_geom::{Pose, glam::DVec3, motion::{Motion, RigidMotion}};
/// let start = Pose::from_translation([1.0, 0.0, 0.0])?;
/// // Half a turn about the z axis of the world, rising by two.
/// let screw = RigidMotion::screw(&start, [0.0, 0.0, 1.0], [0.0; 3], std::f64::consts::PI, 2.0)?;
/// assert!((screw.pose(1.0).translation() - DVec3::new(-1.0, 0.0, 2.0)).length() < 1e-15);
/// assert_eq!(screw.pose(0.0), start);
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    start: Pose,
    /// The point about which it turns, in the body's frame.
    center: DVec3,
    /// Where that point is at time 0.
    origin: DVec3,
    /// How far that point moves.
    linear: DVec3,
    /// A unit vector in the world.
    axis: DVec3,
    /// In radians, over the whole time.
    angle: f64,
}

impl RigidMotion {
    /// A translation without a turn.
    pub fn linear(start: &Pose, translation: impl Into<DVec3>) -> Result<Self, GeometryError> {
        Self::turning(start, [0.0; 3], translation, [0.0; 3])
    }

    /// The body's point `center` (in its own frame) moves by `translation`, and the body turns about it by the rotation vector `turn` of the world: its
    /// direction is the axis, its length the angle in radians.
    ///
    /// ```
    /// use impinge_geom::{Pose, glam::DVec3, motion::{Motion, RigidMotion}};
    /// let spin = RigidMotion::turning(&Pose::IDENTITY, [1.0, 0.0, 0.0], [0.0, 0.0, 5.0], [0.0, 0.0, 3.0])?;
    /// assert!((spin.pose(0.5).transform_point(DVec3::X) - DVec3::new(1.0, 0.0, 2.5)).length() < 1e-15);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn turning(
        start: &Pose,
        center: impl Into<DVec3>,
        translation: impl Into<DVec3>,
        turn: impl Into<DVec3>,
    ) -> Result<Self, GeometryError> {
        let center = check_point(center.into().to_array(), "center", None)?;
        let linear = check_point(translation.into().to_array(), "motion", None)?;
        let turn = check_point(turn.into().to_array(), "turn", None)?;
        let (axis, angle) = match check_direction(turn.to_array(), "turn") {
            Ok((axis, angle)) => (axis, check_number(angle, "turn", None)?),
            Err(_) => (DVec3::Z, 0.0),
        };
        Ok(Self {
            start: *start,
            center,
            origin: start.transform_point(center),
            linear,
            axis,
            angle,
        })
    }

    /// A turn by `angle` radians about a line of the world, through `point` along `axis`, and an advance along it.
    pub fn screw(
        start: &Pose,
        axis: impl Into<DVec3>,
        point: impl Into<DVec3>,
        angle: f64,
        advance: f64,
    ) -> Result<Self, GeometryError> {
        let (axis, _) = check_direction(axis.into().to_array(), "axis")?;
        let point = check_point(point.into().to_array(), "point", None)?;
        let (angle, advance) =
            (check_number(angle, "angle", None)?, check_number(advance, "advance", None)?);
        // The point of the axis that is nearest to the body: bounds of its speed are then small.
        let origin = point + axis * axis.dot(start.translation() - point);
        let center = start.inverse_transform_point(origin);
        Ok(Self { start: *start, center, origin, linear: axis * advance, axis, angle })
    }

    /// From one pose to another: the origin moves on a line, the rotation has constant angular velocity and goes the shorter way.
    ///
    /// ```
    /// use impinge_geom::{Pose, glam::DVec3, motion::{Motion, RigidMotion}};
    /// let end = Pose::from_axis_angle([0.0, 1.0, 0.0], 2.0, [4.0, 0.0, 0.0])?;
    /// let between = RigidMotion::between(&Pose::IDENTITY, &end);
    /// let half = Pose::from_axis_angle([0.0, 1.0, 0.0], 1.0, [2.0, 0.0, 0.0])?;
    /// assert!((between.pose(0.5).transform_point(DVec3::X) - half.transform_point(DVec3::X)).length() < 1e-15);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn between(start: &Pose, end: &Pose) -> Self {
        let turn = DQuat::from_mat3(&(end.rotation() * start.rotation().transpose()));
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let sine = DVec3::new(turn.x, turn.y, turn.z);
        let length = sine.length();
        let (axis, angle) = if length > 0.0 {
            (sine / length, 2.0 * libm::atan2(length, turn.w))
        } else {
            (DVec3::Z, 0.0)
        };
        let origin = start.translation();
        let linear = end.translation() - origin;
        Self { start: *start, center: DVec3::ZERO, origin, linear, axis, angle }
    }

    /// A body at rest.
    pub fn still(pose: &Pose) -> Self {
        Self::between(pose, pose)
    }

    /// The pose at time 0.
    pub fn start(&self) -> &Pose {
        &self.start
    }

    /// The angle of the turn, in radians.
    pub fn angle(&self) -> f64 {
        self.angle
    }
}

impl Motion for RigidMotion {
    #[inline]
    fn pose(&self, t: f64) -> Pose {
        let center = self.origin + self.linear * t;
        if self.angle == 0.0 || t == 0.0 {
            let moved = self.start.translation() + self.linear * t;
            return Pose::from_parts(self.start.rotation(), moved);
        }
        let (sine, cosine) = libm::sincos(self.angle * t);
        let rotation = rotation(self.axis, sine, cosine) * self.start.rotation();
        let turned = Pose::from_parts(rotation, DVec3::ZERO);
        Pose::from_parts(rotation, center - turned.rotate(self.center))
    }

    #[inline]
    fn velocity(&self, _: f64, _: f64) -> VelocityBound {
        let angular = self.axis * self.angle;
        VelocityBound { center: self.center, linear: self.linear, angular, ..VelocityBound::STILL }
    }
}

/// The turn about a unit vector, by Rodrigues' formula.
#[inline]
fn rotation(axis: DVec3, sine: f64, cosine: f64) -> DMat3 {
    let rest = axis * (1.0 - cosine);
    let turn = axis * sine;
    DMat3::from_cols(
        rest * axis.x + DVec3::new(cosine, turn.z, -turn.y),
        rest * axis.y + DVec3::new(-turn.z, cosine, turn.x),
        rest * axis.z + DVec3::new(turn.y, -turn.x, cosine),
    )
}
