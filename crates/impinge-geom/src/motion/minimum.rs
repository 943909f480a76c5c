//! How close two convex bodies come to each other on their way.
//!
//! Branch and bound over time. On a span the distance is at least the gap along the direction between the closest points at one of its ends, which `axis`
//! bounds to second order: near a minimum the spans that are left shrink like the root of the tolerance, not like the tolerance.

use super::axis::lower_bound;
use super::moving::{MovingPair, SpinningAxis};
use super::{MovingShape, piece_end};
use crate::pair::{self, Cache, WarmStart};
use glam::DVec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The least distance over a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Minimum {
    /// The distance at the time `t`; zero if they meet there.
    pub distance: f64,
    /// At no time is the distance smaller than this.
    pub lower: f64,
    /// When.
    pub t: f64,
}

/// A span of time with the distances and directions at its ends.
struct Span {
    lower: f64,
    ends: [(f64, f64, DVec3); 2],
}

impl PartialEq for Span {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Span {}
impl PartialOrd for Span {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Span {
    /// The least bound is the greatest; ties go to the earlier span.
    fn cmp(&self, other: &Self) -> Ordering {
        other.lower.total_cmp(&self.lower).then(other.ends[0].0.total_cmp(&self.ends[0].0))
    }
}

/// The least distance of two moving shapes within a span of time, with `distance - lower` at most `tolerance` unless `max_steps` distance
/// queries do not suffice; and the earliest time at which it was seen.
///
/// ```
/// use impinge_geom::motion::{MovingShape, RigidMotion, minimum::minimum_distance};
/// use impinge_geom::{Pose, Shape, pair};
/// let ball = Shape::sphere(1.0)?;
/// let flight = RigidMotion::linear(&Pose::from_translation([-4.0, 5.0, 0.0])?, [8.0, 0.0, 0.0])?;
/// let (here, there) = (MovingShape::new(&ball, &Pose::IDENTITY), MovingShape::new(&ball, &flight));
/// let least = minimum_distance(&here, &there, [0.0, 1.0], (1e-9, 1000), &mut pair::Cache::default());
/// assert!((least.distance - 3.0).abs() < 1e-9 && (least.t - 0.5).abs() < 1e-4);
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn minimum_distance(
    a: &MovingShape<'_>,
    b: &MovingShape<'_>,
    [from, to]: [f64; 2],
    (tolerance, max_steps): (f64, u32),
    cache: &mut Cache,
) -> Minimum {
    cache.set_warm_start(WarmStart::default());
    let mut best = Minimum { distance: f64::INFINITY, lower: 0.0, t: from };
    let mut spans = BinaryHeap::new();
    let mut t = from;
    let mut steps = max_steps.max(2);
    loop {
        let end = piece_end([a.motion, b.motion], t, to);
        let pair = MovingPair::new(a, b, [t, end], 0.0);
        let ends = [t, end].map(|t| measure(&pair, t, &mut best, cache));
        spans.push(Span { lower: bound(&pair, &ends), ends });
        steps = steps.saturating_sub(1);
        if end >= to || best.distance == 0.0 {
            break;
        }
        t = end;
    }
    while let Some(span) = spans.pop() {
        let [start, end] = span.ends;
        let middle = start.0 + (end.0 - start.0) * 0.5;
        let done = best.distance == 0.0 || best.distance - span.lower <= tolerance;
        if done || steps == 0 || !(start.0 < middle && middle < end.0) {
            best.lower = span.lower.min(best.distance);
            break;
        }
        steps -= 1;
        let pair = MovingPair::new(a, b, [start.0, end.0], 0.0);
        let middle = measure(&pair, middle, &mut best, cache);
        for ends in [[start, middle], [middle, end]] {
            spans.push(Span { lower: bound(&pair, &ends).max(span.lower), ends });
        }
    }
    best
}

/// The distance at a time and its direction; a new best is kept.
fn measure(
    pair: &MovingPair<'_, '_>,
    t: f64,
    best: &mut Minimum,
    cache: &mut Cache,
) -> (f64, f64, DVec3) {
    let (pose_a, pose_b) = pair.poses(t);
    let b_in_a = pose_a.relative(&pose_b);
    let found = pair::distance(pair.a.shape, pair.b.shape, &b_in_a, cache);
    let meets = found.distance <= 0.0;
    let distance = if meets { 0.0 } else { found.distance };
    if distance < best.distance || (distance == best.distance && t < best.t) {
        *best = Minimum { distance, t, ..*best };
    }
    (t, (distance - found.uncertainty).max(0.0), pose_a.rotate(found.normal))
}

/// The distance between two times is at least this.
fn bound(pair: &MovingPair<'_, '_>, ends: &[(f64, f64, DVec3); 2]) -> f64 {
    let [(t0, d0, n0), (t1, d1, n1)] = *ends;
    let first = 0.5 * (d0 + d1 - pair.closing.speed(pair.arms) * (t1 - t0));
    let mut most = if first > 0.0 { first } else { 0.0 };
    if !pair.has_axes() || d0 == 0.0 || d1 == 0.0 {
        return most;
    }
    for normal in [n0, n1] {
        let axis = SpinningAxis::still(normal);
        let gap = |t: f64| (t, pair.separation(t, &axis));
        most = most.max(lower_bound(gap(t0), gap(t1), pair.gap_bound(&axis, t1)));
    }
    most
}
