//! The lecture on bounding volume hierarchies.

use super::Experiment;

/// The experiments of this folder.
pub(super) const ALL: &[Experiment] = &[];
