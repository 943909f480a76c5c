//! Questions of our own.

mod builders;
mod growth;
mod hybrid;
mod scenes;
mod tune;
mod voxels;

use super::Experiment;

/// The experiments of this folder.
pub(super) const ALL: &[Experiment] = &[
    builders::EXPERIMENT,
    hybrid::EXPERIMENT,
    tune::EXPERIMENT,
    growth::EXPERIMENT,
    voxels::EXPERIMENT,
    scenes::EXPERIMENT,
];
