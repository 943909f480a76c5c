//! Energy, momentum, and a number of the whole state.

use super::Simulation;
use crate::scene::Hasher;
use impinge_geom::glam::DVec3;

/// The energy of all bodies that move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of motion and rotation.
    pub kinetic: f64,
    /// In the field of gravity; zero at the origin.
    pub potential: f64,
}

impl Energy {
    /// Both together.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// The momentum of all bodies that move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Momentum {
    /// The sum of mass times velocity.
    pub linear: DVec3,
    /// About the origin.
    pub angular: DVec3,
}

impl Simulation {
    /// The energy of all bodies that move.
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

    /// The momentum of all bodies that move.
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

    /// A number of where all bodies are, how fast, whether they sleep, and what the last step found: equal simulations have equal hashes on every machine.
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
