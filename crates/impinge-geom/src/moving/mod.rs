//! When do two things meet that move? Pure functions, one file per pair.
//!
//! Times run from 0 to 1, both included, and sets are closed: to touch is to meet.
//!
//! **Points that move on lines**: [`vertex_face`] and [`edge_edge`]. Verdicts are exact and times are never late.

mod coplanar;
mod edge_edge;
mod vertex_face;

pub use edge_edge::edge_edge;
pub use vertex_face::vertex_face;

/// 2^-30: the time of a contact of moving vertices is at most this much before the true one, and never after it. Mostly the
/// two differ by rounding only.
pub const EARLY: f64 = f64::from_bits((1023 - 30) << 52);
