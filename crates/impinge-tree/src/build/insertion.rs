//! One item at a time, where the tree grows least.
//!
//! J. Goldsmith and J. Salmon, "Automatic creation of object hierarchies for ray tracing" (1987), whose random order is here
//! [`shuffled`]. The place is found by branch and bound, as J. Bittner, M. Hapala and V. Havran, "Fast insertion-based optimization of
//! bounding volume hierarchies" (2013), do: nodes wait in a queue by what inserting below them costs at least. On the way back to the
//! root each node exchanges a child with a grandchild where that makes a box smaller (A. Kopta and others, "Fast, effective BVH
//! updates for animated scenes", 2012).
//!
//! Between equals the place with fewer items is taken, and the rotation that makes the tree lower; no place is deeper than
//! [`DEEPEST`], and no search looks at more than [`PATIENCE`] nodes. So items that all lie on one another cost no more than others.

use super::DEEPEST;
use super::linked::{Joint, Linked};
use super::reference::{Bounds, Reference};
use crate::topology::Topology;
use impinge_geom::simd::Scalar;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How many nodes a search looks at.
const PATIENCE: usize = 256;

/// The order of the items, from a seed: S. Vigna's splitmix64 in the shuffle of R. Fisher and F. Yates.
pub(super) fn shuffled(references: &mut [Reference], mut seed: u64) {
    for last in (1..references.len()).rev() {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        references.swap(last, ((bits ^ bits >> 31) % (last as u64 + 1)) as usize);
    }
}

/// Inserts the items in their order.
pub(super) fn build(references: &[Reference], leaf: usize) -> Topology {
    let mut tree = Growing::new(references);
    for item in 1..references.len() as u32 {
        tree.insert(item);
    }
    let joint = |node: &Node| Joint { children: node.children, count: node.count };
    let joints: Vec<Joint> = tree.nodes.iter().skip(references.len()).map(joint).collect();
    Linked { references, joints: &joints }.topology(tree.root, leaf)
}

#[derive(Clone, Copy)]
struct Node {
    bounds: Bounds,
    size: f64,
    parent: u32,
    /// Itself twice for an item.
    children: [u32; 2],
    count: u32,
    /// How many joints are above one another from here on down.
    height: u32,
}

/// Where an item goes: beside a node, at what depth.
#[derive(Clone, Copy)]
struct Spot {
    node: u32,
    depth: u32,
}

/// A node that is still to be looked at; the first come first. Costs are never negative: their bits are ordered like them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    /// What inserting here or below costs at least.
    least: u64,
    count: u32,
    node: u32,
    depth: u32,
    /// By how much all ancestors grow.
    grown: u64,
}

struct Growing {
    /// The items, then the joints.
    nodes: Vec<Node>,
    root: u32,
    /// What makes lengths small beside areas: see [`Growing::size`].
    length: f64,
    queue: BinaryHeap<Reverse<Waiting>>,
}

impl Growing {
    fn new(references: &[Reference]) -> Self {
        let whole = Bounds::of(references).edges();
        let length = (whole.x + whole.y + whole.z) / (1u32 << 20) as f64;
        let mut tree = Self {
            nodes: Vec::with_capacity(2 * references.len()),
            root: 0,
            length,
            queue: BinaryHeap::new(),
        };
        for (own, reference) in (0..).zip(references) {
            let bounds = Bounds::from(reference);
            let (size, children) = (tree.size(&bounds), [own; 2]);
            tree.nodes.push(Node { bounds, size, parent: own, children, count: 1, height: 0 });
        }
        tree
    }

    fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// Half the area and, so that items on a line also have sizes, a little of the length.
    fn size(&self, bounds: &Bounds) -> f64 {
        let e = bounds.edges();
        e.x * e.y + e.y * e.z + e.z * e.x + (e.x + e.y + e.z) * self.length
    }

    fn joined(&self, a: u32, b: u32) -> Bounds {
        let mut bounds = self.node(a).bounds;
        bounds.join(Scalar::new(), &self.node(b).bounds);
        bounds
    }

    fn insert(&mut self, item: u32) {
        let Spot { node: beside, depth } = self.cheapest(item);
        let parent = self.node(beside).parent;
        let joint = self.nodes.len() as u32;
        self.nodes.push(Node { parent, children: [beside, item], ..*self.node(item) });
        self.nodes[item as usize].parent = joint;
        self.nodes[beside as usize].parent = joint;
        if beside == self.root {
            (self.root, self.nodes[joint as usize].parent) = (joint, joint);
        } else {
            let children = &mut self.nodes[parent as usize].children;
            children[usize::from(children[1] == beside)] = joint;
        }
        // From the joint, whose depth is now what that of its neighbour was, to the root.
        let (mut node, mut depth) = (joint, depth);
        loop {
            self.refresh(node);
            self.rotate(node, depth);
            if node == self.root {
                break;
            }
            (node, depth) = (self.node(node).parent, depth.saturating_sub(1));
        }
    }

    /// Box, size, number and height from the children.
    fn refresh(&mut self, node: u32) {
        let [a, b] = self.node(node).children;
        let bounds = self.joined(a, b);
        let size = self.size(&bounds);
        let (count, height) = (self.node(a).count + self.node(b).count, self.height_over(a, b));
        let own = &mut self.nodes[node as usize];
        *own = Node { bounds, size, count, height, ..*own };
    }

    fn height_over(&self, a: u32, b: u32) -> u32 {
        1 + self.node(a).height.max(self.node(b).height)
    }

    /// Beside which node the item costs least: the size of the two together, and what all ancestors grow by.
    fn cheapest(&mut self, item: u32) -> Spot {
        let own = self.node(item).size;
        let mut best = ((u64::MAX, u32::MAX), self.lightest());
        self.queue.clear();
        let (node, nothing) = (self.root, 0.0f64.to_bits());
        let first = Waiting { least: nothing, count: 0, node, depth: 0, grown: nothing };
        self.queue.push(Reverse(first));
        for _ in 0..PATIENCE {
            let Some(Reverse(next)) = self.queue.pop() else { break };
            let Waiting { least, node, depth, grown, .. } = next;
            if (least, 1) >= best.0 {
                break;
            }
            let both = self.size(&self.joined(node, item));
            let here = *self.node(node);
            let grown = f64::from_bits(grown);
            let cost = ((grown + both).to_bits(), here.count);
            if cost < best.0 && depth + here.height < DEEPEST {
                best = (cost, Spot { node, depth });
            }
            let grown = grown + (both - here.size).max(0.0);
            let least = (grown + own).to_bits();
            if here.height == 0 || (least, 1) >= best.0 {
                continue;
            }
            for child in here.children {
                let (count, grown) = (self.node(child).count, grown.to_bits());
                let below = Waiting { least, count, node: child, depth: depth + 1, grown };
                self.queue.push(Reverse(below));
            }
        }
        best.1
    }

    /// The item to which the way with the fewest items leads: it is never deep.
    fn lightest(&self) -> Spot {
        let mut spot = Spot { node: self.root, depth: 0 };
        while self.node(spot.node).height > 0 {
            let [a, b] = self.node(spot.node).children;
            let lighter = if self.node(b).count < self.node(a).count { b } else { a };
            spot = Spot { node: lighter, depth: spot.depth + 1 };
        }
        spot
    }

    /// Exchanges a child with a child of the other where that makes the other's box smallest, or keeps it and makes the tree lower.
    fn rotate(&mut self, node: u32, depth: u32) {
        let here = *self.node(node);
        let mut best = (0.0, here.height, None);
        for (child, other) in [(0, 1), (1, 0)].map(|(i, j)| (here.children[i], here.children[j])) {
            if self.node(other).height == 0 {
                continue;
            }
            let below = self.node(other).children;
            for (rises, stays) in [(below[0], below[1]), (below[1], below[0])] {
                let change = self.size(&self.joined(child, stays)) - self.node(other).size;
                let new = 1 + self.height_over(child, stays).max(self.node(rises).height);
                let better = change < best.0 || (change == best.0 && new < best.1);
                if better && depth + new <= DEEPEST {
                    best = (change, new, Some((child, other, rises, stays)));
                }
            }
        }
        let Some((child, other, rises, stays)) = best.2 else { return };
        self.nodes[other as usize].children = [child, stays];
        self.nodes[child as usize].parent = other;
        self.nodes[node as usize].children = [rises, other];
        self.nodes[rises as usize].parent = node;
        self.refresh(other);
        self.refresh(node);
    }
}
