//! The points of A and of B where the ray along the normal of the depth leaves the polytope that EPA ended with.

use super::difference::Vertex;
use super::epa::Depth;
use glam::DVec3;

/// The answer along a normal, from the face through which it leaves the polytope and the weights of its corners.
pub(super) fn witness(
    normal: DVec3,
    weights: [f64; 3],
    simplex: [Vertex; 3],
    lower: f64,
    upper: f64,
) -> Depth {
    let mut weights = clamped(weights);
    let mut off = beside(normal, &weights, &simplex);
    // On needles the weights mean little; what they leave beside the ray tells how to correct them.
    let size = simplex.iter().fold(0.0, |most: f64, vertex| most.max(vertex.w.length_squared()));
    for _ in 0..CORRECTIONS {
        if off.length_squared() <= ASIDE_SQUARE * size {
            break;
        }
        let better = clamped(corrected(weights, &simplex, off));
        let left = beside(normal, &better, &simplex);
        if left.length_squared() >= off.length_squared() {
            break;
        }
        (weights, off) = (better, left);
    }
    if off.length_squared() > ASIDE_SQUARE * size {
        weights = on_edges(normal, weights, &simplex);
    }
    let mut points = [DVec3::ZERO; 2];
    for (vertex, weight) in simplex.iter().zip(weights) {
        points[0] += vertex.a * weight;
        points[1] += vertex.b * weight;
    }
    Depth { normal, upper, lower, points, simplex }
}

/// How often weights are corrected, at most.
const CORRECTIONS: usize = 3;

/// The square of the share of the coordinates by which the weighted corners may be beside the ray: 2^-42.
const ASIDE_SQUARE: f64 = f64::from_bits((1023 - 84) << 52);

/// Weights that are not negative and sum to one: within rounding of an edge the ray may miss both faces by a hair.
#[inline(always)]
fn clamped(weights: [f64; 3]) -> [f64; 3] {
    let clamped = weights.map(|weight| weight.max(0.0));
    let sum: f64 = clamped.iter().sum();
    if sum > 0.0 { clamped.map(|weight| weight / sum) } else { [1.0, 0.0, 0.0] }
}

/// How far the weighted corners are beside the ray along the normal.
#[inline(always)]
fn beside(normal: DVec3, weights: &[f64; 3], simplex: &[Vertex; 3]) -> DVec3 {
    let point = simplex[0].w * weights[0] + simplex[1].w * weights[1] + simplex[2].w * weights[2];
    point - normal * point.dot(normal)
}

/// The weights that take the weighted corners back by this offset, up to the precision of a needle's area.
#[cold]
fn corrected(weights: [f64; 3], simplex: &[Vertex; 3], off: DVec3) -> [f64; 3] {
    let (first, second) = (simplex[1].w - simplex[0].w, simplex[2].w - simplex[0].w);
    let cross = first.cross(second);
    let square = cross.length_squared();
    if square <= 0.0 {
        return weights;
    }
    let (x, y) = (cross.dot(off.cross(second)) / square, cross.dot(first.cross(off)) / square);
    [weights[0] + x + y, weights[1] - x, weights[2] - y]
}

/// The barycentric coordinates, summing to one, of the point where the ray from the origin meets the plane of a triangle that
/// it sees from behind; all non-negative if the ray passes through the triangle.
#[inline(always)]
pub(super) fn weights([a, b, c]: [DVec3; 3], ray: DVec3) -> [f64; 3] {
    let volumes = [(b, c), (c, a), (a, b)].map(|(p, q)| ray.dot(p.cross(q)));
    let sum: f64 = volumes.iter().sum();
    if sum > 0.0 { volumes.map(|volume| volume / sum) } else { [f64::NEG_INFINITY; 3] }
}

#[inline(always)]
pub(super) fn smallest(weights: &[f64; 3]) -> f64 {
    weights[0].min(weights[1]).min(weights[2])
}

/// The weights of the point of an edge that is closest to the ray, if that is closer than what the weights give: a needle as
/// thin as rounding is no more than its edges.
#[cold]
fn on_edges(normal: DVec3, weights: [f64; 3], simplex: &[Vertex; 3]) -> [f64; 3] {
    let off = |weights: &[f64; 3]| beside(normal, weights, simplex).length_squared();
    let aside = |v: DVec3| v - normal * v.dot(normal);
    let mut best = (off(&weights), weights);
    for [from, to] in [[0, 1], [1, 2], [2, 0]] {
        let (start, along) = (aside(simplex[from].w), aside(simplex[to].w - simplex[from].w));
        let square = along.length_squared();
        let t = if square > 0.0 { (-start.dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
        let mut candidate = [0.0; 3];
        (candidate[from], candidate[to]) = (1.0 - t, t);
        if off(&candidate) < best.0 {
            best = (off(&candidate), candidate);
        }
    }
    best.1
}
