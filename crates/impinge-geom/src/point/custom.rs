//! A point and a body known by its support function alone.

use super::PointDistance;
use crate::answer::{Feature, Method};
use crate::number::length::length_and_unit;
use crate::support::Support;
use glam::DVec3;

/// The most steps of the ascent.
const LARGEST_STEP_COUNT: usize = 64;

/// A certified interval for the distance.
///
/// Every unit vector n gives the lower bound n·p − h(n); the ball around the body's centre gives the first one, and Frank
/// and Wolfe's method ("An Algorithm for Quadratic Programming", 1956) on the closest point improves it from outside.
/// From inside the largest of the bounds along the axes is taken.
pub(crate) fn point_distance(body: &impl Support, p: DVec3) -> PointDistance {
    let mut closest = body.center();
    let mut best = (f64::NEG_INFINITY, DVec3::Z, closest);
    let mut upper = f64::INFINITY;
    for _ in 0..LARGEST_STEP_COUNT {
        let Some((length, normal)) = length_and_unit(p - closest) else { break };
        upper = upper.min(length);
        let support = body.support(normal).point;
        let bound = normal.dot(p - support);
        if bound > best.0 {
            best = (bound, normal, closest);
        }
        if bound <= 0.0 || upper - best.0 <= 1e-15 * upper {
            break;
        }
        let Some((reach, towards)) = length_and_unit(support - closest) else { break };
        closest += towards * (p - closest).dot(towards).clamp(0.0, reach);
    }
    if best.0 <= 0.0 {
        for axis in DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]) {
            let bound = axis.dot(p - body.support(axis).point);
            if bound > best.0 {
                best = (bound, axis, closest);
            }
        }
    }
    let (lower, normal, closest) = best;
    let distance = 0.5 * (lower + upper);
    let point = if lower > 0.0 { closest } else { p - normal * distance };
    let uncertainty = 0.5 * (upper - lower);
    PointDistance {
        distance,
        point,
        normal,
        feature: Feature::SURFACE,
        method: Method::Bound,
        uncertainty,
    }
}
