//! Is a lazy tree what it should be, as far as it is split.

use super::{Lane, LazyTree, Part};
use crate::{TreeFault, topology};
use impinge_geom::bound::Bound;

/// More splits than this are never on one way: see [`DEEPEST`](super::DEEPEST).
const DEEPEST: u32 = 128;

impl<B: Bound> LazyTree<B> {
    /// Checks that each item is in one part, that children make up their parents, and that each volume contains all points below it, within
    /// the error of the frame.
    pub fn validate(&self) -> Result<(), TreeFault> {
        if let Some(place) = topology::not_a_permutation(&self.order) {
            return Err(TreeFault::NotAPermutation { place });
        }
        let mut next = 0;
        let mut seen = vec![false; self.nodes.len()];
        let mut stack = if self.nodes.is_empty() { Vec::new() } else { vec![(0u32, 0usize)] };
        if let Some(first) = seen.first_mut() {
            *first = true;
        }
        // From the last lane to the first on the stack: parts come in order.
        while let Some((node, lane)) = stack.pop() {
            let (number, content) = (node as usize, &self.nodes[node as usize]);
            if content.count == 0 || content.count as usize > self.width {
                return Err(TreeFault::Count { node: number });
            }
            if lane + 1 < content.count as usize {
                stack.push((node, lane + 1));
            }
            let first = next;
            match content.lanes[lane] {
                Lane::Node(below) => {
                    if seen.get_mut(below as usize).is_none_or(|seen| std::mem::replace(seen, true))
                    {
                        return Err(TreeFault::NodeChild { node: number, lane });
                    }
                    stack.push((below, 0));
                }
                Lane::Items(part) => {
                    if part.first != next || part.count == 0 {
                        return Err(TreeFault::Leaf { leaf: part.first as usize });
                    }
                    if part.depth > DEEPEST {
                        return Err(TreeFault::TooDeep { node: number });
                    }
                    next += part.count;
                }
            }
            self.contained(number, lane, first)?;
        }
        let (nodes, leaves) = (seen.iter().filter(|&&seen| seen).count(), next as usize);
        if nodes != self.nodes.len() || leaves != self.order.len() {
            return Err(TreeFault::LeftOver { nodes, leaves });
        }
        Ok(())
    }

    /// Checks the points of the items below a lane, the first of which is at place `first` of the order.
    fn contained(&self, node: usize, lane: usize, first: u32) -> Result<(), TreeFault> {
        let volume = B::get(&self.nodes[node].volumes, lane);
        let count = self.count_below(node, lane);
        for &item in self.order.get(Part { first, count, depth: 0 }.range()).unwrap_or(&[]) {
            let own = item as usize * self.points_per_item;
            let points = &self.points[own..own + self.points_per_item];
            let outside = points.iter().position(|&p| !volume.contains(p, self.frame.error()));
            if let Some(k) = outside {
                return Err(TreeFault::Outside { node, lane, point: own + k });
            }
        }
        Ok(())
    }

    fn count_below(&self, node: usize, lane: usize) -> u32 {
        let mut count = 0;
        let mut stack = vec![self.nodes[node].lanes[lane]];
        while let Some(lane) = stack.pop() {
            match lane {
                Lane::Items(part) => count += part.count,
                Lane::Node(below) => {
                    let below = &self.nodes[below as usize];
                    stack.extend_from_slice(&below.lanes[..below.count as usize]);
                }
            }
        }
        count
    }
}
