//! The point of the boundary of A − B closest to the origin, for an origin inside: depth and direction of penetration.
//!
//! The expanding polytope algorithm (van den Bergen 2001). A polytope of vertices of A − B around the origin is grown at its
//! closest face. The distance of that face bounds the depth from below; the support along its normal bounds it from above.
//!
//! Two things differ from the paper. Whether a face sees the new vertex is decided by the exact orientation of its corners where
//! floating point is in doubt, so the polytope stays convex and closed whatever the rounding; and the search ends when the two
//! bounds meet, or with the bounds it has after [`MAX_STEPS`], so that it ends on smooth bodies too and says how far it got.

use super::difference::{Body, Difference, Vertex};
use super::epa_small::{self, SmallPolytope};
use super::gjk::NOISE;
use super::simplex;
use super::tetrahedron::{complete, side};
use super::witness::{smallest, weights, witness};
use crate::number::LeastFirst;
use crate::predicate::orient3d;
use crate::simd::{Scalar, Simd};
use glam::DVec3;
use std::collections::BinaryHeap;

/// Upper bound of the steps of one query. Polytopes end by themselves after a few dozen.
pub(crate) const MAX_STEPS: usize = 16384;

/// From this step on the queue is kept as a heap.
const MANY_STEPS: usize = 256;

/// Accepted difference of the bounds, as a multiple of the scale, by the number of steps already spent: smooth bodies in
/// symmetrical positions (a ball at the centre of another) have no single closest face, and refining all of them is pointless.
const ACCEPTED: [f64; 4] = [4.0 * NOISE, 1e-10, 1e-7, 2e-7];

/// Which of the [accepted differences](ACCEPTED) holds after a number of steps.
pub(super) fn accepted(step: usize) -> f64 {
    match step {
        0..256 => ACCEPTED[0],
        256..768 => ACCEPTED[1],
        768..2048 => ACCEPTED[2],
        _ => ACCEPTED[3],
    }
}

/// A face is a needle if it is thinner than this times its length: 2^-36.
const NEEDLE: f64 = f64::from_bits((1023 - 36) << 52);

/// Heights that are uncertain by more than this times the scale, 2^-30, widen the interval of the depth.
const VAGUE_HEIGHT: f64 = f64::from_bits((1023 - 30) << 52);

/// A triangle of the polytope.
#[derive(Clone, Copy, Debug)]
struct Face {
    normal: DVec3,
    /// Of its plane from the origin, along the normal.
    distance: f64,
    /// Heights above the plane are certain beyond this: the rounding errors, magnified where the triangle is thin.
    margin: f64,
    /// Counter-clockwise seen from outside.
    corners: [u32; 3],
    /// What lies across the edge from corner `i` to corner `i + 1`.
    across: [Side; 3],
    alive: bool,
}

/// A face and one of its edges, in one number.
#[derive(Clone, Copy, Debug)]
struct Side(u32);

impl Side {
    #[inline(always)]
    fn new(face: u32, edge: u32) -> Self {
        Self(face << 2 | edge)
    }
    #[inline(always)]
    fn face(self) -> usize {
        (self.0 >> 2) as usize
    }
    #[inline(always)]
    fn edge(self) -> usize {
        (self.0 & 3) as usize
    }
}

/// The edge after, and the one before.
const NEXT: [usize; 4] = [1, 2, 0, 0];
const PREVIOUS: [usize; 4] = [2, 0, 1, 0];

/// A face in the queue, by its distance; of equally distant ones the oldest comes first.
type Entry = LeastFirst<f64, u32>;

/// Memory of the search, kept between queries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polytope {
    vertices: Vec<Vertex>,
    faces: Vec<Face>,
    /// Faces that can still be the closest, in no order: they are few, and looking through all beats keeping a heap.
    queue: Vec<Entry>,
    /// The faces in order, once there are many: around a ring of equal depth hundreds of faces take turns.
    many: BinaryHeap<Entry>,
    /// Faces still to be looked at, with the edge through which they were reached.
    pending: Vec<Side>,
    /// Edges of faces that the new vertex does not see, next to faces that it sees, in order.
    horizon: Vec<Side>,
    /// Rounding errors of the present query.
    noise: f64,
    /// That bound times a bound on the product of two edges: what an area is compared with.
    thinness: f64,
    /// Where pairs of polytopes are tried first.
    small: Option<Box<SmallPolytope>>,
}

/// Depth and direction, in scaled units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth {
    /// Unit vector along which B leaves A by the shortest way.
    pub(crate) normal: DVec3,
    /// The depth along the normal: an upper bound of the true one.
    pub(crate) upper: f64,
    /// A lower bound.
    pub(crate) lower: f64,
    /// Points on A and on B, in A's frame.
    pub(crate) points: [DVec3; 2],
    /// The corners of the closest face.
    pub(crate) simplex: [Vertex; 3],
}

/// Searches from a tetrahedron around the origin, first in small memory; `None` if A − B is flat.
#[inline(always)]
pub(crate) fn search_polytopes<S: Simd, A: Body, B: Body>(
    simd: S,
    difference: &Difference<'_, A, B>,
    start: &[Vertex; 4],
    polytope: &mut Polytope,
) -> Option<Depth> {
    let small = polytope.small.get_or_insert_with(SmallPolytope::new);
    let depth = epa_small::search(simd, difference, start, small);
    if depth.is_some() {
        return depth;
    }
    search(simd, difference, start, f64::NEG_INFINITY, polytope)
}

/// Searches from the vertices that GJK ended with; `None` if A − B is flat, so that nothing has a depth.
///
/// A lower bound that is known beforehand (scaled, or negative infinity) ends the search as soon as a face attains it.
#[inline(always)]
pub(crate) fn search<S: Simd, A: Body, B: Body>(
    simd: S,
    difference: &Difference<'_, A, B>,
    start: &[Vertex],
    known: f64,
    polytope: &mut Polytope,
) -> Option<Depth> {
    polytope.noise = NOISE * difference.scale;
    polytope.thinness = polytope.noise * 8.0 * difference.scale * difference.scale;
    let support = |direction| difference.support(Scalar::new(), direction, [0, 0]);
    polytope.begin(&support, difference.scale, start)?;
    // The best direction so far, and bounds of the depth.
    let mut best: Option<Face> = None;
    let (mut lower, mut upper) = (0.0, f64::INFINITY);
    let mut accept = accepted(0) * difference.scale;
    for step in 0..MAX_STEPS {
        let next = if step < MANY_STEPS { polytope.next_face() } else { polytope.next_of_many() };
        let Some(entry) = next else {
            // No face is closer than the best direction found.
            lower = upper;
            break;
        };
        lower = known.max(entry.rank);
        if lower >= upper - accept {
            break;
        }
        let Some(face) = polytope.faces.get(entry.tie as usize) else { break };
        let vertex = difference.support(simd, face.normal, polytope.ids(face.corners[0]));
        let height = face.normal.dot(vertex.w);
        if height < upper {
            upper = height;
            best = Some(*face);
        }
        // Up to rounding this face is on the boundary of A − B, and no face is closer.
        if height - lower <= accept || polytope.has_corner(face, &vertex) {
            // The normal of a face as thin as rounding may be far off, and one before it better.
            if height <= upper + accept {
                upper = height.max(lower).min(upper);
                best = Some(*face);
            }
            break;
        }
        if !polytope.expand(entry.tie, vertex, upper) {
            break;
        }
        if step & 255 == 255 {
            accept = accepted(step + 1) * difference.scale;
        }
    }
    let best = best?;
    if polytope.is_needle(&best) {
        lower = lower.min(polytope.lower_bound()).max(known);
    }
    Some(polytope.witnessed(&best, lower.min(upper), upper))
}

impl Polytope {
    /// True if a face is so thin that its plane may be anywhere: then others may be, too.
    fn is_needle(&self, face: &Face) -> bool {
        let [a, b, c] = face.corners.map(|corner| self.vertices[corner as usize].w);
        let (ab, ac) = (b - a, c - a);
        let longest = ab.length_squared().max(ac.length_squared());
        ab.cross(ac).length_squared() <= NEEDLE * NEEDLE * longest * longest
    }

    /// How far the origin is certainly below all faces, also those as thin as rounding, whose planes may be anywhere: such a face
    /// is no farther from its longest edge than it is wide.
    #[cold]
    fn lower_bound(&self) -> f64 {
        let mut lower = f64::INFINITY;
        for face in self.faces.iter().filter(|face| face.alive && face.margin.is_finite()) {
            let [a, b, c] = face.corners.map(|corner| self.vertices[corner as usize].w);
            let squares = [a.distance_squared(b), b.distance_squared(c), c.distance_squared(a)];
            let longest = squares[0].max(squares[1]).max(squares[2]).sqrt();
            let area = (b - a).cross(c - a).length();
            let (width, reach) = (area / longest, a.length().max(b.length()).max(c.length()));
            let error = 4.0 * self.noise * (longest / area) * reach;
            let least = if error > width {
                let [p, q] = if squares[0] >= squares[1].max(squares[2]) {
                    [a, b]
                } else if squares[1] >= squares[2] {
                    [b, c]
                } else {
                    [c, a]
                };
                simplex::segment(p, q).point.length() - width
            } else {
                face.distance - if error > VAGUE_HEIGHT * reach { error } else { 0.0 }
            };
            lower = lower.min(least);
        }
        lower
    }

    fn ids(&self, corner: u32) -> [u32; 2] {
        self.vertices[corner as usize].ids
    }

    /// Takes the closest face out of the queue, and with it those on the way that are no longer part of the polytope.
    #[inline(always)]
    fn next_face(&mut self) -> Option<Entry> {
        while !self.queue.is_empty() {
            let (mut nearest, mut place) = (f64::INFINITY, 0);
            for (index, entry) in self.queue.iter().enumerate() {
                // Selected without a branch, which could not be predicted. Of equal ones the oldest, which comes first, wins.
                let closer = entry.rank < nearest;
                nearest = if closer { entry.rank } else { nearest };
                place = if closer { index } else { place };
            }
            let entry = self.queue.remove(place);
            if self.faces[entry.tie as usize].alive {
                return Some(entry);
            }
        }
        None
    }

    /// The same from the heap, into which new faces go first.
    #[cold]
    #[inline(never)]
    fn next_of_many(&mut self) -> Option<Entry> {
        self.many.extend(self.queue.drain(..));
        while let Some(entry) = self.many.pop() {
            if self.faces[entry.tie as usize].alive {
                return Some(entry);
            }
        }
        None
    }

    /// A tetrahedron of positive volume from what GJK left; `None` if there is none.
    fn begin(
        &mut self,
        support: &dyn Fn(DVec3) -> Vertex,
        scale: f64,
        start: &[Vertex],
    ) -> Option<()> {
        self.vertices.clear();
        self.faces.clear();
        self.queue.clear();
        self.many.clear();
        let mut corners = [start.first().copied()?; 4];
        let mut count = start.len().min(4);
        corners[..count].copy_from_slice(&start[..count]);
        if count == 4 && side(&corners, corners[3].w) == 0 {
            count = 3;
        }
        if count < 4 {
            complete(support, scale, &mut corners, count)?;
        }
        // The face 0, 1, 2 must have the fourth corner behind it.
        if side(&corners, corners[3].w) > 0 {
            corners.swap(0, 1);
        }
        self.vertices.extend_from_slice(&corners);
        let side = |(face, edge)| Side::new(face, edge);
        let faces = [
            ([0, 1, 2], [(1, 0), (2, 0), (3, 0)]),
            ([1, 0, 3], [(0, 0), (3, 2), (2, 1)]),
            ([2, 1, 3], [(0, 1), (1, 2), (3, 1)]),
            ([0, 2, 3], [(0, 2), (2, 2), (1, 1)]),
        ];
        for (corners, across) in faces {
            let points = corners.map(|corner: u32| self.vertices[corner as usize].w);
            self.add_face(corners, points, across.map(side), f64::INFINITY);
        }
        Some(())
    }

    /// Adds a face, and queues it if it can still be the closest.
    #[inline(always)]
    fn add_face(&mut self, corners: [u32; 3], points: [DVec3; 3], across: [Side; 3], upper: f64) {
        let [a, b, c] = points;
        let cross = (b - a).cross(c - a);
        let length = cross.length();
        // A face without area in floating point is thinner than rounding: its neighbours stand for it.
        let (normal, distance, margin) = if length > 0.0 {
            let inverse = 1.0 / length;
            let normal = cross * inverse;
            (normal, normal.dot(a), self.noise + self.thinness * inverse)
        } else {
            (DVec3::ZERO, f64::INFINITY, f64::INFINITY)
        };
        let face = self.faces.len() as u32;
        if distance <= upper && distance.is_finite() {
            self.queue.push(Entry { rank: distance, tie: face, item: () });
        }
        self.faces.push(Face { normal, distance, margin, corners, across, alive: true });
    }

    /// True if the point is strictly in front of the face.
    #[inline(always)]
    fn sees(&self, face: &Face, point: DVec3) -> bool {
        let height = face.normal.dot(point) - face.distance;
        if height.abs() > face.margin {
            return height > 0.0;
        }
        self.sees_exactly(face.corners, point)
    }

    #[cold]
    #[inline(never)]
    fn sees_exactly(&self, corners: [u32; 3], point: DVec3) -> bool {
        let [a, b, c] = corners.map(|corner| self.vertices[corner as usize].w);
        orient3d(a, b, c, point) < 0
    }

    /// Replaces all faces that see the vertex. False if the polytope cannot grow there.
    #[inline(always)]
    fn expand(&mut self, seed: u32, vertex: Vertex, upper: f64) -> bool {
        self.horizon.clear();
        self.pending.clear();
        let face = &mut self.faces[seed as usize];
        face.alive = false;
        let [first, second, third] = face.across;
        self.pending.extend_from_slice(&[third, second, first]);
        while let Some(side) = self.pending.pop() {
            let face = &self.faces[side.face()];
            if !face.alive {
                continue;
            }
            if !self.sees(face, vertex.w) {
                self.horizon.push(side);
                continue;
            }
            let edge = side.edge();
            let sides = [face.across[PREVIOUS[edge]], face.across[NEXT[edge]]];
            self.faces[side.face()].alive = false;
            self.pending.extend_from_slice(&sides);
        }
        self.close(vertex, upper)
    }

    /// A fan of new faces from the horizon to the vertex. False if the horizon is not one closed loop.
    #[inline(always)]
    fn close(&mut self, vertex: Vertex, upper: f64) -> bool {
        let count = self.horizon.len() as u32;
        let Some(&last) = self.horizon.last() else { return false };
        let corner = self.vertices.len() as u32;
        let first = self.faces.len() as u32;
        self.vertices.push(vertex);
        self.faces.reserve(count as usize);
        let mut closed = count >= 3;
        let mut expected = self.faces[last.face()].corners[last.edge()];
        let mut before = self.vertices[expected as usize].w;
        let (mut previous, mut next) = (first + count - 1, first + 1);
        for position in 0..count {
            let outer = self.horizon[position as usize];
            let this = first + position;
            if position + 1 == count {
                next = first;
            }
            let face = &mut self.faces[outer.face()];
            // Seen from the outer face the edge runs from p to q; the new face has it from q to p.
            let (p, q) = (face.corners[outer.edge()], face.corners[NEXT[outer.edge()]]);
            face.across[outer.edge()] = Side::new(this, 0);
            // The loop is closed if each new face begins where the one before ended.
            closed &= q == expected;
            expected = p;
            let points = [before, self.vertices[p as usize].w, vertex.w];
            before = points[1];
            let across = [outer, Side::new(next, 2), Side::new(previous, 1)];
            self.add_face([q, p, corner], points, across, upper);
            (previous, next) = (this, next + 1);
        }
        closed
    }

    /// True if the vertex is a corner of the face.
    #[inline(always)]
    fn has_corner(&self, face: &Face, vertex: &Vertex) -> bool {
        let [a, b, c] = face.corners;
        self.vertices[a as usize].same(vertex)
            || self.vertices[b as usize].same(vertex)
            || self.vertices[c as usize].same(vertex)
    }

    /// The answer along the normal of a face, with the points where the ray along it leaves the polytope.
    ///
    /// Mostly that is the face itself. It is another one where coplanar faces share a plane, and where the search ended because
    /// no face is closer than the best direction, whose own face has been replaced since.
    #[inline(never)]
    fn witnessed(&self, face: &Face, lower: f64, upper: f64) -> Depth {
        let normal = face.normal;
        let corners = |face: &Face| face.corners.map(|corner| self.vertices[corner as usize].w);
        // A face that has been replaced since may lie deep inside the polytope.
        let is_outer = upper - face.distance <= self.noise;
        let own = if is_outer { weights(corners(face), normal) } else { [f64::NEG_INFINITY; 3] };
        let mut best = (own, face);
        if smallest(&own) < 0.0 {
            for face in self.faces.iter().filter(|face| face.alive) {
                let weights = weights(corners(face), normal);
                if smallest(&weights) > smallest(&best.0) {
                    best = (weights, face);
                }
            }
        }
        let (weights, face) = best;
        let simplex = face.corners.map(|corner| self.vertices[corner as usize]);
        witness(normal, weights, simplex, lower, upper)
    }
}
