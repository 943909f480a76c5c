//! Validation of a tree: depth-first numbering, each item in one leaf, every volume around its contents.

use crate::tree::{NodeChild, Tree};
use crate::{ItemGeometry, topology};
use impinge_geom::bound::{Bound, LANES};
use std::fmt;

/// No tree is deeper, in nodes: builders split in the middle long before.
pub(crate) const DEEPEST: u32 = 128;

/// A fault of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeFault {
    /// A node has no children, or more than eight, or the first one, which holds the root, has not exactly one.
    Count {
        /// The node.
        node: usize,
    },
    /// A child is not the next node or leaf in depth-first order: it is missing, or comes twice.
    NodeChild {
        /// The node.
        node: usize,
        /// The child's lane.
        lane: usize,
    },
    /// Nodes or leaves are left over: no node names them.
    LeftOver {
        /// How many nodes are named.
        nodes: usize,
        /// How many leaves are named.
        leaves: usize,
    },
    /// Deeper than 128 nodes.
    TooDeep {
        /// The node.
        node: usize,
    },
    /// A leaf holds nothing, or the leaves together do not hold the order.
    Leaf {
        /// The leaf.
        leaf: usize,
    },
    /// The order is not a permutation of the items.
    NotAPermutation {
        /// The place in the order.
        place: usize,
    },
    /// The geometry is in another frame, or has points for another number of items.
    OtherGeometry,
    /// A volume does not contain a point that is below it.
    Outside {
        /// The node.
        node: usize,
        /// The volume's lane.
        lane: usize,
        /// The point, as a place in [`ItemGeometry::points`].
        point: usize,
    },
}

impl fmt::Display for TreeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { node } => write!(f, "node {node} has an impossible number of children"),
            Self::NodeChild { node, lane } => {
                write!(f, "child {lane} of node {node} is not the next one in depth-first order")
            }
            Self::LeftOver { nodes, leaves } => {
                write!(f, "only {nodes} nodes and {leaves} leaves are reached from the root")
            }
            Self::TooDeep { node } => write!(f, "node {node} is more than {DEEPEST} nodes deep"),
            Self::Leaf { leaf } => write!(f, "leaf {leaf} is empty or beyond the items"),
            Self::NotAPermutation { place } => {
                write!(f, "the item at place {place} of the order is out of range or comes twice")
            }
            Self::OtherGeometry => {
                write!(f, "the geometry has another frame or another number of points")
            }
            Self::Outside { node, lane, point } => {
                write!(f, "volume {lane} of node {node} does not contain point {point}")
            }
        }
    }
}

impl std::error::Error for TreeFault {}

impl<B: Bound> Tree<B> {
    /// Checks the structure, and that each volume contains all points below it, within the error of the frame.
    ///
    /// Visits every point once per level.
    pub fn validate(&self, geometry: &ItemGeometry<'_>) -> Result<(), TreeFault> {
        self.validate_structure()?;
        let points = self.order.len().checked_mul(geometry.points_per_item);
        if *geometry.frame != self.frame || points != Some(geometry.points.len()) {
            return Err(TreeFault::OtherGeometry);
        }
        let margin = self.frame.error();
        // The end of the items below each node: children follow their parents, so from behind each is known in time.
        let mut ends = vec![0; self.nodes.len()];
        for (node, content) in self.nodes.iter().enumerate().rev() {
            let end_of = |child: NodeChild| match (child.leaf(), child.node()) {
                (Some(leaf), _) => self.starts[leaf as usize + 1],
                (_, Some(node)) => ends[node as usize],
                _ => 0,
            };
            let mut first = self.first_item(node);
            for lane in 0..content.count as usize {
                let end = end_of(content.children[lane]);
                let volume = B::get(&content.volumes, lane);
                let points = geometry.points_of(first, end);
                if let Some(k) = points.iter().position(|&p| !volume.contains(p, margin)) {
                    let point = first as usize * geometry.points_per_item + k;
                    return Err(TreeFault::Outside { node, lane, point });
                }
                first = end;
            }
            ends[node] = first;
        }
        Ok(())
    }

    /// The first item below a node.
    fn first_item(&self, mut node: usize) -> u32 {
        while let Some(below) = self.nodes[node].children[0].node() {
            node = below as usize;
        }
        let leaf = self.nodes[node].children[0].leaf().unwrap_or_default();
        self.starts[leaf as usize]
    }

    /// Checks all but the volumes.
    pub(crate) fn validate_structure(&self) -> Result<(), TreeFault> {
        if let Some(place) = topology::not_a_permutation(&self.order) {
            return Err(TreeFault::NotAPermutation { place });
        }
        for (leaf, ends) in self.starts.windows(2).enumerate() {
            if ends[0] >= ends[1] {
                return Err(TreeFault::Leaf { leaf });
            }
        }
        let last = self.starts.last().copied().unwrap_or_default() as usize;
        if self.starts.first() != Some(&0) || last != self.order.len() {
            return Err(TreeFault::Leaf { leaf: self.leaf_count() });
        }
        let mut next = (0, 0);
        // The child that is looked at, where it is named, and how deep.
        let mut stack = Vec::new();
        if !self.nodes.is_empty() {
            stack.push((NodeChild::of_node(0), 0, 0, 1));
        }
        while let Some((child, parent, lane, depth)) = stack.pop() {
            if let Some(leaf) = child.leaf() {
                if leaf as usize != next.1 || next.1 >= self.leaf_count() {
                    return Err(TreeFault::NodeChild { node: parent, lane });
                }
                next.1 += 1;
                continue;
            }
            let node = child.0 as usize;
            if node != next.0 || node >= self.nodes.len() {
                return Err(TreeFault::NodeChild { node: parent, lane });
            }
            next.0 += 1;
            let count = self.nodes[node].count as usize;
            if count == 0 || count > LANES || (node == 0 && count != 1) {
                return Err(TreeFault::Count { node });
            }
            if depth > DEEPEST {
                return Err(TreeFault::TooDeep { node });
            }
            for lane in (0..count).rev() {
                stack.push((self.nodes[node].children[lane], node, lane, depth + 1));
            }
        }
        if next != (self.nodes.len(), self.leaf_count()) {
            return Err(TreeFault::LeftOver { nodes: next.0, leaves: next.1 });
        }
        Ok(())
    }
}
