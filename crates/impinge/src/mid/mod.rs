//! From pairs of boxes to pairs of parts: the rules are applied, and compounds are taken apart.
//!
//! Pairs come out in the order of their bodies and children, so that what the step before found about them can be looked up by walking
//! along both lists.

use crate::broad::ObjectVolume;
use crate::scene::{Body, BodyId, Rules, Slot};
use impinge_geom::DAabb;

/// Two parts to be looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PartPair {
    pub(crate) bodies: [BodyId; 2],
    /// Positions in the lists of children, not their ids.
    pub(crate) children: [u32; 2],
    /// The distance from which they are reported.
    pub(crate) margin: f64,
    /// Where the same two parts were in the list of the step before.
    pub(crate) before: Option<u32>,
    /// False if nothing has changed since then.
    pub(crate) changed: bool,
}

impl PartPair {
    fn place(&self) -> ([u32; 2], [u32; 2]) {
        (self.bodies.map(|body| body.index), self.children)
    }
}

/// The pairs of this step and of the one before.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartPairs {
    pub(crate) list: Vec<PartPair>,
    before: Vec<PartPair>,
    boxes: [Boxes; 2],
}

/// By what pairs of bodies are chosen.
#[derive(Clone, Copy)]
pub(crate) struct PairFilter<'a> {
    pub(crate) rules: &'a Rules,
    /// One margin for all, instead of those of the rules.
    pub(crate) margin: Option<f64>,
    /// The volumes of bodies, which may reject a pair a second time.
    pub(crate) volume: ObjectVolume,
}

/// The boxes of a body's children.
#[derive(Clone, Debug, Default)]
struct Boxes {
    /// Which body's, grown by how much.
    of: Option<(BodyId, f64)>,
    list: Vec<DAabb>,
    all: Option<DAabb>,
}

impl Boxes {
    fn fill(&mut self, id: BodyId, body: &Body, grown: f64) {
        if self.of == Some((id, grown)) {
            return;
        }
        self.of = Some((id, grown));
        self.list.clear();
        for child in body.geometry.children() {
            let place = body.geometry.place(child, &body.pose);
            self.list.push(child.part.as_ref().bounds(&place).grown(grown));
        }
        self.all = self.list.iter().copied().reduce(|all, one| all.joined(&one));
    }
}

impl PartPairs {
    /// Replaces the list by the pairs of parts of these pairs of bodies, which are sorted; what `changed` denies is as it was.
    pub(crate) fn collect(
        &mut self,
        slots: &[Slot],
        PairFilter { rules, margin, volume }: PairFilter<'_>,
        pairs: &[[u32; 2]],
        changed: &dyn Fn(u32) -> bool,
    ) {
        std::mem::swap(&mut self.list, &mut self.before);
        self.list.clear();
        self.boxes.iter_mut().for_each(|boxes| boxes.of = None);
        let found = |index: u32| -> Option<(&Body, BodyId)> {
            let slot = slots.get(index as usize)?;
            Some((slot.body.as_ref()?, BodyId { index, generation: slot.generation }))
        };
        for &[a, b] in pairs {
            let (Some(first), Some(second)) = (found(a), found(b)) else { continue };
            let Some(own) = rules.margin(first, second) else { continue };
            // Within a margin also those count that are apart.
            if margin.unwrap_or(own) == 0.0 && are_apart(slots, volume, a, b) {
                continue;
            }
            self.children(first, second, margin.unwrap_or(own), changed(a) || changed(b));
        }
        self.remember();
    }

    /// Adds the pairs of children whose boxes are near enough.
    fn children(
        &mut self,
        (a, id_a): (&Body, BodyId),
        (b, id_b): (&Body, BodyId),
        margin: f64,
        changed: bool,
    ) {
        let pair =
            |children| PartPair { bodies: [id_a, id_b], children, margin, before: None, changed };
        if a.geometry.is_single() && b.geometry.is_single() {
            self.list.push(pair([0, 0]));
            return;
        }
        let [of_a, of_b] = &mut self.boxes;
        // Both boxes of two parts within the margin are grown by half of it, and so overlap.
        of_a.fill(id_a, a, 0.5 * margin);
        of_b.fill(id_b, b, 0.5 * margin);
        let (Some(all_a), Some(all_b)) = (of_a.all, of_b.all) else { return };
        if !all_a.overlaps(&all_b) {
            return;
        }
        for (i, one) in (0..).zip(&of_a.list).filter(|(_, one)| one.overlaps(&all_b)) {
            let near = (0..).zip(&of_b.list).filter(|(_, other)| one.overlaps(other));
            self.list.extend(near.map(|(j, _): (u32, _)| pair([i, j])));
        }
    }

    /// Finds every pair in the list of the step before.
    fn remember(&mut self) {
        let mut old = (0..).zip(&self.before).peekable();
        for pair in &mut self.list {
            while old.next_if(|(_, past)| past.place() < pair.place()).is_some() {}
            let Some((index, past)) = old.peek() else { break };
            if past.place() == pair.place() && past.bodies == pair.bodies {
                pair.before = Some(*index);
                pair.changed |= past.margin != pair.margin;
            }
        }
    }
}

/// True if the second look of the volume tells that two bodies do not touch.
fn are_apart(slots: &[Slot], volume: ObjectVolume, a: u32, b: u32) -> bool {
    let seen = |index: u32| {
        let slot = slots.get(index as usize)?;
        Some((slot.outline.as_ref()?, &slot.body.as_ref()?.pose))
    };
    seen(a).zip(seen(b)).is_some_and(|(a, b)| volume.are_apart(a, b))
}
