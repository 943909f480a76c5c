//! A ray through a tree, near children first.
//!
//! As Embree does (I. Wald and others, 2014), the ray is tested against all children of a node at once; the nearest is followed
//! and the others are put on the stack in order.

use super::Visit;
use crate::tree::Child;
use crate::{Probe, Tree};
use impinge_geom::bound::{Bound, LANES, LocalRay};
use impinge_geom::simd::{Kernel, Simd, dispatch};
use std::ops::ControlFlow;

/// The nodes that are still to be looked at, and where the ray enters each. Keep it between queries: then they do not allocate.
#[derive(Clone, Debug, Default)]
pub struct RayStack {
    /// The bits of the place of entry, which are ordered like the place itself, above those of the child.
    entries: Vec<u64>,
}

/// Room for what most trees need; deeper ones get more.
const ROOM: usize = 256;

/// Visits the leaves that the ray may meet before [`Visit::limit`], in about the order in which it does.
///
/// The visitor is given the leaf as `a`, and 0 as `b`; its limit, in steps of the ray, may shrink as it finds hits.
pub fn ray<B: Bound>(
    tree: &Tree<B>,
    ray: &LocalRay,
    stack: &mut RayStack,
    visitor: &mut impl Visit,
    probe: &mut impl Probe,
) -> ControlFlow<()> {
    dispatch(Descent { tree, ray, stack: &mut stack.entries, visitor, probe })
}

struct Descent<'d, B: Bound, V, P> {
    tree: &'d Tree<B>,
    ray: &'d LocalRay,
    stack: &'d mut Vec<u64>,
    visitor: &'d mut V,
    probe: &'d mut P,
}

impl<B: Bound, V: Visit, P: Probe> Kernel for Descent<'_, B, V, P> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> ControlFlow<()> {
        descend(simd, self.tree, self.ray, self.stack, self.visitor, self.probe)
    }
}

/// [`ray`] inside a function that is dispatched already.
#[inline(always)]
pub fn ray_on<S: Simd, B: Bound>(
    simd: S,
    tree: &Tree<B>,
    ray: &LocalRay,
    stack: &mut RayStack,
    visitor: &mut impl Visit,
    probe: &mut impl Probe,
) -> ControlFlow<()> {
    descend(simd, tree, ray, &mut stack.entries, visitor, probe)
}

#[inline(always)]
fn descend<S: Simd, B: Bound>(
    simd: S,
    tree: &Tree<B>,
    ray: &LocalRay,
    stack: &mut Vec<u64>,
    visitor: &mut impl Visit,
    probe: &mut impl Probe,
) -> ControlFlow<()> {
    let mut ray = *ray;
    let nodes = tree.nodes.as_slice();
    let Some(first) = nodes.first() else { return ControlFlow::Continue(()) };
    let mut child = first.children[0];
    let mut top = 0;
    loop {
        // Down the nearest children to a leaf.
        loop {
            if let Some(leaf) = child.leaf() {
                probe.leaves();
                simd.apart(Leaf { visitor: &mut *visitor, leaf })?;
                ray.end = visitor.limit();
                break;
            }
            let Some(node) = nodes.get(child.0 as usize) else { break };
            let (mask, entries) = B::ray_entries(simd, &ray, &node.volumes);
            probe.volumes(node.count);
            let hit = if B::EMPTY_IS_MISSED { mask } else { mask & node.live() };
            if hit == 0 {
                break;
            }
            if hit & (hit - 1) == 0 {
                child = node.children[hit.trailing_zeros() as usize % LANES];
                continue;
            }
            let entries = simd.store32(entries);
            let room: Option<&mut [u64; LANES]> =
                stack.get_mut(top..top + LANES).and_then(|room| room.try_into().ok());
            let Some(room) = room else {
                enlarge(stack);
                continue;
            };
            let (nearest, after, count) = sorted(hit, &entries, &node.children, room);
            top += count;
            child = Child(nearest as u32);
            // The one after the next is asked for while that is looked at.
            let after = Child(after as u32);
            if let Some(leaf) = after.leaf() {
                visitor.soon(simd, leaf);
            } else if let Some(node) = nodes.get(after.0 as usize) {
                simd.fetch(node);
            }
        }
        // The next one that is not beyond what was found.
        loop {
            if top == 0 {
                return ControlFlow::Continue(());
            }
            top -= 1;
            let Some(&next) = stack.get(top) else { return ControlFlow::Continue(()) };
            if (next >> 32) as u32 <= ray.end.to_bits() {
                child = Child(next as u32);
                break;
            }
        }
    }
}

/// One leaf, apart from the loop over nodes.
struct Leaf<'v, V> {
    visitor: &'v mut V,
    leaf: u32,
}

impl<V: Visit> Kernel for Leaf<'_, V> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> ControlFlow<()> {
        self.visitor.leaves(simd, self.leaf, 0)
    }
}

#[cold]
pub(super) fn enlarge(stack: &mut Vec<u64>) {
    stack.resize(2 * stack.len() + ROOM, 0);
}

/// Writes the children that are hit but the nearest, the nearer ones later. Says which is the nearest, which the next, and how many
/// were written.
#[inline(always)]
pub(super) fn sorted(
    mut hit: u32,
    entries: &[f32; LANES],
    children: &[Child; LANES],
    sorted: &mut [u64; LANES],
) -> (u64, u64, usize) {
    let mut next = || {
        let lane = hit.trailing_zeros() as usize % LANES;
        hit &= hit - 1;
        (hit, u64::from(entries[lane].to_bits()) << 32 | u64::from(children[lane].0))
    };
    let ((_, a), (left, b)) = (next(), next());
    let (a, b) = (a.max(b), a.min(b));
    if left == 0 {
        sorted[0] = a;
        return (b, a, 1);
    }
    let (left, c) = next();
    let (b, c) = (b.max(c), b.min(c));
    let (a, b) = (a.max(b), a.min(b));
    (sorted[0], sorted[1]) = (a, b);
    if left == 0 {
        return (c, b, 2);
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
            return (sorted[count % LANES], sorted[(count - 1) % LANES], count);
        }
    }
}
