//! A point against a tree: the leaves that may be nearest, near ones first.

use super::Visit;
use crate::tree::NodeChild;
use crate::{Probe, Tree};
use impinge_geom::bound::Bound;
use impinge_geom::glam::Vec3A;
use impinge_geom::simd::{Kernel, Simd, dispatch};
use std::ops::ControlFlow;

/// The remaining nodes, and their distances. Keep it between queries, so that they do not allocate.
#[derive(Clone, Debug, Default)]
pub struct PointStack {
    entries: Vec<(f32, NodeChild)>,
}

/// Visits the leaves whose volumes may be within [`Visit::max_distance`] of the point; `margin` bounds the rounding of the point.
///
/// The visitor gets the leaf as `a`, and 0 as `b`.
pub fn point<B: Bound>(
    tree: &Tree<B>,
    point: Vec3A,
    margin: f32,
    stack: &mut PointStack,
    visitor: &mut impl Visit,
    probe: &mut impl Probe,
) -> ControlFlow<()> {
    let Some(first) = tree.nodes.first() else { return ControlFlow::Continue(()) };
    stack.entries.clear();
    stack.entries.push((0.0, first.children[0]));
    dispatch(Descent { tree, point, margin, stack: &mut stack.entries, visitor, probe })
}

struct Descent<'d, B: Bound, V, P> {
    tree: &'d Tree<B>,
    point: Vec3A,
    margin: f32,
    stack: &'d mut Vec<(f32, NodeChild)>,
    visitor: &'d mut V,
    probe: &'d mut P,
}

impl<B: Bound, V: Visit, P: Probe> Kernel for Descent<'_, B, V, P> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> ControlFlow<()> {
        let Self { tree, point, margin, stack, visitor, probe } = self;
        while let Some((bound, child)) = stack.pop() {
            if bound > visitor.max_distance() {
                continue;
            }
            let Some(node) = child.node() else {
                probe.leaves();
                if visitor.leaf_pair(simd, child.leaf().unwrap_or(0), 0).is_break() {
                    return ControlFlow::Break(());
                }
                continue;
            };
            let node = &tree.nodes[node as usize];
            let bounds = B::point_distances(simd, point, &node.volumes);
            let bounds = simd.sub32(bounds, simd.splat32(margin));
            probe.volumes(node.count);
            let far = simd.greater32(bounds, simd.splat32(visitor.max_distance()));
            let bounds = simd.store32(bounds);
            let mut left = node.live() & !far;
            let base = stack.len();
            while left != 0 {
                let lane = left.trailing_zeros() as usize % 8;
                left &= left - 1;
                let new = (bounds[lane], node.children[lane]);
                let mut place = stack.len();
                stack.push(new);
                // Nearer ones on top.
                while place > base && stack[place - 1].0 < new.0 {
                    stack[place] = stack[place - 1];
                    place -= 1;
                }
                stack[place] = new;
            }
        }
        ControlFlow::Continue(())
    }
}
