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
        Closest::new(self, point).search(scratch)
    }

    /// The same by a caller who knows a triangle nearby. The answer does not depend on it.
    pub(super) fn closest_point_from(
        &self,
        near: u32,
        point: DVec3,
        scratch: &mut Scratch,
    ) -> MeshClosestPoint {
        let mut visitor = Closest::new(self, point);
        visitor.offer(near);
        visitor.search(scratch)
    }

    /// The same by a caller who knows a point of the surface nearby. The answer does not depend on it.
    pub(crate) fn closest_point_beside(
        &self,
        known: DVec3,
        point: DVec3,
        scratch: &mut Scratch,
    ) -> MeshClosestPoint {
        let mut visitor = Closest::new(self, point);
        // The margin is far above the rounding of both points.
        visitor.limit = visitor.local_length(known.distance(point)) + visitor.margin;
        visitor.search(scratch)
    }
}

/// How many triangles wait before they are computed.
const WAITING: usize = 32;

/// Triangles that may be nearest wait until bounds in f32 have said how near the nearest one is at most; then those that still may be are computed in f64,
/// which are one, or those around an edge or a corner, as a rule.
struct Closest<'m, B: Bound> {
    mesh: &'m Mesh<B>,
    point: DVec3,
    local: Vec3A,
    margin: f32,
    nearest: Option<MeshClosestPoint>,
    /// The distance in local units, rounded up.
    limit: f32,
    /// Lower bounds of distances, and the triangles.
    waiting: [(f32, u32); WAITING],
    count: usize,
}

impl<'m, B: Bound> Closest<'m, B> {
    fn new(mesh: &'m Mesh<B>, point: DVec3) -> Self {
        let frame = mesh.tree.frame();
        let local = frame.local_f64(point);
        let unit = BOUND_MARGIN * f64::from(UNIT_ROUNDOFF_F32);
        let margin = round_up(unit * (frame.extent() + local.abs().max_element()));
        Self {
            mesh,
            point,
            local: local.as_vec3a(),
            margin,
            nearest: None,
            limit: f32::INFINITY,
            waiting: [(0.0, 0); WAITING],
            count: 0,
        }
    }

    fn search(mut self, scratch: &mut Scratch) -> MeshClosestPoint {
        let (mesh, stack) = (self.mesh, &mut scratch.points);
        let _ = traverse::point(&mesh.tree, self.local, self.margin, stack, &mut self, &mut ());
        self.settle();
        self.nearest.unwrap_or(MeshClosestPoint {
            distance: f64::INFINITY,
            point: DVec3::ZERO,
            triangle: 0,
            feature: Feature::vertex(0),
        })
    }

    fn local_length(&self, length: f64) -> f32 {
        round_up(length * self.mesh.tree.frame().factor())
    }

    fn offer(&mut self, triangle: u32) {
        let (point, feature) = closest_point(&self.mesh.corners(triangle), self.point);
        let distance = (point - self.point).length();
        let better = self
            .nearest
            .is_none_or(|nearest| (distance, triangle) < (nearest.distance, nearest.triangle));
        if better {
            self.nearest = Some(MeshClosestPoint { distance, point, triangle, feature });
            self.limit = self.limit.min(self.local_length(distance));
        }
    }

    /// Computes the triangles that wait and may still be nearest.
    #[inline(never)]
    fn settle(&mut self) {
        for k in 0..std::mem::take(&mut self.count).min(WAITING) {
            let (low, triangle) = self.waiting[k];
            // Where numbers overflow nothing is known.
            if low.is_nan() || low <= self.limit {
                self.offer(triangle);
            }
        }
    }
}

impl<B: Bound> Visit for Closest<'_, B> {
    #[inline(always)]
    fn leaf_pair<S: Simd>(&mut self, simd: S, leaf: u32, _: u32) -> ControlFlow<()> {
        let items = self.mesh.tree.leaf(leaf);
        let live = (1 << items.len()) - 1;
        let bounds = self.mesh.blocks[leaf as usize].point_bounds(simd, self.local, self.margin);
        let nearest = simd.least32(simd.or_infinity32(live, bounds.high));
        if nearest < self.limit {
            self.limit = nearest;
        }
        let mut left = live & !simd.greater32(bounds.low, simd.splat32(self.limit));
        if left == 0 {
            return ControlFlow::Continue(());
        }
        let low = simd.store32(bounds.low);
        while left != 0 {
            let lane = left.trailing_zeros() as usize % BLOCK;
            left &= left - 1;
            if self.count >= WAITING {
                self.settle();
            }
            self.waiting[self.count % WAITING] = (low[lane], items[lane]);
            self.count += 1;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn max_distance(&self) -> f32 {
        self.limit
    }
}
