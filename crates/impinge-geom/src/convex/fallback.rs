//! GJK beside long simplices, where the plain search is stuck.
//!
//! The closest point `v` of an edge is known to the rounding of the edge's length. As a point that is as good as it gets; as a
//! direction it is off by that rounding divided by |v|, and then the vertex farthest along −v is one end of the edge or the
//! other, whatever lies between: the lower bound is less than nothing, and the search stops. Here v is made perpendicular to the
//! edges of the simplex before it is used as a direction, once more after that, since the first time leaves the rounding of a
//! vector that may have been mostly along the edge (Kahan's "twice is enough", in Parlett, "The Symmetric Eigenvalue Problem",
//! 1980, §6.9). Then v·edge is of the order of |v| roundings of the edge, and both bounds are right up to rounding.

use super::difference::{Vertex, unit_or};
use super::gjk::{CONVERGED, Found, Narrowest, Status};
use super::simplex::{self, InTetrahedron};
use crate::simd::Scalar;
use glam::DVec3;

/// Upper bound of the steps.
const MAX_STEPS: usize = 64;

/// A triangle is a needle, and its other edges are along the longest, where the square of its width is below this times that of the
/// rounding errors.
const NEEDLE: f64 = 4096.0;

/// Upper bound of the steps that do not make `v` shorter.
const MAX_STILL: u32 = 8;

/// Takes a search up where it is stuck, at the narrowest of its steps if one has shown the bodies to be apart; sets the status.
#[cold]
#[inline(never)]
pub(super) fn search(
    support: &dyn Fn(DVec3) -> Vertex,
    found: &mut Found,
    mut narrowest: Narrowest,
    noise: f64,
) {
    let simd = Scalar::new();
    let stuck = *found;
    if narrowest.width.is_finite() && narrowest.found.lower > noise {
        *found = narrowest.found;
    }
    let mut square = found.v.length_squared();
    let mut still = 0;
    for _ in 0..MAX_STEPS {
        let length = square.sqrt();
        let unit = unit_or(perpendicular(found, noise), DVec3::ZERO);
        // As long as the point that it stands for: only the direction is another.
        found.v = unit * length;
        let vertex = support(-unit);
        let lower = unit.dot(vertex.w);
        narrowest.offer(found, square, lower * length);
        let gap = length - lower;
        let converged = gap <= CONVERGED * length || gap <= noise;
        if unit == DVec3::ZERO || length <= noise || converged || found.has(&vertex) {
            break;
        }
        let newest = vertex.w;
        let InTetrahedron::Outside(mut closest) = found.improve(vertex, noise) else { break };
        if found.count() == 1 {
            // Seen from the old corner: next to it, a weight beside one would be lost.
            let near = simplex::segment(newest, found.corner(0));
            closest.weights = [near.weights[1], near.weights[0], 0.0, 0.0];
            closest.point = near.point;
        }
        // Turning v by a little may not make it any shorter, and yet raise the lower bound.
        let closer = closest.point.length_squared();
        still += u32::from(closer >= square);
        if closer > square * (1.0 + CONVERGED) || still > MAX_STILL {
            break;
        }
        found.keep(simd, closest.weights);
        (found.v, square) = (closest.point, closer);
    }
    let is_apart = narrowest.found.lower > noise;
    *found = if is_apart { narrowest.found } else { stuck };
    found.status = if is_apart { Status::Separated } else { Status::Near };
}

/// The closest point of the simplex without what is left of its edges in it.
fn perpendicular(found: &Found, noise: f64) -> DVec3 {
    let rest = |v: DVec3, edge: DVec3| {
        let square = edge.length_squared();
        if square > 0.0 { v - edge * (v.dot(edge) / square) } else { v }
    };
    let twice = |v: DVec3, edge: DVec3| rest(rest(v, edge), edge);
    match found.count() {
        2 => twice(found.v, found.corner(1) - found.corner(0)),
        3 => {
            let [a, b, c] = [found.corner(0), found.corner(1), found.corner(2)];
            let (mut long, mut short) = (b - a, c - a);
            if short.length_squared() > long.length_squared() {
                (long, short) = (short, long);
            }
            // What is left of the other edge beside the longer one, if that is more than rounding.
            let beside = twice(short, long);
            if beside.length_squared() <= NEEDLE * noise * noise {
                return twice(found.v, long);
            }
            twice(twice(twice(found.v, long), beside), long)
        }
        _ => found.v,
    }
}
