//! Algorithms on convex bodies that are known only by their support functions.
//!
//! They work on the Minkowski difference A − B = {a − b}: its distance from the origin is the distance of the bodies, the
//! bodies' interiors meet iff the origin is inside it, and the depth is then the distance of the origin from its boundary.
//!
//! - [`gjk`] finds the point of A − B closest to the origin, or a tetrahedron around the origin;
//! - `fallback` takes over beside simplices too long for rounded directions;
//! - [`epa`] grows that tetrahedron, or one by `tetrahedron`, until it holds the closest point of the boundary, `epa_small` the
//!   same for polytopes;
//! - `witness` finds the points of the bodies that go with it;
//! - [`cast`] finds when a moving point enters it;
//! - [`exact`] decides the position of the origin for polytopes in integers, where floating point cannot.

pub(crate) mod cast;
pub(crate) mod difference;
pub(crate) mod epa;
mod epa_small;
pub(crate) mod exact;
mod fallback;
pub(crate) mod gjk;
mod simplex;
mod tetrahedron;
mod witness;
