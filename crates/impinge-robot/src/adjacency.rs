//! Which links are neighbours: they touch or overlap by design.

use crate::tree::KinematicTree;
use std::collections::BTreeSet;

impl KinematicTree {
    /// Pairs of links, smaller index first, connected by a joint, directly or through links without geometry; `occupied` says which links have geometry.
    ///
    /// ```
    /// use impinge_robot::{Freedom, Joint, KinematicTree};
    /// let joint = |name: &str, parent, child| Joint::new(name, parent, child, Freedom::Fixed);
    /// let tree = KinematicTree::new(4, vec![joint("a", 0, 1), joint("b", 1, 2), joint("c", 2, 3)])?;
    /// assert_eq!(tree.adjacent(|link| link != 1), [[0, 2], [2, 3]]);
    /// # Ok::<(), impinge_robot::TreeError>(())
    /// ```
    pub fn adjacent(&self, occupied: impl Fn(usize) -> bool) -> Vec<[usize; 2]> {
        let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); self.link_count()];
        for joint in self.joints() {
            neighbours[joint.parent].push(joint.child);
            neighbours[joint.child].push(joint.parent);
        }
        let mut pairs = BTreeSet::new();
        // Which link was reached last from which: a list that is not cleared.
        let mut seen = vec![usize::MAX; self.link_count()];
        for link in (0..self.link_count()).filter(|&link| occupied(link)) {
            seen[link] = link;
            let mut waiting = vec![link];
            while let Some(here) = waiting.pop() {
                for &next in &neighbours[here] {
                    if std::mem::replace(&mut seen[next], link) == link {
                        continue;
                    }
                    if occupied(next) {
                        pairs.insert([link.min(next), link.max(next)]);
                    } else {
                        waiting.push(next);
                    }
                }
            }
        }
        pairs.into_iter().collect()
    }
}
