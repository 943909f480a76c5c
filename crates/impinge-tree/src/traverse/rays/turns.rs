//! Rays that take turns.
//!
//! All that stand at nodes are tested in one run without a branch, then each is moved on, and what it will read next is asked for while the
//! others have their turn; leaves are collected and visited together in the same way.

use super::super::ray::enlarge;
use super::{RayStacks, SLOTS, VisitRays};
use crate::Tree;
use crate::tree::Child;
use impinge_geom::bound::{Bound, LANES, LocalRay};
use impinge_geom::simd::{Kernel, Simd};

/// So many leaves are visited at a time, if there are.
const TOGETHER: usize = 8;

/// The tree, and who knows the rays.
pub(super) struct Together<'t, B: Bound, V> {
    pub(super) tree: &'t Tree<B>,
    pub(super) stacks: &'t mut RayStacks,
    pub(super) visitor: &'t mut V,
}

impl<B: Bound, V: VisitRays> Kernel for Together<'_, B, V> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { tree, stacks, visitor } = self;
        let Some(first) = tree.nodes.first() else { return };
        let mut turns = Turns {
            tree,
            visitor,
            stacks,
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
            turns.begin(simd, slot);
        }
        while turns.node_count + turns.leaf_count > 0 {
            if turns.leaf_count >= TOGETHER || turns.node_count == 0 {
                turns.visit_leaves(simd);
            }
            turns.visit_nodes(simd);
        }
    }
}

/// The rays under way, and where each of them stands.
struct Turns<'t, B: Bound, V> {
    tree: &'t Tree<B>,
    visitor: &'t mut V,
    stacks: &'t mut RayStacks,
    root: Child,
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

impl<B: Bound, V: VisitRays> Turns<'_, B, V> {
    /// Begins the next ray in a slot, if there is one.
    #[inline(always)]
    fn begin<S: Simd>(&mut self, simd: S, slot: usize) {
        if let Some(ray) = self.visitor.next(simd, slot) {
            (self.queries[slot % SLOTS], self.ends[slot % SLOTS]) = (B::ray_query(ray), ray.end);
            self.tops[slot % SLOTS] = 0;
            self.arrive(simd, slot, self.root);
        }
    }

    /// Notes that a ray goes on at a child, and asks for that.
    #[inline(always)]
    fn arrive<S: Simd>(&mut self, simd: S, slot: usize, child: Child) {
        if let Some(leaf) = child.leaf() {
            self.visitor.soon(simd, leaf);
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
        let end = self.ends[slot].to_bits();
        while let Some(top) = self.tops[slot].checked_sub(1) {
            self.tops[slot] = top;
            let Some(&next) = self.stacks.entries[slot].get(top) else { break };
            if (next >> 32) as u32 <= end {
                self.arrive(simd, slot, Child(next as u32));
                return;
            }
        }
        simd.apart(Another { turns: self, slot });
    }

    #[inline(always)]
    fn visit_leaves<S: Simd>(&mut self, simd: S) {
        let (leaves, count) = (self.leaves, std::mem::take(&mut self.leaf_count).min(SLOTS));
        self.visitor.leaves(simd, &leaves[..count], &mut self.ends);
        for &(slot, _) in &leaves[..count] {
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
            self.entries[k] = simd.store32(places);
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
                let (stack, top) = (&mut self.stacks.entries[slot], self.tops[slot]);
                if stack.len() < top + LANES {
                    enlarge(stack);
                }
                let room = stack.get_mut(top..top + LANES).and_then(|room| room.try_into().ok());
                let Some(room) = room else { continue };
                let (nearest, pushed) = sorted(hit, &self.entries[k], &node.children, room);
                self.tops[slot] = top + pushed;
                self.arrive(simd, slot, Child(nearest as u32));
            }
        }
    }
}

/// The end of a ray and the begin of another, apart from the loops.
struct Another<'a, 't, B: Bound, V> {
    turns: &'a mut Turns<'t, B, V>,
    slot: usize,
}

impl<B: Bound, V: VisitRays> Kernel for Another<'_, '_, B, V> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.turns.visitor.done(self.slot);
        self.turns.begin(simd, self.slot);
    }
}

/// Writes the children that are hit but the nearest, the nearer ones later. Says which is the nearest, and how many were
/// written.
#[inline(always)]
fn sorted(
    mut hit: u32,
    entries: &[f32; LANES],
    children: &[Child; LANES],
    sorted: &mut [u64; LANES],
) -> (u64, usize) {
    let mut next = || {
        let lane = hit.trailing_zeros() as usize % LANES;
        hit &= hit - 1;
        (hit, u64::from(entries[lane].to_bits()) << 32 | u64::from(children[lane].0))
    };
    let ((_, a), (left, b)) = (next(), next());
    let (a, b) = (a.max(b), a.min(b));
    if left == 0 {
        sorted[0] = a;
        return (b, 1);
    }
    let (left, c) = next();
    let (b, c) = (b.max(c), b.min(c));
    let (a, b) = (a.max(b), a.min(b));
    (sorted[0], sorted[1]) = (a, b);
    if left == 0 {
        return (c, 2);
    }
    sorted[2] = c;
    let mut count = 3;
    loop {
        let (left, other) = next();
        let mut place = count % LANES;
        while place > 0 && sorted[place - 1] < other {
            sorted[place] = sorted[place - 1];
            place -= 1;
        }
        sorted[place] = other;
        count += 1;
        if left == 0 {
            count -= 1;
            return (sorted[count % LANES], count);
        }
    }
}
