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
pub struct Advanced {
    /// The gap is positive up to here.
    pub free_until: f64,
    /// A time at which the direction no longer separates, if one was seen.
    pub blocked_at: Option<f64>,
}

/// Evaluations per direction at most.
const EVALUATIONS: u32 = 16;

/// What is left of a certified first-order step.
const SAFE: f64 = 1.0 - 1e-9;

/// Advances from a time with a positive gap towards the end of a piece, until the gap may close. `resolution` is how close to the closing it goes.
#[inline]
pub fn advance(
    from: f64,
    gap: f64,
    end: f64,
    bound: GapBound,
    resolution: f64,
    mut separation: impl FnMut(f64) -> f64,
) -> Advanced {
    // The first-order bound needs no evaluation.
    if gap + bound.slope * (end - from) > 0.0 {
        return Advanced { free_until: end, blocked_at: None };
    }
    let first = from + SAFE * gap / -bound.slope;
    let (mut low, mut high) = ((from, gap), (end, separation(end)));
    if certified(low, high, bound) {
        return Advanced { free_until: end, blocked_at: None };
    }
    for _ in 0..EVALUATIONS {
        let width = high.0 - low.0;
        if width <= resolution.max(0.02 * (low.0 - from)) {
            break;
        }
        let next = low.0 + width * share(low.1, high.1, width, bound);
        if !(next > low.0 && next < high.0) {
            break;
        }
        let seen = (next, separation(next));
        if certified(low, seen, bound) { low = seen } else { high = seen }
    }
    let free_until = low.0.max(first).min(end);
    Advanced { free_until, blocked_at: (high.1 <= 0.0 && high.0 >= free_until).then_some(high.0) }
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
