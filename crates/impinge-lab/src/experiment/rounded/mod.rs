//! The paper on oriented rounded bounding volumes.

mod corners;
mod spheres;
mod sweep;

use super::Experiment;

/// The experiments of this folder.
pub(super) const ALL: &[Experiment] = &[spheres::EXPERIMENT, sweep::EXPERIMENT];
