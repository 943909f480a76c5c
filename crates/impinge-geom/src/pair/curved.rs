//! Pairs with a curved shape: one number behind all questions, so that they agree.
//!
//! Verdict, overlap, penetration and signed distance follow from the signed distance and the touching band around zero. A search
//! that starts elsewhere ends elsewhere, by rounding and within the interval that it certifies, and at the edges of the band that
//! would turn the verdict. What may be near the band is therefore searched from nothing, whatever was asked before: the number
//! is there a function of the shapes and the pose alone. What is clear of the band, by all that the search is uncertain of, is
//! clear of it from every start.

use super::scale;
use super::{Cache, WarmStart, convex_convex, core_signed_distance, has_closed_form, plane_any};
use crate::answer::SignedDistance;
use crate::convex::exact::Origin;
use crate::number::tolerance::touching_band;
use crate::pose::Pose;
use crate::shape::{Core, Shape};

/// The position of the origin relative to the difference of two shapes, and the signed distance of their cores that decides it:
/// `None` where that is unbounded, or where a cheaper test has found the shapes apart.
#[inline(always)]
pub(super) fn position(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    cache: &mut Cache,
) -> (Origin, Option<SignedDistance>) {
    let ((core_a, radius_a), (core_b, radius_b)) = (a.split(), b.split());
    let radius = radius_a + radius_b;
    let exact = plane_any::is_exact(&core_a, &core_b, pose, radius);
    let band = if exact { 0.0 } else { touching_band(scale(a, b, pose)) };
    let closed = has_closed_form(&core_a, &core_b);
    // Beyond twice the band no search finds the shapes touching.
    if !closed && !convex_convex::within(core_a, core_b, pose, radius + 2.0 * band, cache) {
        return (Origin::Outside, None);
    }
    let answer = if closed {
        core_signed_distance(core_a, core_b, pose, cache)
    } else {
        searched((core_a, radius_a), (core_b, radius_b), pose, || band, cache)
    };
    let position = match answer.map(|found| found.distance - radius_a - radius_b) {
        None => Origin::Interior,
        Some(distance) if distance > band => Origin::Outside,
        Some(distance) if distance < -band => Origin::Interior,
        Some(_) => Origin::Boundary,
    };
    (position, answer)
}

/// The signed distance of two cores that takes a search, where the shapes have these radii.
pub(super) fn searched(
    (core_a, radius_a): (Core<'_>, f64),
    (core_b, radius_b): (Core<'_>, f64),
    pose: &Pose,
    band: impl FnOnce() -> f64,
    cache: &mut Cache,
) -> Option<SignedDistance> {
    let is_cold = cache.warm == WarmStart::default();
    let mut found = core_signed_distance(core_a, core_b, pose, cache)?;
    let distance = found.distance - radius_a - radius_b;
    let band = band();
    if distance.abs() > 2.0 * band + found.uncertainty {
        return Some(found);
    }
    if !is_cold {
        cache.warm = WarmStart::default();
        found = core_signed_distance(core_a, core_b, pose, cache)?;
    }
    // A gap that is not known well enough may be known better from where the search ended.
    for _ in 0..NARROWINGS {
        if found.distance <= 0.0 || found.uncertainty <= band {
            break;
        }
        let again = core_signed_distance(core_a, core_b, pose, cache)?;
        if again.uncertainty >= found.uncertainty {
            break;
        }
        found = again;
    }
    Some(found)
}

/// How often a gap near the band is searched again for a narrower interval.
const NARROWINGS: usize = 4;
