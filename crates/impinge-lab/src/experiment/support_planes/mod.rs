//! Support plane mappings (Vogiannou et al. 2010): a file for each figure.

use super::Experiment;

/// The experiments of this folder.
pub(super) const ALL: &[Experiment] = &[];
