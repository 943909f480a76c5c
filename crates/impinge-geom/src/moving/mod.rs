//! When do two things meet that move? Pure functions, one file per pair.
//!
//! Times run from 0 to 1, both included, and sets are closed: to touch is to meet. A motion is the way from time 0 to 1.
//!
//! - **Points that move on lines**: [`vertex_face`] and [`edge_edge`], with exact verdicts and times that are never late;
//!   [`moving_triangles`] on top of them, [`advanced_triangles`] beside it.
//! - **Translations in closed form**, with first and last time: [`sphere_sphere`], [`sphere_plane`], [`sphere_half_space`],
//!   [`sphere_triangle`], [`sphere_polygon`], [`capsule_capsule`], [`tapered_capsules`], [`box_box`], [`triangle_box`], [`triangle_triangle`].
//! - **Any two convex shapes**: [`convex`], by ray casting their Minkowski difference.
//! - **Before all that**: [`Shaft`], [`swept_sphere_may_meet`] and [`swept_spheres_may_meet`] cull, and
//!   [`time_to_impact_bound`] says until when no query is needed.

mod bound;
mod capsule_capsule;
mod convex_convex;
mod coplanar;
mod edge_edge;
mod moving_triangles;
mod separating_axes;
mod shaft;
mod sphere_plane;
mod sphere_polygon;
mod sphere_sphere;
mod tapered_capsules;
mod times;
mod vertex_face;

pub use bound::{approach_speed, time_to_impact_bound};
pub use capsule_capsule::capsule_capsule;
pub use convex_convex::{Cast, convex};
pub use edge_edge::edge_edge;
pub use moving_triangles::{MovingTriangle, TriangleAdvance, advanced_triangles, moving_triangles};
pub use separating_axes::{box_box, triangle_box, triangle_triangle};
pub use shaft::{Shaft, swept_sphere_may_meet, swept_spheres_may_meet};
pub use sphere_plane::{sphere_half_space, sphere_plane};
pub use sphere_polygon::{sphere_polygon, sphere_triangle};
pub use sphere_sphere::sphere_sphere;
pub use tapered_capsules::tapered_capsules;
pub use times::Times;
pub use vertex_face::vertex_face;

/// 2^-30: the time of a contact of moving vertices is at most this much before the true one, and never after it. Mostly the
/// two differ by rounding only.
pub const EARLY: f64 = f64::from_bits((1023 - 30) << 52);
