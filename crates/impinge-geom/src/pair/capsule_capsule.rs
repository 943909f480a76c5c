//! Segment against segment, and with radii capsule against capsule.

use crate::answer::{Certainty, Feature, SignedDistance};
use crate::convex::difference::unit_or;
use crate::number::tolerance::UNIT_ROUNDOFF;
use crate::pose::Pose;
use crate::segment::closest_points;
use crate::shape::{Capsule, Segment};
use glam::DVec3;

/// The distance of two segments. Crossing segments have distance zero, and a normal across both.
#[inline(always)]
pub(super) fn signed_distance(a: &Segment, b: &Segment, pose: &Pose) -> SignedDistance {
    let [p0, p1] = a.points();
    let [q0, q1] = b.points().map(|point| pose.transform_point(point));
    let (s, t, on_a, on_b) = closest_points(p0, p1, q0, q1);
    let between = on_b - on_a;
    let square = between.length_squared();
    // The shorter the gap, the more rounding turns it.
    let size = (p0.abs() + p1.abs() + q0.abs() + q1.abs()).element_sum();
    let ordinary = square > SMALLEST_SQUARE && square < LARGEST_SQUARE;
    let (distance, normal) = if ordinary && square > SHORT_SQUARE * size * size {
        let distance = square.sqrt();
        (distance, between / distance)
    } else {
        short(between, [p1 - p0, q1 - q0], [s, t], size)
    };
    SignedDistance {
        distance,
        uncertainty: 0.0,
        points: [on_a, on_b],
        normal,
        features: [feature(s), feature(t)],
        certainty: Certainty::Exact,
    }
}

/// Two capsules: their segments are on the z axes of the two frames.
#[inline]
pub(super) fn capsules(a: &Capsule, b: &Capsule, pose: &Pose) -> SignedDistance {
    swept(&signed_distance(&a.core(), &b.core(), pose), a, b)
}

/// The answer for two capsules from the one for their segments.
#[inline(always)]
pub(super) fn swept(core: &SignedDistance, a: &Capsule, b: &Capsule) -> SignedDistance {
    let feature = |radius: f64, core: Feature| if radius > 0.0 { Feature::SURFACE } else { core };
    SignedDistance {
        distance: core.distance - a.radius() - b.radius(),
        points: [
            core.points[0] + core.normal * a.radius(),
            core.points[1] - core.normal * b.radius(),
        ],
        features: [feature(a.radius(), core.features[0]), feature(b.radius(), core.features[1])],
        ..*core
    }
}

/// 2^-900 and 2^900: squares in between have accurate roots.
const SMALLEST_SQUARE: f64 = f64::from_bits((1023 - 900) << 52);
const LARGEST_SQUARE: f64 = f64::from_bits((1023 + 900) << 52);

/// Gaps up to this times the coordinates may be due to rounding and have no direction.
const ROUNDING: f64 = 4.0 * UNIT_ROUNDOFF;

/// The square of the share of the coordinates below which a gap is so short that its direction is corrected: 2^-20.
const SHORT_SQUARE: f64 = f64::from_bits((1023 - 40) << 52);

/// The square of the sine below which the product of two directions is worse than what it corrects: 2^-10.
const PARALLEL_SQUARE: f64 = f64::from_bits((1023 - 20) << 52);

/// The distance and the normal where the squares are of no use or the gap is short: it is across each segment that it meets
/// between its ends, and across both where it is as short as rounding.
#[cold]
fn short(between: DVec3, along: [DVec3; 2], parameters: [f64; 2], size: f64) -> (f64, DVec3) {
    let distance = crate::number::error::safe_length(between);
    let oriented = |normal: DVec3| if normal.dot(between) < 0.0 { -normal } else { normal };
    if distance <= ROUNDING * size {
        return (distance, oriented(across(along[0], along[1])));
    }
    let units = along.map(|v| unit_or(v, DVec3::ZERO));
    let inside = parameters.map(|t| t > 0.0 && t < 1.0);
    let product = units[0].cross(units[1]);
    if inside == [true, true] && product.length_squared() > PARALLEL_SQUARE {
        return (distance, oriented(product.normalize()));
    }
    let mut normal = unit_or(between, DVec3::Z);
    for (unit, _) in units.into_iter().zip(inside).filter(|(_, inside)| *inside) {
        normal -= unit * normal.dot(unit);
    }
    (distance, unit_or(normal, DVec3::Z))
}

/// A unit vector across both directions.
fn across(first: DVec3, second: DVec3) -> DVec3 {
    let (first, second) = (unit_or(first, DVec3::ZERO), unit_or(second, DVec3::ZERO));
    let longer = if first == DVec3::ZERO { second } else { first };
    if longer == DVec3::ZERO {
        return DVec3::Z;
    }
    let product = unit_or(first.cross(second), longer.any_orthonormal_vector());
    // The product of almost parallel directions is inaccurate: what it has along the one is taken off, and what it has along
    // the other is then below rounding too.
    unit_or(product - longer * product.dot(longer), longer.any_orthonormal_vector())
}

/// The end or the inside of a segment.
#[inline]
fn feature(parameter: f64) -> Feature {
    if parameter <= 0.0 {
        Feature::vertex(0)
    } else if parameter >= 1.0 {
        Feature::vertex(1)
    } else {
        Feature::edge(0)
    }
}
