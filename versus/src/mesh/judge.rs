//! Compares the answers of the systems with each other and with brute force.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::ControlFlow;

use super::blocks::{self, Blocks};
use super::poses::pose;
use super::rays::Targets;
use super::scene::{Case, Fingerprint, Placement, Question, Scene};
use crate::random::Random;
use crate::system::Precision;
use crate::table::Verdict;

/// Lengths closer than this, in diameters, to impinge's count as equal.
const AGREEMENT: f64 = 1e-4;

/// The answers of one system to the first queries of a case: all, unless the system is too slow for that.
pub struct Answers {
    pub system: &'static str,
    pub precision: Precision,
    pub values: Vec<f64>,
}

/// An answer to one query; only pairs need the second number.
type Answer = [f64; 2];

impl Answers {
    fn get(&self, question: Question, index: usize) -> Option<Answer> {
        let width = question.width();
        let values = self.values.get(width * index..width * (index + 1))?;
        Some([values[0], values.get(1).copied().unwrap_or(0.0)])
    }
}

/// Finds the truth about the queries of one case.
enum Oracle<'a> {
    Meshes { scene: &'a Scene, case: &'a Case, orders: [Vec<u32>; 2] },
    Rays { case: &'a Case, targets: Targets },
}

impl<'a> Oracle<'a> {
    fn new(scene: &'a Scene, case: &'a Case) -> Oracle<'a> {
        let [a, b] = [case.a, case.b].map(|index| &scene.meshes[index as usize]);
        match case.question {
            Question::Ray => Oracle::Rays { case, targets: Targets::new(a) },
            _ => Oracle::Meshes { scene, case, orders: [blocks::order(a), blocks::order(b)] },
        }
    }

    fn truth(&self, index: usize) -> Answer {
        match self {
            Oracle::Rays { case, targets } => [targets.first_hit(&case.rays[index]), 0.0],
            Oracle::Meshes { case, .. } => self.posed(&case.poses[index], case.question),
        }
    }

    fn posed(&self, placement: &Placement, question: Question) -> Answer {
        let Oracle::Meshes { scene, case, orders } = self else { return [f64::NAN; 2] };
        let [a, b] = [case.a, case.b].map(|index| &scene.meshes[index as usize]);
        let fixed = Blocks::new(a, &orders[0], None);
        let moved = Blocks::new(b, &orders[1], Some(&pose(placement)));
        match question {
            Question::Meet => [f64::from(u8::from(fixed.meets(&moved))), 0.0],
            Question::Distance => [fixed.distance(&moved), 0.0],
            _ => {
                let (mut count, mut fingerprint) = (0.0, Fingerprint::default());
                let _ = fixed.meetings(&moved, |i, j| {
                    count += 1.0;
                    fingerprint.add(i, j);
                    ControlFlow::Continue(())
                });
                [count, fingerprint.value()]
            }
        }
    }

    /// Whether a wrong answer would be right for the same query moved by `shift`: input rounded by the system.
    fn excused(&self, index: usize, answer: Answer, shift: f64, number: f64) -> bool {
        match self {
            Oracle::Rays { case, targets } => targets
                .beside(&case.rays[index], shift)
                .iter()
                .any(|&t| t == answer[0] || (t - answer[0]).abs() <= number),
            Oracle::Meshes { case, .. } if case.question == Question::Meet => {
                let placement = case.poses[index];
                let moved = |axis: usize, by: f64| {
                    let mut moved = placement;
                    moved.translation[axis] += by;
                    self.posed(&moved, Question::Meet)[0] == answer[0]
                };
                if answer[0] == 1.0 {
                    return self.posed(&placement, Question::Distance)[0] <= shift;
                }
                (0..3).any(|axis| moved(axis, shift) || moved(axis, -shift))
            }
            Oracle::Meshes { .. } => false,
        }
    }
}

/// The queries of one case whose truth is known.
pub struct Sample<'a> {
    case: &'a Case,
    diameter: f64,
    oracle: Oracle<'a>,
    truths: BTreeMap<usize, Answer>,
}

impl<'a> Sample<'a> {
    /// Random queries, and those on which a system differs from the first.
    pub fn new(
        scene: &'a Scene,
        case: &'a Case,
        seed: u64,
        quick: bool,
        answers: &[Answers],
    ) -> Sample<'a> {
        let mesh = &scene.meshes[case.a as usize];
        let rays = 20_000_000 / mesh.triangles.len().max(10_000);
        // Limits: random ones, and those with the largest differences for each system.
        let (random_count, most) = match case.question {
            Question::Meet => (if quick { 20 } else { 200 }, usize::MAX),
            Question::Pairs => (if quick { 10 } else { 50 }, 50),
            Question::Distance => (if quick { 5 } else { 20 }, 10),
            Question::Ray => (rays, rays.clamp(10, 100)),
            Question::CollisionTree | Question::RayTree => (0, 0),
        };
        let mut sample = Sample {
            case,
            diameter: mesh.diameter(),
            oracle: Oracle::new(scene, case),
            truths: BTreeMap::new(),
        };
        let mut random = Random::new(seed ^ 0x5eed);
        let random_count = random_count.min(case.queries());
        let mut chosen: BTreeSet<usize> =
            (0..random_count).map(|_| random.below(case.queries())).collect();
        for entry in answers.iter().skip(1) {
            chosen.extend(sample.differing(&answers[0], entry, most));
        }
        sample.truths =
            chosen.into_iter().map(|index| (index, sample.oracle.truth(index))).collect();
        sample
    }

    /// Number of examined queries.
    pub fn len(&self) -> usize {
        self.truths.len()
    }

    /// Whether nothing is examined.
    pub fn is_empty(&self) -> bool {
        self.truths.is_empty()
    }

    /// How far apart two answers are; 0 if they are equal.
    fn difference(&self, a: Answer, b: Answer) -> f64 {
        let equal = a == b || (self.case.question != Question::Pairs && a[0] == b[0]);
        match (a[0] - b[0]).abs() {
            _ if equal => 0.0,
            // The same number of pairs, but other pairs.
            0.0 => 1.0,
            difference if difference.is_nan() => f64::INFINITY,
            difference => difference,
        }
    }

    /// The queries with the largest differences, if these count at all.
    fn differing(&self, first: &Answers, other: &Answers, most: usize) -> Vec<usize> {
        let mut found: Vec<(usize, f64)> = (0..self.case.queries())
            .map_while(|index| {
                let of = |answers: &Answers| answers.get(self.case.question, index);
                Some((index, self.difference(of(first)?, of(other)?)))
            })
            .filter(|(_, difference)| *difference > self.agreement())
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        found.truncate(most);
        found.into_iter().map(|(index, _)| index).collect()
    }

    fn agreement(&self) -> f64 {
        match self.case.question {
            Question::Distance | Question::Ray => AGREEMENT * self.diameter,
            _ => 0.0,
        }
    }

    /// Judges the answers of one system; `reference` are those of impinge. The second number is how many of the examined rays
    /// went through a surface: a miss, or a hit behind the first, without any excuse.
    pub fn judge(&self, answers: &Answers, reference: Option<&Answers>) -> (Verdict, usize) {
        // Lengths in diameters: how far the query may be moved before an answer is judged, and how far a number may be off.
        let (shift, number) = match answers.precision {
            _ if answers.system.starts_with("impinge") => (0.0, 1e-9),
            Precision::Double => (1e-12, 1e-6),
            Precision::Single => (1e-6, 1e-4),
        };
        let limit = match self.case.question {
            Question::Distance | Question::Ray => number * self.diameter,
            _ => 0.0,
        };
        let (mut wrong, mut missed, mut max_error) = (0, 0, 0.0_f64);
        for (&index, &truth) in &self.truths {
            let Some(answer) = answers.get(self.case.question, index) else { continue };
            let error = self.difference(answer, truth);
            let excused = || self.oracle.excused(index, answer, shift * self.diameter, limit);
            if error > limit && (shift == 0.0 || !excused()) {
                wrong += 1;
                missed += usize::from(answer[0] > truth[0]);
            }
            if error.is_finite() {
                max_error = max_error.max(error);
            }
        }
        let queries = answers.values.len() / self.case.question.width();
        let equal = |reference: &Answers| {
            let of = |answers: &Answers, index| answers.get(self.case.question, index);
            let same = |&index: &usize| match (of(answers, index), of(reference, index)) {
                (Some(a), Some(b)) => self.difference(a, b) <= self.agreement(),
                _ => false,
            };
            (0..queries).filter(same).count()
        };
        let verdict = Verdict {
            positives: self.positives(answers),
            wrong,
            max_error: (self.case.question != Question::Meet).then_some(max_error),
            agree: reference.map(equal),
        };
        (verdict, missed)
    }

    fn positives(&self, answers: &Answers) -> usize {
        let values = answers.values.chunks(self.case.question.width()).map(|answer| answer[0]);
        match self.case.question {
            Question::Pairs => values.sum::<f64>() as usize,
            Question::Ray => values.filter(|t| t.is_finite()).count(),
            _ => values.filter(|&value| value > 0.0).count(),
        }
    }

    /// One line for each examined query where one of `others` differs from impinge or, without it, from the truth.
    pub fn disagreements(&self, others: &[&Answers], ours: Option<&Answers>) -> String {
        let mut out = String::new();
        for (&index, &truth) in &self.truths {
            let of = |answers: &Answers| answers.get(self.case.question, index);
            let ours = ours.and_then(of);
            let differs = |other: &&Answers| {
                of(other).is_some_and(|theirs| {
                    self.difference(theirs, ours.unwrap_or(truth)) > self.agreement()
                })
            };
            if !others.iter().any(differs) {
                continue;
            }
            let _ = write!(out, "{}, query {index}: ", self.case.name);
            for other in others {
                let theirs = of(other).map_or(f64::NAN, |theirs| theirs[0]);
                let _ = write!(out, "{} {theirs}, ", other.system);
            }
            let ours = ours.map_or("–".into(), |ours| ours[0].to_string());
            let _ = writeln!(out, "impinge {ours}, brute force {}", truth[0]);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::scene::RayData;
    use crate::mesh::{model, poses, rays};

    fn scene(question: Question) -> Scene {
        let mesh = model::icosphere(1.0, 2);
        let twins = poses::Twins::new(&mesh);
        let mixed = twins.mixed(1, 60);
        let poses = match question {
            Question::Ray => Vec::new(),
            Question::Pairs => twins.meeting(&mixed, 20),
            Question::Distance => poses::apart(&mesh, 1, 20),
            _ => mixed,
        };
        let is_ray = question == Question::Ray;
        let rays: Vec<RayData> = if is_ray { rays::into_box(&mesh, 1, 60) } else { Vec::new() };
        let case = Case { name: "ball".into(), question, a: 0, b: 0, threads: 1, poses, rays };
        Scene { meshes: vec![mesh], cases: vec![case] }
    }

    #[test]
    fn wrong_answers_are_found_wherever_they_are() {
        for question in [Question::Meet, Question::Pairs, Question::Distance, Question::Ray] {
            let scene = scene(question);
            let case = &scene.cases[0];
            let oracle = Oracle::new(&scene, case);
            let width = question.width();
            let right: Vec<f64> = (0..case.queries())
                .flat_map(|index| oracle.truth(index).into_iter().take(width))
                .collect();
            let mut wrong = right.clone();
            wrong[3 * width] = if right[3 * width] == 0.0 { 1.0 } else { 0.0 };
            // The number of pairs stays the same, but not the pairs.
            wrong[8 * width + width - 1] = f64::NAN;
            let entry = |system, values| Answers { system, precision: Precision::Double, values };
            let answers = [entry("impinge", right), entry("other", wrong)];
            let sample = Sample::new(&scene, case, 1, true, &answers);
            let reference = Some(&answers[0]);
            let all = Some(case.queries());
            let good = sample.judge(&answers[0], reference).0;
            assert_eq!((good.wrong, good.agree), (0, all), "{question:?}");
            let bad = sample.judge(&answers[1], reference).0;
            assert_eq!((bad.wrong, bad.agree), (2, all.map(|count| count - 2)), "{question:?}");
            let listed = sample.disagreements(&[&answers[1]], reference);
            assert_eq!(listed.lines().count(), 2, "{listed}");
        }
    }

    #[test]
    fn rounded_inputs_are_an_excuse_and_leaks_are_not() {
        let scene = scene(Question::Meet);
        let case = &scene.cases[0];
        let oracle = Oracle::new(&scene, case);
        let apart = (0..case.queries()).find(|&index| oracle.truth(index)[0] == 0.0).unwrap();
        let gap = oracle.posed(&case.poses[apart], Question::Distance)[0];
        assert!(oracle.excused(apart, [1.0, 0.0], 1.01 * gap, 0.0));
        assert!(!oracle.excused(apart, [1.0, 0.0], 0.99 * gap, 0.0));
    }
}
