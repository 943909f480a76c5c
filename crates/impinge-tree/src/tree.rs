//! The wide, packed hierarchy.
//!
//! Each node holds the volumes of up to eight children side by side, so that one volume is tested against all of them at once.
//! A child is named by its *place*, eight times its node plus its lane: there its volume lies, and there is written what it is.
//! Node 0 holds the root alone, in lane 0, so that the root has a place like every other.

use impinge_geom::bound::{Bound, Frame, LANES};
use std::ops::Range;

/// The content of a lane: a node, or a leaf if the highest bit is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct NodeChild(pub(crate) u32);

impl NodeChild {
    pub(crate) const LEAF: u32 = 1 << 31;

    pub(crate) fn of_node(node: u32) -> Self {
        Self(node)
    }

    pub(crate) fn of_leaf(leaf: u32) -> Self {
        Self(leaf | Self::LEAF)
    }

    /// The leaf index, if it is a leaf.
    #[inline(always)]
    pub fn leaf(self) -> Option<u32> {
        if self.0 & Self::LEAF != 0 { Some(self.0 & !Self::LEAF) } else { None }
    }

    /// The node index, if it is not a leaf.
    #[inline(always)]
    pub fn node(self) -> Option<u32> {
        if self.0 & Self::LEAF == 0 { Some(self.0) } else { None }
    }
}

/// A node with up to eight children.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Node<B: Bound> {
    /// Their volumes.
    pub volumes: B::Pack,
    /// Their contents.
    pub children: [NodeChild; LANES],
    /// Number of children; they fill the lanes from the first on.
    pub count: u32,
}

impl<B: Bound> Node<B> {
    pub(crate) const EMPTY: Self =
        Self { volumes: B::EMPTY, children: [NodeChild(0); LANES], count: 0 };

    /// A mask with one bit per child.
    #[inline(always)]
    pub fn live(&self) -> u32 {
        (1 << self.count) - 1
    }
}

/// A bounding volume hierarchy over the leaves of a topology.
///
/// Nodes and leaves are numbered in depth-first order: the descendants of a node follow it, and leaf k is the k-th in that order.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree<B: Bound> {
    pub(crate) frame: Frame,
    /// Node 0 holds the root alone; there is none if there are no items.
    pub(crate) nodes: Vec<Node<B>>,
    /// Leaf k holds the items `order[starts[k]..starts[k + 1]]`.
    pub(crate) starts: Vec<u32>,
    pub(crate) order: Vec<u32>,
}

impl<B: Bound> Tree<B> {
    /// The frame of the volumes.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// True if it holds no items.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Number of leaves.
    pub fn leaf_count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The items of a leaf; empty if there is no such leaf.
    #[inline(always)]
    pub fn leaf(&self, leaf: u32) -> &[u32] {
        self.order.get(self.leaf_places(leaf)).unwrap_or(&[])
    }

    /// The range of a leaf's items in [`Tree::order`]; empty if there is no such leaf.
    #[inline(always)]
    pub fn leaf_places(&self, leaf: u32) -> Range<usize> {
        let leaf = leaf as usize;
        match (self.starts.get(leaf), self.starts.get(leaf + 1)) {
            (Some(&first), Some(&end)) => first as usize..end as usize,
            _ => 0..0,
        }
    }

    /// The items in the order of the leaves.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The root volume.
    pub fn root(&self) -> Option<B> {
        self.nodes.first().map(|node| B::get(&node.volumes, 0))
    }

    /// The volume at a place, if there is one.
    pub fn volume(&self, place: u32) -> Option<B> {
        let node = self.nodes.get(place as usize / LANES)?;
        let lane = place as usize % LANES;
        (lane < node.count as usize).then(|| B::get(&node.volumes, lane))
    }

    /// Memory used, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Node<B>>() * self.nodes.len() + 4 * (self.starts.len() + self.order.len())
    }

    /// The node that holds a place, and the lane.
    #[inline(always)]
    pub(crate) fn at(&self, place: u32) -> (&Node<B>, usize) {
        (&self.nodes[place as usize / LANES], place as usize % LANES)
    }
}
