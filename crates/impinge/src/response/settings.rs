//! Settings of a simulation.

use super::ResponseError;
use super::error::{finite, from_zero, positive};
use impinge_geom::glam::DVec3;

/// The contact solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Solver {
    /// Reflects and damps the approach velocity by the restitution: equation 25.14 of Akenine-Möller et al., Real-Time Rendering (2018), for two
    /// bodies that also rotate. No friction; piles do not come to rest well.
    Reflection,
    /// Sequential impulses with warm starting (Catto, Game Developers Conference 2006), in short substeps and with soft contacts. Friction and
    /// stacks.
    #[default]
    SequentialImpulses,
    /// Penalty springs against penetration (hysteretic springs of Walton and Braun, 1986), and friction. Soft; needs many substeps.
    Penalty,
}

/// When bodies at rest are put to sleep, together with all that they touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sleep {
    /// A body is at rest if no point of it is faster than this.
    pub speed: f64,
    /// How long an island must be at rest before it sleeps; 0 means after the first such step.
    pub time: f64,
}

/// Settings of a simulation, in any consistent units of length, mass and time.
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
    /// Gravity: the acceleration of all moving bodies.
    pub gravity: [f64; 3],
    /// Duration of a step.
    pub time_step: f64,
    /// The contact solver.
    pub solver: Solver,
    /// Number of substeps per step: contacts are found once and followed from substep to substep. More make stacks stiffer.
    pub substeps: u32,
    /// Solver iterations per substep.
    pub iterations: u32,
    /// Distance from which contacts are found, before bodies touch. A body that moves farther than this in a step is found when it is already deep: meshes, which are
    /// surfaces only, may then be pushed the wrong way.
    pub margin: f64,
    /// Penetration depth at which bodies rest, so that their contacts persist.
    pub rest_depth: f64,
    /// Contacts that approach more slowly do not bounce.
    pub bounce_speed: f64,
    /// Maximal speed at which penetrating bodies are pushed apart.
    pub push_speed: f64,
    /// Share of its velocity that a body loses per unit of time, as by air drag; zero or more.
    pub damping: f64,
    /// When bodies sleep; `None` for never.
    pub sleep: Option<Sleep>,
}

impl Default for SimulationSettings {
    /// For bodies of about a metre, in metres, kilograms and seconds, with z up.
    fn default() -> Self {
        Self::for_size(1.0)
    }
}

impl SimulationSettings {
    /// Settings for bodies of about this size: lengths and speeds are multiples of it. Gravity is that of the earth in metres and seconds.
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
