//! Two convex bodies within rounding of contact, where the searches of `convex_convex` leave something open: the sign, the normal,
//! or the points.
//!
//! The sign of polytopes is decided in integers. Of normals the one is taken along which the bodies reach least into each other,
//! and points that are beside each other, seen along the normal, are replaced by a common point of the bodies moved to contact.

use super::cache::Cache;
use super::convex_convex::{
    Cores, certainty, corners, exact_position, features, in_this_order, penetrating, separated,
    touching,
};
use crate::answer::SignedDistance;
use crate::convex::difference::{Difference, unit_or};
use crate::convex::epa;
use crate::convex::exact::{self, Origin};
use crate::convex::gjk::{self, Found, Goal, NOISE, Start, Status};
use crate::pose::Pose;
use crate::shape::Core;
use crate::simd::Scalar;
use glam::DVec3;

/// The origin is within rounding of the boundary: polytopes are decided exactly, curved bodies by the numbers at hand.
#[cold]
pub(super) fn near(
    difference: &Cores<'_>,
    found: &Found,
    depth: Option<epa::Depth>,
    cache: &mut Cache,
) -> SignedDistance {
    // A tetrahedron around the origin, up to rounding: v is still that of the triangle before.
    let length = if found.count() == 4 { 0.0 } else { found.v.length() };
    let deep = |depth: &epa::Depth, cache: &mut Cache| {
        let answer = penetrating(difference, depth, -length - NOISE * difference.scale);
        fitted(difference, shallow(answer, found), cache)
    };
    let outside = |found: &Found, cache: &mut Cache| {
        let (reach, normal) = least_reach(difference, found, depth.as_ref());
        // A direction as short as rounding proves nothing, but the distance is certainly positive.
        let lower = found.lower.max(-reach).max(0.0);
        let length = length.max(lower);
        let answer = SignedDistance {
            distance: (length / difference.factor).max(f64::MIN_POSITIVE),
            uncertainty: (length - lower) / difference.factor,
            points: found.points(),
            normal,
            features: features(difference, &found.ids()[..found.count()]),
            certainty: certainty(length - lower, difference.scale),
        };
        fitted(difference, narrowed(difference, answer), cache)
    };
    match exact_position(difference.a, difference.b, difference.pose, cache) {
        Some(Origin::Outside) => outside(found, cache),
        Some(Origin::Boundary) => {
            let normal = parting_normal(difference, found, depth.as_ref(), cache);
            met(difference, touching(difference, found, Some(normal)), cache)
        }
        Some(Origin::Interior) => match depth {
            Some(depth) => deep(&depth, cache),
            // Flat but for rounding: less deep than any number that is not zero.
            None => {
                let flat = met(difference, touching(difference, found, None), cache);
                SignedDistance { distance: -f64::MIN_POSITIVE, ..flat }
            }
        },
        None => match depth {
            Some(depth) if depth.upper > 0.0 => deep(&depth, cache),
            Some(depth) => fitted(difference, apart(difference, found, &depth), cache),
            None if found.lower > 0.0 => outside(found, cache),
            None => match least_reach(difference, found, None) {
                // A flat difference has no depth, but along its normal there may be a gap that the search has stopped short of.
                (reach, _) if reach < -NOISE * difference.scale => outside(found, cache),
                (_, normal) => touching(difference, found, Some(normal)),
            },
        },
    }
}

/// The answer for curved cores of which it is not known whether they meet, or that of the swapped cores if that is known better.
///
/// Simplices of a body very much longer than the other are lost in the rounding of its ends, unless its ends are numbers without
/// rounding, as they are in its own frame.
#[cold]
#[inline(never)]
pub(super) fn other_order(
    answer: SignedDistance,
    a: Core<'_>,
    b: Core<'_>,
    pose: &Pose,
    most: f64,
    cache: &mut Cache,
) -> SignedDistance {
    if a.is_polytope() && b.is_polytope() {
        return answer;
    }
    let warm = std::mem::take(&mut cache.warm);
    let other = in_this_order(b, a, &pose.inverse(), most, cache);
    cache.warm = warm;
    if other.uncertainty >= answer.uncertainty {
        return answer;
    }
    let other = SignedDistance {
        points: other.points.map(|point| pose.transform_point(point)),
        normal: pose.rotate(other.normal),
        ..other
    };
    cache.warm.axis = other.normal;
    other.flipped()
}

/// The answer for polytopes that are known to meet, with one point of both if the two at hand are apart by more than rounding:
/// the weights in a simplex that is long and as thin as rounding mean little.
pub(super) fn met(
    difference: &Cores<'_>,
    answer: SignedDistance,
    cache: &mut Cache,
) -> SignedDistance {
    let [p, q] = answer.points;
    let apart = ((q - p) * difference.factor).length();
    if apart <= 4.0 * NOISE * difference.scale {
        return answer;
    }
    let (a, b) = (difference.a, difference.b);
    let Some([corners_a, corners_b]) = corners(a, b, difference.pose, cache) else {
        return answer;
    };
    match exact::common_point(corners_a, corners_b) {
        Some(points) => SignedDistance { points, ..answer },
        None => answer,
    }
}

/// The points of an answer may be beside each other by this times the scale, 2^-36, seen along its normal.
const BESIDE: f64 = f64::from_bits((1023 - 36) << 52);

/// How far polytopes are moved into each other, in units of the rounding errors, to find a common point.
const MOVES: [f64; 3] = [0.0, 8.0, 128.0];

/// The answer with points that are apart by the distance along the normal.
#[inline]
pub(super) fn fitted(
    difference: &Cores<'_>,
    answer: SignedDistance,
    cache: &mut Cache,
) -> SignedDistance {
    let [p, q] = answer.points;
    let off = (q - p - answer.normal * answer.distance).abs().max_element();
    if off * difference.factor <= BESIDE * difference.scale {
        return answer;
    }
    aligned(difference, answer, off, cache)
}

/// The answer with other points, if its own are beside each other by more than others: weights on faces as thin as rounding mean
/// little. Where B has been moved along the normal until the bodies touch, their common point is looked for.
#[cold]
#[inline(never)]
fn aligned(
    difference: &Cores<'_>,
    answer: SignedDistance,
    off: f64,
    cache: &mut Cache,
) -> SignedDistance {
    let (a, b) = (difference.a, difference.b);
    let noise = NOISE * difference.scale / difference.factor;
    let mut best = (off, answer.points);
    for further in MOVES {
        let way = answer.normal * (-answer.distance - further * noise);
        let place = (difference.pose.translation() + way).to_array();
        let Ok(pose) = difference.pose.with_translation(place) else { break };
        let common = corners(a, b, &pose, cache).and_then(|[a, b]| exact::common_point(a, b));
        let points = common.unwrap_or_else(|| {
            let (start, mut found) = (Start::Direction(-answer.normal), Found::NOTHING);
            let moved = Difference::new(a, b, &pose);
            gjk::search(Scalar::new(), &moved, start, Goal::Distance, &mut found);
            found.points()
        });
        let off = (points[1] - points[0]).abs().max_element() + further * noise;
        if off < best.0 {
            best = (off, [points[0], points[1] - way]);
        }
        if common.is_some() {
            break;
        }
    }
    SignedDistance { points: best.1, ..answer }
}

/// The answer with the points of GJK where they fit better: on bodies with a thickness near rounding the polytope is a sliver,
/// and weights on its faces mean little.
fn shallow(answer: SignedDistance, found: &Found) -> SignedDistance {
    let points = found.points();
    let off = |[p, q]: [DVec3; 2]| (q - p - answer.normal * answer.distance).length_squared();
    if off(points) < off(answer.points) { SignedDistance { points, ..answer } } else { answer }
}

/// A depth below zero is a gap: along its normal the bodies are that far apart. GJK may have stopped short of it, on simplices
/// as thin as rounding.
fn apart(difference: &Cores<'_>, found: &Found, depth: &epa::Depth) -> SignedDistance {
    let length = |[p, q]: [DVec3; 2]| ((q - p) * difference.factor).length();
    let (first, second) = (found.points(), depth.points);
    let points = if length(first) < length(second) { first } else { second };
    let upper = length(points);
    if upper <= NOISE * difference.scale {
        return SignedDistance { points, ..touching(difference, found, Some(depth.normal)) };
    }
    let uncertainty = (upper - found.lower.max(-depth.upper)).max(0.0);
    let answer = SignedDistance {
        distance: upper / difference.factor,
        uncertainty: uncertainty / difference.factor,
        points,
        normal: depth.normal,
        features: features(difference, &depth.simplex.map(|vertex| vertex.ids)),
        certainty: certainty(uncertainty, difference.scale),
    };
    narrowed(difference, answer)
}

/// A gap with a wide interval, looked at again from its normal: that is a better place to start from than where the search
/// stopped, on a simplex as thin as rounding.
#[cold]
#[inline(never)]
pub(super) fn narrowed(difference: &Cores<'_>, answer: SignedDistance) -> SignedDistance {
    // As cores, whose search follows the direction to the last bit.
    let difference = &Difference::new(difference.a, difference.b, difference.pose);
    let mut best = answer;
    for _ in 0..NARROWINGS {
        if best.uncertainty * difference.factor <= NOISE * difference.scale {
            break;
        }
        let (start, mut found) = (Start::Direction(-best.normal), Found::NOTHING);
        gjk::search(Scalar::new(), difference, start, Goal::Distance, &mut found);
        let again = separated(difference, &found);
        if found.status != Status::Separated || again.uncertainty >= best.uncertainty {
            break;
        }
        best = again;
    }
    best
}

/// How often a gap with a wide interval is looked at again.
const NARROWINGS: usize = 4;

/// Of the normals at hand the one along which the bodies reach least into each other, after that reach. Within rounding of the boundary each of
/// them may be wrong: the direction of GJK where it is short, the faces of the polytope where the difference is flat.
#[cold]
fn least_reach(difference: &Cores<'_>, found: &Found, depth: Option<&epa::Depth>) -> (f64, DVec3) {
    let reach = |n: DVec3| difference.support(Scalar::new(), n, [0, 0]).w.dot(n);
    let flat = flat_normal(difference, found);
    let known = [depth.map(|depth| depth.normal), Some(-unit_or(found.v, -flat)), Some(-flat)];
    let mut best = (reach(flat), flat);
    for normal in known.into_iter().flatten() {
        let other = reach(normal);
        if other < best.0 {
            best = (other, normal);
        }
    }
    best
}

/// A normal along which polytopes that touch do not reach into each other: one at hand, or one by exact arithmetic.
#[cold]
fn parting_normal(
    difference: &Cores<'_>,
    found: &Found,
    depth: Option<&epa::Depth>,
    cache: &mut Cache,
) -> DVec3 {
    let (reach, normal) = least_reach(difference, found, depth);
    if reach <= 4.0 * NOISE * difference.scale {
        return normal;
    }
    let (a, b) = (difference.a, difference.b);
    let exact = corners(a, b, difference.pose, cache)
        .and_then(|[corners_a, corners_b]| exact::parting_direction(corners_a, corners_b));
    let other = unit_or(exact.unwrap_or(normal), normal);
    let height = difference.support(Scalar::new(), other, [0, 0]).w.dot(other);
    if height < reach { other } else { normal }
}

/// A normal of a flat difference, from the simplex that GJK ended with and the supports along the axes.
#[cold]
pub(super) fn flat_normal(difference: &Cores<'_>, found: &Found) -> DVec3 {
    let axes = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let supports = axes.map(|axis| difference.support(Scalar::new(), axis, [0, 0]).w);
    let simplex = found.simplex().map(|vertex| vertex.w);
    let known: Vec<DVec3> = supports.chain(simplex.into_iter().take(found.count())).collect();
    let longest =
        |vectors: &mut dyn Iterator<Item = DVec3>| {
            vectors.fold(DVec3::ZERO, |best, v| {
                if v.length_squared() > best.length_squared() { v } else { best }
            })
        };
    let along = longest(&mut known.iter().map(|w| *w - known[0]));
    let along = unit_or(along, DVec3::X);
    let across = longest(&mut known.iter().map(|w| {
        let v = *w - known[0];
        v - along * v.dot(along)
    }));
    if across.length() <= NOISE * difference.scale {
        return along.any_orthonormal_vector();
    }
    unit_or(along.cross(across), DVec3::Z)
}
