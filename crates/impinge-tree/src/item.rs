//! What a builder sees of the geometry.

use impinge_geom::bound::{Aabb, Moments};
use impinge_geom::glam::Vec3A;

/// The things to be grouped: a box for each, the moments of its surface where a split along principal axes should see it, and how
/// often it was touched where a builder should raise what is asked for most.
///
/// ```
/// use impinge_geom::{bound::{Aabb, Moments}, glam::{DVec3, Vec3A}};
/// use impinge_tree::{Builder, Items, build};
/// let corners = |k: u32| [Vec3A::ZERO, Vec3A::X, Vec3A::Y].map(|p| p + Vec3A::Z * k as f32);
/// let items = Items {
///     boxes: (0..20).map(|k| Aabb::of_points(&corners(k))).collect(),
///     moments: (0..20)
///         .map(|k| {
///             let [a, b, c] = corners(k).map(|p| p.as_dvec3());
///             Moments::of_triangle(a, b, c)
///         })
///         .collect(),
///     ..Items::default()
/// };
/// let topology = build(&items, Builder::PrincipalMean, 10);
/// assert_eq!(topology.groups().len(), 3);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Items {
    /// In the frame of the body.
    pub boxes: Vec<Aabb>,
    /// Empty, or one for each box.
    pub moments: Vec<Moments>,
    /// Empty, or how often each item was touched, for [`Builder::Weighted`](crate::Builder::Weighted). What is not a positive number
    /// counts as never.
    pub weights: Vec<f32>,
    /// Empty, or the points of all items, the same number for each, for [`Builder::Spheres`](crate::Builder::Spheres). The first three
    /// of each are seen as a triangle, whose normal leads out of the body.
    pub points: Vec<Vec3A>,
}
