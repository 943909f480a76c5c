//! Compares the answers of the systems with each other and with the truth.

use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use impinge_clash::Model;

use super::answers::{Pair, Report, Said};
use super::truth::{Oracle, Solids, Truth, holds};
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
}

/// Whether impinge says that the surfaces of a pair meet; of one solid inside another it does not say.
fn meets(report: &Report, pair: Pair) -> Option<bool> {
    match report.said(pair) {
        Said::Contained => None,
        said => Some(said != Said::Apart),
    }
}

impl<'a> Examined<'a> {
    /// Finds the truth about all pairs whose boxes meet or about which a system says something. With a count, of the pairs on which
    /// all agree only a random choice of about that number that meet and as many that do not.
    pub fn new(
        model: &'a Model,
        report: &'a Report,
        answers: &[Answers],
        seed: u64,
        count: Option<usize>,
    ) -> Examined<'a> {
        let near = near_pairs(model);
        let told = report.kinds.keys().chain(answers.iter().flat_map(|answer| &answer.meeting));
        let mut chosen: BTreeSet<Pair> = near.iter().chain(told).copied().collect();
        if let Some(count) = count {
            let disputed = |pair: Pair| answers.iter().any(|answer| answer.differs(report, pair));
            let kept = |pair: &&Pair| meets(report, **pair).is_none() || disputed(**pair);
            let mut some: BTreeSet<Pair> = chosen.iter().filter(kept).copied().collect();
            let mut random = Random::new(seed ^ 0xc1a5);
            for meeting in [true, false] {
                let agreed = |pair: &Pair| meets(report, *pair) == Some(meeting);
                let mut pool: Vec<Pair> = chosen.iter().copied().filter(agreed).collect();
                // The first places of a random order.
                let count = count.min(pool.len());
                for place in 0..count {
                    let other = place + random.below(pool.len() - place);
                    pool.swap(place, other);
                }
                some.extend(&pool[..count]);
            }
            chosen = some;
        }
        let pairs: Vec<Pair> = chosen.into_iter().collect();
        Examined { model, report, truths: truths(model, &pairs), near: near.len() }
    }

    /// How many pairs were examined.
    pub fn len(&self) -> usize {
        self.truths.len()
    }

    /// Whether none were.
    pub fn is_empty(&self) -> bool {
        self.truths.is_empty()
    }

    /// How many examined pairs are of two closed parts, and how many of those are not known as solids.
    pub fn solids(&self) -> [usize; 2] {
        let count = |kind: fn(&Solids) -> bool| {
            self.truths.values().filter(|truth| kind(&truth.solids)).count()
        };
        [count(|solids| *solids != Solids::Open), count(|solids| *solids == Solids::Unknown)]
    }

    /// How many of the examined pairs are hard, by impinge.
    pub fn hard(&self) -> usize {
        let hard = |pair: &&Pair| self.report.said(**pair) == Said::Penetrating;
        self.truths.keys().filter(hard).count()
    }

    /// The examined pairs about which a report of impinge is wrong.
    pub fn wrong_in(&self, report: &Report) -> Vec<(Pair, Truth)> {
        let is_wrong = |(pair, truth): &(Pair, Truth)| {
            !truth.allows(report.said(*pair), || holds(self.model, *pair))
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

/// The truth about pairs, found on all processors.
fn truths(model: &Model, pairs: &[Pair]) -> BTreeMap<Pair, Truth> {
    let oracle = Oracle::new(model);
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        while let Some(pair) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let truth = oracle.truth(*pair);
            let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            found.insert(*pair, truth);
            if found.len() % 64 == 0 && std::io::stderr().is_terminal() {
                eprint!("\r{} of {} pairs judged ", found.len(), pairs.len());
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
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
    use super::super::truth::Surfaces;
    use super::*;
    use impinge_io::{LoadOptions, SceneFormat, parse_scene};

    #[test]
    fn wrong_answers_of_either_side_are_found() {
        // Four triangles over one another: the first two cross, the others lie apart above them.
        let mut text = "o 0\nv 0 0 0\nv 4 0 0\nv 0 4 0\nf 1 2 3\n".to_string();
        text += "o 1\nv 1 1 -1\nv 1 2 1\nv 2 1 1\nf 4 5 6\n";
        text +=
            "o 2\nv 0 0 2\nv 4 0 2\nv 0 4 4\nf 7 8 9\no 3\nv 0 0 3\nv 4 0 3\nv 0 4 5\nf 10 11 12\n";
        let scene = parse_scene(text.as_bytes(), SceneFormat::Obj, "four", &LoadOptions::default())
            .unwrap();
        let model = Model::new(&scene);
        let report = |pairs: &[(Pair, &str)]| Report {
            parts: Vec::new(),
            triangles: 4,
            findings: BTreeMap::new(),
            kinds: pairs.iter().map(|(pair, kind)| (*pair, kind.to_string())).collect(),
            gaps: BTreeSet::new(),
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
        let examined = Examined::new(&model, &right, &others, 1, Some(10));
        assert_eq!((examined.len(), examined.near, examined.solids()), (2, 2, [0, 0]));
        let examined = Examined::new(&model, &right, &others, 1, None);
        assert_eq!((examined.len(), examined.near), (2, 2));
        assert_eq!(others.each_ref().map(|answers| examined.wrong(answers)), [0, 2, 1]);
        let differing = others.each_ref().map(|answers| examined.disagreements(answers).len());
        assert_eq!(differing, [0, 2, 1]);
        assert!(examined.wrong_in(&right).is_empty());
        for wrong in [report(&[]), report(&[([0, 1], "touching")])] {
            let truth = Truth { surfaces: Surfaces::Crossing, solids: Solids::Open };
            assert_eq!(examined.wrong_in(&wrong), [([0, 1], truth)]);
        }
    }
}
