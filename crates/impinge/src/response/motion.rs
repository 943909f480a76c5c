//! A moving body: pose, velocity, and its integration.

use super::trail::Trail;
use super::{MassProperties, Material, ResponseError};
use crate::scene::BodyId;
use impinge_geom::Pose;
use impinge_geom::glam::{DMat3, DQuat, DVec3};
use impinge_geom::number::tolerance::ROUND_INERTIA;

/// Velocity of a body: of its centre of mass, and angular.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Velocity {
    /// Velocity of the centre of mass.
    pub linear: DVec3,
    /// Angular velocity: along the axis of rotation, in radians per unit of time.
    pub angular: DVec3,
}

/// What is known of a body. One that does not move has no inverse mass and inertia: impulses do nothing to it.
///
/// The angular momentum is what is kept, not the angular velocity: without contacts it does not change at all, and as the energy of rotation is between L²/2I of the
/// largest and of the smallest principal moment, no gyroscopic term can make it grow without bound.
#[derive(Clone, Debug)]
pub(super) struct BodyState {
    pub(super) id: BodyId,
    pub(super) material: Material,
    pub(super) mass: Option<MassProperties>,
    pub(super) inverse_mass: f64,
    /// About the centre of mass, in the frame of the body.
    inverse_inertia: DMat3,
    /// The same in the world.
    pub(super) inverse_inertia_now: DMat3,
    /// All principal moments are the same.
    is_round: bool,
    /// The centre of mass.
    pub(super) position: DVec3,
    orientation: DQuat,
    pub(super) rotation: DMat3,
    pub(super) velocity: DVec3,
    pub(super) spin: DVec3,
    /// The angular momentum about the centre of mass.
    pub(super) angular_momentum: DVec3,
    /// No point of the body is farther from the centre of mass.
    pub(super) reach: f64,
    pub(super) is_asleep: bool,
    /// Swept through the step.
    pub(super) is_fast: bool,
    /// Its way through the step, if it is fast.
    pub(super) trail: Trail,
    /// For how long it has hardly moved.
    pub(super) still: f64,
    /// How many contacts it has in this step.
    pub(super) contacts: u32,
}

impl BodyState {
    /// A body at rest; without mass properties it never moves.
    pub(super) fn new(
        id: BodyId,
        material: Material,
        mass: Option<MassProperties>,
        reach: f64,
        pose: &Pose,
    ) -> Self {
        let inverse_inertia = mass.map_or(DMat3::ZERO, |mass| mass.inverse_inertia());
        let reach = mass.map_or(0.0, |mass| reach + mass.center().length());
        let mut motion = Self {
            id,
            material,
            mass,
            inverse_mass: mass.map_or(0.0, |mass| 1.0 / mass.mass()),
            inverse_inertia,
            inverse_inertia_now: DMat3::ZERO,
            is_round: is_round(&inverse_inertia),
            position: DVec3::ZERO,
            orientation: DQuat::IDENTITY,
            rotation: DMat3::IDENTITY,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            angular_momentum: DVec3::ZERO,
            reach,
            is_asleep: false,
            is_fast: false,
            trail: Trail::default(),
            still: 0.0,
            contacts: 0,
        };
        motion.put(pose);
        motion
    }

    pub(super) fn moves(&self) -> bool {
        self.mass.is_some()
    }

    /// Moves, and does not sleep.
    pub(super) fn is_active(&self) -> bool {
        self.mass.is_some() && !self.is_asleep
    }

    pub(super) fn wake(&mut self) {
        self.is_asleep = false;
        self.still = 0.0;
    }

    /// The centre of mass in the frame of the body.
    pub(super) fn local_center(&self) -> DVec3 {
        self.mass.map_or(DVec3::ZERO, |mass| mass.center())
    }

    /// Puts the body somewhere; its velocity stays.
    pub(super) fn put(&mut self, pose: &Pose) {
        self.position = pose.transform_point(self.local_center());
        self.rotation = pose.rotation();
        self.orientation = DQuat::from_mat3(&self.rotation);
        self.inverse_inertia_now = self.inverse_inertia_at(&self.rotation);
        self.set_spin(self.spin);
    }

    /// Where the frame of the body is.
    pub(super) fn pose(&self) -> Result<Pose, ResponseError> {
        let q = self.orientation;
        let place = self.position - self.rotation * self.local_center();
        Ok(Pose::new([q.w, q.x, q.y, q.z], place.to_array())?)
    }

    /// Turns at this angular velocity from now on.
    pub(super) fn set_spin(&mut self, spin: DVec3) {
        self.spin = spin;
        self.angular_momentum = self.mass.map_or(DVec3::ZERO, |mass| {
            self.rotation * (mass.inertia() * (self.rotation.transpose() * spin))
        });
    }

    pub(super) fn stop(&mut self) {
        self.velocity = DVec3::ZERO;
        self.spin = DVec3::ZERO;
        self.angular_momentum = DVec3::ZERO;
    }

    /// The velocity of a point, given from the centre of mass.
    pub(super) fn velocity_at(&self, arm: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(arm)
    }

    /// An impulse at a point, given from the centre of mass.
    pub(super) fn push(&mut self, impulse: DVec3, arm: DVec3) {
        if self.inverse_mass == 0.0 {
            return;
        }
        let turning = arm.cross(impulse);
        self.velocity += impulse * self.inverse_mass;
        self.angular_momentum += turning;
        self.spin += self.inverse_inertia_now * turning;
    }

    /// How much the velocity of a point along a direction changes by a unit impulse along it.
    pub(super) fn response(&self, arm: DVec3, along: DVec3) -> f64 {
        let turning = arm.cross(along);
        self.inverse_mass + turning.dot(self.inverse_inertia_now * turning)
    }

    /// Half of m·v² + ω·L.
    pub(super) fn kinetic_energy(&self) -> f64 {
        let mass = self.mass.map_or(0.0, |mass| mass.mass());
        0.5 * (mass * self.velocity.length_squared() + self.spin.dot(self.angular_momentum))
    }

    /// No point of the body is faster. One that has no end and does not turn is as fast everywhere.
    pub(super) fn speed(&self) -> f64 {
        let spin = self.spin.length();
        self.velocity.length() + if spin == 0.0 { 0.0 } else { self.reach * spin }
    }

    /// Gravity and damping for a time. The damping is the implicit Euler step of v' = −c·v.
    pub(super) fn accelerate(&mut self, gravity: DVec3, damping: f64, time: f64) {
        let kept = 1.0 / (1.0 + damping * time);
        self.velocity = (self.velocity + gravity * time) * kept;
        self.angular_momentum *= kept;
        self.spin *= kept;
    }

    /// Goes on for a time. Without contacts the path under gravity is a parabola, and is followed exactly: x + (v − g·h/2)·h with v
    /// after the acceleration.
    pub(super) fn advance(&mut self, gravity: DVec3, time: f64) {
        let free = if self.contacts == 0 { gravity * (0.5 * time) } else { DVec3::ZERO };
        let way = (self.velocity - free) * time;
        if self.is_fast {
            return self.follow(way, time);
        }
        self.position += way;
        if self.spin != DVec3::ZERO {
            self.turn(time);
        }
    }

    /// Turns for a time: the implicit midpoint rule q' = q + h/2·ω·q, ω = I⁻¹(q)·L halfway, normalised, which is a rotation about ω, without sines. The
    /// midpoint is found by a few rounds of substitution.
    fn turn(&mut self, time: f64) {
        let start = self.orientation;
        let mut spin = self.spin;
        let mut next = turned(start, spin, time);
        if !self.is_round {
            for _ in 0..MIDPOINT_ROUNDS {
                let middle = DMat3::from_quat(unit(start + next, start));
                spin = self.inverse_inertia_at(&middle) * self.angular_momentum;
                next = turned(start, spin, time);
            }
        }
        self.orientation = next;
        self.rotation = DMat3::from_quat(next);
        self.keep_momentum();
    }

    /// Turns the body to an orientation. The angular momentum is kept.
    pub(super) fn set_rotation(&mut self, rotation: DMat3) {
        self.rotation = rotation;
        self.orientation = unit(DQuat::from_mat3(&rotation), self.orientation);
        self.keep_momentum();
    }

    /// The angular velocity that belongs to the angular momentum in this orientation.
    fn keep_momentum(&mut self) {
        self.inverse_inertia_now = self.inverse_inertia_at(&self.rotation);
        self.spin = self.inverse_inertia_now * self.angular_momentum;
    }

    /// The orientation after a time in which no torque acts: Runge–Kutta steps of q' = ½·ω·q, ω = I⁻¹(q)·L. That of a thin rod is too sensitive for a midpoint found by
    /// substitution: a small angle between its axis and L makes a large ω about it.
    pub(super) fn orientation_after(&self, time: f64, steps: u32) -> DQuat {
        let slope = |q: DQuat| {
            let rotation = DMat3::from_quat(unit(q, self.orientation));
            let half = self.inverse_inertia_at(&rotation) * self.angular_momentum * 0.5;
            DQuat::from_xyzw(half.x, half.y, half.z, 0.0) * q
        };
        let time = time / f64::from(steps);
        (0..steps).fold(self.orientation, |q, _| {
            let one = slope(q);
            let two = slope(q + one * (0.5 * time));
            let three = slope(q + two * (0.5 * time));
            let four = slope(q + three * time);
            unit(q + (one + (two + three) * 2.0 + four) * (time / 6.0), q)
        })
    }

    fn inverse_inertia_at(&self, rotation: &DMat3) -> DMat3 {
        *rotation * self.inverse_inertia * rotation.transpose()
    }
}

/// Rounds of substitution for the midpoint of a rotation; the error shrinks by about the angle of the step in each.
const MIDPOINT_ROUNDS: usize = 3;

fn turned(q: DQuat, spin: DVec3, time: f64) -> DQuat {
    let half = spin * (0.5 * time);
    unit(q + DQuat::from_xyzw(half.x, half.y, half.z, 0.0) * q, q)
}

/// A quaternion of length one, or the other if it has no length.
fn unit(q: DQuat, other: DQuat) -> DQuat {
    let length = q.length();
    if length > 0.0 && length.is_finite() { q * (1.0 / length) } else { other }
}

fn is_round(matrix: &DMat3) -> bool {
    let size = matrix.x_axis.x;
    matrix.abs_diff_eq(DMat3::from_diagonal(DVec3::splat(size)), ROUND_INERTIA * size)
}
