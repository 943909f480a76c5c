//! The tree against boxes and against itself.

use super::{Node, Octree};
use crate::broad::generations::Flow;
use crate::broad::lanes::Lanes;
use std::ops::Range;

/// How many levels of the tree are divided into tasks.
const TASK_LEVELS: usize = 2;

/// A piece of the search for pairs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task {
    /// The boxes of a node, among themselves and with those below.
    Own(u32),
    /// All within a node and below it.
    Within(u32),
    /// One node and what is below it with another.
    Between(u32, u32),
}

impl Octree {
    /// Makes the list of tasks.
    pub(super) fn divide_work(&mut self) {
        self.tasks.clear();
        if self.nodes.is_empty() {
            return;
        }
        let mut whole = vec![0];
        for _ in 0..TASK_LEVELS {
            let mut next = Vec::new();
            for &node in &whole {
                self.tasks.push(Task::Own(node));
                let children: Vec<u32> = self.children(node).collect();
                for (k, &child) in children.iter().enumerate() {
                    let others = children[..k].iter();
                    self.tasks.extend(others.map(|&other| Task::Between(other, child)));
                }
                next.extend(children);
            }
            whole = next;
        }
        self.tasks.extend(whole.into_iter().map(Task::Within));
    }

    /// Shows the pairs of a task.
    pub(super) fn work(&self, task: Task, found: &mut impl FnMut(u32, u32) -> Flow) -> Flow {
        match task {
            Task::Own(node) => self.own(node, found),
            Task::Within(node) => self.within(node, found),
            Task::Between(a, b) if self.touch(a, b) => self.between(a, b, found),
            Task::Between(..) => Flow::Continue(()),
        }
    }

    /// Shows the items at a node and below it that overlap a box; nothing if there is no such node.
    pub(super) fn below(
        &self,
        node: u32,
        extent: &Lanes,
        found: &mut impl FnMut(u32) -> Flow,
    ) -> Flow {
        let mut at = node as usize;
        let end = self.nodes.get(at).map_or(0, |node| node.end as usize);
        while at < end {
            let Node { bounds, own, end } = &self.nodes[at];
            if !bounds.intersects(extent) {
                at = *end as usize;
                continue;
            }
            for item in items(*own) {
                if self.items[item].intersects(extent) {
                    found(self.indices[item])?;
                }
            }
            at += 1;
        }
        Flow::Continue(())
    }

    fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let (mut child, end) = (node + 1, self.nodes[node as usize].end);
        std::iter::from_fn(move || {
            let next = child;
            (next < end).then(|| {
                child = self.nodes[next as usize].end;
                next
            })
        })
    }

    fn touch(&self, a: u32, b: u32) -> bool {
        self.nodes[a as usize].bounds.intersects(&self.nodes[b as usize].bounds)
    }

    fn own(&self, node: u32, found: &mut impl FnMut(u32, u32) -> Flow) -> Flow {
        let own = items(self.nodes[node as usize].own);
        for item in own.clone() {
            let (extent, index) = (&self.items[item], self.indices[item]);
            for other in item + 1..own.end {
                if self.items[other].intersects(extent) {
                    found(index, self.indices[other])?;
                }
            }
            for child in self.children(node) {
                self.below(child, extent, &mut |other| found(index, other))?;
            }
        }
        Flow::Continue(())
    }

    fn within(&self, node: u32, found: &mut impl FnMut(u32, u32) -> Flow) -> Flow {
        self.own(node, found)?;
        for child in self.children(node) {
            self.within(child, found)?;
            let mut other = self.nodes[child as usize].end;
            while other < self.nodes[node as usize].end {
                if self.touch(child, other) {
                    self.between(child, other, found)?;
                }
                other = self.nodes[other as usize].end;
            }
        }
        Flow::Continue(())
    }

    /// The pairs between two nodes that are not below one another.
    fn between(&self, a: u32, b: u32, found: &mut impl FnMut(u32, u32) -> Flow) -> Flow {
        let (node_a, node_b) = (&self.nodes[a as usize], &self.nodes[b as usize]);
        for item in items(node_a.own).filter(|&k| self.items[k].intersects(&node_b.bounds)) {
            let (extent, index) = (&self.items[item], self.indices[item]);
            self.below(b, extent, &mut |other| found(index, other))?;
        }
        if node_a.end == a + 1 {
            return Flow::Continue(());
        }
        for item in items(node_b.own).filter(|&k| self.items[k].intersects(&node_a.bounds)) {
            let (extent, index) = (&self.items[item], self.indices[item]);
            for child in self.children(a) {
                self.below(child, extent, &mut |other| found(index, other))?;
            }
        }
        for child_a in self.children(a) {
            if !self.nodes[child_a as usize].bounds.intersects(&node_b.bounds) {
                continue;
            }
            for child_b in self.children(b).filter(|&child_b| self.touch(child_a, child_b)) {
                self.between(child_a, child_b, found)?;
            }
        }
        Flow::Continue(())
    }
}

fn items([begin, end]: [u32; 2]) -> Range<usize> {
    begin as usize..end as usize
}
