//! How fast points of two moving bodies can approach each other, along a direction and at all.
//!
//! B. Mirtich, "Impulse-based dynamic simulation of rigid body systems" (1996), section 2.3; M. Tang, Y. Kim and D. Manocha, "C²A: controlled
//! conservative advancement" (2009), section 4. A point of a body at the arm r from the centre has the velocity v + ω × r. Along a unit vector n it is
//! n·v + (n × ω)·r, and its acceleration is n·a + (n × α)·r − |ω|² n⊥·r⊥, where ⊥ is what is across ω: bounded by |n × ω| |ω| |r⊥|.

use super::VelocityBound;
use crate::pose::Pose;
use glam::DVec3;

/// Room for the rounding of the bounds themselves.
const ROUNDING: f64 = 1.0 + 1e-12;

/// A ball in a body's frame that holds the points whose motion is asked about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The centre.
    pub center: DVec3,
    /// The radius; infinite for planes.
    pub radius: f64,
}

/// How one body turns: what does not depend on the points that are asked about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnBound {
    center: DVec3,
    angular: DVec3,
    /// The length of `angular`.
    rate: f64,
    spread: f64,
    /// The axis in the body's frame, if it stays the same.
    axis: Option<DVec3>,
    acceleration: f64,
    angular_acceleration: f64,
}

impl TurnBound {
    /// From a velocity bound and the pose at any time of its span.
    #[inline]
    pub fn new(velocity: &VelocityBound, pose: &Pose) -> Self {
        let rate = velocity.angular.length();
        let steady = velocity.angular_spread == 0.0 && velocity.angular_acceleration == 0.0;
        let axis = (steady && rate > 0.0).then(|| pose.inverse_rotate(velocity.angular / rate));
        Self {
            center: velocity.center,
            angular: velocity.angular,
            rate,
            spread: velocity.angular_spread,
            axis,
            acceleration: velocity.linear_acceleration,
            angular_acceleration: velocity.angular_acceleration,
        }
    }

    /// The point about which it turns, in the body's frame.
    pub fn center(&self) -> DVec3 {
        self.center
    }

    /// The angular velocity in the world.
    pub fn angular(&self) -> DVec3 {
        self.angular
    }

    /// True if it does not turn at all.
    #[inline(always)]
    pub fn is_still(&self) -> bool {
        self.rate == 0.0 && self.spread == 0.0 && self.angular_acceleration == 0.0
    }

    /// No point of the ball is farther from the axis; from the centre, if the axis changes. Zero if nothing turns.
    #[inline(always)]
    pub fn arm(&self, reach: &Reach) -> f64 {
        if self.is_still() {
            return 0.0;
        }
        let offset = reach.center - self.center;
        let across = match self.axis {
            Some(axis) => offset - axis * axis.dot(offset),
            None => offset,
        };
        (across.length() + reach.radius) * ROUNDING
    }

    /// The greatest speed that the turn gives to a point at an arm.
    #[inline(always)]
    pub fn speed(&self, arm: f64) -> f64 {
        if arm == 0.0 { 0.0 } else { (self.rate + self.spread) * arm }
    }

    /// The same along a unit vector.
    #[inline(always)]
    pub fn speed_along(&self, normal: DVec3, arm: f64) -> f64 {
        if arm == 0.0 { 0.0 } else { (normal.cross(self.angular).length() + self.spread) * arm }
    }

    /// The greatest acceleration of a point at an arm along a unit vector.
    #[inline(always)]
    pub fn acceleration_along(&self, normal: DVec3, arm: f64) -> f64 {
        if arm == 0.0 {
            return self.acceleration;
        }
        let steady = normal.cross(self.angular).length() * self.rate;
        let varied = (2.0 * self.rate + self.spread) * self.spread + self.angular_acceleration;
        self.acceleration + (steady + varied) * arm
    }
}

impl TurnBound {
    /// The greatest acceleration of a point at an arm.
    #[inline(always)]
    fn acceleration(&self, arm: f64) -> f64 {
        let rate = self.rate + self.spread;
        let turn = rate * rate + self.angular_acceleration;
        self.acceleration + if arm == 0.0 { 0.0 } else { turn * arm }
    }
}

/// How two bodies close in on each other over a span of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closing {
    /// The velocity of B's centre less that of A's.
    velocity: DVec3,
    spread: f64,
    /// How each turns.
    pub turns: [TurnBound; 2],
}

impl Closing {
    /// From the bounds of A and B over the same span, each with the pose at any time of it.
    #[inline]
    pub fn new(a: (&VelocityBound, &Pose), b: (&VelocityBound, &Pose)) -> Self {
        Self {
            velocity: b.0.linear - a.0.linear,
            spread: a.0.linear_spread + b.0.linear_spread,
            turns: [TurnBound::new(a.0, a.1), TurnBound::new(b.0, b.1)],
        }
    }

    /// True if neither turns and the velocity stays the same: any two points move past each other on lines.
    pub fn is_translation(&self) -> bool {
        let steady = |turn: &TurnBound| turn.is_still() && turn.acceleration == 0.0;
        self.spread == 0.0 && self.turns.iter().all(steady)
    }

    /// The velocity of B's centre less that of A's.
    pub fn velocity(&self) -> DVec3 {
        self.velocity
    }

    /// No two points at these arms change their distance faster.
    #[inline(always)]
    pub fn speed(&self, arms: [f64; 2]) -> f64 {
        let turns = self.turns[0].speed(arms[0]) + self.turns[1].speed(arms[1]);
        (self.velocity.length() + self.spread + turns) * ROUNDING
    }

    /// The way from A to B along the unit vector changes at no smaller rate; negative where they may approach.
    #[inline(always)]
    pub fn slope(&self, normal: DVec3, arms: [f64; 2]) -> f64 {
        let turns =
            self.turns[0].speed_along(normal, arms[0]) + self.turns[1].speed_along(normal, arms[1]);
        let slope = normal.dot(self.velocity) - self.spread - turns;
        slope - (ROUNDING - 1.0) * (self.velocity.length() + turns)
    }

    /// No two points at these arms change the rate of their way along any direction faster; infinite if accelerations are not known.
    #[inline(always)]
    pub fn acceleration(&self, arms: [f64; 2]) -> f64 {
        let [a, b] = &self.turns;
        (a.acceleration(arms[0]) + b.acceleration(arms[1])) * ROUNDING
    }

    /// How much faster than its velocity bounds say points at these arms may be.
    #[inline(always)]
    pub fn speed_spread(&self, arms: [f64; 2]) -> f64 {
        let turn = |side: usize| {
            if arms[side] == 0.0 { 0.0 } else { self.turns[side].spread * arms[side] }
        };
        self.spread + turn(0) + turn(1)
    }

    /// The rate of that way changes by no more than this per unit of time; infinite if accelerations are not known.
    #[inline(always)]
    pub fn curvature(&self, normal: DVec3, arms: [f64; 2]) -> f64 {
        let [a, b] = &self.turns;
        (a.acceleration_along(normal, arms[0]) + b.acceleration_along(normal, arms[1])) * ROUNDING
    }
}
