//! Bodies that move: where they are at a time, how fast their points can be, and when two convex ones meet.
//!
//! Time runs from 0 to 1. A [`Motion`] gives the pose at a time and a bound on the velocities over a span of time; all that is certified about motions
//! rests on these two. [`RigidMotion`] and [`MotionPath`] are the motions of this crate; a [`Pose`] is a body at rest.
//!
//! | question | file |
//! |---|---|
//! | how fast can points of two bodies approach each other? | `closing` |
//! | until when does a fixed direction separate two bodies? | [`axis`] |
//! | when do two convex bodies meet first? | [`impact`] |
//! | how close do two convex bodies come? | [`minimum`] |
//! | for how long is a query not needed? | [`time_to_impact_bound`](crate::moving::time_to_impact_bound) |

pub mod axis;
mod closing;
pub mod impact;
pub mod minimum;
mod moving;
mod path;
mod rigid;
#[cfg(test)]
mod tests;

pub use closing::{Closing, Reach, TurnBound};
pub use moving::MovingShape;
pub use path::MotionPath;
pub use rigid::RigidMotion;

use crate::pose::Pose;
use glam::DVec3;

/// How the points of a body move over a span of time.
///
/// At every moment of the span the point [`center`](Self::center) of the body has a velocity within `linear_spread` of `linear`, and the body turns with
/// an angular velocity within `angular_spread` of `angular`. A motion that does not know its accelerations says infinity: it is then advanced by
/// velocities alone, in smaller steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocityBound {
    /// A point of the body, in the body's frame.
    pub center: DVec3,
    /// The velocity of that point in the world, per unit of time.
    pub linear: DVec3,
    /// The true velocity is within this of `linear`.
    pub linear_spread: f64,
    /// The angular velocity in the world, in radians per unit of time.
    pub angular: DVec3,
    /// The true angular velocity is within this of `angular`.
    pub angular_spread: f64,
    /// The acceleration of the point `center` is at most this.
    pub linear_acceleration: f64,
    /// The angular acceleration is at most this.
    pub angular_acceleration: f64,
}

impl VelocityBound {
    /// Nothing moves.
    pub const STILL: Self = Self {
        center: DVec3::ZERO,
        linear: DVec3::ZERO,
        linear_spread: 0.0,
        angular: DVec3::ZERO,
        angular_spread: 0.0,
        linear_acceleration: 0.0,
        angular_acceleration: 0.0,
    };
}

/// A rigid motion over the time from 0 to 1. Implement it for motions of your own, such as the links of a robot.
///
/// What is certified about a motion is as true as its [`velocity`](Self::velocity): a bound that is too small makes impacts late.
pub trait Motion: Send + Sync {
    /// Where the body is at time `t`, from 0 to 1.
    fn pose(&self, t: f64) -> Pose;

    /// How its points move from one time to another; asked within one piece.
    fn velocity(&self, from: f64, to: f64) -> VelocityBound;

    /// The end of the piece that begins at or holds `t`: where velocities may jump next. 1 if they do not; always more than `t`, unless that is 1.
    fn piece_end(&self, t: f64) -> f64 {
        let _ = t;
        1.0
    }
}

/// The end of the piece of two motions that begins at `t`, or `to` if that comes first. A motion that names no later time has no more pieces.
///
/// ```
/// use impinge_geom::{Pose, motion::{MotionPath, piece_end}};
/// let at = |x: f64| Pose::from_translation([x, 0.0, 0.0]);
/// let path = MotionPath::through(&[(0.0, at(0.0)?), (1.0, at(1.0)?), (4.0, at(2.0)?)])?;
/// assert_eq!(piece_end([&path, &Pose::IDENTITY], 0.0, 1.0), 0.25);
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn piece_end(motions: [&dyn Motion; 2], t: f64, to: f64) -> f64 {
    let ends = motions.map(|motion| motion.piece_end(t)).into_iter();
    ends.filter(|end| *end > t).fold(to, f64::min)
}

impl Motion for Pose {
    /// A body at rest.
    fn pose(&self, _: f64) -> Pose {
        *self
    }

    fn velocity(&self, _: f64, _: f64) -> VelocityBound {
        VelocityBound::STILL
    }
}
