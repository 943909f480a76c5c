//! The direction of a gap that is hardly longer than rounding.
//!
//! The closest points of two polytopes are off by the rounding of their coordinates, and where the gap between them is short,
//! its direction is off by a large angle: a body of any size reaches far across it. The right direction is at right angles to
//! the edges and faces that the two points lie on. Which ones these are is in doubt as well, so all of them are tried, and the
//! direction along which the bodies are farthest apart is the answer: no direction parts them by more than their distance.

use crate::convex::difference::unit_or;
use glam::DVec3;

/// The share of the coordinates below which a gap is short, 2^-20: the angle of a longer one is off by 2^-30 or less.
const SHORT: f64 = f64::from_bits((1023 - 20) << 52);

/// True if the direction between the closest points is not to be trusted.
#[inline(always)]
pub(super) fn is_short(distance: f64, scale: f64) -> bool {
    distance <= SHORT * scale
}

/// The direction of the gap `between` the closest points of two bodies with these edges; `apart` says how far the bodies are
/// apart along a unit vector.
#[cold]
pub(super) fn direction(between: DVec3, edges: &[DVec3], apart: impl Fn(DVec3) -> f64) -> DVec3 {
    let given = unit_or(between, DVec3::Z);
    let mut best = (apart(given), given);
    let mut offer = |candidate: DVec3| {
        let normal = if candidate.dot(given) < 0.0 { -candidate } else { candidate };
        let gap = apart(normal);
        // A product without a length says nothing.
        if normal != DVec3::ZERO && gap > best.0 {
            best = (gap, normal);
        }
    };
    for (index, edge) in edges.iter().enumerate() {
        let along = unit_or(*edge, DVec3::ZERO);
        offer(unit_or(given - along * given.dot(along), DVec3::ZERO));
        for other in &edges[..index] {
            offer(unit_or(along.cross(unit_or(*other, DVec3::ZERO)), DVec3::ZERO));
        }
    }
    best.1
}
