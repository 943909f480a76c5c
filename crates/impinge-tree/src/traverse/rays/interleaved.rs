//! Interleaved rays.
//!
//! All that stand at nodes are tested in one run without a branch, then each is moved on, and what it will read next is asked for while the
//! others have their turn; leaves are collected and visited together in the same way.

use super::super::ray_stack::{NOWHERE, RayStackView, bottom, limit};
use super::{RayStacks, SLOTS, VisitRays};
use crate::Tree;
use crate::tree::NodeChild;
use impinge_geom::bound::{Bound, LANES, LocalRay};
use impinge_geom::simd::{Kernel, Simd};

/// Leaves visited at a time, if there are that many.
const TOGETHER: usize = 8;

/// The tree, and who knows the rays.
pub(super) struct InterleavedKernel<'t, B: Bound, V> {
    pub(super) tree: &'t Tree<B>,
    pub(super) stacks: &'t mut RayStacks,
    pub(super) visitor: &'t mut V,
}

impl<B: Bound, V: VisitRays> Kernel for InterleavedKernel<'_, B, V> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { tree, stacks, visitor } = self;
        let Some(first) = tree.nodes.first() else { return };
        let mut interleaved = InterleavedRays {
            tree,
            visitor,
            stacks: stacks.stacks.ready(),
            root: first.children[0],
            queries: [B::ray_query(&LocalRay::NOWHERE); SLOTS],
            ends: [-1.0; SLOTS],
            tops: [0; SLOTS],
            nodes: [(0, 0); SLOTS],
            node_count: 0,
            leaves: [(0, 0); SLOTS],
            leaf_count: 0,
            masks: [0; SLOTS],
            entries: [[0.0; LANES]; SLOTS],
        };
        for slot in 0..SLOTS {
            interleaved.begin(simd, slot);
        }
        while interleaved.node_count + interleaved.leaf_count > 0 {
            if interleaved.leaf_count >= TOGETHER || interleaved.node_count == 0 {
                interleaved.visit_leaves(simd);
            }
            interleaved.visit_nodes(simd);
        }
        interleaved.visitor.end(simd);
    }
}

/// The rays under way, and where each of them stands.
struct InterleavedRays<'t, B: Bound, V> {
    tree: &'t Tree<B>,
    visitor: &'t mut V,
    stacks: RayStackView<'t>,
    root: NodeChild,
    queries: [B::RayQuery; SLOTS],
    ends: [f32; SLOTS],
    tops: [usize; SLOTS],
    /// Slots, and the nodes they stand at.
    nodes: [(u32, u32); SLOTS],
    node_count: usize,
    /// Slots, and the leaves they stand at.
    leaves: [(u32, u32); SLOTS],
    leaf_count: usize,
    /// What was hit of the nodes, and where.
    masks: [u32; SLOTS],
    entries: [[f32; LANES]; SLOTS],
}

impl<B: Bound, V: VisitRays> InterleavedRays<'_, B, V> {
    /// Begins the next ray in a slot, if there is one.
    #[inline(always)]
    fn begin<S: Simd>(&mut self, simd: S, slot: usize) {
        if let Some(ray) = self.visitor.next(simd, slot) {
            (self.queries[slot % SLOTS], self.ends[slot % SLOTS]) =
                (B::ray_query(ray), limit(ray.end));
            self.tops[slot % SLOTS] = bottom(slot % SLOTS);
            self.arrive(simd, slot, self.root);
        }
    }

    /// Notes that a ray goes on at a child, and asks for that.
    #[inline(always)]
    fn arrive<S: Simd>(&mut self, simd: S, slot: usize, child: NodeChild) {
        if let Some(leaf) = child.leaf() {
            self.visitor.prefetch(simd, leaf);
            self.leaves[self.leaf_count % SLOTS] = (slot as u32, leaf);
            self.leaf_count += 1;
        } else {
            if let Some(node) = self.tree.nodes.get(child.0 as usize) {
                simd.fetch(node);
            }
            self.nodes[self.node_count % SLOTS] = (slot as u32, child.0);
            self.node_count += 1;
        }
    }

    /// Goes on with the next child of a ray that is not beyond what it has found; if there is none, with another ray.
    #[inline(always)]
    fn go_on<S: Simd>(&mut self, simd: S, slot: usize) {
        let slot = slot % SLOTS;
        loop {
            let place = self.stacks.next(simd, self.tops[slot], self.ends[slot]);
            self.tops[slot] = place;
            let child = self.stacks.child(place);
            if child != NOWHERE {
                self.arrive(simd, slot, child);
                return;
            }
            let Some(top) = self.stacks.take_back(slot) else { break };
            self.tops[slot] = top;
        }
        simd.apart(NextRayKernel { interleaved: self, slot });
    }

    #[inline(always)]
    fn visit_leaves<S: Simd>(&mut self, simd: S) {
        let (leaves, count) = (self.leaves, std::mem::take(&mut self.leaf_count).min(SLOTS));
        for &(slot, leaf) in &leaves[..count] {
            self.visitor.look(simd, slot as usize, leaf);
        }
        for &(slot, leaf) in &leaves[..count] {
            self.ends[slot as usize % SLOTS] = limit(self.visitor.leaf(simd, slot as usize, leaf));
            self.go_on(simd, slot as usize);
        }
    }

    #[inline(always)]
    fn visit_nodes<S: Simd>(&mut self, simd: S) {
        let (nodes, count) = (self.nodes, std::mem::take(&mut self.node_count).min(SLOTS));
        let all = self.tree.nodes.as_slice();
        for (k, &(slot, node)) in nodes.iter().enumerate().take(count) {
            let Some(node) = all.get(node as usize) else { continue };
            let slot = slot as usize % SLOTS;
            let (query, end) = (&self.queries[slot], self.ends[slot]);
            let (mask, places) = B::ray_entries(simd, query, end, &node.volumes);
            self.masks[k] = if B::EMPTY_IS_MISSED { mask } else { mask & node.live() };
            self.entries[k] = simd.store32(if B::EMPTY_IS_MISSED {
                places
            } else {
                simd.or_infinity32(self.masks[k], places)
            });
        }
        for (k, &(slot, node)) in nodes.iter().enumerate().take(count) {
            let (slot, hit) = (slot as usize % SLOTS, self.masks[k]);
            let Some(node) = all.get(node as usize) else { continue };
            if hit == 0 {
                self.go_on(simd, slot);
            } else if hit & (hit - 1) == 0 {
                let child = node.children[hit.trailing_zeros() as usize % LANES];
                self.arrive(simd, slot, child);
            } else {
                let top = self.stacks.make_room(slot, self.tops[slot]);
                let entries = simd.load32(&self.entries[k]);
                let (nearest, count) = self.stacks.push(simd, top, entries, &node.children);
                self.tops[slot] = top + count - 1;
                self.arrive(simd, slot, node.children[nearest % LANES]);
            }
        }
    }
}

/// The end of a ray and the begin of another, apart from the loops.
struct NextRayKernel<'a, 't, B: Bound, V> {
    interleaved: &'a mut InterleavedRays<'t, B, V>,
    slot: usize,
}

impl<B: Bound, V: VisitRays> Kernel for NextRayKernel<'_, '_, B, V> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.interleaved.visitor.done(simd, self.slot);
        self.interleaved.begin(simd, self.slot);
    }
}
