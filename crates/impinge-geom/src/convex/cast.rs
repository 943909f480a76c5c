//! When does a point that moves on a line from the origin enter A − B?
//!
//! G. van den Bergen, "Ray casting against general convex objects with application to continuous collision detection"
//! (2004): GJK for the closest point of A − B to the moving point, where every separating direction moves the point on to
//! the plane that bounds A − B. Differences:
//!
//! - a plane is taken to be nearer by the rounding errors, so that the time is never late;
//! - a radius around A − B is allowed: the planes are nearer by it, and the point arrives at that distance;
//! - after a move the whole simplex is looked at anew: its newest corner need not be part of the closest feature.

use super::difference::{Body, Difference, Vertex};
use super::gjk::NOISE;
use crate::simd::Simd;
use glam::DVec3;

/// Upper bound of the steps of one query. Hulls need about eight; the time is right, if early, wherever it ends.
const MAX_STEPS: u32 = 128;

/// The point has arrived where the distance is within this many times the rounding errors of a support plane.
const ARRIVED: f64 = 8.0;

/// How it ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    /// Separated at all times before.
    pub(crate) time: f64,
    /// From A − B to the point: the last direction that separated them, of any length; zero if none ever did.
    pub(crate) direction: DVec3,
    /// An upper bound of the distance that is left, in the units of the bodies.
    pub(crate) gap: f64,
    /// Whether that is within rounding of the radius, for sure. If not the search stalled, as it does on curved surfaces and with flat simplices.
    pub(crate) arrived: bool,
    /// Points of A and of B (where B is at time 0).
    pub(crate) points: [DVec3; 2],
    /// Vertices of A − B that were asked for.
    pub(crate) steps: u32,
}

/// The corners around the closest point.
struct Simplex {
    vertices: [Vertex; 4],
    weights: [f64; 4],
    count: usize,
}

/// Casts from the origin along `motion`, times from 0 to 1. None if the distance stays above the radius.
#[inline(always)]
pub(crate) fn cast<S: Simd, A: Body, B: Body>(
    simd: S,
    difference: &Difference<'_, A, B>,
    motion: DVec3,
    radius: f64,
) -> Option<Arrival> {
    let motion = motion * difference.factor;
    let radius = radius * difference.factor;
    let noise = NOISE * (difference.scale + motion.abs().element_sum() + radius);
    let arrived = radius + ARRIVED * noise;
    let mut simplex = Simplex { vertices: [Vertex::NONE; 4], weights: [0.0; 4], count: 0 };
    let (mut time, mut x) = (0.0, DVec3::ZERO);
    let mut c = first_direction(difference, motion);
    let mut last = DVec3::ZERO;
    let mut near = [0, 0];
    let mut gap = f64::INFINITY;
    for step in 1..=MAX_STEPS {
        let p = difference.support(simd, c, near);
        near = p.ids;
        let length = c.length();
        let apart = c.dot(x - p.w) - (radius + noise) * length;
        let separates = apart > 0.0;
        if separates {
            let speed = -c.dot(motion);
            // Not approaching, or too slowly.
            if speed <= 0.0 || time + apart / speed > 1.0 {
                return None;
            }
            time += apart / speed;
            x = motion * time;
            last = c;
        }
        let known = simplex.has(&p);
        if known && !separates {
            return Some(simplex.arrival(time, last, (gap, false), step, difference.factor));
        }
        if !known {
            simplex.add(p);
        }
        c = simplex.reduce(x);
        gap = c.length();
        if gap <= arrived {
            // Four corners say so, too, where rounding hides on which side of them the point is.
            let is_sure = simplex.count < 4;
            return Some(simplex.arrival(time, last, (gap, is_sure), step, difference.factor));
        }
    }
    Some(simplex.arrival(time, last, (gap, false), MAX_STEPS, difference.factor))
}

/// From the centre of A − B to the point, when it is about as far away as the surface, or else nearest: there the contact is, or a plane that separates the two for good. Any
/// direction would do; this one saves a step or two.
#[inline(always)]
fn first_direction<A: Body, B: Body>(difference: &Difference<'_, A, B>, motion: DVec3) -> DVec3 {
    let inside = difference.a.inner_radius() + difference.b.inner_radius();
    let outside = difference.a.radius() + difference.b.radius();
    let surface = 0.5 * (inside + outside) * difference.factor;
    let center = difference.center();
    let (square, along) = (motion.length_squared(), motion.dot(center));
    let nearest = along / square;
    let depth = surface * surface - (center.length_squared() - along * nearest);
    let time = if depth > 0.0 { nearest - (depth / square).sqrt() } else { nearest };
    // NaN without motion.
    let time = if time > 0.0 { time.min(1.0) } else { 0.0 };
    let direction = motion * time - center;
    if direction == DVec3::ZERO { -motion } else { direction }
}

impl Simplex {
    #[inline(always)]
    fn has(&self, vertex: &Vertex) -> bool {
        self.vertices[..self.count].iter().any(|own| own.same(vertex))
    }

    #[inline(always)]
    fn add(&mut self, vertex: Vertex) {
        self.vertices[self.count & 3] = vertex;
        self.count = (self.count + 1).min(4);
    }

    /// Keeps the corners of the feature closest to `x`, and gives the vector from that feature to `x`.
    #[inline(always)]
    fn reduce(&mut self, x: DVec3) -> DVec3 {
        let y = |i: usize| x - self.vertices[i].w;
        let (weights, point) = match self.count {
            0 | 1 => ([1.0, 0.0, 0.0, 0.0], y(0)),
            2 => {
                let (t, point) = segment(y(0), y(1));
                ([1.0 - t, t, 0.0, 0.0], point)
            }
            3 => {
                let ([a, b, c], point) = triangle(y(0), y(1), y(2));
                ([a, b, c, 0.0], point)
            }
            _ => tetrahedron(&[y(0), y(1), y(2), y(3)]),
        };
        let mut kept = 0;
        for (i, weight) in weights.into_iter().enumerate() {
            if weight > 0.0 {
                self.vertices[kept] = self.vertices[i];
                self.weights[kept] = weight;
                kept += 1;
            }
        }
        self.count = kept.max(1);
        point
    }

    fn arrival(
        &self,
        time: f64,
        direction: DVec3,
        (gap, arrived): (f64, bool),
        steps: u32,
        factor: f64,
    ) -> Arrival {
        let mut points = [DVec3::ZERO; 2];
        for (vertex, weight) in self.vertices[..self.count].iter().zip(self.weights) {
            points[0] += vertex.a * weight;
            points[1] += vertex.b * weight;
        }
        Arrival { time, direction, gap: gap / factor, arrived, points, steps }
    }
}

/// The parameter and the point closest to the origin.
#[inline(always)]
fn segment(a: DVec3, b: DVec3) -> (f64, DVec3) {
    let edge = b - a;
    let along = -a.dot(edge);
    let square = edge.length_squared();
    if along <= 0.0 {
        (0.0, a)
    } else if along >= square {
        (1.0, b)
    } else {
        let t = along / square;
        (t, a + edge * t)
    }
}

/// Weights and the point closest to the origin: Ericson, "Real-Time Collision Detection", §5.1.5.
#[inline(always)]
fn triangle(a: DVec3, b: DVec3, c: DVec3) -> ([f64; 3], DVec3) {
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (-ab.dot(a), -ac.dot(a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return ([1.0, 0.0, 0.0], a);
    }
    let (d3, d4) = (-ab.dot(b), -ac.dot(b));
    if d3 >= 0.0 && d4 <= d3 {
        return ([0.0, 1.0, 0.0], b);
    }
    let (d5, d6) = (-ab.dot(c), -ac.dot(c));
    if d6 >= 0.0 && d5 <= d6 {
        return ([0.0, 0.0, 1.0], c);
    }
    let normal = ab.cross(ac);
    // Areas opposite the corners, times |normal|: products of coordinates, better than of the dots above.
    let (va, vb, vc) = (normal.dot(b.cross(c)), normal.dot(c.cross(a)), normal.dot(a.cross(b)));
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let (t, point) = segment(a, b);
        return ([1.0 - t, t, 0.0], point);
    }
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let (t, point) = segment(a, c);
        return ([1.0 - t, 0.0, t], point);
    }
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let (t, point) = segment(b, c);
        return ([0.0, 1.0 - t, t], point);
    }
    let square = normal.length_squared();
    let sum = va + vb + vc;
    if square <= 0.0 || sum <= 0.0 {
        let (t, point) = segment(a, b);
        return ([1.0 - t, t, 0.0], point);
    }
    ([va / sum, vb / sum, vc / sum], normal * (normal.dot(a) / square))
}

/// The same of a tetrahedron; the point is zero if the origin is inside.
#[inline(always)]
fn tetrahedron(y: &[DVec3; 4]) -> ([f64; 4], DVec3) {
    const FACES: [[usize; 4]; 4] = [[0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2], [1, 3, 2, 0]];
    let mut best = ([0.25; 4], DVec3::ZERO);
    let mut least = f64::INFINITY;
    for [i, j, k, opposite] in FACES {
        let normal = (y[j] - y[i]).cross(y[k] - y[i]);
        let (own, other) = (-normal.dot(y[i]), normal.dot(y[opposite] - y[i]));
        // The origin is beyond this face, or the tetrahedron is flat.
        if own * other <= 0.0 {
            let (weights, point) = triangle(y[i], y[j], y[k]);
            let square = point.length_squared();
            if square < least {
                least = square;
                best = ([0.0; 4], point);
                (best.0[i], best.0[j], best.0[k]) = (weights[0], weights[1], weights[2]);
            }
        }
    }
    best
}
