//! A tree of boxes that follows what moves.
//!
//! Nodes have eight children, whose boxes are tested in one step, and the tree is traversed against itself: two nodes that overlap are
//! opened together, so that the way down is shared by all boxes below (as in parry's broad phase; compare Ericson, Real-Time Collision
//! Detection, section 6.3). There are no pointers: a node's children lie side by side, in the order of a curve that fills space.
//!
//! Boxes that move stay in their places while the bounds follow them; one that leaves its neighbours is removed and inserted where it
//! widens the nodes least; when the nodes have grown by a fifth, the order is made anew. If the list of pairs comes back as it was
//! given, pairs of boxes that did not change are kept, and only changed boxes are looked up.

mod order;
mod pack;
mod search;
mod shape;

use super::gather::Gather;
use super::writer::Writer;
use super::{BroadPhase, BruteForce, Extent, Pairs, Proxies};
use impinge_geom::simd::dispatch;
use impinge_tree::parallel;
use order::Order;
use search::{Around, Query, Search, Task, Widen};
use shape::Shape;
use std::sync::atomic::{AtomicU64, Ordering};

/// A number for every update of any tree.
static STAMPS: AtomicU64 = AtomicU64::new(1);

/// A dynamic hierarchy of boxes with eight children per node: for all sizes and places, and for scenes where few boxes move.
///
/// ```
/// use impinge::broad::{BroadPhase, DynamicTree, Extent, Pairs, Proxies};
/// let mut proxies = Proxies::default();
/// for k in 0..10 {
///     let x = k as f32;
///     proxies.insert(Extent::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0])?, true);
/// }
/// let (mut tree, mut pairs) = (DynamicTree::default(), Pairs::default());
/// tree.update(&proxies, &mut pairs);
/// proxies.clear_changes();
/// assert_eq!(pairs.list().len(), 9);
/// let mut found = Vec::new();
/// tree.overlapping(&proxies, &Extent::new([4.5; 3], [4.5, 9.0, 9.0])?, &mut |index| found.push(index));
/// assert!(found.is_empty());
/// # Ok::<(), impinge::broad::BroadError>(())
/// ```
#[derive(Debug, Default)]
pub struct DynamicTree {
    shape: Shape,
    order: Order,
    stack: Vec<Task>,
    gather: Gather,
    /// Names the last update.
    stamp: u64,
}

impl BroadPhase for DynamicTree {
    fn name(&self) -> &'static str {
        "dynamic tree"
    }

    fn update(&mut self, proxies: &Proxies, pairs: &mut Pairs) {
        let changes = proxies.changes();
        let few = changes.len() < self.shape.count / 4;
        self.take_in(proxies, few);
        let keeps = few && pairs.is_of(self.stamp);
        if keeps {
            pairs.retain(|a, b| !proxies.is_changed(a) && !proxies.is_changed(b));
        } else {
            pairs.clear();
        }
        self.shape.find_lively();
        if keeps {
            self.search_around(pairs);
        } else {
            self.search(pairs);
        }
        self.shape.forget_changes();
        self.stamp = STAMPS.fetch_add(1, Ordering::Relaxed);
        pairs.set_stamp(self.stamp);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    fn bytes(&self) -> usize {
        self.shape.bytes()
            + self.order.bytes()
            + self.stack.capacity() * size_of::<Task>()
            + self.gather.bytes()
    }

    fn overlapping(&self, proxies: &Proxies, extent: &Extent, found: &mut dyn FnMut(u32)) {
        if self.stamp == 0 {
            return BruteForce.overlapping(proxies, extent, found);
        }
        for &index in proxies.changes() {
            if proxies.is_living(index) && proxies.extent(index).overlaps(extent) {
                found(index);
            }
        }
        let found = &mut |index| {
            if !proxies.is_changed(index) {
                found(index);
            }
        };
        dispatch(Query { shape: &self.shape, corners: pack::corners(extent), found });
    }
}

impl DynamicTree {
    /// Adds all pairs.
    fn search(&mut self, pairs: &mut Pairs) {
        let (shape, stack) = (&self.shape, &mut self.stack);
        stack.clear();
        let top = shape.levels.len().checked_sub(1);
        stack.extend(top.map(|top| Task { level: top as u32, a: 0, b: 0 }));
        if parallel::threads() > 1 {
            let mut writer = Writer::new(pairs);
            dispatch(Widen(Search { shape, stack, writer: &mut writer }));
        }
        let tasks = &*stack;
        self.gather.all([shape.count, tasks.len()], pairs, &|range, list| {
            let mut stack = tasks[range].to_vec();
            let mut writer = Writer::new(list);
            dispatch(Search { shape, stack: &mut stack, writer: &mut writer });
            !writer.is_full()
        });
    }

    /// Adds the pairs of which at least one changed.
    fn search_around(&mut self, pairs: &mut Pairs) {
        let shape = &self.shape;
        let leaves = shape.touched_leaves();
        self.gather.all([leaves.len(), leaves.len()], pairs, &|range, list| {
            let mut writer = Writer::new(list);
            dispatch(Around { shape, leaves: &leaves[range], writer: &mut writer });
            !writer.is_full()
        });
    }

    /// Takes note of all changes; if they are `few`, the marks tell the search what changed.
    fn take_in(&mut self, proxies: &Proxies, few: bool) {
        if self.stamp == 0 {
            self.shape.build(proxies, &mut self.order);
            return;
        }
        if few {
            proxies.changes().iter().for_each(|&index| self.shape.change(proxies, index));
            self.shape.refit_changed();
        } else if self.shape.replace(proxies) {
            self.shape.refit_all(proxies);
        } else {
            self.shape.build(proxies, &mut self.order);
        }
        if self.shape.is_worn() {
            self.shape.build(proxies, &mut self.order);
            if few {
                proxies.changes().iter().for_each(|&index| self.shape.mark_proxy(index));
                self.shape.refit_changed();
            }
        }
    }
}
