//! Real-Time Rendering, chapter 25.

mod approach;
mod changed;
mod continuous;
mod cost_model;
mod descent;
mod refit;
mod sat_lite;
mod warm_start;

use super::Experiment;

/// The experiments of this folder.
pub(super) const ALL: &[Experiment] = &[
    descent::EXPERIMENT,
    cost_model::EXPERIMENT,
    sat_lite::EXPERIMENT,
    warm_start::EXPERIMENT,
    refit::EXPERIMENT,
    continuous::EXPERIMENT,
];
