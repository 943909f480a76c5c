//! Compares the answers of the systems with each other and with the oracle.

use std::collections::BTreeMap;

use super::case::Question;
use super::format::Input;
use super::oracle::{self, Truth};
use crate::random::Random;
use crate::system::Precision;
use crate::table::Verdict;

/// Answers closer than this to impinge's count as equal. The shapes have a radius of about 1.
pub const AGREEMENT: f64 = 1e-4;

/// From each case and system, this many of the pairs with the largest difference from the first system are examined.
const LARGEST_DIFFERENCES: usize = 50;

/// How far an answer may be from the truth before it is called wrong, in the units of the shapes.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    /// A yes/no answer is not called wrong if the signed distance is at most this.
    pub overlap: f64,
    /// A distance or depth may be off by this.
    pub number: f64,
}

/// The tolerance of a system: impinge has the tightest, the others what their precision and stopping rules allow.
pub fn tolerance(system: &str, precision: Precision) -> Tolerance {
    match precision {
        _ if system == "impinge" => Tolerance { overlap: 1e-12, number: 1e-9 },
        Precision::Double => Tolerance { overlap: 1e-12, number: 1e-6 },
        Precision::Single => Tolerance { overlap: 1e-6, number: 1e-4 },
    }
}

/// The answers of one system to one case.
pub struct Answers {
    pub system: &'static str,
    pub precision: Precision,
    pub question: Question,
    pub values: Vec<f64>,
}

/// The pairs of one input whose truth is known.
pub struct Sample {
    truths: BTreeMap<usize, Truth>,
}

impl Sample {
    /// A random sample, all pairs where two systems differ in a yes/no answer, and the pairs with the largest
    /// differences in a distance or depth.
    pub fn new(input: &Input, random_count: usize, seed: u64, answers: &[Answers]) -> Sample {
        let mut random = Random::new(seed ^ 0x5eed);
        let count = input.pairs.len();
        let mut chosen: Vec<usize> = (0..random_count).map(|_| random.below(count)).collect();
        for (index, entry) in answers.iter().enumerate() {
            let same_question =
                answers[..index].iter().find(|other| other.question == entry.question);
            if let Some(first) = same_question {
                chosen.extend(differing(first, entry));
            }
        }
        let truths = chosen
            .into_iter()
            .collect::<std::collections::BTreeSet<usize>>()
            .into_iter()
            .map(|index| (index, oracle::truth(&input.shapes, &input.pairs[index])))
            .collect();
        Sample { truths }
    }

    /// Number of examined pairs.
    pub fn len(&self) -> usize {
        self.truths.len()
    }

    /// Whether nothing is examined.
    pub fn is_empty(&self) -> bool {
        self.truths.is_empty()
    }

    /// Judges the answers of one system; `reference` are those of impinge.
    pub fn judge(&self, answers: &Answers, reference: Option<&[f64]>) -> Verdict {
        let tolerance = tolerance(answers.system, answers.precision);
        let (mut wrong, mut max_error) = (0, None);
        for (&index, truth) in &self.truths {
            let value = answers.values[index];
            if answers.question == Question::Overlap {
                let right = (value != 0.0) == truth.overlap && !value.is_nan();
                wrong += usize::from(!right && truth.signed_distance.abs() > tolerance.overlap);
                continue;
            }
            let error = (value - expected(answers.question, truth)).abs();
            wrong += usize::from(error.is_nan() || error > tolerance.number);
            max_error = max_error.max(Some(Ordered(error)));
        }
        Verdict {
            positives: answers.values.iter().filter(|&&value| value > 0.0).count(),
            wrong,
            max_error: max_error.map(|Ordered(error)| error),
            agree: reference.map(|reference| agreement(answers, reference)),
        }
    }
}

/// The answer that is right.
fn expected(question: Question, truth: &Truth) -> f64 {
    match question {
        Question::Overlap => f64::from(u8::from(truth.overlap)),
        Question::Distance => truth.signed_distance.max(0.0),
        Question::Depth | Question::Contact => (-truth.signed_distance).max(0.0),
    }
}

/// A number with a total order, NaN above all, so that it shows up as the largest error.
#[derive(Clone, Copy)]
struct Ordered(f64);

impl PartialEq for Ordered {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Ordered {}
impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Pairs on which two systems differ: all of them for yes/no answers, else the largest differences.
fn differing(first: &Answers, second: &Answers) -> Vec<usize> {
    let differences = first.values.iter().zip(&second.values).map(|(a, b)| (a - b).abs());
    let mut indexed: Vec<(usize, f64)> = differences.enumerate().collect();
    if first.question == Question::Overlap {
        indexed.retain(|&(_, difference)| difference != 0.0);
    } else {
        indexed.sort_by(|a, b| b.1.total_cmp(&a.1));
        indexed.truncate(LARGEST_DIFFERENCES);
    }
    indexed.into_iter().map(|(index, _)| index).collect()
}

fn agreement(answers: &Answers, reference: &[f64]) -> usize {
    let limit = if answers.question == Question::Overlap { 0.0 } else { AGREEMENT };
    answers.values.iter().zip(reference).filter(|(a, b)| (*a - *b).abs() <= limit).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::format::Kind;

    fn right_answers(input: &Input, question: Question) -> Answers {
        let values = input
            .pairs
            .iter()
            .map(|pair| expected(question, &oracle::truth(&input.shapes, pair)))
            .collect();
        Answers { system: "impinge", precision: Precision::Double, question, values }
    }

    #[test]
    fn wrong_answers_are_found_wherever_they_are() {
        let input = crate::convex::generate::input(Kind::Box, 8, 200);
        for question in [Question::Overlap, Question::Distance, Question::Depth] {
            let right = right_answers(&input, question);
            let mut bad = right_answers(&input, question);
            bad.system = "other";
            bad.values[150] = 1.0 - bad.values[150];
            bad.values[17] = f64::NAN;
            let answers = [right, bad];
            // No random sample at all: the difference alone has to lead to the two.
            let sample = Sample::new(&input, 0, 1, &answers);
            let reference = Some(answers[0].values.as_slice());
            let good = sample.judge(&answers[0], reference);
            assert_eq!((good.wrong, good.agree), (0, Some(200)));
            let bad = sample.judge(&answers[1], reference);
            assert_eq!((bad.wrong, bad.agree), (2, Some(198)), "{question:?}");
        }
    }

    #[test]
    fn about_half_of_the_pairs_overlap() {
        for kind in Kind::ALL {
            let count = 400;
            let input = crate::convex::generate::input(kind, 1, count);
            let hits = input
                .pairs
                .iter()
                .filter(|pair| oracle::truth(&input.shapes, pair).overlap)
                .count();
            assert!(
                (0.46..0.60).contains(&(hits as f64 / count as f64)),
                "{kind:?}: {hits} of {count}"
            );
        }
    }
}
