//! A ray through a tree, near children first.
//!
//! As Embree does (I. Wald and others, 2014), the ray is tested against all children of a node at once; the nearest is followed
//! and the others are put on the stack in order.

use super::Visit;
use crate::tree::Child;
use crate::{Probe, Tree};
use impinge_geom::bound::{Bound, LocalRay};
use impinge_geom::simd::{Kernel, Simd, dispatch};
use std::ops::ControlFlow;

/// The nodes that are still to be looked at, and where the ray enters each. Keep it between queries: then they do not allocate.
#[derive(Clone, Debug, Default)]
pub struct RayStack {
    entries: Vec<(f32, Child)>,
}

/// Visits the leaves that the ray may meet before [`Visit::limit`], in about the order in which it does.
///
/// The visitor is given the leaf as `a`, and 0 as `b`; its limit, in local lengths, may shrink as it finds hits.
pub fn ray<B: Bound>(
    tree: &Tree<B>,
    ray: &LocalRay,
    stack: &mut RayStack,
    visitor: &mut impl Visit,
    probe: &mut impl Probe,
) -> ControlFlow<()> {
    let Some(first) = tree.nodes.first() else { return ControlFlow::Continue(()) };
    stack.entries.clear();
    stack.entries.push((0.0, first.children[0]));
    dispatch(Descent { tree, ray: *ray, stack: &mut stack.entries, visitor, probe })
}

struct Descent<'d, B: Bound, V, P> {
    tree: &'d Tree<B>,
    ray: LocalRay,
    stack: &'d mut Vec<(f32, Child)>,
    visitor: &'d mut V,
    probe: &'d mut P,
}

impl<B: Bound, V: Visit, P: Probe> Kernel for Descent<'_, B, V, P> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> ControlFlow<()> {
        let Self { tree, mut ray, stack, visitor, probe } = self;
        while let Some((entry, mut child)) = stack.pop() {
            ray.end = visitor.limit();
            if entry > ray.end {
                continue;
            }
            // Down the nearest children to a leaf.
            loop {
                let Some(node) = child.node() else {
                    probe.leaves();
                    if visitor.leaves(simd, child.leaf().unwrap_or(0), 0).is_break() {
                        return ControlFlow::Break(());
                    }
                    break;
                };
                let node = &tree.nodes[node as usize];
                let (mask, entries) = B::ray_entries(simd, &ray, &node.volumes);
                probe.volumes(node.count);
                let mut left = mask & node.live();
                if left == 0 {
                    break;
                }
                let lane = left.trailing_zeros() as usize % 8;
                left &= left - 1;
                if left == 0 {
                    child = node.children[lane];
                    continue;
                }
                let entries = simd.store32(entries);
                let base = stack.len();
                let (mut nearest, mut next) = (entries[lane], node.children[lane]);
                while left != 0 {
                    let lane = left.trailing_zeros() as usize % 8;
                    left &= left - 1;
                    let mut other = (entries[lane], node.children[lane]);
                    if other.0 < nearest {
                        (other, (nearest, next)) = ((nearest, next), other);
                    }
                    // Nearer ones on top.
                    let mut place = stack.len();
                    stack.push(other);
                    while place > base && stack[place - 1].0 < other.0 {
                        stack[place] = stack[place - 1];
                        place -= 1;
                    }
                    stack[place] = other;
                }
                child = next;
            }
        }
        ControlFlow::Continue(())
    }
}
