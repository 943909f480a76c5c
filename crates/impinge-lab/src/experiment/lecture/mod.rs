//! The lecture on bounding volume hierarchies.

mod close_proximity;
mod obb_fit;
mod obb_overlap;
mod sphere_trees;
mod swept_spheres;
mod torus_trees;

use super::Experiment;

/// The experiments of this folder.
pub(super) const ALL: &[Experiment] = &[
    obb_overlap::EXPERIMENT,
    obb_fit::EXPERIMENT,
    close_proximity::EXPERIMENT,
    torus_trees::EXPERIMENT,
    sphere_trees::EXPERIMENT,
    swept_spheres::EXPERIMENT,
];
