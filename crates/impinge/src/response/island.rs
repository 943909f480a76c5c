//! Groups of bodies that touch: they fall asleep and wake up together.

use super::constraint::Constraint;
use super::motion::BodyState;
use super::settings::Sleep;
use crate::scene::{BodyId, EventKind, StepReport};

/// Which bodies hang together by their contacts; what does not move holds nothing together.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    /// Each body names another of its group, or itself.
    parent: Vec<usize>,
    /// By the first of a group.
    marked: Vec<bool>,
}

impl Islands {
    /// Finds the groups of a step, and wakes those in which a body is awake or that something new touches.
    pub(super) fn find(
        &mut self,
        report: &StepReport,
        motions: &mut [BodyState],
        place: impl Fn(BodyId) -> Option<usize>,
    ) {
        self.parent.clear();
        self.parent.extend(0..motions.len());
        for event in report.events.iter().filter(|event| event.kind != EventKind::Stay) {
            for index in event.bodies.into_iter().filter_map(&place) {
                motions[index].wake();
            }
        }
        for pair in report.pairs.iter().filter(|pair| !report.manifolds(pair).is_empty()) {
            if let [Some(a), Some(b)] = pair.bodies.map(&place)
                && motions[a].moves()
                && motions[b].moves()
            {
                self.join(a, b);
            }
        }
        self.mark(motions, |motion| motion.is_active());
        for (index, motion) in motions.iter_mut().enumerate().filter(|(_, m)| m.is_asleep) {
            let root = self.root(index);
            if self.marked[root] {
                motion.wake();
            }
        }
    }

    /// Bodies with a contact that is only kept also hang together.
    pub(super) fn hold(&mut self, list: &[Constraint], motions: &[BodyState]) {
        for constraint in list {
            let [a, b] = constraint.bodies;
            if motions[a].moves() && motions[b].moves() {
                self.join(a, b);
            }
        }
    }

    /// Puts groups to sleep of which every body has been still for long enough.
    pub(super) fn put_to_sleep(&mut self, motions: &mut [BodyState], sleep: Sleep, time: f64) {
        for motion in motions.iter_mut().filter(|motion| motion.is_active()) {
            motion.still = if motion.speed() < sleep.speed { motion.still + time } else { 0.0 };
        }
        let is_restless = |motion: &BodyState| motion.still == 0.0 || motion.still < sleep.time;
        self.mark(motions, |motion| motion.is_active() && is_restless(motion));
        for (index, motion) in motions.iter_mut().enumerate().filter(|(_, m)| m.is_active()) {
            let root = self.root(index);
            if !self.marked[root] {
                motion.is_asleep = true;
                motion.stop();
            }
        }
    }

    /// Marks groups of which a body is like that.
    fn mark(&mut self, motions: &[BodyState], is_so: impl Fn(&BodyState) -> bool) {
        self.marked.clear();
        self.marked.resize(motions.len(), false);
        for (index, motion) in motions.iter().enumerate() {
            if is_so(motion) {
                let root = self.root(index);
                self.marked[root] = true;
            }
        }
    }

    /// The smallest of the group.
    fn root(&mut self, mut index: usize) -> usize {
        while self.parent[index] != index {
            let above = self.parent[index];
            self.parent[index] = self.parent[above];
            index = above;
        }
        index
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }
}
