//! A triangle cut into pieces by other triangles, and what lies above and below each piece. Exact.
//!
//! Where surfaces touch, whether solids overlap is decided by what is on either side of each piece of surface. A piece is
//! open, convex, and met by no cutting triangle except those that cover it. The flow is `plane` (the triangle's plane and its
//! shadow along an axis) → `cut` (lines in the shadow, and the pieces between them) → `point` (one point per piece, and its position
//! relative to other triangles). Nothing is rounded; `docs/maths/solid-verdict.md` says why one point per piece suffices.

mod cut;
mod plane;
mod point;

pub use cut::pieces;
pub use point::{Over, PiecePoint};
