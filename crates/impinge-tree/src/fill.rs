//! Volumes for a wide tree, from the leaves up: each node after what is below it, subtrees side by side.

use crate::Geometry;
use crate::parallel::join;
use crate::tree::{Child, Node, Tree};
use impinge_geom::bound::{Bound, LANES, Moments};
use impinge_geom::glam::Vec3A;

/// Where the volumes of inner lanes come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inner {
    /// From all points below.
    Fitted,
    /// From the volumes of the children.
    Merged,
}

/// How lanes get their volumes.
pub(crate) struct Filling<'f, F> {
    pub(crate) geometry: &'f Geometry<'f>,
    pub(crate) inner: Inner,
    pub(crate) fit: &'f F,
}

/// What a lane got, and what its parent needs to know.
#[derive(Clone, Copy)]
struct Part<B> {
    volume: B,
    span: Span,
}

/// The items of a lane, as places in the order, and their moments.
#[derive(Clone, Copy)]
struct Span {
    first: u32,
    end: u32,
    moments: Moments,
}

/// Nodes are numbered in depth-first order: those below one follow it.
#[derive(Clone, Copy)]
struct Above<'t> {
    starts: &'t [u32],
    /// The number of the first node of the slice that comes along.
    number: usize,
}

impl<F> Filling<'_, F> {
    /// Gives every lane of the tree its volume.
    pub(crate) fn run<B: Bound>(&self, tree: &mut Tree<B>)
    where
        F: Fn(&[Vec3A], &Moments, f32) -> B + Sync,
    {
        if !tree.nodes.is_empty() {
            self.node(Above { starts: &tree.starts, number: 0 }, &mut tree.nodes);
        }
    }

    /// The lanes of the first node, after all of the others.
    fn node<B: Bound>(&self, above: Above<'_>, nodes: &mut [Node<B>]) -> Span
    where
        F: Fn(&[Vec3A], &Moments, f32) -> B + Sync,
    {
        let mut span = Span { first: u32::MAX, end: 0, moments: Moments::default() };
        let Some((own, below)) = nodes.split_first_mut() else { return span };
        let mut parts = [None; LANES];
        let count = (own.count as usize).min(LANES);
        let above = Above { number: above.number + 1, ..above };
        self.lanes(above, &own.children[..count], below, &mut parts[..count]);
        for (lane, part) in parts.iter().flatten().enumerate() {
            part.volume.set(&mut own.volumes, lane);
            span.moments.add(&part.span.moments);
            span.first = span.first.min(part.span.first);
            span.end = span.end.max(part.span.end);
        }
        span
    }

    /// Some lanes of a node, halves side by side; `below` are the nodes below these lanes.
    fn lanes<B: Bound>(
        &self,
        above: Above<'_>,
        children: &[Child],
        below: &mut [Node<B>],
        parts: &mut [Option<Part<B>>],
    ) where
        F: Fn(&[Vec3A], &Moments, f32) -> B + Sync,
    {
        if let ([child], [part]) = (children, &mut *parts) {
            *part = Some(self.lane(above, *child, below));
            return;
        }
        let middle = children.len() / 2;
        let (head, tail) = children.split_at(middle);
        let (parts_head, parts_tail) = parts.split_at_mut(middle);
        let next = tail.iter().find_map(|child| child.node());
        let at = next.map_or(below.len(), |node| node as usize - above.number);
        let work = below.len() * LANES * LANES;
        let (below_head, below_tail) = below.split_at_mut(at);
        let after = Above { number: above.number + at, ..above };
        join(
            work,
            || self.lanes(above, head, below_head, parts_head),
            || self.lanes(after, tail, below_tail, parts_tail),
        );
    }

    fn lane<B: Bound>(&self, above: Above<'_>, child: Child, below: &mut [Node<B>]) -> Part<B>
    where
        F: Fn(&[Vec3A], &Moments, f32) -> B + Sync,
    {
        let span = match child.leaf() {
            Some(leaf) => {
                let (first, end) = (above.starts[leaf as usize], above.starts[leaf as usize + 1]);
                let moments = if B::USES_MOMENTS {
                    self.geometry.moments_of(first, end)
                } else {
                    Moments::default()
                };
                Span { first, end, moments }
            }
            None => self.node(above, below),
        };
        let merged = match (self.inner, below.first()) {
            (Inner::Merged, Some(node)) if child.leaf().is_none() => Some(node.merged()),
            _ => None,
        };
        let volume = merged.unwrap_or_else(|| {
            let points = self.geometry.points_of(span.first, span.end);
            (self.fit)(points, &span.moments, self.geometry.frame.error())
        });
        Part { volume, span }
    }
}

impl<B: Bound> Node<B> {
    /// A volume of all its lanes.
    fn merged(&self) -> B {
        let parts: [B; LANES] = std::array::from_fn(|lane| B::get(&self.volumes, lane));
        B::merge(&parts[..(self.count as usize).min(LANES)])
    }
}
