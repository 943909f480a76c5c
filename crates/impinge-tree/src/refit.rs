//! Refits the volumes of moved items; the topology stays.
//!
//! Leaves are refitted, parents are merged from their children: each point is visited once. Merged oriented boxes are looser
//! than fitted ones; [`Tree::cost`] tells when to rebuild.

use crate::fill::{Filling, Inner};
use crate::{ItemGeometry, Tree, TreeFault};
use impinge_geom::bound::Bound;

impl<B: Bound> Tree<B> {
    /// Refits the volumes to the geometry, whose points are in the order of the leaves as for [`Tree::fit`]. The tree adopts the
    /// frame of the geometry.
    ///
    /// An error if there are points for another number of items; the tree is then unchanged.
    ///
    /// ```
    /// use impinge_geom::{bound::{Aabb, Bound, Frame}, glam::{DVec3, Vec3A}};
    /// use impinge_tree::{Builder, ItemGeometry, Surface, Tree, build::build_by};
    /// let frame = Frame::new(DVec3::ZERO, DVec3::ONE);
    /// let mut points: Vec<Vec3A> = (0..100).map(|k| Vec3A::X * k as f32 / 100.0).collect();
    /// let topology = build_by(100, |k| Aabb::of_points(&points[k..=k]), Builder::Morton, 8);
    /// points = topology.order().iter().map(|&k| points[k as usize]).collect();
    /// fn geometry<'g>(frame: &'g Frame, points: &'g [Vec3A]) -> ItemGeometry<'g> {
    ///     ItemGeometry { frame, points, points_per_item: 1, surface: Surface::Points }
    /// }
    /// let mut tree: Tree<Aabb> = Tree::fit(&topology, &geometry(&frame, &points), 8, 8);
    /// points[7] = Vec3A::Y;
    /// assert!(tree.validate(&geometry(&frame, &points)).is_err());
    /// tree.refit(&geometry(&frame, &points))?;
    /// assert_eq!(tree.validate(&geometry(&frame, &points)), Ok(()));
    /// # Ok::<(), impinge_tree::TreeFault>(())
    /// ```
    pub fn refit(&mut self, geometry: &ItemGeometry<'_>) -> Result<(), TreeFault> {
        let points = self.order.len().checked_mul(geometry.points_per_item);
        if points != Some(geometry.points.len()) {
            return Err(TreeFault::OtherGeometry);
        }
        self.frame = *geometry.frame;
        let (inner, kinds) = (Inner::Merged, B::KINDS);
        Filling { geometry, inner, fit: &B::fit_as, kinds, choose: &B::choose }.run(self);
        Ok(())
    }
}
