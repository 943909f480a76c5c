//! Rays at meshes: watertight, decided exactly.

use super::{Mesh, Scratch};
use impinge_geom::bound::{Bound, LocalRay};
use impinge_geom::ray::{self, Ray, TriangleHit};
use impinge_geom::simd::Simd;
use impinge_geom::triangle::{BLOCK, ShearedRay};
use impinge_tree::Probe;
use impinge_tree::traverse::{self, Visit};
use std::ops::ControlFlow;

/// Where a ray meets a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshHit {
    /// The triangle.
    pub triangle: u32,
    /// Where on it.
    pub hit: TriangleHit,
}

impl<B: Bound> Mesh<B> {
    /// The first triangle along the ray; where several are hit at the same t, the one with the smallest index.
    ///
    /// ```
    /// use impinge::{Mesh, geom::ray::Ray, mesh::Scratch};
    /// let mesh: Mesh = Mesh::new(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
    /// let down = Ray::new([0.25, 0.25, 3.0], [0.0, 0.0, -1.0])?;
    /// assert_eq!(mesh.ray(&down, &mut Scratch::default()).map(|found| found.hit.t), Some(3.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray(&self, ray: &Ray, scratch: &mut Scratch) -> Option<MeshHit> {
        self.ray_with(ray, scratch, &mut ())
    }

    /// The same, telling its work.
    pub fn ray_with(
        &self,
        ray: &Ray,
        scratch: &mut Scratch,
        probe: &mut impl Probe,
    ) -> Option<MeshHit> {
        let local = LocalRay::new(self.tree.frame(), ray)?;
        let mut first = First { seen: Seen::new(self, ray, &local), local, best: None };
        let _ = traverse::ray(&self.tree, &local, &mut scratch.rays, &mut first, probe);
        first.best
    }

    /// Fills `found` with all triangles along the ray, by t, then by index.
    ///
    /// A ray through an edge or a vertex meets all the triangles there.
    pub fn ray_all(&self, ray: &Ray, scratch: &mut Scratch, found: &mut Vec<MeshHit>) {
        found.clear();
        let Some(local) = LocalRay::new(self.tree.frame(), ray) else { return };
        let mut all = All { seen: Seen::new(self, ray, &local), local, found };
        let _ = traverse::ray(&self.tree, &local, &mut scratch.rays, &mut all, &mut ());
        found
            .sort_unstable_by(|a, b| a.hit.t.total_cmp(&b.hit.t).then(a.triangle.cmp(&b.triangle)));
    }
}

/// The mesh and the ray.
struct Seen<'m, B: Bound> {
    mesh: &'m Mesh<B>,
    ray: &'m Ray,
    sheared: ShearedRay,
}

impl<'m, B: Bound> Seen<'m, B> {
    fn new(mesh: &'m Mesh<B>, ray: &'m Ray, local: &LocalRay) -> Self {
        Self { mesh, ray, sheared: ShearedRay::new(local) }
    }

    /// Calls back for the triangles of a leaf that are hit.
    #[inline(always)]
    fn each<S: Simd>(&self, simd: S, local: &LocalRay, leaf: u32, mut hit: impl FnMut(MeshHit)) {
        let items = self.mesh.tree.leaf(leaf);
        let block = &self.mesh.blocks[leaf as usize];
        let mut left = block.ray_candidates(simd, local, &self.sheared) & ((1 << items.len()) - 1);
        while left != 0 {
            let triangle = items[left.trailing_zeros() as usize % BLOCK];
            left &= left - 1;
            if let Some(found) = ray::triangle(self.ray, &self.mesh.corners(triangle)) {
                hit(MeshHit { triangle, hit: found });
            }
        }
    }
}

/// Keeps the first hit.
struct First<'m, B: Bound> {
    seen: Seen<'m, B>,
    local: LocalRay,
    best: Option<MeshHit>,
}

impl<B: Bound> Visit for First<'_, B> {
    #[inline(always)]
    fn leaves<S: Simd>(&mut self, simd: S, leaf: u32, _: u32) -> ControlFlow<()> {
        let (best, mut end) = (&mut self.best, self.local);
        self.seen.each(simd, &self.local, leaf, |found| {
            let better =
                best.is_none_or(|best| (found.hit.t, found.triangle) < (best.hit.t, best.triangle));
            if better {
                *best = Some(found);
                end.stop_at(found.hit.t);
            }
        });
        self.local.end = end.end;
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.local.end
    }
}

/// Collects all hits.
struct All<'m, 'f, B: Bound> {
    seen: Seen<'m, B>,
    local: LocalRay,
    found: &'f mut Vec<MeshHit>,
}

impl<B: Bound> Visit for All<'_, '_, B> {
    #[inline(always)]
    fn leaves<S: Simd>(&mut self, simd: S, leaf: u32, _: u32) -> ControlFlow<()> {
        let found = &mut *self.found;
        self.seen.each(simd, &self.local, leaf, |hit| found.push(hit));
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.local.end
    }
}
