//! Ray casts against meshes: watertight, decided exactly.

use super::first_hit::{FirstHit, Seen};
use super::{Mesh, Scratch, many_rays};
use impinge_geom::bound::{Bound, LocalRay};
use impinge_geom::ray::{Ray, TriangleHit};
use impinge_geom::simd::{Kernel, Simd, dispatch};
use impinge_tree::Probe;
use impinge_tree::traverse::{self, RayStack, Visit};
use std::ops::ControlFlow;

/// A ray hit on a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshHit {
    /// The triangle.
    pub triangle: u32,
    /// Where on it.
    pub hit: TriangleHit,
}

impl<B: Bound> Mesh<B> {
    /// The first triangle hit by the ray; of several at the same t, the one with the smallest index.
    ///
    /// ```
    /// use impinge::{Mesh, geom::ray::Ray, mesh::Scratch};
    /// let mesh: Mesh = Mesh::new(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
    /// let down = Ray::new([0.25, 0.25, 3.0], [0.0, 0.0, -1.0])?;
    /// assert_eq!(mesh.cast_ray(&down, &mut Scratch::default()).map(|found| found.hit.t), Some(3.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cast_ray(&self, ray: &Ray, scratch: &mut Scratch) -> Option<MeshHit> {
        self.cast_ray_with(ray, scratch, &mut ())
    }

    /// Like [`Mesh::cast_ray`], with work counters.
    pub fn cast_ray_with(
        &self,
        ray: &Ray,
        scratch: &mut Scratch,
        probe: &mut impl Probe,
    ) -> Option<MeshHit> {
        dispatch(Cast { mesh: self, ray, stack: &mut scratch.rays, probe })
    }

    /// Fills `found` with the first hit of each ray, as [`Mesh::cast_ray`] finds it.
    ///
    /// Faster than one ray after the other: while one waits for memory or for the outcome of a test, others proceed.
    ///
    /// ```
    /// use impinge::{Mesh, geom::{bound::Aabb, ray::Ray}, mesh::Scratch};
    /// // Boxes along the axes serve rays best.
    /// let mesh = Mesh::<Aabb>::with_volume(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
    /// let rays = [Ray::new([0.25, 0.25, 3.0], [0.0, 0.0, -1.0])?, Ray::new([2.0, 2.0, 3.0], [0.0, 0.0, -1.0])?];
    /// let mut found = Vec::new();
    /// mesh.cast_rays(&rays, &mut Scratch::default(), &mut found);
    /// assert_eq!(found[0].map(|found| found.hit.t), Some(3.0));
    /// assert!(found[1].is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cast_rays(&self, rays: &[Ray], scratch: &mut Scratch, found: &mut Vec<Option<MeshHit>>) {
        many_rays::cast(self, rays, scratch, found);
    }

    /// Fills `found` with all triangles hit by the ray, by t, then by index.
    ///
    /// A ray through an edge or a vertex hits all triangles there.
    pub fn cast_ray_all(&self, ray: &Ray, scratch: &mut Scratch, found: &mut Vec<MeshHit>) {
        found.clear();
        let Some(local) = LocalRay::new(self.tree.frame(), ray) else { return };
        let mut all = All { seen: Seen { mesh: self, ray, local: &local }, end: local.end, found };
        let _ = traverse::ray(&self.tree, &local, &mut scratch.rays, &mut all, &mut ());
        found
            .sort_unstable_by(|a, b| a.hit.t.total_cmp(&b.hit.t).then(a.triangle.cmp(&b.triangle)));
    }
}

/// The first hit, all of it in one dispatched function.
struct Cast<'c, B: Bound, P> {
    mesh: &'c Mesh<B>,
    ray: &'c Ray,
    stack: &'c mut RayStack,
    probe: &'c mut P,
}

impl<B: Bound, P: Probe> Kernel for Cast<'_, B, P> {
    type Output = Option<MeshHit>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<MeshHit> {
        let Self { mesh, ray, stack, probe } = self;
        let local = LocalRay::new(mesh.tree.frame(), ray)?;
        let seen = Seen { mesh, ray, local: &local };
        let mut one = One { seen, first: FirstHit::new(&local) };
        let _ = traverse::ray_on(simd, &mesh.tree, &local, stack, &mut one, probe);
        let mut found = None;
        one.first.finish(mesh, ray, &mut found);
        found
    }
}

/// Finds the first hit of one ray.
struct One<'m, B: Bound> {
    seen: Seen<'m, B>,
    first: FirstHit,
}

impl<B: Bound> Visit for One<'_, B> {
    #[inline(always)]
    fn leaf_pair<S: Simd>(&mut self, simd: S, leaf: u32, _: u32) -> ControlFlow<()> {
        let Seen { mesh, local, .. } = self.seen;
        // On the way while the block is looked at.
        mesh.fetch_faces(simd, leaf);
        if let Some(block) = mesh.blocks.get(leaf as usize) {
            let hits = block.ray_hits(simd, local, self.first.end);
            if hits.possible != 0 {
                self.first.take(simd, self.seen, leaf, &hits);
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn prefetch<S: Simd>(&self, simd: S, leaf: u32) {
        self.seen.mesh.fetch_leaf(simd, leaf);
    }

    #[inline(always)]
    fn max_distance(&self) -> f32 {
        self.first.end
    }
}

/// Collects all hits.
struct All<'m, 'f, B: Bound> {
    seen: Seen<'m, B>,
    end: f32,
    found: &'f mut Vec<MeshHit>,
}

impl<B: Bound> Visit for All<'_, '_, B> {
    #[inline(always)]
    fn leaf_pair<S: Simd>(&mut self, simd: S, leaf: u32, _: u32) -> ControlFlow<()> {
        let Seen { mesh, ray, local } = self.seen;
        if let Some(block) = mesh.blocks.get(leaf as usize) {
            let mut left = block.ray_hits(simd, local, self.end).possible & mesh.live(leaf);
            while left != 0 {
                let triangle = mesh.item(leaf, left.trailing_zeros());
                left &= left - 1;
                self.found.extend(mesh.exact_hit(ray, triangle, f64::MAX));
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn max_distance(&self) -> f32 {
        self.end
    }
}
