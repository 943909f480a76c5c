//! Energy, momentum, and a hash of the state.

use super::Simulation;
use crate::scene::Hasher;
use impinge_geom::glam::DVec3;

/// The energy of all moving bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic energy, linear and angular.
    pub kinetic: f64,
    /// Potential energy in the field of gravity; zero at the origin.
    pub potential: f64,
}

impl Energy {
    /// The sum of both.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// The momentum of all moving bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Momentum {
    /// Linear momentum.
    pub linear: DVec3,
    /// Angular momentum about the origin.
    pub angular: DVec3,
}

impl Simulation {
    /// The energy of all moving bodies.
    pub fn energy(&self) -> Energy {
        let gravity = self.settings.gravity();
        let mut sum = Energy::default();
        for motion in &self.motions {
            let Some(mass) = motion.mass else { continue };
            sum.kinetic += motion.kinetic_energy();
            sum.potential -= mass.mass() * gravity.dot(motion.position);
        }
        sum
    }

    /// The momentum of all moving bodies.
    pub fn momentum(&self) -> Momentum {
        let mut sum = Momentum::default();
        for motion in &self.motions {
            let Some(mass) = motion.mass else { continue };
            let linear = motion.velocity * mass.mass();
            sum.linear += linear;
            sum.angular += motion.position.cross(linear) + motion.angular_momentum;
        }
        sum
    }

    /// A hash of all poses, velocities and sleep states and of the last report: equal simulations have equal hashes on every machine.
    pub fn hash(&self) -> u64 {
        let mut hasher = Hasher::default();
        hasher.word(self.steps);
        hasher.word(self.scene.report().hash());
        for (id, body) in self.scene.bodies() {
            hasher.bodies([id, id]);
            let Some(motion) = self.motions.get(id.index() as usize) else { continue };
            hasher.vector(body.pose.translation());
            let rotation = body.pose.rotation();
            for axis in [rotation.x_axis, rotation.y_axis, rotation.z_axis] {
                hasher.vector(axis);
            }
            hasher.vector(motion.velocity);
            hasher.vector(motion.angular_momentum);
            hasher.word(u64::from(motion.is_asleep));
        }
        hasher.finish()
    }
}
