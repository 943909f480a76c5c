//! The contact cache: which bodies met in the previous step, and the ids of their contacts.

use super::{Contact, ContactManifold};
use crate::mid::PartPair;
use crate::narrow::PairResult;
use crate::scene::{BodyId, Event, EventKind, PairReport, Slot, StepReport};
use std::cmp::Ordering;

/// What the step before found, as far as the next one needs it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactCache {
    /// Pairs of bodies that met, sorted.
    met: Vec<[BodyId; 2]>,
    meeting: Vec<[BodyId; 2]>,
    /// The contacts of every job of the step before: their places in the list.
    ranges: Vec<[u32; 2]>,
    new_ranges: Vec<[u32; 2]>,
    contacts: Vec<Contact>,
    next_id: u64,
    /// Which contacts of the pair at hand have given their ids away.
    taken: Vec<bool>,
}

impl ContactCache {
    /// Writes pairs, manifolds and events into the report.
    pub(crate) fn update(
        &mut self,
        slots: &[Slot],
        part_pairs: &[PartPair],
        found: &[PairResult],
        report: &mut StepReport,
    ) {
        std::mem::swap(&mut self.contacts, &mut report.contacts);
        report.pairs.clear();
        report.manifolds.clear();
        report.contacts.clear();
        report.events.clear();
        self.meeting.clear();
        self.new_ranges.clear();
        for (pair, found) in part_pairs.iter().zip(found) {
            let first = report.contacts.len() as u32;
            if let Some(answer) = &found.answer {
                let manifolds = self.manifolds(pair, found, report);
                let pair = PairReport {
                    bodies: pair.bodies,
                    children: child_ids(slots, pair),
                    verdict: answer.verdict,
                    certainty: answer.certainty,
                    distance: answer.distance,
                    manifolds,
                };
                if pair.meets() && self.meeting.last() != Some(&pair.bodies) {
                    self.meeting.push(pair.bodies);
                }
                report.pairs.push(pair);
            }
            self.new_ranges.push([first, report.contacts.len() as u32]);
        }
        std::mem::swap(&mut self.ranges, &mut self.new_ranges);
        events(&self.met, &self.meeting, &mut report.events);
        std::mem::swap(&mut self.met, &mut self.meeting);
        report.counts.contacts = report.contacts.len();
    }

    /// Adds the manifolds of a pair to the report, with the ids of the contacts that were there before.
    fn manifolds(
        &mut self,
        pair: &PartPair,
        found: &PairResult,
        report: &mut StepReport,
    ) -> [u32; 2] {
        let first = report.manifolds.len() as u32;
        let range = pair.before.and_then(|index| self.ranges.get(index as usize));
        let [start, end] = range.map_or([0, 0], |range| range.map(|index| index as usize));
        let old = self.contacts.get(start..end).unwrap_or_default();
        self.taken.clear();
        self.taken.resize(old.len(), false);
        let begin = report.contacts.len();
        for unmatched in &found.manifolds {
            let from = report.contacts.len() as u32;
            for point in unmatched.points() {
                let same = |past: &Contact| past.features == point.features;
                let contact = Contact::new(*point);
                report.contacts.push(inherit(contact, old, &mut self.taken, same));
            }
            let contacts = [from, report.contacts.len() as u32];
            report.manifolds.push(ContactManifold { normal: unmatched.normal, contacts });
        }
        // A corner that slides from one triangle onto the next is still the same corner.
        for contact in report.contacts.iter_mut().skip(begin).filter(|contact| contact.id == 0) {
            let side = contact.features.iter().position(|feature| feature.triangle.is_none());
            let now = *contact;
            if let Some(side) = side {
                let same = |past: &Contact| past.features[side] == now.features[side];
                *contact = inherit(now, old, &mut self.taken, same);
            }
            if contact.id == 0 {
                self.next_id += 1;
                contact.id = self.next_id;
            }
        }
        [first, report.manifolds.len() as u32]
    }
}

/// The contact with the id of the first old one that is the same and was not taken yet.
fn inherit(
    contact: Contact,
    old: &[Contact],
    taken: &mut [bool],
    same: impl Fn(&Contact) -> bool,
) -> Contact {
    for (past, taken) in old.iter().zip(taken) {
        if !*taken && same(past) {
            *taken = true;
            return Contact { id: past.id, age: past.age.saturating_add(1), ..contact };
        }
    }
    contact
}

/// The ids of the two children of a job.
pub(crate) fn child_ids(slots: &[Slot], pair: &PartPair) -> [u32; 2] {
    [0, 1].map(|side| {
        let body = slots.get(pair.bodies[side].index as usize).and_then(|slot| slot.body.as_ref());
        let children = body.map(|body| body.geometry.children()).unwrap_or_default();
        children.get(pair.children[side] as usize).map_or(0, |child| child.id)
    })
}

/// Compares two sorted lists of pairs of bodies.
fn events(met: &[[BodyId; 2]], meeting: &[[BodyId; 2]], events: &mut Vec<Event>) {
    let (mut old, mut new) = (met.iter().peekable(), meeting.iter().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(old), Some(new)) => old.cmp(new),
        };
        let ended = if order.is_le() { old.next() } else { None };
        let now = if order.is_ge() { new.next() } else { None };
        let (kind, bodies) = match (ended, now) {
            (Some(_), Some(bodies)) => (EventKind::Stay, bodies),
            (Some(bodies), None) => (EventKind::End, bodies),
            (None, Some(bodies)) => (EventKind::Begin, bodies),
            (None, None) => return,
        };
        events.push(Event { kind, bodies: *bodies });
    }
}
