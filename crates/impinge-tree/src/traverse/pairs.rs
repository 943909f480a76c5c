//! Tree against tree, depth first: the pairs of leaves whose volumes overlap.
//!
//! S. Gottschalk, M. Lin and D. Manocha, "OBBTree" (1996), section 6, eight children at a time. One volume of a pair is
//! carried into the frame of the other and tested against the eight children there; the pairs that remain are kept on a stack
//! that belongs to the caller.

use super::{Policy, Visit};
use crate::{Probe, Tree};
use impinge_geom::bound::{Bound, Overlaps, RelativeFrame};
use impinge_geom::simd::{Kernel, Simd, dispatch};
use std::ops::ControlFlow;

/// The remaining pairs. Keep it between queries, so that they do not allocate.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    entries: Vec<(u32, u32)>,
}

/// The two trees, the pose of the second, and the descent policy.
#[derive(Clone, Copy, Debug)]
pub struct PairTraversal<'t, B: Bound> {
    /// The tree in whose frame leaves are compared.
    pub a: &'t Tree<B>,
    /// The other one.
    pub b: &'t Tree<B>,
    /// Its pose.
    pub placement: &'t RelativeFrame,
    /// Which volume of a pair to open.
    pub policy: Policy,
}

/// Visits all pairs of leaves whose volumes overlap, or until the visitor stops.
pub fn pairs<B: Bound>(
    trees: PairTraversal<'_, B>,
    stack: &mut Stack,
    visitor: &mut impl Visit,
    probe: &mut impl Probe,
) -> ControlFlow<()> {
    if trees.a.is_empty() || trees.b.is_empty() {
        return ControlFlow::Continue(());
    }
    stack.entries.clear();
    dispatch(Descent { trees, stack: &mut stack.entries, visitor, probe })
}

struct Descent<'d, B: Bound, V, P> {
    trees: PairTraversal<'d, B>,
    stack: &'d mut Vec<(u32, u32)>,
    visitor: &'d mut V,
    probe: &'d mut P,
}

/// Marks, in an entry's second place, that A was opened last.
const OPENED_A: u32 = 1 << 31;

impl<B: Bound, V: Visit, P: Probe> Kernel for Descent<'_, B, V, P> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> ControlFlow<()> {
        let Self { trees: PairTraversal { a, b, placement, policy }, stack, visitor, probe } = self;
        let (root, _) = a.at(0);
        let query = B::get(&b.at(0).0.volumes, 0).moved(&placement.b_to_a);
        let overlaps = B::overlaps(simd, &query, &root.volumes, placement.b_to_a.margin);
        probe.volumes(1);
        if overlaps.mask & 1 == 0 {
            return ControlFlow::Continue(());
        }
        stack.push((0, 0));
        while let Some((place_a, entry_b)) = stack.pop() {
            let place_b = entry_b & !OPENED_A;
            if V::SELECTIVE
                && let Some(apart) = visitor.cull(place_a, place_b)
            {
                probe.supports(apart);
                if apart {
                    continue;
                }
            }
            let ((node_a, lane_a), (node_b, lane_b)) = (a.at(place_a), b.at(place_b));
            let (child_a, child_b) = (node_a.children[lane_a], node_b.children[lane_b]);
            let (open_a, open_b) = match (child_a.leaf(), child_b.leaf()) {
                (Some(leaf_a), Some(leaf_b)) => {
                    probe.leaves();
                    if visitor.leaf_pair(simd, leaf_a, leaf_b).is_break() {
                        return ControlFlow::Break(());
                    }
                    continue;
                }
                (None, Some(_)) => (true, false),
                (Some(_), None) => (false, true),
                (None, None) => match policy {
                    Policy::LargerFirst => {
                        let size_a = B::size_in(&node_a.volumes, lane_a);
                        let size_b = B::size_in(&node_b.volumes, lane_b);
                        let larger = size_a >= size_b * placement.b_to_a.scale;
                        (larger, !larger)
                    }
                    Policy::Alternate => {
                        let opened_a = entry_b & OPENED_A != 0;
                        (!opened_a, opened_a)
                    }
                    Policy::Both => (true, true),
                },
            };
            if open_a && open_b {
                let below = &b.nodes[child_b.0 as usize];
                for lane in (0..below.count).rev() {
                    let query = B::get(&below.volumes, lane as usize).moved(&placement.b_to_a);
                    let next = &a.nodes[child_a.0 as usize];
                    let found = B::overlaps(simd, &query, &next.volumes, placement.b_to_a.margin);
                    probe.volumes(next.count);
                    let entry = (child_a.0 * 8, child_b.0 * 8 + lane);
                    push::<S, V>(simd, stack, found, next.live(), entry, (1, 0));
                }
                continue;
            }
            // One copy of the test for both cases: which one comes is hard to foresee.
            let (query, motion, next, entry, step) = if open_a {
                let next = &a.nodes[child_a.0 as usize];
                let entry = (child_a.0 * 8, place_b | OPENED_A);
                ((node_b, lane_b), &placement.b_to_a, next, entry, (1, 0))
            } else {
                let next = &b.nodes[child_b.0 as usize];
                ((node_a, lane_a), &placement.a_to_b, next, (place_a, child_b.0 * 8), (0, 1))
            };
            let query = B::get(&query.0.volumes, query.1).moved(motion);
            let found = B::overlaps(simd, &query, &next.volumes, motion.margin);
            probe.volumes(next.count);
            push::<S, V>(simd, stack, found, next.live(), entry, step);
        }
        ControlFlow::Continue(())
    }
}

/// Puts the lanes that overlap on the stack, as `entry` plus the lane times `step`; with [`Visit::ORDERED`] so that the deepest
/// overlap is on top.
#[inline(always)]
fn push<S: Simd, V: Visit>(
    simd: S,
    stack: &mut Vec<(u32, u32)>,
    found: Overlaps<S>,
    live: u32,
    (a, b): (u32, u32),
    (step_a, step_b): (u32, u32),
) {
    let entry = |lane: u32| (a + lane * step_a, b + lane * step_b);
    let mut left = found.mask & live;
    if !V::ORDERED || left & left.wrapping_sub(1) == 0 {
        while left != 0 {
            stack.push(entry(left.trailing_zeros()));
            left &= left - 1;
        }
        return;
    }
    let separation = simd.store32(found.separation);
    let base = stack.len();
    let mut keys = [0.0f32; 8];
    while left != 0 {
        let lane = left.trailing_zeros();
        left &= left - 1;
        let key = separation[lane as usize % 8];
        let mut place = stack.len() - base;
        stack.push((0, 0));
        // Greater separation sinks to the bottom.
        while place > 0 && keys[place - 1] < key {
            keys[place] = keys[place - 1];
            stack[base + place] = stack[base + place - 1];
            place -= 1;
        }
        keys[place] = key;
        stack[base + place] = entry(lane);
    }
}
