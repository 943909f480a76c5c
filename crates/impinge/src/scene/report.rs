//! The report of a step.

use super::BodyId;
use super::hash::Hasher;
use crate::contact::{Contact, ContactManifold};
use crate::query::PairDistance;
use impinge_geom::{Certainty, Verdict};
use std::time::Duration;

/// Two parts of two bodies that meet or are within their margin.
#[derive(Clone, Debug, PartialEq)]
pub struct PairReport {
    /// The bodies, the smaller index first.
    pub bodies: [BodyId; 2],
    /// The ids of their children; 0 for bodies that are not compounds.
    pub children: [u32; 2],
    /// How they relate: separated here means within the margin.
    pub verdict: Verdict,
    /// How far the verdict can be trusted.
    pub certainty: Certainty,
    /// The distance or depth, if it was requested and exists.
    pub distance: Option<PairDistance>,
    /// Which of the step's manifolds are theirs, if they were asked for.
    pub(crate) manifolds: [u32; 2],
}

impl PairReport {
    /// True unless the two are merely within the margin.
    pub fn meets(&self) -> bool {
        self.verdict != Verdict::Separated
    }
}

/// What happened to two bodies since the step before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// They meet now and did not before.
    Begin,
    /// They still meet.
    Stay,
    /// They no longer meet, or one of them was removed.
    End,
}

/// Two bodies began to meet, still meet, or separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// Begin, stay or end.
    pub kind: EventKind,
    /// The bodies, the smaller index first. After a removal one of the ids is no longer valid.
    pub bodies: [BodyId; 2],
}

/// Work counters of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepCounts {
    /// Bodies moved, changed, added or removed since the step before.
    pub changed: usize,
    /// Pairs of bodies whose boxes overlap.
    pub broad: usize,
    /// Pairs of parts left after filters and the boxes of children.
    pub mid: usize,
    /// Those of them that were decided anew: the others have not moved.
    pub narrow: usize,
    /// Those of these that the cached separating axis decided ([`SceneSettings::support_tables`](super::SceneSettings::support_tables)). The
    /// same for any number of threads.
    pub glances: usize,
    /// Contact points.
    pub contacts: usize,
}

/// Duration of the phases of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepTimes {
    /// Broad phase: which boxes overlap.
    pub broad: Duration,
    /// Mid phase: which parts to examine.
    pub mid: Duration,
    /// Narrow phase: how these relate.
    pub narrow: Duration,
    /// Contact phase: matching contacts with those of the step before, and events.
    pub contact: Duration,
}

/// The report of a step, in an order that depends on body ids alone.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// Pairs of parts that meet or are within their margin, by bodies and then by the order of the children.
    pub pairs: Vec<PairReport>,
    /// Begin, stay and end events, by bodies.
    pub events: Vec<Event>,
    /// True if there were more pairs than the limit: some are missing.
    pub cut_short: bool,
    /// Work counters.
    pub counts: StepCounts,
    /// Durations.
    pub times: StepTimes,
    pub(crate) manifolds: Vec<ContactManifold>,
    pub(crate) contacts: Vec<Contact>,
}

impl StepReport {
    /// The contact manifolds of a pair: one for two shapes, any number where a mesh takes part.
    ///
    /// ```
    /// use impinge::{Pose, geom::{Shape, glam::DVec3}, scene::{Body, Scene, SceneSettings}};
    /// let mut scene = Scene::default();
    /// scene.set_settings(SceneSettings { contacts: true, ..SceneSettings::default() });
    /// scene.add(Body::fixed(Shape::cuboid([2.0, 2.0, 0.5])?, Pose::IDENTITY))?;
    /// let on_it = Pose::from_translation([0.0, 0.0, 0.99])?;
    /// scene.add(Body::moving(Shape::cuboid([0.5; 3])?, on_it))?;
    /// let first: Vec<u64> = {
    ///     let report = scene.step();
    ///     let manifold = report.manifolds(&report.pairs[0])[0];
    ///     assert_eq!((manifold.normal, report.contacts(&manifold).len()), (DVec3::Z, 4));
    ///     report.contacts(&manifold).iter().map(|contact| contact.id).collect()
    /// };
    /// let report = scene.step();
    /// let manifold = report.manifolds(&report.pairs[0])[0];
    /// assert!(report.contacts(&manifold).iter().all(|c| c.age == 1 && first.contains(&c.id)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn manifolds(&self, pair: &PairReport) -> &[ContactManifold] {
        let [first, end] = pair.manifolds.map(|index| index as usize);
        self.manifolds.get(first..end).unwrap_or_default()
    }

    /// The points of a manifold, the deepest first.
    pub fn contacts(&self, manifold: &ContactManifold) -> &[Contact] {
        let [first, end] = manifold.contacts.map(|index| index as usize);
        self.contacts.get(first..end).unwrap_or_default()
    }

    /// The entries for two bodies, one per pair of their parts.
    pub fn between(&self, a: BodyId, b: BodyId) -> &[PairReport] {
        let bodies = if a <= b { [a, b] } else { [b, a] };
        let first = self.pairs.partition_point(|pair| pair.bodies < bodies);
        let end = self.pairs.partition_point(|pair| pair.bodies <= bodies);
        self.pairs.get(first..end).unwrap_or_default()
    }

    /// A hash of the report without durations and work counters: equal reports have equal hashes on every machine.
    pub fn hash(&self) -> u64 {
        let mut hasher = Hasher::default();
        hasher.word(u64::from(self.cut_short));
        for pair in &self.pairs {
            hasher.pair(pair);
            for manifold in self.manifolds(pair) {
                hasher.manifold(manifold, self.contacts(manifold));
            }
        }
        for event in &self.events {
            hasher.word(event.kind as u64);
            hasher.bodies(event.bodies);
        }
        hasher.finish()
    }
}
