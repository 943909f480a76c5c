//! Rays in a row.
//!
//! Each goes on by one node in turn, without a branch that depends on what is met, so that the tests of one overlap with those of the
//! others. All are tested before any is moved on: a processor looks only so far ahead for something that it can begin, and what has to wait for the
//! test just before it fills that window. Then those that stand at leaves visit them, and those that have ended make room for the next.

use super::super::ray::{END, enlarge, is_beyond, pop};
use super::{RayStacks, SLOTS, VisitRays};
use crate::Tree;
use crate::tree::Child;
use impinge_geom::bound::{Bound, LANES, LocalRay};
use impinge_geom::simd::{Kernel, Simd};

/// The tree, and who knows the rays.
pub(super) struct Row<'t, B: Bound, V> {
    pub(super) tree: &'t Tree<B>,
    pub(super) stacks: &'t mut RayStacks,
    pub(super) visitor: &'t mut V,
}

/// A ray on its way.
struct Walker<B: Bound> {
    query: B::RayQuery,
    end: f32,
    child: Child,
    top: usize,
}

impl<B: Bound> Walker<B> {
    const NOWHERE: Child = Child(END as u32);

    fn nowhere() -> Self {
        let query = B::ray_query(&LocalRay::NOWHERE);
        Self { query, end: -1.0, child: Self::NOWHERE, top: 1 }
    }

    #[inline(always)]
    fn begin(&mut self, ray: &LocalRay, root: Child) {
        self.query = B::ray_query(ray);
        (self.end, self.child, self.top) = (ray.end, root, 1);
    }
}

impl<B: Bound, V: VisitRays> Kernel for Row<'_, B, V> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { tree, stacks: RayStacks { entries: stacks }, visitor } = self;
        let Some(first) = tree.nodes.first() else { return };
        let root = first.children[0];
        let mut walkers: [Walker<B>; SLOTS] = std::array::from_fn(|_| Walker::nowhere());
        // One bit for each slot.
        let (mut under_way, mut at_leaves) = (0_u32, u32::from(root.leaf().is_some()) * u32::MAX);
        for (slot, (walker, stack)) in walkers.iter_mut().zip(&mut *stacks).enumerate() {
            if stack.is_empty() {
                enlarge(stack);
            }
            if let (Some(bottom), Some(ray)) = (stack.first_mut(), visitor.next(simd, slot)) {
                *bottom = END;
                walker.begin(ray, root);
                under_way |= 1 << slot;
            }
        }
        // Where the rays enter the children of their nodes.
        let mut met = [[0.0; LANES]; SLOTS];
        while under_way != 0 {
            at_leaves &= under_way;
            while at_leaves != 0 {
                let slot = at_leaves.trailing_zeros() as usize % SLOTS;
                at_leaves &= at_leaves - 1;
                let (walker, stack) = (&mut walkers[slot], &stacks[slot]);
                // Until it stands at a node again.
                while let Some(leaf) = walker.child.leaf() {
                    if walker.child != Walker::<B>::NOWHERE {
                        walker.end = visitor.leaf(simd, slot, leaf);
                        walker.child = pop(stack, &mut walker.top, walker.end);
                        continue;
                    }
                    visitor.done(slot);
                    let Some(ray) = visitor.next(simd, slot) else {
                        under_way &= !(1 << slot);
                        break;
                    };
                    walker.begin(ray, root);
                }
            }
            for (walker, entries) in walkers.iter().zip(&mut met) {
                *entries = test(simd, tree, walker);
            }
            for (slot, (walker, stack)) in walkers.iter_mut().zip(&mut *stacks).enumerate() {
                step(simd, tree, walker, &met[slot], stack);
                at_leaves |= u32::from(walker.child.leaf().is_some()) << slot;
            }
        }
    }
}

/// Where the ray enters the children of the node at which it stands.
#[inline(always)]
fn test<S: Simd, B: Bound>(simd: S, tree: &Tree<B>, walker: &Walker<B>) -> [f32; LANES] {
    let Some(node) = tree.nodes.get(walker.child.0 as usize) else { return [0.0; LANES] };
    let (mask, entries) = B::ray_entries(simd, &walker.query, walker.end, &node.volumes);
    let entries =
        if B::EMPTY_IS_MISSED { entries } else { simd.or_infinity32(mask & node.live(), entries) };
    simd.store32(entries)
}

/// Moves on by one node; does nothing if the ray stands at a leaf.
#[inline(always)]
fn step<S: Simd, B: Bound>(
    simd: S,
    tree: &Tree<B>,
    walker: &mut Walker<B>,
    entries: &[f32; LANES],
    stack: &mut Vec<u64>,
) {
    let Some(node) = tree.nodes.get(walker.child.0 as usize) else { return };
    let top = walker.top;
    let room: Option<&mut [u64; LANES + 1]> =
        stack.get_mut(top - 1..top + LANES).and_then(|room| room.try_into().ok());
    let Some(room) = room else {
        enlarge(stack);
        return;
    };
    let entries = simd.load32(entries);
    let children = node.children.map(|child| child.0);
    let [_, above @ ..] = &mut *room;
    let (_, count) = simd.far_first32(entries, &children, above);
    // The nearest is on top now; if none is met, what was there before.
    let next = room.get(count).copied().unwrap_or(END);
    walker.top = top + count - 1;
    walker.child = Child(next as u32);
    if is_beyond(next, walker.end) {
        walker.child = pop(stack, &mut walker.top, walker.end);
    }
}
