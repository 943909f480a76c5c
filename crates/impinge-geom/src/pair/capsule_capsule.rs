//! Segment against segment, and with radii capsule against capsule.

use crate::answer::{Feature, Method, SignedDistance};
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
    let [q0, q1] = b.points().map(|point| pose.map(point));
    let (s, t, on_a, on_b) = closest_points(p0, p1, q0, q1);
    let between = on_b - on_a;
    let square = between.length_squared();
    // What rounding leaves between segments that cross or overlap has no direction.
    let size = (p0.abs() + p1.abs() + q0.abs() + q1.abs()).element_sum() * ROUNDING;
    let ordinary = square > SMALLEST_SQUARE && square < LARGEST_SQUARE;
    let (distance, normal) = if ordinary && square > size * size {
        let distance = square.sqrt();
        (distance, between / distance)
    } else {
        crossing(between, [p1 - p0, q1 - q0], size)
    };
    SignedDistance {
        distance,
        uncertainty: 0.0,
        points: [on_a, on_b],
        normal,
        features: [feature(s), feature(t)],
        method: Method::Exact,
    }
}

/// Two capsules: their segments are on the z axes of the two frames.
#[inline]
pub(super) fn capsules(a: &Capsule, b: &Capsule, pose: &Pose) -> SignedDistance {
    let answer = signed_distance(&a.core(), &b.core(), pose);
    let feature = |radius: f64, core: Feature| if radius > 0.0 { Feature::SURFACE } else { core };
    SignedDistance {
        distance: answer.distance - a.radius() - b.radius(),
        points: [
            answer.points[0] + answer.normal * a.radius(),
            answer.points[1] - answer.normal * b.radius(),
        ],
        features: [
            feature(a.radius(), answer.features[0]),
            feature(b.radius(), answer.features[1]),
        ],
        ..answer
    }
}

/// 2^-900 and 2^900: squares in between have accurate roots.
const SMALLEST_SQUARE: f64 = f64::from_bits((1023 - 900) << 52);
const LARGEST_SQUARE: f64 = f64::from_bits((1023 + 900) << 52);

/// Gaps up to this times the coordinates may be due to rounding.
const ROUNDING: f64 = 4.0 * UNIT_ROUNDOFF;

/// The distance and the normal where the squares are of no use, or the gap is within rounding: across both directions.
#[cold]
fn crossing(between: DVec3, directions: [DVec3; 2], rounding: f64) -> (f64, DVec3) {
    let distance = crate::number::error::safe_length(between);
    if distance > rounding {
        return (distance, unit_or(between, DVec3::Z));
    }
    let normal = across(directions[0], directions[1]);
    (distance, if normal.dot(between) < 0.0 { -normal } else { normal })
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
