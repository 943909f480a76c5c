//! What is reported about two moving parts.

use crate::tolerance::SAME_DEPTH;
use impinge::geom::Certainty;

pub use impinge::query::Start;

/// A point of the motion: a time in seconds, or the positions of one or two joints, in radians or metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// The time or the position of the first joint; and that of the second, or zero.
    pub values: [f64; 2],
}

/// What happens to two parts along the motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// How they begin.
    pub start: Start,
    /// The first contact after that; none if they stay apart.
    pub meeting: Option<Meeting>,
    /// The smallest gap of parts that stay apart but come closer than required.
    pub least: Option<Least>,
    /// The deepest overlap sampled after the first contact.
    pub deepest: Option<Deepest>,
    /// Over two joints: how much of the range is certified free.
    pub shares: Option<Shares>,
    /// False if the step limit was reached before the whole motion was certified.
    pub decided: bool,
    /// The moment to show: the first contact, or the smallest gap.
    pub shown: Moment,
}

/// The first contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The parts are certainly apart before the first; they have a common point at the second if the certainty is `Exact`. Over two joints
    /// these are on the straight line from the configuration of the range nearest to the model's own.
    pub interval: [Moment; 2],
    /// `Exact`: proven at both ends. `Bound`: free before the first; whether and when they meet after it is undecided. `Estimate`: found by
    /// sampling, for parts that touch from the beginning.
    pub certainty: Certainty,
}

/// The smallest gap along the motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Least {
    /// The gap at the moment `at`.
    pub distance: f64,
    /// It is nowhere smaller than this.
    pub lower: f64,
    /// When.
    pub at: Moment,
}

/// The deepest overlap sampled after the first contact: the true one is at least as deep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deepest {
    /// How deep the common points lie.
    pub depth: f64,
    /// When.
    pub at: Moment,
}

impl Deepest {
    /// The deeper of what was sampled until now and of a depth at a later moment; the earlier one if rounding decides.
    pub(super) fn or_deeper(deepest: Option<Self>, depth: f64, at: Moment) -> Option<Self> {
        let least = deepest.map_or(0.0, |deepest| deepest.depth * (1.0 + SAME_DEPTH));
        if depth > least { Some(Self { depth, at }) } else { deepest }
    }
}

/// Shares of the ranges of two joints, by area.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// Certainly free, or as far apart as required.
    pub free: f64,
    /// Cells whose centre has the parts in contact or too near.
    pub meeting: f64,
    /// Neither: too near to be certified at this resolution.
    pub undecided: f64,
}

/// Counts of pairs by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tested pairs that move relative to each other.
    pub moving: usize,
    /// Of these, certainly free, and as far apart as required, along the whole motion.
    pub free: usize,
    /// In contact during the motion, or nearer than required.
    pub meeting: usize,
    /// In contact at the start already.
    pub at_start: usize,
    /// Not certified within the step limit.
    pub undecided: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_deepest_moments_counts() {
        let depths = [0.25, 0.5, 0.5 + 1e-14, 0.5 - 1e-14, 0.375];
        let moments = depths.iter().zip([1.0, 2.0, 3.0, 4.0, 5.0]);
        let deepest = moments.fold(None, |deepest, (depth, time)| {
            Deepest::or_deeper(deepest, *depth, Moment { values: [time, 0.0] })
        });
        assert_eq!(deepest, Some(Deepest { depth: 0.5, at: Moment { values: [2.0, 0.0] } }));
        assert_eq!(Deepest::or_deeper(deepest, 0.501, Moment::default()).unwrap().depth, 0.501);
        assert_eq!(Deepest::or_deeper(None, 0.0, Moment::default()), None);
    }
}
