//! A ray through a tree, near children first.
//!
//! As Embree does (I. Wald and others, 2014), the ray is tested against all children of a node at once; the nearest is followed
//! and the others are put on the stack in order. Unlike there, the order is found without a branch: which child is the nearest
//! is known before the others are sorted, so that the processor goes on with it meanwhile.

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
    let (query, mut end) = (B::ray_query(ray), ray.end);
    let nodes = tree.nodes.as_slice();
    let Some(first) = nodes.first() else { return ControlFlow::Continue(()) };
    let mut child = first.children[0];
    if stack.is_empty() {
        enlarge(stack);
    }
    stack[0] = END;
    let mut top = 1;
    loop {
        // Down to a leaf. A wrong guess of the processor costs as much as the tests of a node: how many are met, and in which order, is
        // nothing that it has to guess.
        while let Some(node) = child.node() {
            let Some(node) = nodes.get(node as usize) else { return ControlFlow::Continue(()) };
            let (mask, entries) = B::ray_entries(simd, &query, end, &node.volumes);
            let entries = if B::EMPTY_IS_MISSED {
                entries
            } else {
                simd.or_infinity32(mask & node.live(), entries)
            };
            let room: Option<&mut [u64; LANES + 1]> =
                stack.get_mut(top - 1..top + LANES).and_then(|room| room.try_into().ok());
            let Some([_, room @ ..]) = room else {
                enlarge(stack);
                continue;
            };
            probe.volumes(node.count);
            let children = node.children.map(|child| child.0);
            let (nearest, count) = simd.far_first32(entries, &children, room);
            if count == 0 {
                child = pop(stack, &mut top, end);
            } else {
                child = node.children[nearest % LANES];
                top += count - 1;
            }
        }
        let Some(leaf) = child.leaf() else { return ControlFlow::Continue(()) };
        if child == Child(END as u32) {
            return ControlFlow::Continue(());
        }
        probe.leaves();
        simd.apart(Leaf { visitor: &mut *visitor, leaf })?;
        end = visitor.limit();
        child = pop(stack, &mut top, end);
    }
}

/// Below all that is on the stack: a leaf that no tree has, and that is never beyond.
pub(super) const END: u64 = u32::MAX as u64;

/// True if the ray ends before what is on the stack begins. The last bits of where it begins are those of a lane.
#[inline(always)]
pub(super) fn is_beyond(entry: u64, end: f32) -> bool {
    (entry >> 32) as u32 & !7 > end.to_bits()
}

/// The next child that is not beyond what was found.
#[inline(always)]
pub(super) fn pop(stack: &[u64], top: &mut usize, end: f32) -> Child {
    loop {
        *top -= 1;
        let next = stack.get(*top).copied().unwrap_or(END);
        if *top == 0 || !is_beyond(next, end) {
            return Child(next as u32);
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
