//! Triangle against triangle: exact verdicts, intersections, distances, and one against many.
//!
//! A triangle is three points; it may be degenerate to a segment or a point, and it is closed: corners and edges belong to
//! it. Edge `i` runs from corner `i` to corner `i + 1 (mod 3)`. Coordinates are finite and at most 2^250 in magnitude, as the
//! constructors of [`Shape`](crate::Shape) see to, or the images of such points under a [`Pose`](crate::Pose).

mod aligned;
mod batch;
mod block;
mod block_point;
mod block_ray;
mod closest_point;
mod coplanar;
mod distance;
mod intersection;
mod near;
mod shared;
mod sides;
mod verdict;

pub use aligned::{AlignedBlock, candidates};
pub use batch::TriangleBatch;
pub use block::{BLOCK, TriangleBlock};
pub use block_point::PointBounds;
pub use block_ray::BlockHits;
pub use closest_point::closest_point;
pub use distance::{TriangleDistance, distance};
pub use intersection::{Intersection, intersection};
pub use near::{near_corners, within, within_along};
pub use shared::leave_apart;
pub use verdict::{TriangleVerdict, verdict};
