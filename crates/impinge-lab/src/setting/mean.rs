//! The mean work and time of a query over many placements.

use crate::clock::Clock;
use crate::timing::ROUNDS;
use impinge::tree::Counts;

/// The mean work and time of one query at one size.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mean {
    /// The fastest of the rounds of each query.
    pub(crate) microseconds: f64,
    /// The mean time in microseconds of each round.
    pub(crate) rounds: [f64; ROUNDS],
    pub(crate) steps: f64,
    pub(crate) volumes: f64,
    pub(crate) leaves: f64,
    pub(crate) primitives: f64,
    /// Colliding placements, pairs, or hits, per query.
    pub(crate) found: f64,
}

/// Each query is asked in several rounds, one after the other.
pub(crate) fn mean<T>(inputs: &[T], mut query: impl FnMut(&T, &mut Counts) -> u64) -> Mean {
    let mut sum = Mean::default();
    for input in inputs {
        let mut fastest = f64::MAX;
        let mut counts = Counts::default();
        for round in 0..ROUNDS {
            counts = Counts::default();
            let start = Clock::start();
            let found = query(input, &mut counts);
            let microseconds = start.seconds() * 1e6;
            fastest = fastest.min(microseconds);
            sum.rounds[round] += microseconds;
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
    sum.rounds = sum.rounds.map(|time| time * over);
    sum
}
