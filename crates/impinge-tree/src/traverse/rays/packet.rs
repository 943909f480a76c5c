//! Ray packets.
//!
//! A processor guesses where branches go, and a wrong guess costs it all that it has begun ahead. Where a ray stands after a step, at a node, at a
//! leaf or at its end, is anybody's guess; so nothing branches on it. Rays that stand at nodes go on in rows of sixteen, those at leaves and
//! at their ends wait until there are eight of them. In a row all are tested before any is moved on: a processor looks only so far ahead for something
//! that it can begin, and what has to wait for the test just before it fills that window.

use super::super::ray_stack::{NOWHERE, RayStackView, bottom, limit};
use super::{RayStacks, SLOTS, VisitRays};
use crate::Tree;
use crate::tree::{Node, NodeChild};
use impinge_geom::bound::{Bound, LANES, LocalRay};
use impinge_geom::simd::{Kernel, Simd};

/// Rays that advance at nodes at a time.
const AT_NODES: usize = 16;
/// Rays that visit leaves, or end, at a time.
const TOGETHER: u32 = 8;
/// All slots, and one that nobody has: it stands in where fewer rays are at nodes than go on at a time.
const WITH_NOBODY: usize = SLOTS + 1;

/// The tree, and who knows the rays.
pub(super) struct PacketKernel<'t, B: Bound, V> {
    pub(super) tree: &'t Tree<B>,
    pub(super) stacks: &'t mut RayStacks,
    pub(super) visitor: &'t mut V,
}

/// The rays under way.
struct RayPacket<'t, B: Bound, V> {
    nodes: &'t [Node<B>],
    visitor: &'t mut V,
    stacks: RayStackView<'t>,
    root: NodeChild,
    queries: [B::RayQuery; WITH_NOBODY],
    /// As [`limit`] gives them.
    ends: [f32; WITH_NOBODY],
    children: [NodeChild; WITH_NOBODY],
    /// Of the piles.
    tops: [usize; WITH_NOBODY],
}

/// Slots by where their rays stand, one bit each.
#[derive(Clone, Copy, Default)]
struct RayStates {
    under_way: u32,
    /// At leaves or at their ends.
    stopped: u32,
    ended: u32,
}

impl RayStates {
    #[inline(always)]
    fn add(&mut self, slot: usize, child: NodeChild) {
        self.stopped |= child.0 >> 31 << slot;
        self.ended |= u32::from(child == NOWHERE) << slot;
    }

    #[inline(always)]
    fn at_nodes(self) -> u32 {
        self.under_way & !self.stopped
    }

    #[inline(always)]
    fn at_leaves(self) -> u32 {
        self.stopped & !self.ended
    }
}

/// Takes the lowest slot out of a mask; `SLOTS` if there is none.
#[inline(always)]
fn take(mask: &mut u32) -> usize {
    let slot = mask.trailing_zeros() as usize;
    *mask &= mask.wrapping_sub(1);
    slot
}

impl<B: Bound, V: VisitRays> Kernel for PacketKernel<'_, B, V> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { tree, stacks, visitor } = self;
        let Some(first) = tree.nodes.first() else { return };
        let mut crowd = RayPacket {
            nodes: &tree.nodes,
            visitor,
            stacks: stacks.stacks.ready(),
            root: first.children[0],
            queries: [B::ray_query(&LocalRay::NOWHERE); WITH_NOBODY],
            ends: [-1.0; WITH_NOBODY],
            children: [NOWHERE; WITH_NOBODY],
            tops: [0; WITH_NOBODY],
        };
        let mut states = RayStates::default();
        for slot in 0..SLOTS {
            crowd.begin(simd, slot, &mut states);
        }
        while states.under_way != 0 {
            let (at_nodes, at_leaves) = (states.at_nodes(), states.at_leaves());
            if at_leaves.count_ones() >= TOGETHER {
                crowd.visit_leaves(simd, &mut states);
            } else if states.ended.count_ones() >= TOGETHER {
                crowd.end(simd, &mut states);
            } else if at_nodes != 0 {
                crowd.visit_nodes(simd, &mut states);
            } else if at_leaves != 0 {
                crowd.visit_leaves(simd, &mut states);
            } else {
                crowd.end(simd, &mut states);
            }
        }
        crowd.visitor.end(simd);
    }
}

impl<B: Bound, V: VisitRays> RayPacket<'_, B, V> {
    /// Begins the next ray in a slot, if there is one.
    #[inline(always)]
    fn begin<S: Simd>(&mut self, simd: S, slot: usize, states: &mut RayStates) {
        if let Some(ray) = self.visitor.next(simd, slot) {
            self.queries[slot] = B::ray_query(ray);
            self.ends[slot] = limit(ray.end);
            self.children[slot] = self.root;
            self.tops[slot] = bottom(slot);
            states.under_way |= 1 << slot;
            states.add(slot, self.root);
        }
    }

    /// Goes to a place of a pile.
    #[inline(always)]
    fn go_to(&mut self, slot: usize, place: usize, states: &mut RayStates) {
        let child = self.stacks.child(place);
        self.tops[slot] = place;
        self.children[slot] = child;
        states.add(slot, child);
    }

    #[inline(always)]
    fn visit_nodes<S: Simd>(&mut self, simd: S, states: &mut RayStates) {
        let mut met = [[0.0; LANES]; AT_NODES];
        let mut left = states.at_nodes();
        for met in &mut met {
            let slot = take(&mut left);
            let Some(node) = self.nodes.get(self.children[slot].0 as usize) else { continue };
            let (query, end) = (&self.queries[slot], self.ends[slot]);
            let (mask, entries) = B::ray_entries(simd, query, end, &node.volumes);
            let entries = if B::EMPTY_IS_MISSED {
                entries
            } else {
                simd.or_infinity32(mask & node.live(), entries)
            };
            *met = simd.store32(entries);
        }
        let mut left = states.at_nodes();
        for met in &met {
            let slot = take(&mut left);
            let Some(node) = self.nodes.get(self.children[slot].0 as usize) else { continue };
            let top = self.stacks.make_room(slot, self.tops[slot]);
            let (_, count) = self.stacks.push(simd, top, simd.load32(met), &node.children);
            // The nearest child; if none is met, what was on top before. That may lie behind the end by now: then nothing is met there.
            self.go_to(slot, top + count - 1, states);
        }
    }

    #[inline(always)]
    fn visit_leaves<S: Simd>(&mut self, simd: S, states: &mut RayStates) {
        let all = states.at_leaves();
        let (mut left, count) = (all, all.count_ones().min(TOGETHER));
        for _ in 0..count {
            let slot = take(&mut left);
            self.visitor.look(simd, slot, self.children[slot].0 & !NodeChild::LEAF);
        }
        states.stopped &= !(all & !left);
        let mut left = all;
        for _ in 0..count {
            let slot = take(&mut left);
            let end = self.visitor.leaf(simd, slot, self.children[slot].0 & !NodeChild::LEAF);
            let end = limit(end);
            self.ends[slot] = end;
            let place = self.stacks.next(simd, self.tops[slot], end);
            self.go_to(slot, place, states);
        }
    }

    #[inline(always)]
    fn end<S: Simd>(&mut self, simd: S, states: &mut RayStates) {
        let mut left = states.ended;
        for _ in 0..left.count_ones().min(TOGETHER) {
            let slot = take(&mut left);
            states.ended &= !(1 << slot);
            states.stopped &= !(1 << slot);
            if let Some(top) = self.stacks.take_back(slot) {
                let place = self.stacks.next(simd, top, self.ends[slot]);
                self.go_to(slot, place, states);
                continue;
            }
            states.under_way &= !(1 << slot);
            self.visitor.done(simd, slot);
            self.begin(simd, slot, states);
        }
    }
}
