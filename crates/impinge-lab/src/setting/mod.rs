//! What experiments are set in: bodies, where they are placed, and how the work of a query is averaged.

pub mod bodies;
pub(crate) mod boxes;
pub(crate) mod concentric;
pub(crate) mod hierarchy;
pub(crate) mod mean;
pub(crate) mod panel;
pub mod placements;
pub(crate) mod prices;
