//! What a step tells.

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
    /// The ids of their children; 0 for bodies that are no compounds.
    pub children: [u32; 2],
    /// How they stand to each other: separated here means within the margin.
    pub verdict: Verdict,
    /// How far the verdict can be trusted.
    pub certainty: Certainty,
    /// The distance or depth, if it was asked for and there is one.
    pub distance: Option<PairDistance>,
    /// Which of the step's manifolds are theirs, if they were asked for.
    pub(crate) manifolds: [u32; 2],
}

impl PairReport {
    /// True unless the two are merely near each other.
    pub fn meets(&self) -> bool {
        self.verdict != Verdict::Separated
    }
}

/// What became of two bodies since the step before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// They meet, and did not before.
    Begin,
    /// They meet, as they did before.
    Stay,
    /// They met, and do not any more; or one of them was removed.
    End,
}

/// Two bodies began to meet, stayed so, or parted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// Which of the three.
    pub kind: EventKind,
    /// The bodies, the smaller index first. After a removal one of the ids is no longer valid.
    pub bodies: [BodyId; 2],
}

/// How much work a step was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepCounts {
    /// Bodies that were moved, changed, added or removed since the step before.
    pub changed: usize,
    /// Pairs of bodies whose boxes overlap.
    pub broad: usize,
    /// Pairs of parts that are left after filters and the boxes of children.
    pub mid: usize,
    /// Those of them that were decided anew: the others have not moved.
    pub narrow: usize,
    /// Those of these that were seen to be apart at a glance, by [`SceneSettings::support_tables`](super::SceneSettings::support_tables). It is the
    /// same for any number of threads.
    pub glances: usize,
    /// Contact points.
    pub contacts: usize,
}

/// How long the phases of a step took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepTimes {
    /// Which boxes overlap.
    pub broad: Duration,
    /// Which parts are to be looked at.
    pub mid: Duration,
    /// How these stand to each other.
    pub narrow: Duration,
    /// Which contacts are those of the step before, and the events.
    pub contact: Duration,
}

/// All that a step found, in an order that depends on the ids of the bodies alone.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// Pairs of parts that meet or are within their margin, by bodies and then by the order of the children.
    pub pairs: Vec<PairReport>,
    /// What began, stayed and ended, by bodies.
    pub events: Vec<Event>,
    /// True if there were more pairs than the limit that the caller has set: then some are missing.
    pub cut_short: bool,
    /// How much work it was.
    pub counts: StepCounts,
    /// How long it took.
    pub times: StepTimes,
    pub(crate) manifolds: Vec<ContactManifold>,
    pub(crate) contacts: Vec<Contact>,
}

impl StepReport {
    /// The contact manifolds of a pair: one of two shapes, any number where a mesh takes part.
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

    /// What is said of two bodies, by any of their parts.
    pub fn between(&self, a: BodyId, b: BodyId) -> &[PairReport] {
        let bodies = if a <= b { [a, b] } else { [b, a] };
        let first = self.pairs.partition_point(|pair| pair.bodies < bodies);
        let end = self.pairs.partition_point(|pair| pair.bodies <= bodies);
        self.pairs.get(first..end).unwrap_or_default()
    }

    /// A number of all that was found, without times and counts of work: equal reports have equal hashes on every machine.
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
