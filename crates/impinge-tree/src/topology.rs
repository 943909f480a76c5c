//! The topology: a binary tree over a permutation of the items.

/// A node: a contiguous range of the order, and the offset of its second child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The first item, as an index into [`Topology::order`].
    pub first: u32,
    /// Number of items.
    pub count: u32,
    /// The first child is the next node; the second is this many nodes after it. Zero for a leaf.
    pub second: u32,
}

/// A binary tree. Nodes are in depth-first order, each before its children.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// The nodes; empty if there are no items.
    pub(crate) groups: Vec<Group>,
    /// The items in the order of the leaves.
    pub(crate) order: Vec<u32>,
}

/// A fault of a topology.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopologyFault {
    /// The order is not a permutation of the items.
    NotAPermutation {
        /// The place in the order.
        place: usize,
    },
    /// A node does not hold what its children hold, or a child is out of range.
    BadGroup {
        /// The node.
        node: usize,
    },
}

impl Topology {
    /// The nodes; none if there are no items.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The items in the order of the leaves.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The children of a node, unless it is a leaf.
    #[inline]
    pub fn children(&self, node: usize) -> Option<[usize; 2]> {
        let group = self.groups.get(node)?;
        (group.second != 0).then(|| [node + 1, node + group.second as usize])
    }

    /// The depth: the longest path from the root to a leaf, in nodes.
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut stack = vec![(0, 1)];
        while let Some((node, depth)) = stack.pop() {
            deepest = deepest.max(depth);
            for child in self.children(node).into_iter().flatten() {
                stack.push((child, depth + 1));
            }
        }
        deepest
    }

    /// Checks that every item is in exactly one leaf, and that children partition their parents.
    ///
    /// ```
    /// use impinge_tree::{Builder, Items, build};
    /// use impinge_geom::{bound::Aabb, glam::Vec3A};
    /// let boxes = (0..100).map(|k| Aabb { low: Vec3A::X * k as f32, high: Vec3A::X * (k + 1) as f32 });
    /// let topology = build(&Items { boxes: boxes.collect(), ..Items::default() }, Builder::BinnedSah, 8);
    /// assert_eq!(topology.validate(), Ok(()));
    /// ```
    pub fn validate(&self) -> Result<(), TopologyFault> {
        if let Some(place) = not_a_permutation(&self.order) {
            return Err(TopologyFault::NotAPermutation { place });
        }
        let whole = |group: &Group| group.first == 0 && group.count as usize == self.order.len();
        if self.groups.first().map_or(!self.order.is_empty(), |group| !whole(group)) {
            return Err(TopologyFault::BadGroup { node: 0 });
        }
        for (node, group) in self.groups.iter().enumerate() {
            let fault = Err(TopologyFault::BadGroup { node });
            let Some([a, b]) = self.children(node) else { continue };
            let (Some(a), Some(b)) = (self.groups.get(a), self.groups.get(b)) else {
                return fault;
            };
            let (middle, end) = (a.first.checked_add(a.count), b.first.checked_add(b.count));
            let sum = a.first == group.first
                && middle == Some(b.first)
                && end == group.first.checked_add(group.count);
            if !sum || a.count == 0 || b.count == 0 || group.second < 2 {
                return fault;
            }
        }
        Ok(())
    }
}

/// The first place whose item is out of range or came before.
pub(crate) fn not_a_permutation(order: &[u32]) -> Option<usize> {
    let mut seen = vec![false; order.len()];
    order.iter().position(|&item| match seen.get_mut(item as usize) {
        Some(seen) => std::mem::replace(seen, true),
        None => true,
    })
}
