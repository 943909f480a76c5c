//! Numbers: accepted magnitudes, errors, named tolerances, and outward rounding.

pub mod angle;
pub(crate) mod double_double;
pub mod error;
pub(crate) mod exact;
mod least_first;
pub(crate) mod length;
pub mod outward;
pub mod tolerance;

pub use least_first::{LeastFirst, TotalOrder};
