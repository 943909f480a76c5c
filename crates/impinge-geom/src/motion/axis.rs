//! Until when a fixed direction separates two moving bodies, for certain.
//!
//! Along a direction n the gap s(t) is the least of many smooth functions, one per pair of points. Where none of them bends upwards by more than C, the
//! gap between two times at which it is known is above the chord less C·x·(h − x) / 2: a bound of second order, so that the search for the end of the
//! separation needs few evaluations, each of which is one support point per body. It is the bilateral advancement of E. Catto ("Continuous collision",
//! 2013) with a certificate. Where C is not known the slope alone bounds the gap, which is conservative advancement (B. Mirtich, 1996).

/// What bounds the gap along a direction.
#[derive(Clone, Copy, Debug)]
pub struct GapBound {
    /// The gap changes at no smaller rate.
    pub slope: f64,
    /// No pair of points bends upwards by more.
    pub curvature: f64,
}

/// How far a direction carried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisAdvance {
    /// The gap is positive up to here.
    pub free_until: f64,
    /// A time at which the direction no longer separates, if one was seen.
    pub blocked_at: Option<f64>,
}

/// Evaluations per direction at most.
const EVALUATIONS: u32 = 16;

/// What is left of a certified first-order step.
const SAFE: f64 = 1.0 - 1e-9;

/// A direction has done its work when this share of the gap is left: another one separates better.
const WORN: f64 = 0.02;

/// Advances from a time with a positive gap towards the end of a piece, until the gap may close. `resolution` is how close to the closing it goes.
///
/// The first step is distance by speed; from then on the chord through the last two times says where to look next, a little before its root.
#[inline]
pub fn advance(
    from: f64,
    gap: f64,
    end: f64,
    bound: GapBound,
    resolution: f64,
    mut separation: impl FnMut(f64) -> f64,
) -> AxisAdvance {
    // The first-order bound needs no evaluation.
    if gap + bound.slope * (end - from) > 0.0 {
        return AxisAdvance { free_until: end, blocked_at: None };
    }
    let first = (from + SAFE * gap / -bound.slope).min(end);
    let (mut before, mut low) = ((from, gap), (first, separation(first)));
    if low.1 <= 0.0 {
        return AxisAdvance { free_until: first, blocked_at: Some(first) };
    }
    // A time at which the gap is closed, or not certified.
    let mut high: Option<(f64, f64)> = None;
    let mut root = end;
    for _ in 0..EVALUATIONS {
        let next = match high {
            Some(high) => {
                root = high.0;
                low.0 + (high.0 - low.0) * share(low.1, high.1, high.0 - low.0, bound)
            }
            None => {
                let rate = (before.1 - low.1) / (low.0 - before.0);
                root = if rate > 0.0 { low.0 + low.1 / rate } else { f64::INFINITY };
                let way = root - low.0;
                let bend = 0.5 * bound.curvature * way * (root - before.0) / rate;
                let short = bend.min(0.5 * way) + 0.2 * resolution;
                if root > end { end } else { (root - short).max(low.0 + 0.5 * way) }
            }
        };
        let near = root - low.0 <= resolution || low.1 <= WORN * gap;
        if (near && root <= end) || next <= low.0 || next.is_nan() {
            break;
        }
        let seen = (next, separation(next));
        if certified(low, seen, bound) {
            (before, low) = (low, seen);
            if low.0 >= end {
                return AxisAdvance { free_until: end, blocked_at: None };
            }
        } else {
            high = Some(seen);
        }
    }
    AxisAdvance { free_until: low.0, blocked_at: (root <= end).then_some(root) }
}

/// Where to look next, as a share of the span.
#[inline(always)]
fn share(low: f64, high: f64, width: f64, bound: GapBound) -> f64 {
    if high <= 0.0 {
        // A little before the chord's root: a step that falls short is certified, one too far is not.
        (0.98 * low / (low - high)).clamp(0.02, 0.98)
    } else {
        // Positive at both ends, but the gap may close between them.
        let span = (8.0 * low.min(high) / bound.curvature).sqrt();
        (0.9 * span / width).clamp(0.1, 0.5)
    }
}

/// True if the gap is certainly positive between two times.
#[inline(always)]
fn certified((t0, s0): (f64, f64), (t1, s1): (f64, f64), bound: GapBound) -> bool {
    lower_bound((t0, s0), (t1, s1), bound) > 0.0
}

/// The gap between two times is at least this.
#[inline(always)]
pub fn lower_bound((t0, s0): (f64, f64), (t1, s1): (f64, f64), bound: GapBound) -> f64 {
    let (h, ends) = (t1 - t0, s0.min(s1));
    let first = s0 + (bound.slope * h).min(0.0);
    let bend = 0.5 * bound.curvature * h;
    if !bend.is_finite() {
        return first.min(ends);
    }
    if bend == 0.0 {
        return ends;
    }
    // s0 + (s1 - s0)·y - bend·h·y·(1 - y), with y from 0 to 1.
    let y = 0.5 - 0.5 * (s1 - s0) / (bend * h);
    if !(y > 0.0 && y < 1.0) {
        return ends;
    }
    let second = s0 + (s1 - s0) * y - bend * h * y * (1.0 - y);
    first.max(second).min(ends)
}
