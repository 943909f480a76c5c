//! Real-Time Rendering, chapter 25.

use super::Experiment;

/// The experiments of this folder.
pub(super) const ALL: &[Experiment] = &[];
