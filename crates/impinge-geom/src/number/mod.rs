//! Numbers: what is accepted, how it is refused, named tolerances, and outward rounding.

pub mod error;
pub mod outward;
pub mod tolerance;
