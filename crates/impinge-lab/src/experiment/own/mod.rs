//! Questions of our own.

use super::Experiment;

/// The experiments of this folder.
pub(super) const ALL: &[Experiment] = &[];
