//! Exact predicates: the sign of a determinant, decided as if every number were exact.
//!
//! Each runs through stages: a floating filter with a proven error bound, integers of fixed width where exponents are near each other, adaptive expansions
//! where neither underflow nor overflow is possible, and integers of any length otherwise. They are right from subnormal numbers to 2^250.

mod coplanar;
pub(crate) mod dyadic;
mod fixed;
mod orient;
mod parameter;
mod plane_side;
mod ray;

pub use coplanar::are_collinear;
pub(crate) use coplanar::are_coplanar;
pub(crate) use dyadic::integers;
pub(crate) use orient::{UNDERFLOW_GUARD, orient2d_filter, orient3d_filter};
pub use orient::{orient2d, orient3d, shifted_side};
pub(crate) use parameter::{passing_parameter, passing_parameter_2d};
pub use plane_side::PlaneSide;
pub use ray::ray_side;
pub(crate) use ray::ray_side_planar;
