//! Rays at meshes: watertight, decided exactly.

use super::first_hit::{FirstHit, Seen};
use super::{Mesh, Scratch};
use impinge_geom::bound::{Bound, LocalRay};
use impinge_geom::ray::{Ray, TriangleHit};
use impinge_geom::simd::{Kernel, Simd, dispatch};
use impinge_geom::triangle::BlockHits;
use impinge_tree::Probe;
use impinge_tree::traverse::{self, RayStack, SLOTS, Visit, VisitRays};
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
        dispatch(Cast { mesh: self, ray, stack: &mut scratch.rays, probe })
    }

    /// Fills `found` with the first triangle along each ray, as [`Mesh::ray`] finds it.
    ///
    /// This is faster than one by one: while one ray waits for memory, or for the outcome of a test, others go on.
    ///
    /// ```
    /// use impinge::{Mesh, geom::{bound::Aabb, ray::Ray}, mesh::Scratch};
    /// // Boxes along the axes serve rays best.
    /// let mesh = Mesh::<Aabb>::new(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
    /// let rays = [Ray::new([0.25, 0.25, 3.0], [0.0, 0.0, -1.0])?, Ray::new([2.0, 2.0, 3.0], [0.0, 0.0, -1.0])?];
    /// let mut found = Vec::new();
    /// mesh.rays(&rays, &mut Scratch::default(), &mut found);
    /// assert_eq!(found[0].map(|found| found.hit.t), Some(3.0));
    /// assert!(found[1].is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rays(&self, rays: &[Ray], scratch: &mut Scratch, found: &mut Vec<Option<MeshHit>>) {
        if self.blocks.len() < LARGE_MESH {
            self.cast::<false>(rays, scratch, found);
        } else {
            self.cast::<true>(rays, scratch, found);
        }
    }

    /// All rays, in the way for large meshes or in that for others.
    fn cast<const LARGE: bool>(
        &self,
        rays: &[Ray],
        scratch: &mut Scratch,
        found: &mut Vec<Option<MeshHit>>,
    ) {
        // Every ray writes its own place: what is there from before need not be cleared.
        found.resize(rays.len(), None);
        let mut many = Many {
            mesh: self,
            rays,
            next: 0,
            own: [0; SLOTS],
            locals: [LocalRay::NOWHERE; SLOTS],
            firsts: [FirstHit::new(&LocalRay::NOWHERE); SLOTS],
            hits: [BlockHits::NONE; SLOTS],
            found,
        };
        traverse::rays::<B, LARGE>(&self.tree, &mut scratch.many_rays, &mut many);
    }

    /// Fills `found` with all triangles along the ray, by t, then by index.
    ///
    /// A ray through an edge or a vertex meets all the triangles there.
    pub fn ray_all(&self, ray: &Ray, scratch: &mut Scratch, found: &mut Vec<MeshHit>) {
        found.clear();
        let Some(local) = LocalRay::new(self.tree.frame(), ray) else { return };
        let mut all = All { seen: Seen { mesh: self, ray, local: &local }, end: local.end, found };
        let _ = traverse::ray(&self.tree, &local, &mut scratch.rays, &mut all, &mut ());
        found
            .sort_unstable_by(|a, b| a.hit.t.total_cmp(&b.hit.t).then(a.triangle.cmp(&b.triangle)));
    }
}

/// With so many leaves a mesh is larger than the caches near the processor.
const LARGE_MESH: usize = 1 << 14;

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
    fn leaves<S: Simd>(&mut self, simd: S, leaf: u32, _: u32) -> ControlFlow<()> {
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
    fn soon<S: Simd>(&self, simd: S, leaf: u32) {
        self.seen.mesh.fetch_leaf(simd, leaf);
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.first.end
    }
}

/// Finds the first hits of many rays.
struct Many<'m, B: Bound> {
    mesh: &'m Mesh<B>,
    rays: &'m [Ray],
    /// The first ray that was not begun yet.
    next: usize,
    /// Which rays are in the slots, what the mesh sees of them, and what they met.
    own: [usize; SLOTS],
    locals: [LocalRay; SLOTS],
    firsts: [FirstHit; SLOTS],
    /// What was hit of the leaves that are visited together.
    hits: [BlockHits; SLOTS],
    found: &'m mut [Option<MeshHit>],
}

impl<B: Bound> VisitRays for Many<'_, B> {
    #[inline(always)]
    fn next<S: Simd>(&mut self, simd: S, slot: usize) -> Option<&LocalRay> {
        let slot = slot % SLOTS;
        while let Some(ray) = self.rays.get(self.next) {
            self.next += 1;
            if let Some(later) = self.rays.get(self.next + 8) {
                simd.fetch(later);
            }
            if self.locals[slot].set(self.mesh.tree.frame(), ray) {
                self.own[slot] = self.next - 1;
                self.firsts[slot].restart(&self.locals[slot]);
                return Some(&self.locals[slot]);
            }
            if let Some(found) = self.found.get_mut(self.next - 1) {
                *found = None;
            }
        }
        None
    }

    #[inline(always)]
    fn leaf<S: Simd>(&mut self, simd: S, slot: usize, leaf: u32) -> f32 {
        let slot = slot % SLOTS;
        let (mesh, local, first) = (self.mesh, &self.locals[slot], &mut self.firsts[slot]);
        mesh.fetch_faces(simd, leaf);
        if let (Some(block), Some(ray)) =
            (mesh.blocks.get(leaf as usize), self.rays.get(self.own[slot]))
        {
            let hits = block.ray_hits(simd, local, first.end);
            if hits.possible != 0 {
                first.take(simd, Seen { mesh, ray, local }, leaf, &hits);
            }
        }
        first.end
    }

    #[inline(always)]
    fn leaves<S: Simd>(&mut self, simd: S, visits: &[(u32, u32)], ends: &mut [f32; SLOTS]) {
        for (hits, &(slot, leaf)) in self.hits.iter_mut().zip(visits) {
            let slot = slot as usize % SLOTS;
            if let Some(block) = self.mesh.blocks.get(leaf as usize) {
                *hits = block.ray_hits_straight(simd, &self.locals[slot], ends[slot]);
            }
        }
        for (hits, &(slot, leaf)) in self.hits.iter().zip(visits) {
            let slot = slot as usize % SLOTS;
            if hits.possible == 0 {
                continue;
            }
            let Some(ray) = self.rays.get(self.own[slot]) else { continue };
            let seen = Seen { mesh: self.mesh, ray, local: &self.locals[slot] };
            self.firsts[slot].take(simd, seen, leaf, hits);
            ends[slot] = self.firsts[slot].end;
        }
    }

    #[inline(always)]
    fn soon<S: Simd>(&self, simd: S, leaf: u32) {
        self.mesh.fetch_leaf(simd, leaf);
    }

    #[inline(always)]
    fn done(&mut self, slot: usize) {
        let own = self.own[slot % SLOTS];
        if let (Some(ray), Some(found)) = (self.rays.get(own), self.found.get_mut(own)) {
            self.firsts[slot % SLOTS].finish(self.mesh, ray, found);
        }
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
    fn leaves<S: Simd>(&mut self, simd: S, leaf: u32, _: u32) -> ControlFlow<()> {
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
    fn limit(&self) -> f32 {
        self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geom::bound::{Aabb, Obb};

    /// A wavy square of `2·size²` triangles over the unit square.
    fn waves(size: u32) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let (mut vertices, mut faces) = (Vec::new(), Vec::new());
        for j in 0..=size {
            for i in 0..=size {
                let height = f64::from(i * 7 % 5 + j * 3 % 4) * 0.02;
                vertices.push([
                    f64::from(i) / f64::from(size),
                    f64::from(j) / f64::from(size),
                    height,
                ]);
                if i < size && j < size {
                    let corner = j * (size + 1) + i;
                    let above = corner + size + 1;
                    faces.extend([[corner, corner + 1, above], [corner + 1, above + 1, above]]);
                }
            }
        }
        (vertices, faces)
    }

    /// Rays from above that hit, at vertices and elsewhere, rays that miss, and rays from far away.
    fn rays() -> Vec<Ray> {
        let mut rays = Vec::new();
        for k in 0..700u32 {
            let (x, y) =
                (f64::from(k * 37 % 101) / 80.0 - 0.1, f64::from(k * 53 % 97) / 80.0 - 0.1);
            let far = if k % 11 == 0 { 1e4 } else { 1.0 };
            let origin = [x * 0.3 * far, (0.5 - y) * far, (1.0 + y) * far];
            let direction = [x - origin[0], y - origin[1], 0.05 - origin[2]];
            rays.extend(Ray::new(origin, direction));
        }
        rays
    }

    fn same_as_alone<B: Bound>() {
        let mut scratch = Scratch::default();
        for size in [1, 3, 40] {
            let (vertices, faces) = waves(size);
            let mesh = Mesh::<B>::new(&vertices, &faces).expect("valid");
            let rays = rays();
            // Also fewer rays than take turns, and none.
            for count in [0, 1, SLOTS - 1, rays.len()] {
                let rays = &rays[..count];
                let alone: Vec<_> = rays.iter().map(|ray| mesh.ray(ray, &mut scratch)).collect();
                let mut found = Vec::new();
                mesh.rays(rays, &mut scratch, &mut found);
                assert_eq!(found, alone);
                mesh.cast::<true>(rays, &mut scratch, &mut found);
                assert_eq!(found, alone);
                let hits = alone.iter().flatten().count();
                assert!(count < 100 || hits > count / 4 && hits < count, "{hits} of {count}");
            }
        }
    }

    #[test]
    fn many_rays_meet_what_each_meets_alone() {
        same_as_alone::<Aabb>();
        same_as_alone::<Obb>();
    }
}
