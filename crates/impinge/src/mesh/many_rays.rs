//! Many rays at a mesh, side by side.

use super::first_hit::{FirstHit, Seen};
use super::{Mesh, MeshHit, Scratch};
use impinge_geom::bound::{Bound, LocalRay};
use impinge_geom::ray::{CrossedFour, Ray, triangles_crossed};
use impinge_geom::simd::{Kernel, Simd};
use impinge_geom::triangle::BlockHits;
use impinge_tree::traverse::{self, SLOTS, VisitRays};

/// The number of leaves from which a mesh exceeds the caches near the processor.
const LARGE_MESH: usize = 1 << 14;

/// Fills `found` with the first triangle along each ray.
pub(super) fn cast<B: Bound>(
    mesh: &Mesh<B>,
    rays: &[Ray],
    scratch: &mut Scratch,
    found: &mut Vec<Option<MeshHit>>,
) {
    if mesh.blocks.len() < LARGE_MESH {
        cast_as::<B, false>(mesh, rays, scratch, found);
    } else {
        cast_as::<B, true>(mesh, rays, scratch, found);
    }
}

/// All rays, in the way for large meshes or in that for others.
fn cast_as<B: Bound, const LARGE: bool>(
    mesh: &Mesh<B>,
    rays: &[Ray],
    scratch: &mut Scratch,
    found: &mut Vec<Option<MeshHit>>,
) {
    // Every ray writes its own place: what is there from before need not be cleared.
    found.resize(rays.len(), None);
    let mut many = Many::<B, LARGE> {
        mesh,
        rays,
        next: 0,
        own: [0; SLOTS],
        locals: [LocalRay::NOWHERE; SLOTS],
        firsts: [FirstHit::new(&LocalRay::NOWHERE); SLOTS],
        hits: [BlockHits::NONE; SLOTS],
        numberless: [(0, 0, 0); NUMBERLESS],
        numberless_count: 0,
        found,
    };
    traverse::rays::<B, LARGE>(&mesh.tree, &mut scratch.many_rays, &mut many);
}

/// Finds the first hits of many rays.
struct Many<'m, B: Bound, const LARGE: bool> {
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
    /// Hits whose numbers are not computed yet: ray, leaf and lane.
    numberless: [(usize, u32, u32); NUMBERLESS],
    numberless_count: usize,
    found: &'m mut [Option<MeshHit>],
}

impl<B: Bound, const LARGE: bool> VisitRays for Many<'_, B, LARGE> {
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
    fn look<S: Simd>(&mut self, simd: S, slot: usize, leaf: u32) {
        let slot = slot % SLOTS;
        if let Some(block) = self.mesh.blocks.get(leaf as usize) {
            let end = self.firsts[slot].end;
            self.hits[slot] = block.ray_hits_straight(simd, &self.locals[slot], end);
        }
    }

    #[inline(always)]
    fn leaf<S: Simd>(&mut self, simd: S, slot: usize, leaf: u32) -> f32 {
        let slot = slot % SLOTS;
        if !self.firsts[slot].take_straight(leaf, &self.hits[slot]) {
            simd.apart(TakeSeveral { many: self, slot, leaf });
        }
        self.firsts[slot].end
    }

    #[inline(always)]
    fn prefetch<S: Simd>(&self, simd: S, leaf: u32) {
        self.mesh.fetch_leaf(simd, leaf);
    }

    #[inline(always)]
    fn done<S: Simd>(&mut self, simd: S, slot: usize) {
        let own = self.own[slot % SLOTS];
        let (Some(ray), Some(found)) = (self.rays.get(own), self.found.get_mut(own)) else {
            return;
        };
        let first = &mut self.firsts[slot % SLOTS];
        let Some((leaf, lane, count)) = first.only() else {
            first.finish(self.mesh, ray, found);
            return;
        };
        *found = None;
        self.numberless[self.numberless_count % NUMBERLESS] = (own, leaf, lane);
        self.numberless_count += count;
        if LARGE {
            self.mesh.fetch_corners(simd, leaf, lane);
        }
        if self.numberless_count == NUMBERLESS {
            self.compute(simd);
        }
    }

    #[inline(always)]
    fn end<S: Simd>(&mut self, simd: S) {
        if self.numberless_count > 0 {
            self.compute(simd);
        }
    }
}

/// What is rare, apart from the rest: several triangles of a leaf, or one that is not certain.
struct TakeSeveral<'s, 'm, B: Bound, const LARGE: bool> {
    many: &'s mut Many<'m, B, LARGE>,
    slot: usize,
    leaf: u32,
}

impl<B: Bound, const LARGE: bool> Kernel for TakeSeveral<'_, '_, B, LARGE> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { many, slot, leaf } = self;
        let hits = &many.hits[slot];
        if let (Some(ray), true) = (many.rays.get(many.own[slot]), hits.possible != 0) {
            let seen = Seen { mesh: many.mesh, ray, local: &many.locals[slot] };
            many.firsts[slot].take(simd, seen, leaf, hits);
        }
    }
}

/// Hits that wait until their coordinates are computed, four at a time.
const NUMBERLESS: usize = 8;

impl<B: Bound, const LARGE: bool> Many<'_, B, LARGE> {
    /// Computes the numbers of hits that have none yet.
    #[inline(always)]
    fn compute<S: Simd>(&mut self, simd: S) {
        let count = std::mem::take(&mut self.numberless_count).min(NUMBERLESS);
        for four in self.numberless[..count].chunks(4) {
            let at = |k: usize| four[k.min(four.len() - 1)];
            let all = [at(0), at(1), at(2), at(3)];
            let crossed = self.four(simd, all);
            for (lane, &(own, leaf, place)) in four.iter().enumerate() {
                let (Some(ray), Some(found)) = (self.rays.get(own), self.found.get_mut(own)) else {
                    continue;
                };
                *found = match &crossed {
                    Some(crossed) if crossed.valid >> lane & 1 != 0 => Some(MeshHit {
                        triangle: self.mesh.item(leaf, place),
                        hit: crossed.get(lane),
                    }),
                    _ => self.mesh.certain_hit(ray, leaf, place),
                };
            }
        }
    }

    #[inline(always)]
    fn four<S: Simd>(&self, simd: S, all: [(usize, u32, u32); 4]) -> Option<CrossedFour> {
        let [k, l, m, n] = all;
        let rays =
            [self.rays.get(k.0)?, self.rays.get(l.0)?, self.rays.get(m.0)?, self.rays.get(n.0)?];
        let corners = [
            self.mesh.corners_of(k.1, k.2)?,
            self.mesh.corners_of(l.1, l.2)?,
            self.mesh.corners_of(m.1, m.2)?,
            self.mesh.corners_of(n.1, n.2)?,
        ];
        Some(triangles_crossed(simd, rays, corners))
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
            let mesh = Mesh::<B>::with_volume(&vertices, &faces).expect("valid");
            let rays = rays();
            // Also fewer rays than take turns, and none.
            for count in [0, 1, SLOTS - 1, rays.len()] {
                let rays = &rays[..count];
                let alone: Vec<_> =
                    rays.iter().map(|ray| mesh.cast_ray(ray, &mut scratch)).collect();
                let mut found = Vec::new();
                mesh.cast_rays(rays, &mut scratch, &mut found);
                assert_eq!(found, alone);
                cast_as::<B, true>(&mesh, rays, &mut scratch, &mut found);
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
