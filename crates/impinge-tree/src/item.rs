//! Items: the builder's view of the geometry.

use impinge_geom::bound::{Aabb, Moments};
use impinge_geom::glam::Vec3A;

/// The items to group: a box for each, optionally the moments of its surface for splits along principal axes, and how
/// often it was touched, for builders that raise what is touched most.
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
    /// The boxes, in the frame of the body.
    pub boxes: Vec<Aabb>,
    /// Moments: empty, or one per box.
    pub moments: Vec<Moments>,
    /// Empty, or how often each item was touched, for [`Builder::Weighted`](crate::Builder::Weighted). NaN and negative numbers
    /// count as zero.
    pub weights: Vec<f32>,
    /// Empty, or the points of all items, the same number for each, for [`Builder::Spheres`](crate::Builder::Spheres). The first three
    /// of each form a triangle whose normal points out of the body.
    pub points: Vec<Vec3A>,
}
