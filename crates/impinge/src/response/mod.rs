//! Rigid-body response: bodies that fall, collide, slide and come to rest.
//!
//! A [`Simulation`] holds a [`Scene`](crate::scene::Scene) and gives its bodies mass, velocity and material. Each step gets contacts from the scene, changes
//! velocities by one of three [solvers](Solver), and moves the bodies. There are no joints; `docs/internals/response.md` has the equations and the limits.
//!
//! ```
//! use impinge::geom::{Shape, glam::DVec3};
//! use impinge::response::{Material, SimulationSettings, Simulation};
//! use impinge::{Pose, scene::Body};
//! let mut simulation = Simulation::new(SimulationSettings::default())?;
//! let floor = Shape::half_space([0.0, 0.0, 1.0], 0.0)?;
//! simulation.add(Body::fixed(floor, Pose::IDENTITY), Material::default())?;
//! let high = Pose::from_translation([0.0, 0.0, 1.0])?;
//! let block = simulation.add(Body::moving(Shape::cuboid([0.5; 3])?, high), Material::default())?;
//! for _ in 0..120 {
//!     simulation.step();
//! }
//! assert!((simulation.pose(block)?.translation().z - 0.5).abs() < 0.01);
//! assert!(simulation.is_asleep(block)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod constraint;
mod error;
mod island;
mod mass;
mod material;
mod motion;
mod penalty;
mod reflection;
mod sequential;
mod settings;
mod simulation;
mod step;
mod sums;
mod sweep;
mod touching;
mod trail;

pub use error::ResponseError;
pub use mass::MassProperties;
pub use material::Material;
pub use motion::Velocity;
pub use settings::{SimulationSettings, Sleep, Solver};
pub use simulation::Simulation;
pub use sums::{Energy, Momentum};
pub use sweep::SweepCounts;
