//! The first of the hits that a ray meets, leaf by leaf.

use super::{Mesh, MeshHit};
use impinge_geom::bound::{Bound, LocalRay};
use impinge_geom::glam::DVec3;
use impinge_geom::ray::{self, Ray};
use impinge_geom::simd::Simd;
use impinge_geom::triangle::{BLOCK, BlockHits};
use impinge_tree::Tree;
use std::hint::select_unpredictable;

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

impl<B: Bound> Mesh<B> {
    /// The triangle in a lane of a leaf.
    #[inline(always)]
    pub(super) fn item(&self, leaf: u32, lane: u32) -> u32 {
        let first = match self.faces.get(leaf as usize) {
            Some(faces) => faces.first,
            None => self.tree.leaf_places(leaf).start as u32,
        };
        self.tree.order().get((first + lane) as usize).copied().unwrap_or(0)
    }

    /// The lanes of a leaf that hold a triangle.
    #[inline(always)]
    pub(super) fn live(&self, leaf: u32) -> u32 {
        match self.faces.get(leaf as usize) {
            Some(faces) => faces.live,
            None => (1 << (self.tree.leaf_places(leaf).len() % 32)) - 1,
        }
    }

    /// Asks for what a ray reads of a leaf.
    #[inline(always)]
    pub(super) fn fetch_leaf<S: Simd>(&self, simd: S, leaf: u32) {
        if let Some(block) = self.blocks.get(leaf as usize) {
            simd.fetch(block);
        }
        self.fetch_faces(simd, leaf);
    }

    #[inline(always)]
    pub(super) fn fetch_faces<S: Simd>(&self, simd: S, leaf: u32) {
        if let Some(faces) = self.faces.get(leaf as usize) {
            simd.fetch(faces);
        }
    }

    /// Asks for what the f64 test of a triangle reads.
    #[inline(always)]
    pub(super) fn fetch_corners<S: Simd>(&self, simd: S, leaf: u32, lane: u32) {
        let Some(faces) = self.faces.get(leaf as usize) else { return };
        let [a, b, c] = faces.corners[lane as usize % BLOCK];
        let vertices = self.vertices.as_slice();
        if let (Some(a), Some(b), Some(c)) =
            (vertices.get(a as usize), vertices.get(b as usize), vertices.get(c as usize))
        {
            simd.fetch(a);
            simd.fetch(b);
            simd.fetch(c);
        }
        if let Some(triangle) = self.tree.order().get((faces.first + lane) as usize) {
            simd.fetch(triangle);
        }
    }

    /// The corners of the triangle in a lane of a leaf, if rays were thought of when the mesh was made.
    #[inline(always)]
    pub(super) fn corners_of(&self, leaf: u32, lane: u32) -> Option<[&DVec3; 3]> {
        let vertices = self.vertices.as_slice();
        let [a, b, c] = self.faces.get(leaf as usize)?.corners[lane as usize % BLOCK];
        Some([vertices.get(a as usize)?, vertices.get(b as usize)?, vertices.get(c as usize)?])
    }

    /// The hit with the triangle in a lane of a leaf, which is certain; `None` if f64 has to look at the signs again.
    #[inline(always)]
    fn crossed(&self, ray: &Ray, leaf: u32, lane: u32) -> Option<MeshHit> {
        let [a, b, c] = self.corners_of(leaf, lane)?;
        let hit = ray::triangle_crossed(ray, &[*a, *b, *c])?;
        Some(MeshHit { triangle: self.item(leaf, lane), hit })
    }

    /// The hit with the triangle in a lane of a leaf, which is certain.
    #[cold]
    #[inline(never)]
    pub(super) fn certain_hit(&self, ray: &Ray, leaf: u32, lane: u32) -> Option<MeshHit> {
        let again = || self.exact_hit(ray, self.item(leaf, lane), f64::MAX);
        self.crossed(ray, leaf, lane).or_else(again)
    }

    /// Where the triangle is hit, if at a t up to `limit`.
    #[inline(never)]
    pub(super) fn exact_hit(&self, ray: &Ray, triangle: u32, limit: f64) -> Option<MeshHit> {
        let hit = ray::triangle_before(ray, &self.corners(triangle), limit)?;
        Some(MeshHit { triangle, hit })
    }
}

/// What is known of the first hit of a ray.
///
/// Hits that are certain in f32 wait: their intervals say how far to look, and only those that can still be first are computed
/// in f64, which is one as a rule. What is not certain, near edges, is decided at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstHit {
    /// Hits are looked for up to here, in steps of the ray.
    pub(super) end: f32,
    /// True if f64 is certain of what f32 is certain of.
    near: bool,
    /// The first of those decided exactly.
    best: Option<MeshHit>,
    /// Certain hits: the lower ends of their intervals, their leaves and lanes.
    waiting: [(f32, u32, u32); WAITING],
    count: usize,
}

/// How many hits wait before they are computed.
const WAITING: usize = 4;

/// The mesh and the ray, in both forms.
#[derive(Clone, Copy)]
pub(super) struct Seen<'m, B: Bound> {
    pub(super) mesh: &'m Mesh<B>,
    pub(super) ray: &'m Ray,
    pub(super) local: &'m LocalRay,
}

impl FirstHit {
    #[inline(always)]
    pub(super) fn new(ray: &LocalRay) -> Self {
        Self {
            end: ray.end,
            near: ray.is_near(),
            best: None,
            waiting: [(0.0, 0, 0); WAITING],
            count: 0,
        }
    }

    /// Begins again with another ray.
    #[inline(always)]
    pub(super) fn restart(&mut self, ray: &LocalRay) {
        (self.end, self.near, self.best, self.count) = (ray.end, ray.is_near(), None, 0);
    }

    /// Takes up what was hit of a leaf, without a branch, if that is nothing, or one triangle for certain; else it does nothing, and says no.
    #[inline(always)]
    pub(super) fn take_straight(&mut self, leaf: u32, hits: &BlockHits) -> bool {
        let several = hits.possible & hits.possible.wrapping_sub(1);
        if several | hits.possible & !hits.certain != 0 || self.count >= WAITING {
            return false;
        }
        let lane = hits.possible.trailing_zeros() % BLOCK as u32;
        let (low, high) = (hits.low[lane as usize], hits.high[lane as usize]);
        let is_hit = (hits.possible != 0) & (low <= self.end);
        self.waiting[self.count % WAITING] = (low, leaf, lane);
        self.count += usize::from(is_hit);
        // By their bits, which are ordered like the numbers where these are not negative: floating-point numbers would be chosen by a branch.
        let nearer = high.to_bits().min(self.end.to_bits());
        self.end = f32::from_bits(select_unpredictable(is_hit, nearer, self.end.to_bits()));
        true
    }

    /// Takes up what was hit of a leaf.
    #[inline(always)]
    pub(super) fn take<S: Simd, B: Bound>(
        &mut self,
        simd: S,
        seen: Seen<'_, B>,
        leaf: u32,
        hits: &BlockHits,
    ) {
        // Lanes without a triangle repeat the last one: a single lane is not one of them.
        let several = hits.possible & (hits.possible - 1) != 0;
        let live = if several { seen.mesh.live(leaf) } else { u32::MAX };
        let mut left = hits.certain & live;
        while left != 0 {
            let lane = left.trailing_zeros() as usize % BLOCK;
            left &= left - 1;
            if hits.low[lane] > self.end {
                continue;
            }
            if self.count >= WAITING {
                self.settle(seen.mesh, seen.ray);
            }
            self.end = if hits.high[lane] < self.end { hits.high[lane] } else { self.end };
            seen.mesh.fetch_corners(simd, leaf, lane as u32);
            self.waiting[self.count % WAITING] = (hits.low[lane], leaf, lane as u32);
            self.count += 1;
        }
        let uncertain = hits.possible & !hits.certain & live;
        if uncertain != 0 {
            self.decide(seen, leaf, uncertain);
        }
    }

    /// Decides triangles of a leaf exactly.
    #[inline(never)]
    fn decide<B: Bound>(&mut self, seen: Seen<'_, B>, leaf: u32, lanes: u32) {
        let mut left = lanes;
        while left != 0 {
            let triangle = seen.mesh.item(leaf, left.trailing_zeros());
            left &= left - 1;
            // Of two hits at the same t, the one with the smaller index is first.
            let limit = self.best.map_or(f64::MAX, |best| {
                if triangle > best.triangle { best.hit.t.next_down() } else { best.hit.t }
            });
            if let Some(found) = seen.mesh.exact_hit(seen.ray, triangle, limit)
                && found.hit.t <= limit
            {
                self.best = Some(found);
                self.end = self.end.min(seen.local.steps_to(found.hit.t));
            }
        }
    }

    /// When all leaves were visited: if at most one hit waits, and nothing but its numbers is missing, its leaf and lane, and whether there is one, as a
    /// number. `None` if there is more to do: see [`FirstHit::finish`].
    #[inline(always)]
    pub(super) fn only(&self) -> Option<(u32, u32, usize)> {
        let (_, leaf, lane) = self.waiting[0];
        if self.best.is_none() & self.near & (self.count < 2) {
            Some((leaf, lane, self.count))
        } else {
            None
        }
    }

    /// Writes the first hit to where it is wanted, when all leaves were visited.
    #[inline(always)]
    pub(super) fn finish<B: Bound>(
        &mut self,
        mesh: &Mesh<B>,
        ray: &Ray,
        found: &mut Option<MeshHit>,
    ) {
        if let (None, 1, true) = (&self.best, self.count, self.near) {
            let (_, leaf, lane) = self.waiting[0];
            // From here straight to its place: a copy of what was just written in parts would have to wait for all of them.
            if let Some(hit) = mesh.crossed(ray, leaf, lane) {
                *found = Some(hit);
                return;
            }
        }
        if self.count > 0 {
            self.settle(mesh, ray);
        }
        *found = self.best;
    }

    /// Computes all hits that wait and can still be first.
    #[inline(never)]
    fn settle<B: Bound>(&mut self, mesh: &Mesh<B>, ray: &Ray) {
        for k in 0..std::mem::take(&mut self.count).min(WAITING) {
            let (low, leaf, lane) = self.waiting[k];
            if low > self.end {
                continue;
            }
            let crossed = if self.near { mesh.crossed(ray, leaf, lane) } else { None };
            let again = || mesh.exact_hit(ray, mesh.item(leaf, lane), f64::MAX);
            let Some(found) = crossed.or_else(again) else { continue };
            let better =
                |best: &MeshHit| (found.hit.t, found.triangle) < (best.hit.t, best.triangle);
            if self.best.as_ref().is_none_or(better) {
                self.best = Some(found);
            }
        }
    }
}
