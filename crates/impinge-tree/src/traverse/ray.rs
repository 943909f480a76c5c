//! A ray through a tree, near children first.
//!
//! As Embree does (I. Wald and others, 2014), the ray is tested against all children of a node at once; the nearest is followed
//! and the others are put on the stack in order. Unlike there, the order is found without a branch: which child is the nearest
//! is known before the others are sorted, so that the processor goes on with it meanwhile.

use super::Visit;
use super::ray_stack::{NOWHERE, RayStackStorage, RayStackView, bottom, limit};
use crate::{Probe, Tree};
use impinge_geom::bound::{Bound, LANES, LocalRay};
use impinge_geom::simd::{Kernel, Simd, dispatch};
use std::ops::ControlFlow;

/// The remaining nodes, and where the ray enters each. Keep it between queries, so that they do not allocate.
#[derive(Clone, Debug, Default)]
pub struct RayStack {
    stacks: RayStackStorage,
}

/// Visits the leaves that the ray may hit before [`Visit::max_distance`], roughly in order along the ray.
///
/// The visitor gets the leaf as `a`, and 0 as `b`; its limit, in steps of the ray, may shrink as it finds hits.
pub fn ray<B: Bound>(
    tree: &Tree<B>,
    ray: &LocalRay,
    stack: &mut RayStack,
    visitor: &mut impl Visit,
    probe: &mut impl Probe,
) -> ControlFlow<()> {
    dispatch(Descent { tree, ray, ray_stack: stack.stacks.ready(), visitor, probe })
}

struct Descent<'d, B: Bound, V, P> {
    tree: &'d Tree<B>,
    ray: &'d LocalRay,
    ray_stack: RayStackView<'d>,
    visitor: &'d mut V,
    probe: &'d mut P,
}

impl<B: Bound, V: Visit, P: Probe> Kernel for Descent<'_, B, V, P> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> ControlFlow<()> {
        descend(simd, self.tree, self.ray, self.ray_stack, self.visitor, self.probe)
    }
}

/// [`ray`] inside a function that is already dispatched.
#[inline(always)]
pub fn ray_on<S: Simd, B: Bound>(
    simd: S,
    tree: &Tree<B>,
    ray: &LocalRay,
    stack: &mut RayStack,
    visitor: &mut impl Visit,
    probe: &mut impl Probe,
) -> ControlFlow<()> {
    descend(simd, tree, ray, stack.stacks.ready(), visitor, probe)
}

#[inline(always)]
fn descend<S: Simd, B: Bound>(
    simd: S,
    tree: &Tree<B>,
    ray: &LocalRay,
    mut ray_stack: RayStackView<'_>,
    visitor: &mut impl Visit,
    probe: &mut impl Probe,
) -> ControlFlow<()> {
    let (query, mut end) = (B::ray_query(ray), limit(ray.end));
    let nodes = tree.nodes.as_slice();
    let Some(first) = nodes.first() else { return ControlFlow::Continue(()) };
    let mut child = first.children[0];
    let mut top = bottom(0);
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
            probe.volumes(node.count);
            top = ray_stack.make_room(0, top);
            let (nearest, count) = ray_stack.push(simd, top, entries, &node.children);
            if count == 0 {
                top = ray_stack.next_one(top, end);
                child = ray_stack.child(top);
            } else {
                child = node.children[nearest % LANES];
                top += count - 1;
            }
        }
        if child == NOWHERE {
            let Some(higher) = ray_stack.take_back(0) else { return ControlFlow::Continue(()) };
            top = higher;
        } else if let Some(leaf) = child.leaf() {
            probe.leaves();
            simd.apart(Leaf { visitor: &mut *visitor, leaf })?;
            end = limit(visitor.max_distance());
        }
        top = ray_stack.next_one(top, end);
        child = ray_stack.child(top);
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
        self.visitor.leaf_pair(simd, self.leaf, 0)
    }
}
