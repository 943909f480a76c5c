//! The point of a mesh nearest to a given one.

use super::{Mesh, Scratch};
use impinge_geom::Feature;
use impinge_geom::bound::Bound;
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_geom::number::outward::round_up;
use impinge_geom::number::tolerance::{BOUND_MARGIN, UNIT_ROUNDOFF_F32};
use impinge_geom::simd::Simd;
use impinge_geom::triangle::{BLOCK, closest_point};
use impinge_tree::traverse::{self, Visit};
use std::ops::ControlFlow;

/// The nearest point of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshClosestPoint {
    /// The distance, never negative.
    pub distance: f64,
    /// The point of the mesh.
    pub point: DVec3,
    /// The triangle it lies on; of several equally near, the smallest index.
    pub triangle: u32,
    /// The vertex, edge or face of that triangle.
    pub feature: Feature,
}

impl<B: Bound> Mesh<B> {
    /// The closest point of the surface to `point`, which must be finite.
    ///
    /// ```
    /// use impinge::{Mesh, geom::glam::DVec3, mesh::Scratch};
    /// let mesh: Mesh = Mesh::new(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
    /// let found = mesh.closest_point(DVec3::new(0.25, 0.25, 3.0), &mut Scratch::default());
    /// assert_eq!((found.distance, found.point), (3.0, DVec3::new(0.25, 0.25, 0.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest_point(&self, point: DVec3, scratch: &mut Scratch) -> MeshClosestPoint {
        self.closest_point_from(0, point, scratch)
    }

    /// The same by a caller who knows a triangle nearby. The answer does not depend on it.
    pub(super) fn closest_point_from(
        &self,
        near: u32,
        point: DVec3,
        scratch: &mut Scratch,
    ) -> MeshClosestPoint {
        let frame = self.tree.frame();
        let local = frame.local_f64(point);
        let unit = BOUND_MARGIN * f64::from(UNIT_ROUNDOFF_F32);
        let reach = local.abs().max_element();
        let margin = round_up(unit * (frame.extent() + reach));
        let (nearest, limit) = (None, f32::INFINITY);
        let mut visitor =
            Closest { mesh: self, point, local: local.as_vec3a(), margin, nearest, limit };
        visitor.offer(near);
        let stack = &mut scratch.points;
        let _ = traverse::point(&self.tree, local.as_vec3a(), margin, stack, &mut visitor, &mut ());
        visitor.nearest.unwrap_or(MeshClosestPoint {
            distance: f64::INFINITY,
            point: DVec3::ZERO,
            triangle: 0,
            feature: Feature::vertex(0),
        })
    }
}

struct Closest<'m, B: Bound> {
    mesh: &'m Mesh<B>,
    point: DVec3,
    local: Vec3A,
    margin: f32,
    nearest: Option<MeshClosestPoint>,
    /// The distance in local units, rounded up.
    limit: f32,
}

impl<B: Bound> Closest<'_, B> {
    fn offer(&mut self, triangle: u32) {
        let (point, feature) = closest_point(&self.mesh.corners(triangle), self.point);
        let distance = (point - self.point).length();
        let better = self
            .nearest
            .is_none_or(|nearest| (distance, triangle) < (nearest.distance, nearest.triangle));
        if better {
            self.nearest = Some(MeshClosestPoint { distance, point, triangle, feature });
            self.limit = round_up(distance * self.mesh.tree.frame().factor());
        }
    }
}

impl<B: Bound> Visit for Closest<'_, B> {
    #[inline(always)]
    fn leaf_pair<S: Simd>(&mut self, simd: S, leaf: u32, _: u32) -> ControlFlow<()> {
        let items = self.mesh.tree.leaf(leaf);
        let limit = self.limit + self.margin;
        let block = &self.mesh.blocks[leaf as usize];
        let mut left = block.point_candidates(simd, self.local, limit) & ((1 << items.len()) - 1);
        while left != 0 {
            self.offer(items[left.trailing_zeros() as usize % BLOCK]);
            left &= left - 1;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn max_distance(&self) -> f32 {
        self.limit
    }
}
