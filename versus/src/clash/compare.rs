//! Compares the answers of the systems with each other and with brute force.

use std::collections::{BTreeMap, BTreeSet};

use impinge_clash::Model;

use super::answers::{Pair, Report};
use super::truth::{Truth, holds, overlap, truth};
use crate::random::Random;

/// The pairs that a peer says meet, and the parts of impinge's that it knows.
pub struct Answers {
    pub system: &'static str,
    pub meeting: BTreeSet<Pair>,
    pub known: BTreeSet<usize>,
}

/// The pairs of a model whose truth was found.
pub struct Examined<'a> {
    model: &'a Model,
    report: &'a Report,
    truths: BTreeMap<Pair, Truth>,
    /// Pairs whose boxes meet and which no joint connects.
    pub near: usize,
    /// How many pairs that meet, by impinge, and near ones that do not are in the random sample.
    pub sampled: [usize; 2],
}

/// Whether impinge says that the surfaces of a pair meet; of one solid inside another it does not say.
fn meets(report: &Report, pair: Pair) -> Option<bool> {
    match report.kind(pair) {
        Some("contained") => None,
        kind => Some(kind.is_some()),
    }
}

impl<'a> Examined<'a> {
    /// Finds the truth about all pairs on which a peer and impinge differ, all of one part inside another, and so many random ones
    /// of those that meet and of those that do not though their boxes do.
    pub fn new(
        model: &'a Model,
        report: &'a Report,
        answers: &[Answers],
        seed: u64,
        count: usize,
    ) -> Examined<'a> {
        let near = near_pairs(model);
        let mut chosen: BTreeSet<Pair> =
            near.iter().copied().filter(|&pair| meets(report, pair).is_none()).collect();
        for answer in answers {
            let both = report.kinds.keys().chain(&answer.meeting);
            chosen.extend(both.copied().filter(|&pair| answer.differs(report, pair)));
        }
        let mut random = Random::new(seed ^ 0xc1a5);
        let sampled = [true, false].map(|meeting| {
            let mut pool = near.clone();
            pool.retain(|&pair| meets(report, pair) == Some(meeting));
            // The first places of a random order.
            let count = count.min(pool.len());
            for place in 0..count {
                let other = place + random.below(pool.len() - place);
                pool.swap(place, other);
            }
            chosen.extend(&pool[..count]);
            count
        });
        let truths = chosen.into_iter().map(|pair| (pair, truth(model, pair))).collect();
        Examined { model, report, truths, near: near.len(), sampled }
    }

    /// How many pairs were examined.
    pub fn len(&self) -> usize {
        self.truths.len()
    }

    /// Whether none were.
    pub fn is_empty(&self) -> bool {
        self.truths.is_empty()
    }

    /// Of how many examined pairs it is known exactly whether their interiors meet.
    pub fn solids_known(&self) -> usize {
        self.truths
            .iter()
            .filter(|(pair, truth)| overlap(self.model, **pair, **truth).is_some())
            .count()
    }

    /// How many of the examined pairs are hard, by impinge.
    pub fn hard(&self) -> usize {
        self.truths.keys().filter(|pair| self.report.kind(**pair) == Some("hard")).count()
    }

    /// The examined pairs about which impinge's report cannot be right.
    pub fn wrong_in(&self, report: &Report) -> Vec<(Pair, Truth)> {
        let is_wrong = |(pair, truth): &(Pair, Truth)| {
            let solids = pair.iter().all(|&part| self.model.parts[part].closed);
            let kind = report.kind(*pair);
            // With verdicts alone hard is every common inner point, however small; a touching pair has none.
            let said = match kind {
                Some("hard") => Some(true),
                Some("touching") | None => Some(false),
                _ => None,
            };
            let known = || overlap(self.model, *pair, *truth);
            let against = said.is_some_and(|said| known().is_some_and(|known| known != said));
            against || !truth.allows(kind, solids, || holds(self.model, *pair))
        };
        self.truths.iter().map(|(pair, truth)| (*pair, *truth)).filter(is_wrong).collect()
    }

    /// The examined pairs that a peer answers wrongly.
    pub fn wrong(&self, answers: &Answers) -> usize {
        let is_wrong = |(pair, truth): &(&Pair, &Truth)| {
            answers.knows(**pair) && answers.meeting.contains(*pair) != truth.meets()
        };
        self.truths.iter().filter(is_wrong).count()
    }

    /// The pairs on which a peer and impinge differ, or where impinge does not say, the peer and the truth.
    pub fn disagreements(&self, answers: &Answers) -> Vec<(Pair, Truth)> {
        let differs = |&(pair, truth): &(Pair, Truth)| {
            let inside = meets(self.report, pair).is_none()
                && answers.knows(pair)
                && answers.meeting.contains(&pair) != truth.meets();
            inside || answers.differs(self.report, pair)
        };
        self.truths.iter().map(|(pair, truth)| (*pair, *truth)).filter(differs).collect()
    }
}

impl Answers {
    fn knows(&self, pair: Pair) -> bool {
        pair.iter().all(|part| self.known.contains(part))
    }

    fn differs(&self, report: &Report, pair: Pair) -> bool {
        let ours = meets(report, pair);
        self.knows(pair) && ours.is_some_and(|ours| ours != self.meeting.contains(&pair))
    }
}

/// All pairs whose boxes meet and which no joint connects.
fn near_pairs(model: &Model) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (b, two) in model.parts.iter().enumerate() {
        for (a, one) in model.parts[..b].iter().enumerate() {
            let near = one.bounds.overlaps(&two.bounds);
            if near && !model.adjacent.contains(a, b) {
                pairs.push([a, b]);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_io::{Options, SceneFormat, parse_scene};

    #[test]
    fn wrong_answers_of_either_side_are_found() {
        // Four triangles over one another: the first two cross, the others lie apart above them.
        let mut text = "o 0\nv 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n".to_string();
        text += "o 1\nv 1 1 -1\nv 1 2 1\nv 2 1 1\nf 4 5 6\n";
        text +=
            "o 2\nv 0 0 2\nv 4 0 2\nv 0 4 4\nf 7 8 9\no 3\nv 0 0 3\nv 4 0 3\nv 0 4 5\nf 10 11 12\n";
        let scene =
            parse_scene(text.as_bytes(), SceneFormat::Obj, "four", &Options::default()).unwrap();
        let model = Model::new(&scene);
        let report = |pairs: &[(Pair, &str)]| Report {
            parts: Vec::new(),
            triangles: 4,
            findings: BTreeMap::new(),
            kinds: pairs.iter().map(|(pair, kind)| (*pair, kind.to_string())).collect(),
        };
        let answers = |pairs: &[Pair], known: usize| Answers {
            system: "other",
            meeting: pairs.iter().copied().collect(),
            known: (0..known).collect(),
        };
        let right = report(&[([0, 1], "hard")]);
        let [good, bad, blind] =
            [answers(&[[0, 1]], 4), answers(&[[2, 3]], 4), answers(&[[2, 3]], 3)];
        let others = [good, bad, blind];
        let examined = Examined::new(&model, &right, &others, 1, 10);
        assert_eq!((examined.len(), examined.near, examined.sampled), (2, 2, [1, 1]));
        assert_eq!(others.each_ref().map(|answers| examined.wrong(answers)), [0, 2, 1]);
        let differing = others.each_ref().map(|answers| examined.disagreements(answers).len());
        assert_eq!(differing, [0, 2, 1]);
        assert!(examined.wrong_in(&right).is_empty());
        for wrong in [report(&[]), report(&[([0, 1], "touching")])] {
            assert_eq!(examined.wrong_in(&wrong), [([0, 1], Truth::Crossing(1))]);
        }
    }
}
