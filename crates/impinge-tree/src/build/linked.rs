//! From a binary tree with links, as builders make it that do not work from the top, to a topology.

use super::reference::Reference;
use super::{DEEPEST, Grouping};
use crate::topology::{Group, Topology};

/// An inner node: its children and how many items are below it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    /// Numbers below that of the items are places in their list; from there on joints are counted.
    pub(super) children: [u32; 2],
    pub(super) count: u32,
}

/// A tree over the items of a list.
pub(super) struct Linked<'l> {
    pub(super) references: &'l [Reference],
    pub(super) joints: &'l [Joint],
}

impl Linked<'_> {
    fn joint(&self, node: u32) -> Option<&Joint> {
        let joint = (node as usize).checked_sub(self.references.len())?;
        self.joints.get(joint)
    }

    /// The groups below a root. Subtrees of up to `leaf` items become leaves; what would be deeper than [`DEEPEST`] is halved instead.
    pub(super) fn topology(&self, root: u32, leaf: usize) -> Topology {
        let count = self.references.len();
        let mut topology = Topology { groups: Vec::new(), order: Vec::with_capacity(count) };
        // A node, how deep it is, and the group whose second child it is.
        let mut stack = if count > 0 { vec![(root, 0, None)] } else { Vec::new() };
        while let Some((node, depth, before)) = stack.pop() {
            let (groups, own) = (&mut topology.groups, topology.order.len() as u32);
            if let Some(before) = before {
                groups[before as usize].second = groups.len() as u32 - before;
            }
            match self.joint(node) {
                Some(joint) if joint.count as usize > leaf && depth < DEEPEST => {
                    let [first, second] = joint.children;
                    stack.push((second, depth + 1, Some(groups.len() as u32)));
                    stack.push((first, depth + 1, None));
                    groups.push(Group { first: own, count: joint.count, second: 0 });
                }
                _ => {
                    let mut items = self.items(node);
                    let halves = Grouping { leaf, split: &|_: &mut [u32]| 0 };
                    halves.extend(groups, &mut items, own, depth);
                    topology.order.append(&mut items);
                }
            }
        }
        topology
    }

    /// All items below a node, in order.
    fn items(&self, node: u32) -> Vec<u32> {
        let mut items = Vec::new();
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            match self.joint(node) {
                Some(Joint { children: [first, second], .. }) => stack.extend([*second, *first]),
                None => items.push(self.references[node as usize].id()),
            }
        }
        items
    }
}
