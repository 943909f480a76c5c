//! A pair of parts over time, or over the range of one joint.
//!
//! 1. How they begin: asked at the first moment. Parts in contact there are told so, and followed from the first sample at which they are apart.
//! 2. Free, or not: [`query::impact`] certifies it, with the required clearance if there is one, else with none.
//! 3. What is not free: the first contact as an interval; or, of parts that only come too near, the least gap and when.
//! 4. How deep: samples behind the first contact. They decide nothing but whether a contact stays within the tolerance, and that is told as not certain.

use super::encounter::{Deepest, Encounter, Least, Meeting, Moment, Start};
use super::field;
use super::movement::{Movement, Pair};
use super::shell;
use crate::model::{Model, ModelPart};
use crate::relation::{PartRelation, Wanted, relate};
use impinge::geom::motion::VelocityBound;
use impinge::geom::{Certainty, Verdict};
use impinge::query::{self, ImpactSettings, Workspace};
use impinge::{Geometry, Motion, Pose};
use impinge_robot::Chain;
use std::sync::atomic::{AtomicBool, Ordering};

/// Samples of parts that are in contact at the start.
const SAMPLES: u32 = 48;

/// Samples of the depth, evenly up to the end; six more are close behind the contact.
const DEPTHS: u32 = 16;

/// Work for each piece of a way, at least.
const LEAST_STEPS: u32 = 32;

/// A pair that is to be followed.
pub(crate) struct Encountered<'f> {
    pub(crate) model: &'f Model,
    pub(crate) movement: &'f Movement,
    pub(crate) pair: Pair,
    pub(crate) wanted: Wanted,
    /// Gaps up to this are contact.
    pub(crate) flush: f64,
    /// Once this is set, no further question is begun.
    pub(crate) stop: Option<&'f AtomicBool>,
}

/// What is known about a pair that moves.
#[derive(Clone, Debug)]
pub(crate) struct Followed {
    pub(crate) relation: PartRelation,
    pub(crate) encounter: Encounter,
}

/// Follows a pair over all of the motion.
pub(crate) fn follow(pair: &Encountered<'_>, workspace: &mut Workspace) -> Followed {
    if pair.movement.is_field()
        && let Some(followed) = field::follow(pair, workspace)
    {
        return followed;
    }
    pair.sweep(workspace)
}

/// What a way holds.
enum Way {
    /// Free, and as far apart as is required.
    Clear,
    /// Free, but too near.
    Near(Least),
    Meets(Meeting),
    /// Free up to a moment for certain; of the rest nothing is known.
    Undecided(Moment),
}

impl Encountered<'_> {
    pub(super) fn parts(&self) -> [&ModelPart; 2] {
        self.pair.parts.map(|part| &self.model.parts[part])
    }

    /// Solids where they are closed, else surfaces.
    pub(super) fn geometries(&self) -> [&Geometry; 2] {
        self.parts().map(|part| if part.is_solid() { part.solid() } else { part.surface() })
    }

    /// How the parts relate at a moment.
    pub(super) fn relation_at(
        &self,
        moment: Moment,
        wanted: Wanted,
        workspace: &mut Workspace,
    ) -> PartRelation {
        let [a, b] = self
            .pair
            .parts
            .map(|part| self.model.parts[part].at(&self.movement.pose(part, moment)));
        relate(&a, &b, wanted, workspace)
    }

    /// What is asked at samples: the verdict, gaps as far as they matter, and depths.
    pub(super) fn coarse(&self) -> Wanted {
        Wanted { clearance: self.wanted.clearance.max(self.flush), details: false, ..self.wanted }
    }

    pub(super) fn stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// True if the parts meet, or are within rounding of it.
    pub(super) fn is_contact(&self, relation: &PartRelation) -> bool {
        let gap = relation.distance.map_or(f64::INFINITY, |distance| distance.value);
        relation.verdict != Verdict::Separated || gap <= self.flush
    }

    /// The part of each side on the steps that the other does not have, along a straight way.
    pub(super) fn chains(&self, from: [f64; 2], to: [f64; 2]) -> [Chain; 2] {
        let way = self.movement.way(from, to);
        [0, 1].map(|side| {
            let steps = self.movement.own(&self.pair, side);
            self.movement.chain(self.model, self.pair.parts[side], steps, &way)
        })
    }

    fn sweep(&self, workspace: &mut Workspace) -> Followed {
        let ends = self.ends();
        let at = |t: f64| moment_on(ends, t);
        let chains = self.chains(ends[0].values, ends[1].values);
        let begin = self.relation_at(at(0.0), self.coarse(), workspace);
        if self.is_contact(&begin) {
            return self.after_contact(begin, &chains, ends, workspace);
        }
        let steps = self.movement.way(ends[0].values, ends[1].values);
        let way = if shell::stay_apart(self, &steps, self.wanted.clearance.max(0.0), workspace) {
            Way::Clear
        } else {
            self.certify([&chains[0], &chains[1]], [0.0, 1.0], ends, workspace)
        };
        self.told(way, Start::Free, begin, ends, 0.0, workspace)
    }

    /// The first and the last moment: of a way over two joints of which one counts here, the other stands.
    fn ends(&self) -> [Moment; 2] {
        let movement = self.movement;
        let mut ends = [movement.moment(0.0), movement.moment(1.0)];
        if movement.is_field() {
            let stand = movement.start();
            for axis in 0..2 {
                let drives = |side: usize| {
                    let own = movement.own(&self.pair, side).iter();
                    own.filter_map(|&step| movement.steps[step].ranged())
                        .any(|(_, driver, _)| driver == axis)
                };
                if !(drives(0) || drives(1)) {
                    ends.iter_mut().for_each(|end| end.values[axis] = stand.values[axis]);
                }
            }
        }
        ends
    }

    /// Asks about a part of the way.
    fn certify(
        &self,
        motions: [&Chain; 2],
        [from, to]: [f64; 2],
        ends: [Moment; 2],
        workspace: &mut Workspace,
    ) -> Way {
        let later = motions.map(|motion| Later { motion, from, span: to - from });
        let [a, b] = self.geometries();
        let (first, second) = (&later[0], &later[1]);
        let at = |t: f64| moment_on(ends, from + (to - from) * t);
        let settings = |clearance: f64| ImpactSettings {
            tolerance: (self.movement.precision / (to - from)).min(1.0),
            max_steps: self.steps(motions),
            clearance,
        };
        let required = self.wanted.clearance;
        if required > 0.0 {
            let found = query::impact_with(first, a, second, b, &settings(required), workspace);
            if found.first.is_none() {
                return Way::Clear;
            }
        }
        let asked = settings(0.0);
        let found = query::impact_with(first, a, second, b, &asked, workspace);
        if let Some(contact) = found.first {
            let [low, high] = contact.interval;
            let wide = high - low > 4.0 * asked.tolerance.max(ImpactSettings::FINEST);
            if wide && contact.certainty != Certainty::Exact {
                return Way::Undecided(at(low));
            }
            let interval = [at(low), at(high)];
            return Way::Meets(Meeting { interval, certainty: contact.certainty });
        }
        if required <= 0.0 {
            return Way::Clear;
        }
        let least = query::minimum_distance_with(first, a, second, b, workspace);
        let (distance, lower) = (least.closest.distance, least.lower);
        Way::Near(Least { distance, lower, at: at(least.t) })
    }

    /// The work of one query. That of meshes is counted by piece, so that it is spread over them.
    pub(super) fn steps(&self, motions: [&Chain; 2]) -> u32 {
        let all = self.movement.max_steps;
        if self.geometries().iter().all(|geometry| geometry.as_mesh().is_none()) {
            return all;
        }
        let pieces = motions.map(Chain::piece_count).into_iter().max().unwrap_or(1);
        (all / u32::try_from(pieces).unwrap_or(u32::MAX).max(1)).max(all.min(LEAST_STEPS))
    }

    /// Parts that are in contact at the first moment.
    fn after_contact(
        &self,
        begin: PartRelation,
        chains: &[Chain; 2],
        ends: [Moment; 2],
        workspace: &mut Workspace,
    ) -> Followed {
        let start = match begin.verdict {
            Verdict::Penetrating | Verdict::Contained(_) => Start::Overlapping,
            Verdict::Touching | Verdict::Separated => self.touching(ends, workspace),
        };
        // An overlap that no tolerance allows is told as it is at the start.
        let allowed = overlap(&begin) <= self.wanted.reported_above.max(0.0);
        let mut deepest = (0.0, begin);
        let mut apart = None;
        for k in 1..=SAMPLES {
            if self.stopped() {
                break;
            }
            let t = f64::from(k) / f64::from(SAMPLES);
            let relation = self.relation_at(moment_on(ends, t), self.coarse(), workspace);
            if apart.is_none() && !self.is_contact(&relation) {
                apart = Some(t);
            }
            if apart.is_none() && allowed && overlap(&relation) > overlap(&deepest.1) {
                deepest = (t, relation);
            }
        }
        let later =
            apart.map(|t| self.certify([&chains[0], &chains[1]], [t, 1.0], ends, workspace));
        // An overlap that no tolerance allows is the worse news, and certain.
        let allowed = overlap(&deepest.1) <= self.wanted.reported_above.max(0.0);
        match later {
            Some(way) if allowed && !matches!(way, Way::Clear) => {
                self.told(way, start, deepest.1, ends, apart.unwrap_or(0.0), workspace)
            }
            _ => {
                let at = moment_on(ends, deepest.0);
                let seen_later = deepest.0 > 0.0 && !allowed;
                let relation = self.relation_at(at, self.wanted, workspace);
                let depth = overlap(&relation);
                let meeting = seen_later.then_some(Meeting {
                    interval: [moment_on(ends, 0.0), at],
                    certainty: Certainty::Estimate,
                });
                let deepest = (depth > 0.0).then_some(Deepest { depth, at });
                let encounter = Encounter {
                    start,
                    meeting,
                    least: None,
                    deepest,
                    shares: None,
                    decided: true,
                    shown: at,
                };
                Followed { relation, encounter }
            }
        }
    }

    /// Whether parts that touch go into each other right after.
    fn touching(&self, ends: [Moment; 2], workspace: &mut Workspace) -> Start {
        let soon = moment_on(ends, self.movement.precision);
        let relation = self.relation_at(soon, self.coarse(), workspace);
        match relation.verdict {
            Verdict::Penetrating | Verdict::Contained(_) => Start::Approaching,
            Verdict::Touching | Verdict::Separated => Start::Leaving,
        }
    }

    /// What a finding needs of a way that begins at the share `from`.
    fn told(
        &self,
        way: Way,
        start: Start,
        begin: PartRelation,
        ends: [Moment; 2],
        from: f64,
        workspace: &mut Workspace,
    ) -> Followed {
        let mut encounter = Encounter {
            start,
            meeting: None,
            least: None,
            deepest: None,
            shares: None,
            decided: true,
            shown: moment_on(ends, from),
        };
        let relation = match way {
            Way::Clear => PartRelation { distance: None, ..begin },
            Way::Near(least) => {
                (encounter.least, encounter.shown) = (Some(least), least.at);
                self.relation_at(least.at, self.wanted, workspace)
            }
            Way::Undecided(free) => {
                let interval = [free, ends[1]];
                encounter.meeting = Some(Meeting { interval, certainty: Certainty::Bound });
                (encounter.decided, encounter.shown) = (false, free);
                let wanted = Wanted { clearance: f64::INFINITY, ..self.wanted };
                self.relation_at(free, wanted, workspace)
            }
            Way::Meets(meeting) => {
                (encounter.meeting, encounter.shown) = (Some(meeting), meeting.interval[1]);
                let deepest = self.deepest_after(meeting.interval[1], ends, workspace);
                let at = deepest.map_or(meeting.interval[1], |deepest| deepest.at);
                encounter.deepest = deepest;
                let mut relation = self.relation_at(at, self.wanted, workspace);
                self.put_at_contact(&mut relation, meeting, workspace);
                relation
            }
        };
        Followed { relation, encounter }
    }

    /// Points are those of the first contact, and depths those of the deepest sample; curves and volumes belong to neither.
    pub(super) fn put_at_contact(
        &self,
        relation: &mut PartRelation,
        meeting: Meeting,
        workspace: &mut Workspace,
    ) {
        let wanted = Wanted { clearance: f64::INFINITY, ..self.wanted };
        let contact = self.relation_at(meeting.interval[0], wanted, workspace);
        (relation.points, relation.triangles) = (contact.points, contact.triangles);
        relation.curve = Vec::new();
        relation.curve_is_cut_short = false;
        (relation.volume, relation.separation) = (None, None);
        if let Some(penetration) = &mut relation.penetration {
            // At least so deep, of all of the way.
            (penetration.certainty, penetration.upper) = (Certainty::Estimate, f64::INFINITY);
        }
        if let Some(distance) = &mut relation.distance {
            distance.certainty = Certainty::Estimate;
        }
    }

    /// The deepest overlap at samples from a moment on: some close behind it, the others evenly up to the end.
    fn deepest_after(
        &self,
        from: Moment,
        ends: [Moment; 2],
        workspace: &mut Workspace,
    ) -> Option<Deepest> {
        let start = share_on(ends, from);
        let near = (1..=6).rev().map(|k| f64::from(1u32 << (4 * k)).recip());
        let even = (1..=DEPTHS).map(|k| f64::from(k) / f64::from(DEPTHS));
        let mut deepest: Option<Deepest> = None;
        for share in near.chain(even) {
            if self.stopped() {
                break;
            }
            let at = moment_on(ends, start + (1.0 - start) * share);
            let depth = overlap(&self.relation_at(at, self.coarse(), workspace));
            deepest = Deepest::or_deeper(deepest, depth, at);
        }
        deepest
    }
}

/// How deep two parts overlap: 0 if they do not, infinite where that is not known.
pub(super) fn overlap(relation: &PartRelation) -> f64 {
    match relation.verdict {
        Verdict::Penetrating | Verdict::Contained(_) => relation.depth_at_most,
        Verdict::Touching | Verdict::Separated => 0.0,
    }
}

/// The moment at a share of the straight way.
pub(super) fn moment_on([from, to]: [Moment; 2], t: f64) -> Moment {
    let between = |k: usize| {
        let (from, to) = (from.values[k], to.values[k]);
        if t == 1.0 { to } else { from + (to - from) * t }
    };
    Moment { values: [between(0), between(1)] }
}

/// The share of a moment on the straight way.
fn share_on([from, to]: [Moment; 2], moment: Moment) -> f64 {
    let axis = usize::from(from.values[0] == to.values[0]);
    let way = to.values[axis] - from.values[axis];
    if way == 0.0 { 0.0 } else { ((moment.values[axis] - from.values[axis]) / way).clamp(0.0, 1.0) }
}

/// The rest of a motion.
struct Later<'m> {
    motion: &'m dyn Motion,
    from: f64,
    span: f64,
}

impl Later<'_> {
    fn time(&self, t: f64) -> f64 {
        if t == 1.0 && self.from + self.span >= 1.0 { 1.0 } else { self.from + self.span * t }
    }
}

impl Motion for Later<'_> {
    fn pose(&self, t: f64) -> Pose {
        self.motion.pose(self.time(t))
    }

    fn velocity(&self, from: f64, to: f64) -> VelocityBound {
        let bound = self.motion.velocity(self.time(from), self.time(to));
        if self.span == 1.0 {
            return bound;
        }
        // Outward, for the rounding of the times.
        let (once, twice) = (self.span * (1.0 + 1e-12), self.span * self.span * (1.0 + 1e-12));
        VelocityBound {
            center: bound.center,
            linear: bound.linear * self.span,
            linear_spread: bound.linear_spread * once,
            angular: bound.angular * self.span,
            angular_spread: bound.angular_spread * once,
            linear_acceleration: bound.linear_acceleration * twice,
            angular_acceleration: bound.angular_acceleration * twice,
        }
    }

    fn piece_end(&self, t: f64) -> f64 {
        if self.span == 1.0 {
            return self.motion.piece_end(t);
        }
        let mut time = self.time(t);
        loop {
            let end = self.motion.piece_end(time);
            let here = ((end - self.from) / self.span).min(1.0);
            // Rounding may put the end where we are.
            if here > t || end >= 1.0 || end <= time {
                return if here > t { here } else { 1.0 };
            }
            time = end;
        }
    }
}
