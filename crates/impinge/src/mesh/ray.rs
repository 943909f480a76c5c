//! Rays at meshes: watertight, decided exactly.

use super::{Mesh, Scratch};
use impinge_geom::bound::{Bound, LocalRay};
use impinge_geom::ray::{self, Ray, TriangleHit};
use impinge_geom::simd::{Kernel, Simd, dispatch};
use impinge_geom::triangle::{BLOCK, BlockHits};
use impinge_tree::traverse::{self, RayStack, Visit};
use impinge_tree::{Probe, Tree};
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

    /// Fills `found` with all triangles along the ray, by t, then by index.
    ///
    /// A ray through an edge or a vertex meets all the triangles there.
    pub fn ray_all(&self, ray: &Ray, scratch: &mut Scratch, found: &mut Vec<MeshHit>) {
        found.clear();
        let Some(local) = LocalRay::new(self.tree.frame(), ray) else { return };
        let mut all = All { seen: Seen::new(self, ray, &local), end: local.end, found };
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
        let mut first = First {
            seen: Seen::new(mesh, ray, &local),
            end: local.end,
            best: None,
            waiting: [(0.0, 0, 0); WAITING],
            count: 0,
        };
        let _ = traverse::ray_on(simd, &mesh.tree, &local, stack, &mut first, probe);
        if let (None, 1) = (&first.best, first.count) {
            let (_, leaf, lane) = first.waiting[0];
            return first.seen.certain_hit(leaf, lane);
        }
        first.settle();
        first.best
    }
}

/// The triangles of a leaf, where rays find them without a detour.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(8))]
pub(super) struct LeafFaces {
    /// The indices of their corners.
    corners: [[u32; 3]; BLOCK],
    /// The place of the first one in the order of the tree.
    first: u32,
    /// One bit per triangle.
    live: u32,
}

impl LeafFaces {
    pub(super) fn new<B: Bound>(tree: &Tree<B>, leaf: u32, triangles: &[[u32; 3]]) -> Self {
        let mut corners = [[0; 3]; BLOCK];
        for (corners, &item) in corners.iter_mut().zip(tree.leaf(leaf)) {
            *corners = triangles.get(item as usize).copied().unwrap_or_default();
        }
        let places = tree.leaf_places(leaf);
        Self { corners, first: places.start as u32, live: (1 << (places.len() % 32)) - 1 }
    }
}

/// The mesh and the ray.
struct Seen<'m, B: Bound> {
    mesh: &'m Mesh<B>,
    ray: &'m Ray,
    local: &'m LocalRay,
}

impl<'m, B: Bound> Seen<'m, B> {
    #[inline(always)]
    fn new(mesh: &'m Mesh<B>, ray: &'m Ray, local: &'m LocalRay) -> Self {
        Self { mesh, ray, local }
    }

    /// The triangle in a lane of a leaf.
    #[inline(always)]
    fn item(&self, leaf: u32, lane: u32) -> u32 {
        let first = match self.mesh.faces.get(leaf as usize) {
            Some(faces) => faces.first,
            None => self.mesh.tree.leaf_places(leaf).start as u32,
        };
        self.mesh.tree.order().get((first + lane) as usize).copied().unwrap_or(0)
    }

    /// The hit with the triangle in a lane of a leaf, which is certain.
    #[inline(always)]
    fn certain_hit(&self, leaf: u32, lane: u32) -> Option<MeshHit> {
        let triangle = self.item(leaf, lane);
        let Some(faces) = self.mesh.faces.get(leaf as usize) else {
            return self.exactly(triangle, f64::MAX);
        };
        let vertices = self.mesh.vertices.as_slice();
        let [a, b, c] = faces.corners[lane as usize % BLOCK];
        let (a, b, c) =
            (vertices.get(a as usize)?, vertices.get(b as usize)?, vertices.get(c as usize)?);
        let hit = ray::triangle_crossed(self.ray, &[*a, *b, *c])?;
        Some(MeshHit { triangle, hit })
    }

    /// The lanes of a leaf that hold a triangle.
    #[inline(always)]
    fn live(&self, leaf: u32) -> u32 {
        match self.mesh.faces.get(leaf as usize) {
            Some(faces) => faces.live,
            None => (1 << (self.mesh.tree.leaf_places(leaf).len() % 32)) - 1,
        }
    }

    /// Asks for what is read of a leaf.
    #[inline(always)]
    fn fetch<S: Simd>(&self, simd: S, leaf: u32) {
        if let Some(block) = self.mesh.blocks.get(leaf as usize) {
            simd.fetch(block);
        }
        self.fetch_faces(simd, leaf);
    }

    #[inline(always)]
    fn fetch_faces<S: Simd>(&self, simd: S, leaf: u32) {
        if let Some(faces) = self.mesh.faces.get(leaf as usize) {
            simd.fetch(faces);
        }
    }

    /// Asks for what the f64 test of a triangle reads.
    #[inline(always)]
    fn fetch_corners<S: Simd>(&self, simd: S, leaf: u32, lane: u32) {
        let Some(faces) = self.mesh.faces.get(leaf as usize) else { return };
        let [a, b, c] = faces.corners[lane as usize % BLOCK];
        let vertices = self.mesh.vertices.as_slice();
        if let (Some(a), Some(b), Some(c)) =
            (vertices.get(a as usize), vertices.get(b as usize), vertices.get(c as usize))
        {
            simd.fetch(a);
            simd.fetch(b);
            simd.fetch(c);
        }
        if let Some(triangle) = self.mesh.tree.order().get((faces.first + lane) as usize) {
            simd.fetch(triangle);
        }
    }

    #[inline(always)]
    fn hits<S: Simd>(&self, simd: S, leaf: u32, end: f32) -> BlockHits {
        match self.mesh.blocks.get(leaf as usize) {
            Some(block) => block.ray_hits(simd, self.local, end),
            None => BlockHits::NONE,
        }
    }

    /// Where the triangle is hit, if at a t up to `limit`.
    #[inline(never)]
    fn exactly(&self, triangle: u32, limit: f64) -> Option<MeshHit> {
        let hit = ray::triangle_before(self.ray, &self.mesh.corners(triangle), limit)?;
        Some(MeshHit { triangle, hit })
    }
}

/// Finds the first hit.
///
/// Hits that are certain in f32 wait: their intervals say how far to look, and only those that can still be first are computed
/// in f64, which is one as a rule. What is not certain, near edges, is decided at once.
struct First<'m, B: Bound> {
    seen: Seen<'m, B>,
    /// Hits are looked for up to here.
    end: f32,
    /// The first of those decided exactly.
    best: Option<MeshHit>,
    /// Certain hits: the lower ends of their intervals, their leaves and lanes.
    waiting: [(f32, u32, u32); WAITING],
    count: usize,
}

/// How many hits wait before they are computed.
const WAITING: usize = 4;

impl<B: Bound> First<'_, B> {
    /// Decides a triangle exactly.
    #[inline(never)]
    fn decide(&mut self, triangle: u32) {
        // Of two hits at the same t, the one with the smaller index is first.
        let limit = self.best.map_or(f64::MAX, |best| {
            if triangle > best.triangle { best.hit.t.next_down() } else { best.hit.t }
        });
        if let Some(found) = self.seen.exactly(triangle, limit)
            && found.hit.t <= limit
        {
            self.best = Some(found);
            self.end = self.end.min(self.seen.local.steps_to(found.hit.t));
        }
    }

    /// Computes all hits that wait and can still be first.
    #[inline(never)]
    fn settle(&mut self) {
        for k in 0..std::mem::take(&mut self.count).min(WAITING) {
            let (low, leaf, lane) = self.waiting[k];
            if low > self.end {
                continue;
            }
            let Some(found) = self.seen.certain_hit(leaf, lane) else { continue };
            let better =
                |best: &MeshHit| (found.hit.t, found.triangle) < (best.hit.t, best.triangle);
            if self.best.as_ref().is_none_or(better) {
                self.best = Some(found);
            }
        }
    }
}

impl<B: Bound> Visit for First<'_, B> {
    #[inline(always)]
    fn leaves<S: Simd>(&mut self, simd: S, leaf: u32, _: u32) -> ControlFlow<()> {
        // On the way while the block is looked at.
        self.seen.fetch_faces(simd, leaf);
        let hits = self.seen.hits(simd, leaf, self.end);
        if hits.possible == 0 {
            return ControlFlow::Continue(());
        }
        let live = self.seen.live(leaf);
        let mut left = hits.certain & live;
        while left != 0 {
            let lane = left.trailing_zeros() as usize % BLOCK;
            left &= left - 1;
            if hits.low[lane] > self.end {
                continue;
            }
            if self.count >= WAITING {
                self.settle();
            }
            self.end = self.end.min(hits.high[lane]);
            self.seen.fetch_corners(simd, leaf, lane as u32);
            self.waiting[self.count % WAITING] = (hits.low[lane], leaf, lane as u32);
            self.count += 1;
        }
        let mut left = hits.possible & !hits.certain & live;
        while left != 0 {
            let lane = left.trailing_zeros() as usize % BLOCK;
            left &= left - 1;
            self.decide(self.seen.item(leaf, lane as u32));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn soon<S: Simd>(&self, simd: S, leaf: u32) {
        self.seen.fetch(simd, leaf);
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.end
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
        let mut left = self.seen.hits(simd, leaf, self.end).possible & self.seen.live(leaf);
        while left != 0 {
            let lane = left.trailing_zeros() as usize % BLOCK;
            left &= left - 1;
            let triangle = self.seen.item(leaf, lane as u32);
            self.found.extend(self.seen.exactly(triangle, f64::MAX));
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.end
    }
}
