//! The point of A − B closest to the origin.
//!
//! Gilbert, Johnson, Keerthi 1988, in the form of van den Bergen 1999: a simplex of at most four vertices of A − B whose point
//! `v` closest to the origin approaches the true one. Each step asks for the vertex `w` farthest along −v; `v·w / |v|` is then a
//! lower bound of the distance and `|v|` an upper one.
//!
//! Termination differs from the papers. The loop stops when the two bounds meet up to rounding ([`Difference::scale`] times
//! [`NOISE`]), when `w` is already in the simplex, when `|v|` no longer shrinks, or after [`MAX_STEPS`]; it always reports both
//! bounds, and claims "separated" or "inside" only where they are beyond the rounding errors. What is within them is reported as
//! [`Status::Near`] and decided exactly by the caller.

use super::difference::{Body, Difference, Vertex};
use super::fallback;
use super::simplex::{self, Closest, InTetrahedron};
use crate::number::tolerance::UNIT_ROUNDOFF;
use crate::simd::{Scalar, Simd};
use glam::DVec3;

/// Upper bound of the steps of one query. Polytopes need about ten; smooth bodies converge within a few dozen.
pub(crate) const MAX_STEPS: u32 = 200;

/// Rounding errors of `v·w / |v|`, as a multiple of the scale: the mapping and the choice of the support vertices (8 u), the
/// difference (1 u) and the dot product (3 u), rounded up.
pub(crate) const NOISE: f64 = 16.0 * UNIT_ROUNDOFF;

/// The bounds are said to meet where they differ by less than this times the distance.
pub(super) const CONVERGED: f64 = 32.0 * UNIT_ROUNDOFF;

/// A search of curved bodies that ends with bounds on both sides of zero is taken up again where the square of `v` is above this
/// times that of the rounding errors.
const STUCK: f64 = 16.0;

/// And one that ends with two positive bounds, where they are farther apart than this times the rounding errors.
const WIDE: f64 = 1024.0;

/// What GJK found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// The origin is outside, by more than rounding errors.
    Separated,
    /// The origin is inside the tetrahedron, by more than rounding errors.
    Inside,
    /// The origin is within rounding errors of the simplex.
    Near,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Goal {
    /// Stop at the first certificate that the distance is above this number (scaled), or not.
    Within(f64),
    /// Go on to the closest point.
    Distance,
}

/// An order of the four slots, one byte each: what a step keeps is decided without branches.
#[derive(Clone, Copy, Debug)]
struct Corners(u32);

impl Corners {
    const FIRST: Self = Self(0x0302_0100);

    /// For each set of places, an order that has them first.
    const KEPT_FIRST: [Self; 16] = {
        let mut orders = [Self(0); 16];
        let mut kept = 0;
        while kept < 16 {
            let (mut order, mut place, mut next) = (0, 0, 0);
            while place < 8 {
                // First the places that are kept, then the others.
                let is_kept = kept >> (place & 3) & 1 == 1;
                if is_kept == (place < 4) {
                    order |= (place & 3) << (8 * next);
                    next += 1;
                }
                place += 1;
            }
            orders[kept as usize] = Self(order);
            kept += 1;
        }
        orders
    };

    /// The slot at a place.
    #[inline(always)]
    fn slot(self, place: usize) -> usize {
        (self.0 >> (8 * place)) as usize & 3
    }

    /// The same slots with the given places first.
    #[inline(always)]
    fn keep(self, places: u32) -> Self {
        let order = Self::KEPT_FIRST[places as usize & 15];
        let at = |place: usize| (self.slot(order.slot(place)) as u32) << (8 * place);
        Self(at(0) | at(1) | at(2) | at(3))
    }
}

/// The end of a search, in scaled units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) status: Status,
    /// Up to four vertices, in no order; the first `count` of `corners` name those of the simplex, the rest are free.
    slots: [Vertex; 4],
    corners: Corners,
    count: usize,
    /// The weights that the last step gave, and the corners that it gave them to.
    weights: [f64; 4],
    weighted: Corners,
    /// The closest point of the simplex; with [`Goal::Within`], a separating direction.
    pub(crate) v: DVec3,
    /// A lower bound of the distance, before rounding.
    pub(crate) lower: f64,
    /// How many vertices of the difference were asked for.
    pub(crate) steps: u32,
}

impl Found {
    pub(crate) const NOTHING: Self = Self {
        status: Status::Near,
        slots: [Vertex::NONE; 4],
        corners: Corners::FIRST,
        count: 1,
        weights: [1.0, 0.0, 0.0, 0.0],
        weighted: Corners::FIRST,
        v: DVec3::ZERO,
        lower: 0.0,
        steps: 0,
    };
}

/// Where a search begins.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start {
    /// At a point of A − B.
    Point(Vertex),
    /// At the vertex farthest against this direction, which may separate the bodies.
    Direction(DVec3),
}

/// Searches for the closest point.
#[inline(always)]
pub(crate) fn search<S: Simd, A: Body, B: Body>(
    simd: S,
    difference: &Difference<'_, A, B>,
    start: Start,
    goal: Goal,
    found: &mut Found,
) {
    let noise = NOISE * difference.scale;
    let noise_square = noise * noise;
    // Only curved bodies are followed until simplices are as thin as rounding.
    let curved = !(A::SHARP && B::SHARP);
    let mut narrowest = Narrowest { width: f64::INFINITY, found: Found::NOTHING };
    // Squares of the distances above which the answer is "no", and below which it is "yes".
    let (beyond, within) = match goal {
        Goal::Within(reach) => {
            ((reach + noise) * (reach + noise), (reach * reach).max(noise_square))
        }
        Goal::Distance => (f64::INFINITY, noise_square),
    };
    found.status = Status::Near;
    match start {
        Start::Point(vertex) => found.slots[0] = vertex,
        Start::Direction(v) => {
            found.slots[0] = difference.support(simd, -v, [0, 0]);
            found.steps += 1;
            let along = v.dot(found.slots[0].w);
            if along > 0.0 && along * along > beyond * v.length_squared() {
                found.v = v;
                found.status = Status::Separated;
                found.lower = along / v.length();
                return;
            }
        }
    }
    let mut v = found.slots[0].w;
    // Along v; of any length.
    let mut direction = v;
    let mut near = [0, 0];
    let mut square = v.length_squared();
    let mut farthest = v;
    for step in 1..=MAX_STEPS {
        found.v = v;
        if square <= within {
            return;
        }
        // On curved bodies the vertex moves with every bit of the direction.
        let vertex = difference.support(simd, if curved { -v } else { -direction }, near);
        found.steps += 1;
        near = vertex.ids;
        farthest = vertex.w;
        let along = v.dot(vertex.w);
        if curved {
            narrowest.offer(found, square, along);
        }
        let gap = square - along;
        let certified = along > 0.0 && along * along > beyond * square;
        let converged = gap <= CONVERGED * square || gap * gap <= noise_square * square;
        if certified || converged || found.has(&vertex) {
            break;
        }
        match found.improve(vertex, noise) {
            // What is proven to be apart is not around the origin: the tetrahedron is as thin as rounding.
            InTetrahedron::Inside(_) if curved && found.lower > noise => break,
            InTetrahedron::Inside(certain) => {
                found.status = if certain { Status::Inside } else { Status::Near };
                return;
            }
            InTetrahedron::Outside(closest) => {
                let closer = closest.point.length_squared();
                // The last vertex goes with the last direction.
                if closer >= square || step == MAX_STEPS {
                    break;
                }
                found.keep(simd, closest.weights);
                (v, direction, square) = (closest.point, closest.direction, closer);
            }
        }
    }
    if !curved {
        // Beside simplices much longer than v, rounding turns the direction away from v, and the farthest vertex along the one
        // proves nothing along the other.
        let shortest = square.min(direction.length_squared());
        found.lower =
            if shortest > 0.0 { direction.dot(farthest) / direction.length() } else { 0.0 };
    }
    let is_apart = found.lower > noise;
    let is_stuck =
        if is_apart { narrowest.width > WIDE * noise } else { square > STUCK * noise_square };
    // A constant, so that polytopes do not compile it.
    if const { !(A::SHARP && B::SHARP) } && is_stuck && goal == Goal::Distance {
        let support = |direction| difference.support(Scalar::new(), direction, [0, 0]);
        fallback::search(&support, found, narrowest, noise);
        return;
    }
    // Within rounding of contact the last step is the closest one.
    if curved && is_apart && goal == Goal::Distance && narrowest.width.is_finite() {
        *found = Found { steps: found.steps, ..narrowest.found };
    }
    found.status = if is_apart { Status::Separated } else { Status::Near };
}

/// The step whose two bounds were closest to each other.
///
/// Mostly it is the last. But the direction of a simplex as thin as rounding may be anything, though its length is right, and
/// then the steps before it knew better.
pub(super) struct Narrowest {
    pub(super) width: f64,
    pub(super) found: Found,
}

impl Narrowest {
    #[inline(always)]
    pub(super) fn offer(&mut self, found: &mut Found, square: f64, along: f64) {
        let length = square.sqrt();
        let lower = along / length;
        found.lower = found.lower.max(lower);
        if length - lower < self.width {
            // Its own bound, so that the normal attains it.
            (self.width, self.found) = (length - lower, Found { lower, ..*found });
        }
    }
}

impl Found {
    #[inline(always)]
    pub(super) fn has(&self, vertex: &Vertex) -> bool {
        let known = |place: usize| self.slots[self.corners.slot(place)].same(vertex);
        known(0) || self.count > 1 && known(1) || self.count > 2 && known(2)
    }

    #[inline(always)]
    pub(super) fn corner(&self, place: usize) -> DVec3 {
        self.slots[self.corners.slot(place)].w
    }

    /// Puts the vertex into a free slot and finds the closest point of the larger simplex.
    #[inline(always)]
    pub(super) fn improve(&mut self, vertex: Vertex, noise: f64) -> InTetrahedron {
        let w = vertex.w;
        self.slots[self.corners.slot(self.count & 3)] = vertex;
        let (weights, point, direction) = match self.count {
            1 => {
                let closest = simplex::segment(self.corner(0), w);
                let [a, b] = closest.weights;
                ([a, b, 0.0, 0.0], closest.point, closest.direction)
            }
            2 => {
                let closest = simplex::triangle(self.corner(0), self.corner(1), w);
                let [a, b, c] = closest.weights;
                ([a, b, c, 0.0], closest.point, closest.direction)
            }
            _ => {
                let (a, b, c) = (self.corner(0), self.corner(1), self.corner(2));
                let position = simplex::tetrahedron(a, b, c, w, noise);
                if let InTetrahedron::Inside(_) = position {
                    self.count = 4;
                }
                return position;
            }
        };
        InTetrahedron::Outside(Closest { weights, point, direction })
    }

    /// Takes over a step: corners without weight become free slots.
    #[inline(always)]
    pub(super) fn keep<S: Simd>(&mut self, simd: S, weights: [f64; 4]) {
        let kept = simd.greater64(simd.load64(&weights), simd.splat64(0.0));
        (self.weights, self.weighted) = (weights, self.corners);
        self.corners = self.corners.keep(kept);
        self.count = kept.count_ones() as usize;
    }

    /// The two points, in A's frame, that the weights single out; around the origin they are equal up to rounding.
    pub(crate) fn points(&self) -> [DVec3; 2] {
        let (weights, corners) = if self.count < 4 {
            (self.weights, self.weighted)
        } else {
            (simplex::weights_of_origin(&self.simplex().map(|vertex| vertex.w)), self.corners)
        };
        let mut points = [DVec3::ZERO; 2];
        for (place, weight) in weights.into_iter().enumerate() {
            if weight > 0.0 {
                let vertex = &self.slots[corners.slot(place)];
                points[0] += vertex.a * weight;
                points[1] += vertex.b * weight;
            }
        }
        points
    }

    /// The vertices that take part; the first [`Found::count`] of the four.
    pub(crate) fn simplex(&self) -> [Vertex; 4] {
        [0, 1, 2, 3].map(|place| self.slots[self.corners.slot(place)])
    }

    /// The vertex indices in A and in B of those that take part.
    #[inline]
    pub(crate) fn ids(&self) -> [[u32; 2]; 4] {
        let ids = |place: usize| self.slots[self.corners.slot(place)].ids;
        [ids(0), ids(1), ids(2), ids(3)]
    }

    /// How many vertices take part.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        self.count
    }
}
