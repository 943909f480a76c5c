//! The mean work and time of a query over many placements.

use impinge::tree::Counts;
use std::time::Instant;

/// The mean work and time of one query at one size.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mean {
    pub(crate) microseconds: f64,
    pub(crate) steps: f64,
    pub(crate) volumes: f64,
    pub(crate) leaves: f64,
    pub(crate) primitives: f64,
    /// Colliding placements, pairs, or hits, per query.
    pub(crate) found: f64,
}

/// Each query is asked three times, of which the fastest counts.
pub(crate) fn mean<T>(inputs: &[T], mut query: impl FnMut(&T, &mut Counts) -> u64) -> Mean {
    let mut sum = Mean::default();
    for input in inputs {
        let mut fastest = f64::MAX;
        let mut counts = Counts::default();
        for round in 0..3 {
            counts = Counts::default();
            let start = Instant::now();
            let found = query(input, &mut counts);
            fastest = fastest.min(start.elapsed().as_secs_f64() * 1e6);
            sum.found += if round == 0 { found as f64 } else { 0.0 };
        }
        sum.microseconds += fastest;
        sum.steps += counts.steps as f64;
        sum.volumes += counts.volumes as f64;
        sum.leaves += counts.leaves as f64;
        sum.primitives += counts.primitives as f64;
    }
    let over = 1.0 / inputs.len().max(1) as f64;
    for value in [
        &mut sum.microseconds,
        &mut sum.steps,
        &mut sum.volumes,
        &mut sum.leaves,
        &mut sum.primitives,
        &mut sum.found,
    ] {
        *value *= over;
    }
    sum
}
