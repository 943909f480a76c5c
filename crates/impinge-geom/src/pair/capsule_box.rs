//! Segment against box, and with radii capsule against box.
//!
//! Along the segment p + t·d the squared distance from the box is Σ max(|pₖ + t dₖ| − hₖ, 0)², convex and quadratic between at
//! most six breakpoints. Its derivative is increasing and piecewise linear, so the minimum is found by walking the breakpoints.
//! A segment that enters the box has its depth from the six separating axes: three face normals, three products with edges.

use super::cache::Cache;
use super::{convex_convex, short_gap};
use crate::answer::{Certainty, Feature, SignedDistance};
use crate::convex::exact::Origin;
use crate::number::error::power_of_two_near_inverse;
use crate::number::tolerance::{AXIS_SINE, PARALLEL_EDGES, UNIT_ROUNDOFF};
use crate::point;
use crate::pose::Pose;
use crate::shape::{Core, Cuboid, Segment};
use glam::DVec3;

/// Distances within this times the sizes are decided exactly.
const DOUBTFUL: f64 = 1e-13;

/// The box is A.
pub(super) fn box_segment(
    cuboid: &Cuboid,
    segment: &Segment,
    pose: &Pose,
    cache: &mut Cache,
) -> SignedDistance {
    let ends = segment.points().map(|end| pose.transform_point(end));
    let mut answer = in_box_frame(cuboid, ends);
    let exact = |cache: &mut Cache| {
        convex_convex::exact_position(Core::Cuboid(cuboid), Core::Segment(*segment), pose, cache)
    };
    settle(&mut answer, cuboid, ends, || exact(cache));
    answer
}

/// The segment is A: the search runs in the box's frame and the answer is turned back.
pub(super) fn segment_box(
    segment: &Segment,
    cuboid: &Cuboid,
    pose: &Pose,
    cache: &mut Cache,
) -> SignedDistance {
    let ends = segment.points().map(|end| pose.inverse_transform_point(end));
    let mut answer = in_box_frame(cuboid, ends);
    let exact = |cache: &mut Cache| {
        convex_convex::exact_position(Core::Segment(*segment), Core::Cuboid(cuboid), pose, cache)
    };
    settle(&mut answer, cuboid, ends, || exact(cache));
    answer.points = answer.points.map(|point| pose.transform_point(point));
    answer.normal = pose.rotate(answer.normal);
    answer.flipped()
}

/// Makes the sign of a distance that is within rounding of zero the exact one.
fn settle(
    answer: &mut SignedDistance,
    cuboid: &Cuboid,
    ends: [DVec3; 2],
    exact: impl FnOnce() -> Option<Origin>,
) {
    let scale = cuboid.half().max(ends[0].abs()).max(ends[1].abs()).max_element();
    if answer.distance.abs() > DOUBTFUL * scale {
        return;
    }
    answer.distance = match exact() {
        Some(Origin::Outside) => answer.distance.max(f64::MIN_POSITIVE),
        Some(Origin::Interior) => answer.distance.min(-f64::MIN_POSITIVE),
        _ => 0.0,
    };
}

/// The segment's ends are in the box's frame; the box is A.
fn in_box_frame(cuboid: &Cuboid, ends: [DVec3; 2]) -> SignedDistance {
    let half = cuboid.half();
    let t = closest_parameter(half, ends[0], ends[1] - ends[0]);
    let on_segment = if t >= 1.0 { ends[1] } else { ends[0] + (ends[1] - ends[0]) * t };
    let found = point::core_signed_distance(&Core::Cuboid(cuboid), on_segment);
    let feature = if t <= 0.0 {
        Feature::vertex(0)
    } else if t >= 1.0 {
        Feature::vertex(1)
    } else {
        Feature::edge(0)
    };
    let scale = half.max(ends[0].abs()).max(ends[1].abs()).max_element();
    if found.distance > 8.0 * UNIT_ROUNDOFF * scale {
        let normal = if short_gap::is_short(found.distance, scale) {
            let edges = [ends[1] - ends[0], DVec3::X, DVec3::Y, DVec3::Z];
            short_gap::direction(found.normal, &edges, |n| {
                n.dot(ends[0]).min(n.dot(ends[1])) - n.abs().dot(half)
            })
        } else {
            found.normal
        };
        return SignedDistance {
            distance: found.distance,
            uncertainty: 0.0,
            points: [found.point, on_segment],
            normal,
            features: [found.feature, feature],
            certainty: Certainty::Exact,
        };
    }
    penetrating(half, ends)
}

/// The parameter in 0..=1 at which the segment is closest to the box: the root of the increasing derivative.
fn closest_parameter(half: DVec3, start: DVec3, along: DVec3) -> f64 {
    // Only the sign of the derivative and ratios matter: with a direction of moderate length nothing vanishes.
    let direction = (along * power_of_two_near_inverse(along.abs().max_element())).to_array();
    let (half, start, along) = (half.to_array(), start.to_array(), along.to_array());
    // Half the derivative of the squared distance at t, up to a factor.
    let slope = |t: f64| -> f64 {
        (0..3)
            .map(|k| {
                let x = start[k] + t * along[k];
                let beyond = if x > half[k] {
                    x - half[k]
                } else if x < -half[k] {
                    x + half[k]
                } else {
                    0.0
                };
                beyond * direction[k]
            })
            .sum()
    };
    if slope(0.0) >= 0.0 {
        return 0.0;
    }
    if slope(1.0) <= 0.0 {
        return 1.0;
    }
    // The tightest breakpoints around the root.
    let (mut low, mut high) = (0.0, 1.0);
    for k in 0..3 {
        if along[k] == 0.0 {
            continue;
        }
        for side in [-half[k], half[k]] {
            let t = (side - start[k]) / along[k];
            if t > low && t < high {
                if slope(t) <= 0.0 {
                    low = t;
                } else {
                    high = t;
                }
            }
        }
    }
    let (left, right) = (slope(low), slope(high));
    // Linear in between; a flat stretch means that the segment runs inside the box or parallel to it.
    if right > left {
        (low + (high - low) * (-left / (right - left))).clamp(low, high)
    } else {
        low
    }
}

/// The depth of a segment that enters the box, by separating axes.
fn penetrating(half: DVec3, ends: [DVec3; 2]) -> SignedDistance {
    let along = ends[1] - ends[0];
    let middle = (ends[0] + ends[1]) * 0.5;
    let mut best = (f64::NEG_INFINITY, DVec3::X);
    let mut look = |axis: DVec3| {
        let reach = axis.abs().dot(half) + axis.dot(along).abs() * 0.5;
        let gap = axis.dot(middle).abs() - reach;
        if gap > best.0 {
            best = (gap, if axis.dot(middle) < 0.0 { -axis } else { axis });
        }
    };
    DVec3::AXES.into_iter().for_each(&mut look);
    let length = crate::number::error::safe_length(along);
    if length > 0.0 {
        let unit = along / length;
        for axis in DVec3::AXES {
            let product = axis.cross(unit);
            let size = product.length();
            if size > PARALLEL_EDGES {
                look(product / size);
            }
        }
    }
    let (gap, normal) = best;
    let (points, features) = witness(half, ends, normal);
    SignedDistance {
        distance: gap,
        uncertainty: 0.0,
        points,
        normal,
        features,
        certainty: Certainty::Exact,
    }
}

/// Points on the box and on the segment that end up together when the segment moves out along the normal.
fn witness(half: DVec3, ends: [DVec3; 2], normal: DVec3) -> ([DVec3; 2], [Feature; 2]) {
    // The box moved back by the depth touches the segment there: the closest points of the two after the move.
    let reach = normal.abs().dot(half);
    let low = ends[0].dot(normal).min(ends[1].dot(normal));
    let shift = normal * (reach - low);
    let moved = ends.map(|end| end + shift);
    let t = closest_parameter(half, moved[0], moved[1] - moved[0]);
    let touching = moved[0] + (moved[1] - moved[0]) * t;
    let on_box = touching.clamp(-half, half);
    let box_feature = box_feature(half, on_box, normal);
    let feature = if t <= 0.0 {
        Feature::vertex(0)
    } else if t >= 1.0 {
        Feature::vertex(1)
    } else {
        Feature::edge(0)
    };
    ([on_box, touching - shift], [box_feature, feature])
}

/// The face or edge of the box that supports it along the normal.
fn box_feature(half: DVec3, point: DVec3, normal: DVec3) -> Feature {
    let normal = normal.to_array();
    let side = |k: usize| u32::from(normal[k % 3] >= 0.0);
    let is_along = |k: &usize| normal[*k].abs() > AXIS_SINE;
    match (0..3).filter(is_along).count() {
        1 => (0..3)
            .find(is_along)
            .map_or(Feature::SURFACE, |k| Feature::face(2 * k as u32 + side(k))),
        2 => (0..3).find(|k| !is_along(k)).map_or(Feature::SURFACE, |k| {
            Feature::edge(4 * k as u32 + side(k + 1) + 2 * side(k + 2))
        }),
        _ => {
            let bits = (0..3).fold(0, |bits, k| bits | u32::from(point.to_array()[k] >= 0.0) << k);
            if half == DVec3::ZERO { Feature::vertex(0) } else { Feature::vertex(bits) }
        }
    }
}
