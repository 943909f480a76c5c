//! Free flight, apart from the engine: Euler's equations of a rigid body by the Runge–Kutta method of fourth order, in steps of a hundredth of a radian.

use impinge::geom::glam::{DMat3, DQuat, DVec3};
use impinge::response::{MassProperties, Velocity};
use impinge::{MotionPath, Pose};

/// A body that nothing touches. The shapes of this soak have their centre of mass at the origin.
pub(super) struct Flight {
    place: DVec3,
    orientation: DQuat,
    velocity: DVec3,
    /// About the centre of mass, in the world: it is kept.
    momentum: DVec3,
    inverse_inertia: DMat3,
}

/// A step of the integration turns by about this, in radians.
const TURN: f64 = 0.01;

fn quaternion(pose: &Pose) -> DQuat {
    DQuat::from_mat3(&pose.rotation())
}

/// The angular momentum of a body that turns.
pub(super) fn momentum(pose: &Pose, spin: DVec3, mass: &MassProperties) -> DVec3 {
    let rotation = pose.rotation();
    rotation * (mass.inertia() * (rotation.transpose() * spin))
}

impl Flight {
    pub(super) fn new(pose: &Pose, velocity: Velocity, mass: &MassProperties) -> Self {
        Self {
            place: pose.translation(),
            orientation: quaternion(pose),
            velocity: velocity.linear,
            momentum: momentum(pose, velocity.angular, mass),
            inverse_inertia: mass.inertia().inverse(),
        }
    }

    fn spin(&self, orientation: DQuat) -> DVec3 {
        let rotation = DMat3::from_quat(orientation.normalize());
        rotation * (self.inverse_inertia * (rotation.transpose() * self.momentum))
    }

    fn change(&self, q: DQuat) -> DQuat {
        let spin = self.spin(q);
        DQuat::from_xyzw(spin.x, spin.y, spin.z, 0.0) * q * 0.5
    }

    /// The way over a time; none if a number is not finite.
    pub(super) fn path(&self, time: f64) -> Option<MotionPath> {
        let spin = self.spin(self.orientation).length();
        let steps = (1.0 + 2.0 * spin * time / TURN).ceil() as u32;
        let h = time / f64::from(steps);
        let mut q = self.orientation;
        let mut frames = Vec::with_capacity(steps as usize + 1);
        for step in 0..=steps {
            let t = h * f64::from(step);
            let place = self.place + self.velocity * t;
            frames.push((t, Pose::new([q.w, q.x, q.y, q.z], place.to_array()).ok()?));
            let one = self.change(q);
            let two = self.change(q + one * (0.5 * h));
            let three = self.change(q + two * (0.5 * h));
            let four = self.change(q + three * h);
            q = (q + (one + (two + three) * 2.0 + four) * (h / 6.0)).normalize();
        }
        MotionPath::through(&frames).ok()
    }
}

/// The angle between two orientations.
pub(super) fn angle_between(one: &Pose, two: &Pose) -> f64 {
    quaternion(one).angle_between(quaternion(two))
}

/// The turn from one orientation to another that is nearest to a given one: poses do not tell how often a body turned.
pub(super) fn turn_like(from: &Pose, to: &Pose, expected: DVec3) -> DVec3 {
    let (axis, angle) = (quaternion(to) * quaternion(from).inverse()).to_axis_angle();
    let full = std::f64::consts::TAU;
    let turns = ((expected.dot(axis) - angle) / full).round();
    axis * (angle + turns * full)
}
