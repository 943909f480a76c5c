//! Fits the volumes of a wide tree bottom up, subtrees in parallel.

use crate::ItemGeometry;
use crate::parallel::join;
use crate::tree::{Node, NodeChild, Tree};
use impinge_geom::bound::{Bound, Family, Kinds, LANES, MOST_KINDS, Moments};
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
pub(crate) struct Filling<'f, B, F> {
    pub(crate) geometry: &'f ItemGeometry<'f>,
    pub(crate) inner: Inner,
    /// A volume of a kind, from points, their moments and an error.
    pub(crate) fit: &'f F,
    /// How many kinds there are.
    pub(crate) kinds: usize,
    /// Which of them the children of a node are of.
    pub(crate) choose: &'f (dyn Fn(&Family<'_, B>) -> usize + Sync),
}

/// What a lane may get, and what its parent needs to know.
#[derive(Clone, Copy)]
struct Part<B> {
    volumes: Kinds<B>,
    leaf: bool,
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

impl<B: Bound, F> Filling<'_, B, F>
where
    F: Fn(usize, &[Vec3A], &Moments, f32) -> B + Sync,
{
    /// Gives every lane of the tree its volume.
    pub(crate) fn run(&self, tree: &mut Tree<B>) {
        let above = Above { starts: &tree.starts, number: 0 };
        let (parts, _) = self.parts(above, &mut tree.nodes);
        if let Some(root) = tree.nodes.first_mut() {
            self.settle(root, None, &parts);
        }
    }

    /// What the lanes of the first node may get, after all of the other nodes have got theirs.
    fn parts(&self, above: Above<'_>, nodes: &mut [Node<B>]) -> ([Option<Part<B>>; LANES], Span) {
        let mut span = Span { first: u32::MAX, end: 0, moments: Moments::default() };
        let mut parts = [None; LANES];
        let Some((own, below)) = nodes.split_first_mut() else { return (parts, span) };
        let count = (own.count as usize).min(LANES);
        let above = Above { number: above.number + 1, ..above };
        self.lanes(above, &own.children[..count], below, &mut parts[..count]);
        for part in parts.iter().flatten() {
            span.moments.add(&part.span.moments);
            span.first = span.first.min(part.span.first);
            span.end = span.end.max(part.span.end);
        }
        (parts, span)
    }

    /// Gives the lanes of a node their volumes, all of one kind. `whole` are those of the node itself.
    fn settle(&self, node: &mut Node<B>, whole: Option<&Kinds<B>>, parts: &[Option<Part<B>>]) {
        let kind = if self.kinds > 1 {
            let mut children = [([None; MOST_KINDS], false); LANES];
            let mut count = 0;
            for (child, part) in children.iter_mut().zip(parts.iter().flatten()) {
                *child = (part.volumes, part.leaf);
                count += 1;
            }
            (self.choose)(&Family { whole, children: &children[..count] })
        } else {
            0
        };
        node.volumes = B::EMPTY;
        for (lane, part) in parts.iter().flatten().enumerate() {
            let chosen = part.volumes.get(kind).copied().flatten();
            if let Some(volume) = chosen.or(part.volumes[0]) {
                volume.set(&mut node.volumes, lane);
            }
        }
    }

    /// Some lanes of a node, halves side by side; `below` are the nodes below these lanes.
    fn lanes(
        &self,
        above: Above<'_>,
        children: &[NodeChild],
        below: &mut [Node<B>],
        parts: &mut [Option<Part<B>>],
    ) {
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

    fn lane(&self, above: Above<'_>, child: NodeChild, below: &mut [Node<B>]) -> Part<B> {
        if let Some(leaf) = child.leaf() {
            let (first, end) = (above.starts[leaf as usize], above.starts[leaf as usize + 1]);
            let moments = if B::USES_MOMENTS {
                self.geometry.moments_of(first, end)
            } else {
                Moments::default()
            };
            let span = Span { first, end, moments };
            return Part { volumes: self.fitted(&span), leaf: true, span };
        }
        let (parts, span) = self.parts(above, below);
        let volumes = match self.inner {
            Inner::Merged => self.merged(&parts),
            Inner::Fitted => self.fitted(&span),
        };
        if let Some(node) = below.first_mut() {
            self.settle(node, Some(&volumes), &parts);
        }
        Part { volumes, leaf: false, span }
    }

    /// The volumes of some items, of each kind.
    fn fitted(&self, span: &Span) -> Kinds<B> {
        let points = self.geometry.points_of(span.first, span.end);
        let error = self.geometry.frame.error();
        self.each_kind(|kind| (self.fit)(kind, points, &span.moments, error))
    }

    /// The volumes of the volumes of lanes, of each kind.
    fn merged(&self, parts: &[Option<Part<B>>; LANES]) -> Kinds<B> {
        self.each_kind(|kind| {
            let own = parts.iter().flatten().filter_map(|part| part.volumes[kind % MOST_KINDS]);
            let own: Vec<B> = own.collect();
            B::merge_as(kind, &own)
        })
    }

    fn each_kind(&self, make: impl Fn(usize) -> B) -> Kinds<B> {
        std::array::from_fn(|kind| (kind < self.kinds).then(|| make(kind)))
    }
}
