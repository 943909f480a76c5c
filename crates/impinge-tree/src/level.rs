//! The levels of a tree: the volumes at one depth, and their items.

use crate::Tree;
use crate::tree::NodeChild;
use impinge_geom::bound::{Bound, LANES};

impl<B: Bound> Tree<B> {
    /// The places of the volumes at a depth, and of the leaves above it: together they hold every item once. The root is at depth 0.
    ///
    /// [`Tree::volume`] is the volume at a place, in the tree's [frame](Tree::frame), [`Tree::items`] what it holds.
    ///
    /// ```
    /// use impinge_geom::{bound::{Aabb, Frame}, glam::{DVec3, Vec3A}};
    /// use impinge_tree::{Builder, ItemGeometry, Items, Surface, Tree, build};
    /// let points: Vec<Vec3A> = (0..100).map(|k| Vec3A::X * (k as f32 * 0.01)).collect();
    /// let boxes = points.iter().map(|point| Aabb { low: *point, high: *point }).collect();
    /// let topology = build(&Items { boxes, ..Items::default() }, Builder::Median, 1);
    /// let frame = Frame::new(DVec3::ZERO, DVec3::ONE);
    /// let sorted: Vec<Vec3A> = topology.order().iter().map(|&item| points[item as usize]).collect();
    /// let geometry = ItemGeometry { frame: &frame, points: &sorted, points_per_item: 1, surface: Surface::Points };
    /// let tree: Tree<Aabb> = Tree::fit(&topology, &geometry, 2, 1);
    /// let halves = tree.level(1);
    /// assert_eq!(halves.iter().map(|&place| tree.items(place).len()).collect::<Vec<_>>(), [50, 50]);
    /// ```
    pub fn level(&self, depth: usize) -> Vec<u32> {
        let mut level: Vec<u32> = if self.is_empty() { Vec::new() } else { vec![0] };
        for _ in 0..depth {
            let mut next = Vec::with_capacity(2 * level.len());
            for place in &level {
                match self.child(*place).and_then(NodeChild::node) {
                    Some(node) => next.extend(self.places_in(node)),
                    None => next.push(*place),
                }
            }
            if next == level {
                break;
            }
            level = next;
        }
        level
    }

    /// The items below a place, in the order of the leaves; empty if there is no such place.
    pub fn items(&self, place: u32) -> &[u32] {
        let (Some(first), Some(last)) = (self.end_leaf(place, false), self.end_leaf(place, true))
        else {
            return &[];
        };
        let (first, last) = (self.leaf_places(first), self.leaf_places(last));
        self.order().get(first.start..last.end).unwrap_or(&[])
    }

    /// The places right below a place; none if it is a leaf.
    pub fn places_below(&self, place: u32) -> std::ops::Range<u32> {
        self.child(place).and_then(NodeChild::node).map_or(0..0, |node| self.places_in(node))
    }

    /// The leaf at a place, if it is one.
    pub fn leaf_at(&self, place: u32) -> Option<u32> {
        self.child(place)?.leaf()
    }

    fn child(&self, place: u32) -> Option<NodeChild> {
        let node = self.nodes.get(place as usize / LANES)?;
        let lane = place as usize % LANES;
        (lane < node.count as usize).then(|| node.children[lane])
    }

    fn places_in(&self, node: u32) -> std::ops::Range<u32> {
        let count = self.nodes.get(node as usize).map_or(0, |node| node.count);
        let first = node * LANES as u32;
        first..first + count
    }

    /// The first or the last leaf below a place.
    fn end_leaf(&self, mut place: u32, last: bool) -> Option<u32> {
        // What is below a node follows it, so this ends.
        loop {
            let child = self.child(place)?;
            let Some(node) = child.node() else { return child.leaf() };
            let places = self.places_in(node);
            let next = if last { places.end.checked_sub(1)? } else { places.start };
            if next <= place {
                return None;
            }
            place = next;
        }
    }
}
