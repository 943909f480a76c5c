//! Contact points as conditions on velocities.

use super::SimulationSettings;
use super::motion::BodyState;
use crate::contact::Contact;
use crate::scene::{BodyId, PairReport, StepReport};
use impinge_geom::glam::DVec3;

/// A contact point during a step.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    /// The contact's own, by which the next step finds its impulses.
    pub(super) id: u64,
    /// Places in the list of motions.
    pub(super) bodies: [usize; 2],
    /// There was no such contact in the step before.
    is_new: bool,
    is_of_mesh: bool,
    /// For how many steps it has only been kept.
    unseen: u32,
    /// How far the points are apart along the surface.
    slid: f64,
    /// Points of one manifold have one number, and no others of the step.
    pub(super) manifold: u32,
    /// From the first to the second.
    pub(super) normal: DVec3,
    pub(super) tangents: [DVec3; 2],
    /// The points, each in the frame of its body, from the centre of mass.
    anchors: [DVec3; 2],
    /// The part of the gap that the anchors do not tell.
    offset: f64,
    pub(super) friction: f64,
    pub(super) restitution: f64,
    /// From the centres of mass to the place where impulses act: one place for both bodies, so that no angular momentum is made.
    pub(super) arms: [DVec3; 2],
    /// How far the points are apart along the normal; negative is a depth.
    pub(super) gap: f64,
    /// What an impulse is, for a unit of velocity: along the normal and the tangents.
    pub(super) normal_mass: f64,
    pub(super) tangent_masses: [f64; 2],
    /// The velocity of separation that a bounce asks for: what is left of the approach, and what gravity adds to it in the substep.
    pub(super) bounce: Option<f64>,
    /// Accumulated.
    pub(super) normal_impulse: f64,
    pub(super) tangent_impulses: [f64; 2],
}

/// The impulses of a contact, for the step that follows.
#[derive(Clone, Copy, Debug)]
struct Impulse {
    id: u64,
    /// Which of those with its id: contacts that are kept may have the ids of others.
    order: u32,
    normal: f64,
    /// Along the surface, in the world.
    along: DVec3,
    anchors: [DVec3; 2],
}

/// Two parts, as pairs are sorted.
type Parts = ([BodyId; 2], [u32; 2]);

/// The contacts of a step, and those of the one before.
#[derive(Clone, Debug, Default)]
pub(super) struct Constraints {
    pub(super) list: Vec<Constraint>,
    /// The parts of each run of the list, and where it begins and ends.
    runs: Vec<(Parts, [usize; 2])>,
    old: Vec<Constraint>,
    old_runs: Vec<(Parts, [usize; 2])>,
    /// By id.
    before: Vec<Impulse>,
    after: Vec<Impulse>,
}

impl Constraints {
    /// The contacts in which a body takes part that moves and does not sleep. The others keep their impulses.
    pub(super) fn gather(
        &mut self,
        report: &StepReport,
        settings: &SimulationSettings,
        motions: &mut [BodyState],
        place: impl Fn(BodyId) -> Option<usize>,
    ) {
        std::mem::swap(&mut self.list, &mut self.old);
        std::mem::swap(&mut self.runs, &mut self.old_runs);
        self.list.clear();
        self.runs.clear();
        self.after.clear();
        motions.iter_mut().for_each(|motion| motion.contacts = 0);
        for pair in &report.pairs {
            let (Some(i), Some(j)) = (place(pair.bodies[0]), place(pair.bodies[1])) else {
                continue;
            };
            if motions[i].is_active() || motions[j].is_active() {
                let first = self.list.len();
                self.add(report, pair, settings, motions, [i, j]);
                self.keep((pair.bodies, pair.children), first, settings, motions);
                let count = (self.list.len() - first) as u32;
                motions[i].contacts += count;
                motions[j].contacts += count;
            } else {
                for manifold in report.manifolds(pair) {
                    for contact in report.contacts(manifold) {
                        let kept = with_id(&self.before, contact.id);
                        self.after.extend(kept);
                    }
                }
            }
        }
    }

    /// Adds the contacts of a pair, with the impulses that they had.
    fn add(
        &mut self,
        report: &StepReport,
        pair: &PairReport,
        settings: &SimulationSettings,
        motions: &[BodyState],
        bodies: [usize; 2],
    ) {
        for (number, manifold) in (pair.manifolds[0]..).zip(report.manifolds(pair)) {
            for contact in report.contacts(manifold) {
                let mut new = Constraint::new(motions, bodies, manifold.normal, contact);
                new.manifold = number;
                let past = with_id(&self.before, new.id).iter();
                new.warm(past.copied().find(|past| new.was(past, settings.margin)));
                new.follow(motions);
                self.list.push(new);
            }
        }
    }

    /// Keeps contacts of meshes that are not seen any more, but are still there. A round surface that is a little tilted has one lowest
    /// corner, and is only told to touch there: without the others it would rock from one side to the other without end.
    fn keep(
        &mut self,
        parts: Parts,
        first: usize,
        settings: &SimulationSettings,
        motions: &[BodyState],
    ) {
        let found = self.old_runs.binary_search_by_key(&parts, |run| run.0).ok();
        let range = found.and_then(|index| self.old_runs.get(index)).map(|run| run.1);
        let [start, end] = range.unwrap_or([0, 0]);
        let old = self.old.get(start..end).unwrap_or_default();
        let total: DVec3 = old.iter().map(Constraint::total).sum();
        for past in old.iter().filter(|past| past.is_of_mesh && past.unseen < LONGEST_UNSEEN) {
            if self.list.len() - first >= MOST_WITH_KEPT {
                break;
            }
            let mut kept = past.clone();
            kept.follow(motions);
            kept.unseen += 1;
            kept.is_new = false;
            // Each is a manifold of its own.
            kept.manifold = u32::MAX - self.list.len() as u32;
            let [i, j] = kept.bodies;
            // What is not seen does not wake.
            let is_awake = !motions[i].is_asleep && !motions[j].is_asleep;
            let is_slow = motions[i].speed().max(motions[j].speed()) < settings.bounce_speed;
            let is_there = kept.gap.max(kept.slid) <= settings.margin && is_slow;
            let middle = motions[i].position + kept.arms[0];
            let is_known =
                self.list.get(first..).unwrap_or_default().iter().any(|new| {
                    (motions[i].position + new.arms[0]).distance(middle) < settings.margin
                });
            if is_awake && is_there && !is_known {
                self.list.push(kept);
            }
        }
        share(self.list.get_mut(first..).unwrap_or_default(), total);
        self.runs.push((parts, [first, self.list.len()]));
    }

    /// Keeps the impulses for the next step.
    pub(super) fn remember(&mut self) {
        for constraint in &self.list {
            let (id, normal, anchors) =
                (constraint.id, constraint.normal_impulse, constraint.anchors);
            self.after.push(Impulse { id, order: 0, normal, along: constraint.along(), anchors });
        }
        for (order, impulse) in (0..).zip(&mut self.after) {
            impulse.order = order;
        }
        // A stable sort would need memory in each step.
        self.after.sort_unstable_by_key(|impulse| (impulse.id, impulse.order));
        std::mem::swap(&mut self.before, &mut self.after);
        // By parts: the order of children in a pair is not that of their ids.
        self.runs.sort_unstable_by_key(|run| run.0);
    }
}

/// Those of an id, in a list that is sorted by ids.
fn with_id(list: &[Impulse], id: u64) -> &[Impulse] {
    let first = list.partition_point(|impulse| impulse.id < id);
    let end = list.partition_point(|impulse| impulse.id <= id);
    list.get(first..end).unwrap_or_default()
}

/// How many steps an unseen contact is kept.
const LONGEST_UNSEEN: u32 = 30;

/// Nothing is kept where two parts have this many contacts.
const MOST_WITH_KEPT: usize = 8;

/// Contacts of round surfaces and of meshes come and go from step to step, while the load stays. What those carried that are gone is
/// shared by those that are new.
fn share(run: &mut [Constraint], total: DVec3) {
    let known: DVec3 = run.iter().map(Constraint::total).sum();
    let left = total - known;
    let new = run.iter().filter(|constraint| constraint.is_new).count() as f64;
    for constraint in run.iter_mut().filter(|constraint| constraint.is_new) {
        constraint.normal_impulse = (constraint.normal.dot(left) / new).max(0.0);
    }
}

impl Constraint {
    fn new(motions: &[BodyState], bodies: [usize; 2], normal: DVec3, contact: &Contact) -> Self {
        let (a, b) = (&motions[bodies[0]], &motions[bodies[1]]);
        let anchor = |motion: &BodyState, point: DVec3| {
            motion.rotation.transpose() * (point - motion.position)
        };
        let [on_a, on_b] = contact.points;
        let first = tangent(normal);
        Self {
            id: contact.id,
            bodies,
            is_new: true,
            is_of_mesh: contact.features.iter().any(|feature| feature.triangle.is_some()),
            unseen: 0,
            slid: 0.0,
            manifold: 0,
            normal,
            tangents: [first, normal.cross(first)],
            anchors: [anchor(a, on_a), anchor(b, on_b)],
            offset: contact.distance - normal.dot(on_b - on_a),
            friction: a.material.friction_with(&b.material),
            restitution: a.material.restitution_with(&b.material),
            arms: [DVec3::ZERO; 2],
            gap: contact.distance,
            normal_mass: 0.0,
            tangent_masses: [0.0; 2],
            bounce: None,
            normal_impulse: 0.0,
            tangent_impulses: [0.0; 2],
        }
    }

    /// True if it is the contact that had this impulse. Those of meshes may have the id of one that was elsewhere.
    fn was(&self, past: &Impulse, margin: f64) -> bool {
        let moved = |side: usize| self.anchors[side].distance(past.anchors[side]);
        !self.is_of_mesh || moved(0).min(moved(1)) <= margin
    }

    fn warm(&mut self, past: Option<Impulse>) {
        if let Some(past) = past {
            self.normal_impulse = past.normal;
            self.tangent_impulses = self.tangents.map(|tangent| tangent.dot(past.along));
            self.is_new = false;
        }
    }

    /// The accumulated impulse along the surface.
    pub(super) fn along(&self) -> DVec3 {
        let ([first, second], [j, k]) = (self.tangents, self.tangent_impulses);
        first * j + second * k
    }

    /// The accumulated impulse.
    pub(super) fn total(&self) -> DVec3 {
        self.normal * self.normal_impulse + self.along()
    }

    /// Follows the bodies: where the point is now, how wide the gap, and how heavy the bodies are there.
    pub(super) fn follow(&mut self, motions: &[BodyState]) {
        let [i, j] = self.bodies;
        let (a, b) = (&motions[i], &motions[j]);
        let on_a = a.position + a.rotation * self.anchors[0];
        let on_b = b.position + b.rotation * self.anchors[1];
        let apart = on_b - on_a;
        let along_normal = self.normal.dot(apart);
        self.gap = self.offset + along_normal;
        self.slid = (apart - self.normal * along_normal).length();
        let middle = 0.5 * (on_a + on_b);
        self.arms = [middle - a.position, middle - b.position];
        let [arm_a, arm_b] = self.arms;
        let [first, second] = self.tangents;
        let [normal, first, second] = [self.normal, first, second].map(|along| {
            let response = a.response(arm_a, along) + b.response(arm_b, along);
            if response > 0.0 { 1.0 / response } else { 0.0 }
        });
        (self.normal_mass, self.tangent_masses) = (normal, [first, second]);
    }

    /// True if the two are of one manifold.
    pub(super) fn is_of_manifold(&self, other: &Self) -> bool {
        self.manifold == other.manifold
    }

    /// How fast the second body's point moves away from the first one's.
    pub(super) fn relative_velocity(&self, motions: &[BodyState]) -> DVec3 {
        let [i, j] = self.bodies;
        motions[j].velocity_at(self.arms[1]) - motions[i].velocity_at(self.arms[0])
    }

    pub(super) fn push(&self, motions: &mut [BodyState], impulse: DVec3) {
        let [i, j] = self.bodies;
        motions[i].push(-impulse, self.arms[0]);
        motions[j].push(impulse, self.arms[1]);
    }

    /// True if a fast body would touch in this substep: the sweep stops it before there is a depth.
    pub(super) fn stops_fast(&self, motions: &[BodyState], settings: &SimulationSettings) -> bool {
        let approach = self.normal.dot(self.relative_velocity(motions));
        let gap = self.gap + settings.rest_depth + approach * settings.substep();
        self.bodies.iter().any(|index| motions[*index].is_fast) && gap <= 0.0
    }

    /// Notes the velocity before anything acts in this substep, and whether the contact bounces in it: where bodies approach fast enough and would touch.
    pub(super) fn note_approach(&mut self, motions: &[BodyState], settings: &SimulationSettings) {
        let time = settings.substep();
        let approach = self.normal.dot(self.relative_velocity(motions));
        let [i, j] = self.bodies.map(|index| motions[index].is_active());
        let weight = f64::from(u8::from(j)) - f64::from(u8::from(i));
        let fall = weight * time * self.normal.dot(settings.gravity());
        let touches = self.gap + settings.rest_depth + (approach + fall) * time <= 0.0;
        let bounces = self.restitution > 0.0 && approach < -settings.bounce_speed;
        self.bounce = (bounces && touches).then_some(fall - self.restitution * approach);
    }
}

/// A unit vector across a unit normal, by the axis that it is least along.
fn tangent(normal: DVec3) -> DVec3 {
    let [x, y, z] = normal.abs().to_array();
    let axis = if x <= y && x <= z {
        DVec3::X
    } else if y <= z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    normal.cross(axis).normalize_or(DVec3::X)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::PartFeature;
    use crate::response::{MassProperties, Material};
    use impinge_geom::glam::DMat3;
    use impinge_geom::{Feature, Pose};

    /// What becomes of the impulse 2 of a contact that was new in the step before and is not seen any more, while another is seen: both impulses.
    fn kept(is_asleep: bool) -> Vec<f64> {
        let ids = [0, 1].map(|index| BodyId { index, generation: 0 });
        let unit = DMat3::IDENTITY.to_cols_array_2d();
        let masses = [None, MassProperties::new(1.0, [0.0, 0.0, 1.0], unit).ok()];
        let mut motions = [0, 1]
            .map(|k| BodyState::new(ids[k], Material::default(), masses[k], 1.0, &Pose::IDENTITY));
        motions[1].is_asleep = is_asleep;
        let corner = PartFeature { triangle: Some(0), feature: Feature::SURFACE };
        let at = |id: u64, point: DVec3| {
            let (points, features) = ([point; 2], [corner; 2]);
            let contact = Contact { id, age: 0, points, distance: 0.0, features };
            Constraint::new(&motions, [0, 1], DVec3::Z, &contact)
        };
        let gone = Constraint { normal_impulse: 2.0, ..at(1, DVec3::ZERO) };
        let parts = (ids, [0, 0]);
        let mut constraints = Constraints {
            list: vec![at(2, DVec3::X)],
            old: vec![gone],
            old_runs: vec![(parts, [0, 1])],
            ..Constraints::default()
        };
        constraints.list[0].follow(&motions);
        constraints.keep(parts, 0, &SimulationSettings::default(), &motions);
        constraints.list.iter().map(|constraint| constraint.normal_impulse).collect()
    }

    #[test]
    fn kept_contacts_keep_their_impulses_and_leave_those_asleep_alone() {
        assert_eq!(kept(false), [0.0, 2.0]);
        assert_eq!(kept(true), [2.0]);
    }
}
