//! The expanding polytope of two polytopes, in fixed arrays and four faces per instruction.
//!
//! The same search as in [`epa`](super::epa), for the common case: the origin is well inside a tetrahedron of vertices of A − B, and
//! a few dozen faces lead to the closest one. Where that is not so the search gives up, and the general one begins anew.
//!
//! Two things differ from the general search. No orientation is decided exactly, because the answer does not depend on it:
//! whatever faces are taken for visible, the new surface is a closed chain of triangles between points of A − B, each of them in
//! front of the origin. Their solid angles are then all positive, so the chain winds around the origin, and a ball that reaches
//! the closest plane lies in A − B. The search gives up if a face does not lie in front, or the chain would pass a vertex twice.
//! And faces do not know their neighbours: a table tells the face on the left of the way from one vertex to another.

use super::difference::{Body, Difference, Vertex};
use super::epa::{Depth, accepted};
use super::gjk::NOISE;
use super::witness::{smallest, weights, witness};
use crate::simd::Simd;
use crate::simd::points::{cross, dot, lanes, splat, sub};
use glam::DVec3;

/// Vertices of the largest polytope: indices are five bits.
const VERTICES: usize = 32;

/// Blocks of four faces: one bit each in a word.
const BLOCKS: usize = 32;

/// Four faces side by side. Places without a face are seen from nowhere and last in the queue.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Block {
    /// The coordinates of the unit normals.
    normals: [[f64; 4]; 3],
    /// Minus the distances of the planes from the origin: the largest is next.
    keys: [f64; 4],
    /// A point that is farther along the normal than this is certainly in front.
    visible_beyond: [f64; 4],
}

impl Block {
    const NOTHING: Self = Self {
        normals: [[0.0; 4]; 3],
        keys: [f64::NEG_INFINITY; 4],
        visible_beyond: [f64::INFINITY; 4],
    };
}

/// Memory of the search, kept between queries.
#[derive(Clone, Debug)]
pub(super) struct SmallPolytope {
    vertices: [Vertex; VERTICES],
    count: usize,
    blocks: [Block; BLOCKS],
    /// Blocks from here on were never used in this query.
    used: usize,
    /// Blocks without faces, one bit each.
    free: u32,
    /// The faces of each block, one bit each.
    alive: [u8; BLOCKS],
    /// Counter-clockwise seen from outside.
    corners: [[u8; 3]; 4 * BLOCKS],
    /// The face on the left of the way from one vertex to another, where they are neighbours.
    left: [[u8; VERTICES]; VERTICES],
    /// The edges between faces that the new vertex sees and those that it does not, as they run in the former.
    horizon: [[u8; 2]; HORIZON],
}

/// More edges than any horizon has, and then some that only fill the last block.
const HORIZON: usize = 4 * BLOCKS;

/// What fills up a block: added to the faces beyond the first one to four.
const FILL: [[f64; 4]; 4] = {
    let far = f64::INFINITY;
    [[0.0, far, far, far], [0.0, 0.0, far, far], [0.0, 0.0, 0.0, far], [0.0; 4]]
};

/// The numbers of the faces of a block, as bit patterns that the lanes only carry.
const NUMBERS: [[f64; 4]; BLOCKS] = {
    let mut numbers = [[0.0; 4]; BLOCKS];
    let mut face = 0;
    while face < 4 * BLOCKS {
        numbers[face / 4][face % 4] = f64::from_bits(face as u64);
        face += 1;
    }
    numbers
};

/// Rounding errors of the present query.
#[derive(Clone, Copy)]
struct Errors {
    /// Of a height above a plane.
    noise: f64,
    /// What an area has to be compared with: the error is magnified where a triangle is thin.
    thinness: f64,
}

/// Searches from a tetrahedron around the origin; `None` if the general search has to do it.
#[inline(always)]
pub(super) fn search<S: Simd, A: Body, B: Body>(
    simd: S,
    difference: &Difference<'_, A, B>,
    start: &[Vertex; 4],
    polytope: &mut SmallPolytope,
) -> Option<Depth> {
    let noise = NOISE * difference.scale;
    let errors = Errors { noise, thinness: noise * 8.0 * difference.scale * difference.scale };
    if !polytope.begin(simd, start, errors) {
        return None;
    }
    let accept = accepted(0) * difference.scale;
    let mut best = (DVec3::ZERO, [0; 3], 0.0);
    let mut upper = f64::INFINITY;
    loop {
        let face = polytope.closest(simd);
        let (normal, lower) = polytope.plane(face);
        if lower >= upper - accept {
            return Some(polytope.witnessed(best, lower.min(upper), upper, noise));
        }
        let corners = polytope.corners[face];
        let near = polytope.vertex(corners[0]).ids;
        let vertex = difference.support(simd, normal, near);
        let height = normal.dot(vertex.w);
        if height < upper {
            upper = height;
            best = (normal, corners, lower);
        }
        // Up to rounding this face is on the boundary of A − B, and no face is closer.
        if height - lower <= accept || polytope.has_corner(corners, &vertex) {
            // The normal of a face as thin as rounding may be far off, and one before it better.
            if height <= upper + accept {
                upper = height.max(lower).min(upper);
                best = (normal, corners, lower);
            }
            return Some(polytope.witnessed(best, lower.min(upper), upper, noise));
        }
        if !polytope.expand(simd, face, vertex, lower - accept, errors) {
            return None;
        }
    }
}

impl SmallPolytope {
    pub(super) fn new() -> Box<Self> {
        Box::new(Self {
            vertices: [Vertex::NONE; VERTICES],
            count: 0,
            blocks: [Block::NOTHING; BLOCKS],
            used: 0,
            free: u32::MAX,
            alive: [0; BLOCKS],
            corners: [[0; 3]; 4 * BLOCKS],
            left: [[0; VERTICES]; VERTICES],
            horizon: [[0; 2]; HORIZON],
        })
    }

    #[inline(always)]
    fn vertex(&self, index: u8) -> &Vertex {
        &self.vertices[index as usize % VERTICES]
    }

    #[inline(always)]
    fn set_left(&mut self, from: u8, to: u8, face: u8) {
        self.left[from as usize % VERTICES][to as usize % VERTICES] = face;
    }

    /// The four faces of the tetrahedron. False if the origin is not well inside.
    #[inline(always)]
    fn begin<S: Simd>(&mut self, simd: S, start: &[Vertex; 4], errors: Errors) -> bool {
        self.vertices[..4].copy_from_slice(start);
        let [a, b, c, _] = [start[0].w, start[1].w, start[2].w, start[3].w];
        if (b - a).cross(c - a).dot(a) < 0.0 {
            self.vertices.swap(0, 1);
        }
        self.count = 4;
        (self.used, self.free) = (0, u32::MAX);
        const FACES: [[u8; 3]; 4] = [[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]];
        let corner = |place: usize| {
            [
                self.vertex(FACES[0][place]).w,
                self.vertex(FACES[1][place]).w,
                self.vertex(FACES[2][place]).w,
                self.vertex(FACES[3][place]).w,
            ]
        };
        let points = [lanes(simd, corner(0)), lanes(simd, corner(1)), lanes(simd, corner(2))];
        self.add_block(simd, &FACES, 4, points, errors.noise, errors)
    }

    /// Adds up to four faces, given by their corners. False if there is no room, or one is not beyond `least`.
    #[inline(always)]
    fn add_block<S: Simd>(
        &mut self,
        simd: S,
        faces: &[[u8; 3]; 4],
        count: usize,
        [a, b, c]: [[S::F64x4; 3]; 3],
        least: f64,
        errors: Errors,
    ) -> bool {
        let normal = cross(simd, sub(simd, b, a), sub(simd, c, a));
        let length = simd.sqrt64(dot(simd, normal, normal));
        let inverse = simd.div64(simd.splat64(1.0), length);
        let normal = [
            simd.mul64(normal[0], inverse),
            simd.mul64(normal[1], inverse),
            simd.mul64(normal[2], inverse),
        ];
        let distance = dot(simd, normal, a);
        let thin = simd.mul64(simd.splat64(errors.thinness), inverse);
        let margin = simd.add64(simd.splat64(errors.noise), thin);
        let fill = simd.load64(&FILL[(count - 1) & 3]);
        let filled = simd.add64(distance, fill);
        let index = self.free.trailing_zeros() as usize;
        let Some(block) = self.blocks.get_mut(index) else { return false };
        self.used = self.used.max(index + 1);
        block.normals = [simd.store64(normal[0]), simd.store64(normal[1]), simd.store64(normal[2])];
        block.keys = simd.store64(simd.sub64(simd.splat64(0.0), filled));
        block.visible_beyond = simd.store64(simd.add64(filled, margin));
        self.free &= self.free - 1;
        self.alive[index] = ((1u32 << count) - 1) as u8;
        // Places beyond the last face repeat it: written first, they are overwritten.
        for (place, &[u, v, w]) in faces.iter().enumerate().rev() {
            let face = 4 * index + place;
            self.corners[face] = [u, v, w];
            self.set_left(u, v, face as u8);
            self.set_left(v, w, face as u8);
            self.set_left(w, u, face as u8);
        }
        // Also false where a face without area has no normal.
        simd.greater64(distance, simd.splat64(least)) == 15
    }

    /// The face with the plane that is closest to the origin.
    #[inline(always)]
    fn closest<S: Simd>(&self, simd: S) -> usize {
        let mut best = (simd.splat64(f64::NEG_INFINITY), simd.splat64(0.0));
        for (block, numbers) in self.blocks[..self.used].iter().zip(&NUMBERS) {
            let new = (simd.load64(&block.keys), simd.load64(numbers));
            best = simd.keep_greater64(best, new);
        }
        let winner = simd.largest64(best.0).trailing_zeros() as usize & 3;
        simd.store64(best.1)[winner].to_bits() as usize % (4 * BLOCKS)
    }

    /// The normal of a face and the distance of its plane.
    #[inline(always)]
    fn plane(&self, face: usize) -> (DVec3, f64) {
        let (block, place) = (&self.blocks[face / 4 % BLOCKS], face % 4);
        let [x, y, z] = &block.normals;
        (DVec3::new(x[place], y[place], z[place]), -block.keys[place])
    }

    /// Replaces all faces that see the vertex, and the one that it was found from. False if the search has to be given up.
    #[inline(always)]
    fn expand<S: Simd>(
        &mut self,
        simd: S,
        seed: usize,
        vertex: Vertex,
        least: f64,
        errors: Errors,
    ) -> bool {
        let Some(place) = self.vertices.get_mut(self.count) else { return false };
        *place = vertex;
        let newest = self.count as u8;
        self.count += 1;
        let point = splat(simd, vertex.w);
        let visible = self.visible(simd, seed, point);
        let Some(count) = self.find_horizon(visible) else { return false };
        let mut first = 0;
        let mut valid = true;
        while first < count {
            let edge = |place: usize| self.horizon[(first + place) % HORIZON];
            let edges = [edge(0), edge(1), edge(2), edge(3)];
            let end = |which: usize| {
                [
                    self.vertex(edges[0][which]).w,
                    self.vertex(edges[1][which]).w,
                    self.vertex(edges[2][which]).w,
                    self.vertex(edges[3][which]).w,
                ]
            };
            let points = [lanes(simd, end(0)), lanes(simd, end(1)), point];
            let face = |place: usize| [edges[place][0], edges[place][1], newest];
            let faces = [face(0), face(1), face(2), face(3)];
            let number = (count - first).min(4);
            valid &= self.add_block(simd, &faces, number, points, least, errors);
            first += 4;
        }
        valid
    }

    /// The faces in front of which the point is, one bit each, and the seed in any case.
    #[inline(always)]
    fn visible<S: Simd>(&self, simd: S, seed: usize, point: [S::F64x4; 3]) -> [u64; 2] {
        let mut visible = [0u64; 2];
        for (bits, half) in visible.iter_mut().zip(self.blocks[..self.used].chunks(16)) {
            for (shift, block) in half.iter().enumerate() {
                let [x, y, z] = &block.normals;
                let height = dot(simd, [simd.load64(x), simd.load64(y), simd.load64(z)], point);
                let seen = simd.greater64(height, simd.load64(&block.visible_beyond));
                *bits |= u64::from(seen) << (4 * shift);
            }
        }
        visible[seed / 64 % 2] |= 1 << (seed % 64);
        visible
    }

    /// Removes the visible faces and lists the edges around them. None if these are no loops with distinct vertices.
    #[inline(always)]
    fn find_horizon(&mut self, visible: [u64; 2]) -> Option<usize> {
        let (mut count, mut met, mut twice) = (0, 0u32, 0u32);
        for half in 0..2 {
            let mut bits = visible[half];
            while bits != 0 {
                let face = 64 * half + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                self.remove(face);
                let [a, b, c] = self.corners[face];
                for [u, v] in [[a, b], [b, c], [c, a]] {
                    let across = self.left[v as usize % VERTICES][u as usize % VERTICES] as usize;
                    let is_outer = visible[across / 64 % 2] >> (across % 64) & 1 == 0;
                    self.horizon[count % HORIZON] = [u, v];
                    count += usize::from(is_outer);
                    let bit = u32::from(is_outer) << (u % 32);
                    twice |= met & bit;
                    met |= bit;
                }
            }
        }
        let last = self.horizon[count.wrapping_sub(1) % HORIZON];
        for filling in 0..3 {
            self.horizon[(count + filling) % HORIZON] = last;
        }
        (count >= 3 && twice == 0).then_some(count)
    }

    #[inline(always)]
    fn remove(&mut self, face: usize) {
        let (index, place) = (face / 4 % BLOCKS, face % 4);
        let block = &mut self.blocks[index];
        block.keys[place] = f64::NEG_INFINITY;
        block.visible_beyond[place] = f64::INFINITY;
        self.alive[index] &= !(1 << place);
        self.free |= u32::from(self.alive[index] == 0) << index;
    }

    #[inline(always)]
    fn has_corner(&self, [a, b, c]: [u8; 3], vertex: &Vertex) -> bool {
        self.vertex(a).same(vertex) || self.vertex(b).same(vertex) || self.vertex(c).same(vertex)
    }

    /// The answer along the normal of a face, with the points where the ray along it leaves the polytope: see the general search.
    #[inline(never)]
    fn witnessed(
        &self,
        (normal, corners, distance): (DVec3, [u8; 3], f64),
        lower: f64,
        upper: f64,
        noise: f64,
    ) -> Depth {
        let points = |corners: [u8; 3]| corners.map(|corner| self.vertex(corner).w);
        let is_outer = upper - distance <= noise;
        let own = if is_outer { weights(points(corners), normal) } else { [f64::NEG_INFINITY; 3] };
        let mut best = (own, corners);
        if smallest(&own) < 0.0 {
            for face in
                (0..4 * self.used).filter(|face| self.alive[face / 4] >> (face % 4) & 1 == 1)
            {
                let corners = self.corners[face];
                let weights = weights(points(corners), normal);
                if smallest(&weights) > smallest(&best.0) {
                    best = (weights, corners);
                }
            }
        }
        let simplex = best.1.map(|corner| *self.vertex(corner));
        witness(normal, best.0, simplex, lower, upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::epa::{self, Polytope};
    use crate::convex::gjk::{self, Found, Goal, Start, Status};
    use crate::hull::Hull;
    use crate::pose::Pose;
    use crate::simd::Scalar;
    use crate::testing::Random;

    fn hull(random: &mut Random, count: usize) -> Hull {
        let points: Vec<[f64; 3]> = (0..count).map(|_| random.unit().to_array()).collect();
        Hull::new(&points).unwrap()
    }

    /// A tetrahedron around the origin, if GJK finds one.
    fn start(difference: &Difference<'_, &Hull, &Hull>) -> Option<[Vertex; 4]> {
        let mut found = Found::NOTHING;
        let center = Start::Point(difference.center_vertex());
        gjk::search(Scalar::new(), difference, center, Goal::Within(0.0), &mut found);
        (found.status == Status::Inside).then(|| found.simplex())
    }

    #[test]
    fn finds_what_the_general_search_finds() {
        let mut random = Random::new(5);
        let (mut small, mut general) = (SmallPolytope::new(), Polytope::default());
        let (mut deep, mut given_up) = (0, 0);
        for round in 0..1000 {
            let (a, b) = (hull(&mut random, 4 + round % 40), hull(&mut random, 32));
            let turn = random.unit() * random.real();
            let rest = (1.0 - turn.length_squared()).sqrt();
            let place = random.in_cube() * 0.8;
            let pose = Pose::new([rest, turn.x, turn.y, turn.z], place.to_array()).unwrap();
            let difference = Difference::new(&a, &b, &pose);
            let Some(start) = start(&difference) else { continue };
            deep += 1;
            let expected =
                epa::search(Scalar::new(), &difference, &start, f64::NEG_INFINITY, &mut general)
                    .unwrap();
            let Some(found) = search(Scalar::new(), &difference, &start, &mut small) else {
                given_up += 1;
                continue;
            };
            assert!((found.upper - expected.upper).abs() < 1e-14, "{found:?} {expected:?}");
            assert!(found.lower <= found.upper && found.upper - found.lower < 1e-13);
            // The points are as far apart as the depth says, along the normal.
            let between = found.points[0] - found.points[1];
            assert!((between - found.normal * found.upper).length() < 1e-12, "{found:?}");
        }
        assert!(deep > 500 && given_up < deep / 50, "{given_up} of {deep}");
    }

    #[test]
    fn gives_up_on_a_tetrahedron_beside_the_origin() {
        let corners = [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0]];
        let (a, b) = (Hull::new(&corners).unwrap(), Hull::new(&[[0.0; 3]]).unwrap());
        let difference = Difference::new(&a, &b, &Pose::IDENTITY);
        let start = [0, 1, 2, 3].map(|vertex: usize| {
            let w = DVec3::from_array(corners[vertex]);
            Vertex { w, a: w, b: DVec3::ZERO, ids: [vertex as u32, 0] }
        });
        assert!(search(Scalar::new(), &difference, &start, &mut SmallPolytope::new()).is_none());
    }
}
