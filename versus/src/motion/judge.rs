//! Compares times of impact with the oracles.

use std::collections::{BTreeMap, BTreeSet};

use super::case::{Case, Kind};
use super::oracle::Truth;
use crate::random::Random;
use crate::system::Precision;
use crate::table::Verdict;

/// How far an answer may be from the truth before it is called wrong.
#[derive(Clone, Copy, Debug)]
struct Tolerance {
    /// A yes/no answer is not called wrong if the oracle's margin is at most this, a length.
    margin: f64,
    late: f64,
    early: f64,
}

/// impinge has the tightest; others what precision, stopping rules and slop allow: Tight-Inclusion's time is 0.8, the additive
/// one 0.9 of what they found, box3d stops 0.005 before contact, and turns interpolate in different ways.
fn tolerance(system: &str, precision: Precision, kind: Kind) -> Tolerance {
    // The tolerance of a certified interval.
    let interval = matches!(kind, Kind::Turning | Kind::Meshes);
    match precision {
        _ if system.starts_with("impinge") => {
            Tolerance { margin: 1e-9, late: 1e-9, early: if interval { 2e-6 } else { 1e-8 } }
        }
        Precision::Double => Tolerance { margin: 1e-9, late: 1e-6, early: 1.0 },
        Precision::Single => {
            let late = if kind == Kind::Turning { 1e-2 } else { 1e-3 };
            Tolerance { margin: 1e-2, late, early: 2e-2 }
        }
    }
}

/// The answers of one system to one case: times, negative for "never".
pub struct Answers {
    pub system: &'static str,
    pub precision: Precision,
    pub values: Vec<f64>,
}

/// What is wrong, by kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wrong {
    pub missed: usize,
    pub invented: usize,
    pub late: usize,
    pub early: usize,
}

/// Slow systems are asked the first few only.
const FIRST: usize = 5;

/// The truth of the examined queries: a random sample, and all on which two systems differ in "yes" or "no".
pub fn truths(case: &Case, sample: usize, seed: u64, all: &[Answers]) -> BTreeMap<usize, Truth> {
    let count = case.input.pairs.len();
    let mut random = Random::new(seed ^ 0x5eed);
    // The first ones are answered by all, also by those that are asked only a few.
    let first = count.min(FIRST);
    let mut chosen: BTreeSet<usize> = (0..sample).map(|_| random.below(count)).collect();
    chosen.extend(0..first);
    if count <= sample {
        chosen.extend(0..count);
    }
    if let Some((first, others)) = all.split_first() {
        for other in others {
            let differs = |i: &usize| (first.values[*i] < 0.0) != (other.values[*i] < 0.0);
            chosen.extend(
                (0..other.values.len().min(first.values.len())).filter(differs).take(sample),
            );
        }
    }
    chosen.into_iter().map(|i| (i, case.truth(i))).collect()
}

/// Judges one system.
pub fn judge(
    kind: Kind,
    truths: &BTreeMap<usize, Truth>,
    answers: &Answers,
    reference: Option<&[f64]>,
) -> (Verdict, Wrong) {
    let allowed = tolerance(answers.system, answers.precision, kind);
    let (mut wrong, mut max_error) = (Wrong::default(), 0.0f64);
    for (&index, truth) in truths.iter().filter(|(index, _)| **index < answers.values.len()) {
        let value = answers.values[index];
        let clear = truth.margin > allowed.margin;
        match (value >= 0.0, truth.time) {
            (false, Some(_)) => wrong.missed += usize::from(clear),
            (true, None) => wrong.invented += usize::from(clear),
            (true, Some(time)) => {
                wrong.late += usize::from(value > time + allowed.late);
                wrong.early += usize::from(value < time - allowed.early);
                max_error = max_error.max((value - time).abs());
            }
            (false, None) => {}
        }
    }
    let agree = reference.map(|reference| {
        let same = |(a, b): &(&f64, &f64)| {
            (**a < 0.0) == (**b < 0.0) && (**a - **b).abs() < 1e-3 || **a < 0.0 && **b < 0.0
        };
        answers.values.iter().zip(reference).filter(same).count()
    });
    let verdict = Verdict {
        positives: answers.values.iter().filter(|value| **value >= 0.0).count(),
        wrong: wrong.missed + wrong.invented + wrong.late + wrong.early,
        max_error: Some(max_error),
        agree,
    };
    (verdict, wrong)
}
