//! Hierarchies asked the same questions in turns: the answers must be equal, then times and work are compared.
//!
//! The time of a slice of questions is the least of all rounds, which an interrupt in one of them does not move. Ratios come with their spread
//! over five parts of the slices, every fifth one in each, which are apart in time and in what they ask.

use super::addition::Addition;
use super::classic::Work;
use crate::clock::Clock;
use crate::error::LabError;
use crate::session::Session;
use crate::timing::{ROUNDS, Spread};
use impinge::mesh::ScaledPose;

/// A question: do two bodies meet?
#[derive(Clone, Copy)]
pub(super) struct Task {
    /// Their models.
    pub(super) models: [usize; 2],
    /// Which pair of bodies it is, counted from 0, and in which step, for what is kept from one step to the next.
    pub(super) pair: usize,
    pub(super) step: usize,
    /// Where the second is in the frame of the first.
    pub(super) place: ScaledPose,
}

/// What a contender is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Label {
    /// [`OLD`] or [`OWN`].
    pub(super) tree: &'static str,
    pub(super) volume: &'static str,
    pub(super) added: &'static str,
    pub(super) levels: usize,
}

/// Binary trees in the manner of 2010.
pub(super) const OLD: &str = "2010";
/// The library's default tree.
pub(super) const OWN: &str = "impinge";
/// Levels of the figures with times.
pub(super) const LEVELS: usize = 6;
/// What is added in them.
pub(super) const ADDED: [Addition; 3] = [Addition::DVSPM, Addition::DFSPM, Addition::CW3];
/// A support table before the library's tree; and the same as scenes have it, with the axis kept from step to step, looked along only where bodies were apart in
/// the step before.
pub(super) const FILTER: [&str; 2] = ["filter before the tree", "filter, axis kept as in scenes"];
/// Questions between two readings of the clock: short enough that some rounds are not interrupted.
const SLICE: usize = 32;

type Meets<'c> = Box<dyn FnMut(&Task, Option<&mut Work>) -> bool + 'c>;

/// A way to answer.
pub(super) struct Contender<'c> {
    pub(super) label: Label,
    pub(super) meets: Meets<'c>,
}

/// How a contender did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub(super) label: Label,
    /// All slices, each in the best of its rounds.
    pub(super) seconds: f64,
    /// The time of every fifth slice, for each of five parts.
    parts: [f64; ROUNDS],
    pub(super) work: Work,
}

impl Outcome {
    /// Its time over that of another.
    pub(super) fn over(&self, other: &Self) -> Spread {
        let shares = self.parts.iter().zip(other.parts).filter(|(_, other)| *other > 0.0);
        Spread::of(shares.map(|(own, other)| own / other).collect())
    }
}

/// What is common to all contenders, and how each did.
pub(super) struct Race {
    pub(super) outcomes: Vec<Outcome>,
    /// Which tasks meet, by chunk.
    pub(super) meeting: Vec<Vec<bool>>,
}

impl Race {
    /// Asks everybody everything: once to count and to compare answers, then `rounds` times to take time, in turns by slice.
    ///
    /// Fails where two answer differently.
    pub(super) fn run(
        contenders: &mut [Contender<'_>],
        chunks: &[Vec<Task>],
        rounds: usize,
        session: &Session<'_>,
    ) -> Result<Self, LabError> {
        let mut meeting: Vec<Vec<bool>> = Vec::new();
        let mut outcomes: Vec<Outcome> = contenders
            .iter()
            .map(|contender| Outcome {
                label: contender.label,
                seconds: 0.0,
                parts: [0.0; ROUNDS],
                work: Work::default(),
            })
            .collect();
        let (turns, asked) = (chunks.len() * contenders.len(), contenders.len());
        for (k, chunk) in chunks.iter().enumerate() {
            for (turn, (contender, outcome)) in contenders.iter_mut().zip(&mut outcomes).enumerate()
            {
                session.step("counting", (k * asked + turn) as u64, turns as u64)?;
                let mut ask = |task: &Task| (contender.meets)(task, Some(&mut outcome.work));
                let answers: Vec<bool> = chunk.iter().map(&mut ask).collect();
                match meeting.get(k) {
                    None => meeting.push(answers),
                    Some(expected) if *expected == answers => {}
                    Some(_) => {
                        let told = format!("{:?} answers otherwise in step {k}", contender.label);
                        return Err(LabError::Failed(told));
                    }
                }
            }
        }
        let slices: Vec<&[Task]> = chunks.iter().flat_map(|chunk| chunk.chunks(SLICE)).collect();
        let mut best = vec![vec![f64::MAX; slices.len()]; contenders.len()];
        for round in 0..rounds {
            for (k, slice) in slices.iter().enumerate() {
                session.step(
                    "timing",
                    (slices.len() * round + k) as u64,
                    (slices.len() * rounds) as u64,
                )?;
                for (contender, best) in contenders.iter_mut().zip(&mut best) {
                    // Twice: who comes first to a tree must fetch it from memory, and would seem slow.
                    for _ in 0..2 {
                        let start = Clock::start();
                        for task in *slice {
                            std::hint::black_box((contender.meets)(task, None));
                        }
                        best[k] = best[k].min(start.seconds());
                    }
                }
            }
        }
        for (outcome, best) in outcomes.iter_mut().zip(&best) {
            outcome.seconds = best.iter().sum();
            for (k, seconds) in best.iter().enumerate() {
                outcome.parts[k % ROUNDS] += seconds;
            }
        }
        Ok(Self { outcomes, meeting })
    }

    /// The outcome of a label; without levels, nothing is added.
    pub(super) fn of(
        &self,
        tree: &str,
        volume: &str,
        added: &str,
        levels: usize,
    ) -> Option<&Outcome> {
        self.outcomes.iter().find(|outcome| {
            let Label { tree: t, volume: v, added: a, levels: l } = outcome.label;
            t == tree && v == volume && l == levels && (levels == 0 || a == added)
        })
    }

    /// Seconds by levels from 0 of the trees of 2010.
    pub(super) fn seconds(&self, volume: &str, added: &str) -> Vec<f64> {
        let at = |levels| self.of(OLD, volume, added, levels);
        (0..=LEVELS).filter_map(at).map(|outcome| outcome.seconds).collect()
    }

    /// Weighted operations by levels from 0 of the trees of 2010.
    pub(super) fn prices(&self, volume: &str, added: &str) -> Vec<f64> {
        let at = |levels| self.of(OLD, volume, added, levels);
        (0..=LEVELS).filter_map(at).map(|outcome| outcome.work.price).collect()
    }

    /// Seconds of the library's default tree.
    pub(super) fn default_seconds(&self) -> f64 {
        self.of(OWN, "OBB", "", 0).map_or(f64::NAN, |outcome| outcome.seconds)
    }

    /// The time of the trees of 2010 by levels from 0, of that without what is added.
    pub(super) fn shares(&self, volume: &str, added: &str) -> Vec<Spread> {
        let at = |levels| self.of(OLD, volume, added, levels);
        let none = at(0);
        let with = (0..=LEVELS).filter_map(at);
        with.filter_map(|with| Some(with.over(none?))).collect()
    }

    /// The time of the library's tree with something added, of that without.
    pub(super) fn own_share(&self, added: &str, levels: usize) -> Spread {
        let outcome = |added, levels| self.of(OWN, "OBB", added, levels);
        let both = outcome(added, levels).zip(outcome("", 0));
        both.map_or(Spread::of(Vec::new()), |(with, without)| with.over(without))
    }

    /// How many tasks there are.
    pub(super) fn tasks(&self) -> usize {
        self.meeting.iter().map(Vec::len).sum()
    }

    /// How many tasks meet.
    pub(super) fn meetings(&self) -> usize {
        self.meeting.iter().flatten().filter(|meet| **meet).count()
    }

    /// Adds what another race of the same contenders came to.
    pub(super) fn join(&mut self, other: Self) {
        for (mine, theirs) in self.outcomes.iter_mut().zip(&other.outcomes) {
            mine.seconds += theirs.seconds;
            mine.parts.iter_mut().zip(theirs.parts).for_each(|(sum, more)| *sum += more);
            let (sum, more) = (&mut mine.work, &theirs.work);
            sum.volumes += more.volumes;
            sum.supports += more.supports;
            sum.apart += more.apart;
            sum.triangles += more.triangles;
            sum.price += more.price;
        }
        self.meeting.extend(other.meeting);
    }
}

#[cfg(test)]
mod tests {
    use super::super::classic::Grouping;
    use super::super::contenders::Stock;
    use super::super::placements::Placements;
    use super::*;
    use crate::model::{Model, ModelShape};
    use crate::session::Size;

    /// Everybody answers alike, and somebody who lies once is found out.
    #[test]
    fn answers_are_compared() {
        let models = [Model::generate(ModelShape::Knobbly, 300)];
        let groupings = models.each_ref().map(Grouping::new);
        let session = Session::new(Size::Quick, 1);
        let stock = Stock::new(&models, &groupings, &session).unwrap();
        let placements = Placements::new(&models[0].mesh().unwrap(), &models[0], 40, 1).unwrap();
        let tasks: Vec<Task> = placements
            .each()
            .enumerate()
            .map(|(k, (place, _))| Task { models: [0, 0], pair: k, step: 0, place: *place })
            .collect();
        let chunks: Vec<Vec<Task>> = tasks.chunks(10).map(<[Task]>::to_vec).collect();
        let mut contenders = stock.contenders();
        assert_eq!(contenders.len(), 9 + 3 * (1 + 3 * LEVELS));
        let race = Race::run(&mut contenders, &chunks, 1, &session).unwrap();
        assert_eq!(race.tasks(), 40);
        assert!(race.outcomes.iter().all(|outcome| outcome.seconds > 0.0));
        assert_eq!(race.seconds("AABB", "CW3").len(), LEVELS + 1);
        let shares = race.shares("AABB", "CW3");
        assert_eq!((shares.len(), shares[0].low, shares[0].high), (LEVELS + 1, 1.0, 1.0));
        assert_eq!(race.own_share("", 0).median, 1.0);
        let expected = placements.each().filter(|(_, meet)| *meet).count();
        assert_eq!(race.meetings(), expected);
        let mut asked = 0;
        let mut honest = stock.contenders().remove(0);
        let liar = move |task: &Task, work: Option<&mut Work>| {
            asked += 1;
            (honest.meets)(task, work) != (asked == 25)
        };
        let label = Label { tree: "liar", volume: "", added: "", levels: 0 };
        contenders.push(Contender { label, meets: Box::new(liar) });
        let Err(LabError::Failed(told)) = Race::run(&mut contenders, &chunks, 1, &session) else {
            panic!("the liar went unnoticed");
        };
        assert!(told.contains("liar") && told.contains("step 2"), "{told}");
    }
}
