//! How a simulation works.

use super::ResponseError;
use super::error::{finite, from_zero, positive};
use impinge_geom::glam::DVec3;

/// How contacts change velocities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Solver {
    /// The velocity of approach is reflected and damped by the restitution: equation 25.14 of Akenine-Möller et al., Real-Time Rendering
    /// (2018), for two bodies that also turn. Without friction; heaps of bodies do not come to rest well.
    Reflection,
    /// Impulses, contact after contact, until all agree, starting from those of the step before (Catto, Game Developers Conference 2006), in short
    /// substeps and with contacts that give way a little. Friction and stacks.
    #[default]
    SequentialImpulses,
    /// Springs that push out of each other what penetrates (hysteretic springs of Walton and Braun, 1986), and friction. Soft, and in need of many substeps.
    Penalty,
}

/// When bodies that hardly move are put to sleep, together with all that they touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sleep {
    /// Slower than this, everywhere on the body, is still.
    pub speed: f64,
    /// A group that was still for so long sleeps; if this is 0, after the first step in which it was.
    pub time: f64,
}

/// How a simulation works. Lengths, masses and times may be in any units that fit each other.
///
/// ```
/// use impinge::response::{SimulationSettings, Simulation};
/// // Bodies of some centimetres, in millimetres and seconds.
/// let small = SimulationSettings { gravity: [0.0, 0.0, -9810.0], ..SimulationSettings::for_size(30.0) };
/// assert!(Simulation::new(small).is_ok());
/// let error = Simulation::new(SimulationSettings { time_step: 0.0, ..SimulationSettings::default() }).err();
/// assert_eq!(
///     error.map(|error| error.to_string()).unwrap_or_default(),
///     "time_step is 0: give a number above zero, from 1e-30 to 1e30"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulationSettings {
    /// Acceleration of all bodies that move.
    pub gravity: [f64; 3],
    /// How much time a step takes.
    pub time_step: f64,
    /// How contacts change velocities.
    pub solver: Solver,
    /// Into how many equal parts a step is divided: contacts are found once, and followed from part to part. More make stacks stiffer.
    pub substeps: u32,
    /// How often all contacts are visited in a substep.
    pub iterations: u32,
    /// Contacts are found from this distance on, before bodies touch. What goes farther than this in a step is found when it is already deep: meshes, which know their surfaces only, may
    /// then be pushed the wrong way.
    pub margin: f64,
    /// Bodies rest so deep in each other, so that their contacts last.
    pub rest_depth: f64,
    /// What approaches more slowly does not bounce.
    pub bounce_speed: f64,
    /// Bodies that are too deep in each other are parted at most at this speed.
    pub push_speed: f64,
    /// The share of its velocity that a body loses in a unit of time, as friction of air would take it; 0 and more.
    pub damping: f64,
    /// When bodies sleep; never, if there is none.
    pub sleep: Option<Sleep>,
}

impl Default for SimulationSettings {
    /// For bodies of about a metre, in metres, kilograms and seconds, with z up.
    fn default() -> Self {
        Self::for_size(1.0)
    }
}

impl SimulationSettings {
    /// For bodies of about this size: the lengths and speeds are multiples of it. Gravity is that of the earth in metres and seconds.
    pub fn for_size(size: f64) -> Self {
        Self {
            gravity: [0.0, 0.0, -9.81],
            time_step: 1.0 / 60.0,
            solver: Solver::default(),
            substeps: 4,
            iterations: 2,
            margin: 0.05 * size,
            rest_depth: 0.002 * size,
            bounce_speed: size,
            push_speed: 3.0 * size,
            damping: 0.0,
            sleep: Some(Sleep { speed: 0.05 * size, time: 0.5 }),
        }
    }

    pub(super) fn check(&self) -> Result<(), ResponseError> {
        for acceleration in self.gravity {
            finite("gravity", acceleration)?;
        }
        positive("time_step", self.time_step)?;
        for (name, count) in [("substeps", self.substeps), ("iterations", self.iterations)] {
            if !(1..=MOST_ROUNDS).contains(&count) {
                let cure = "give a number from 1 to 10000";
                return Err(ResponseError::Value { name, value: f64::from(count), cure });
            }
        }
        from_zero("margin", self.margin)?;
        from_zero("rest_depth", self.rest_depth)?;
        from_zero("bounce_speed", self.bounce_speed)?;
        from_zero("push_speed", self.push_speed)?;
        from_zero("damping", self.damping)?;
        if let Some(sleep) = &self.sleep {
            from_zero("sleep speed", sleep.speed)?;
            from_zero("sleep time", sleep.time)?;
        }
        Ok(())
    }

    pub(super) fn gravity(&self) -> DVec3 {
        self.gravity.into()
    }

    /// The length of a substep.
    pub(super) fn substep(&self) -> f64 {
        self.time_step / f64::from(self.substeps)
    }
}

/// More substeps or iterations are a mistake.
const MOST_ROUNDS: u32 = 10_000;
