//! Rounded volumes: spheres inside spheres.

use super::Experiment;

/// The experiments of this folder.
pub(super) const ALL: &[Experiment] = &[];
