//! The lecture on bounding volume hierarchies.

mod close_proximity;
mod obb_overlap;
mod sphere_trees;
mod swept_spheres;

use super::Experiment;

/// The experiments of this folder.
pub(super) const ALL: &[Experiment] = &[
    obb_overlap::EXPERIMENT,
    close_proximity::EXPERIMENT,
    sphere_trees::EXPERIMENT,
    swept_spheres::EXPERIMENT,
];
