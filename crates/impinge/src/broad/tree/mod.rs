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
mod ray;
mod search;
mod wide;

use super::gather::Gather;
use super::writer::Writer;
use super::{Aabb, BroadPhase, BroadRay, BruteForce, PairList, Proxies};
use impinge_geom::simd::dispatch;
use impinge_tree::parallel;
use order::Order;
use ray::CastRay;
use search::{Around, Query, Search, Task, Widen};
use std::sync::atomic::{AtomicU64, Ordering};
use wide::WideTree;

/// A number for every update of any tree.
static STAMPS: AtomicU64 = AtomicU64::new(1);

/// A dynamic AABB tree with eight children per node: for all sizes and places, and for scenes where few boxes move.
///
/// ```
/// use impinge::broad::{BroadPhase, DynamicTree, Aabb, PairList, Proxies};
/// let mut proxies = Proxies::default();
/// for k in 0..10 {
///     let x = k as f32;
///     proxies.insert(Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]), true);
/// }
/// let (mut tree, mut pairs) = (DynamicTree::default(), PairList::default());
/// tree.update(&proxies, &mut pairs);
/// proxies.clear_changes();
/// assert_eq!(pairs.list().len(), 9);
/// let mut found = Vec::new();
/// tree.overlapping(&proxies, &Aabb::new([4.5; 3], [4.5, 9.0, 9.0]), &mut |index| found.push(index));
/// assert!(found.is_empty());
/// ```
#[derive(Debug, Default)]
pub struct DynamicTree {
    wide: WideTree,
    order: Order,
    stack: Vec<Task>,
    gather: Gather,
    /// Names the last update.
    stamp: u64,
    /// The version of the proxies whose boxes the tree holds, changes included; none before the first.
    fitted: Option<u64>,
}

impl BroadPhase for DynamicTree {
    fn name(&self) -> &'static str {
        "dynamic tree"
    }

    fn update(&mut self, proxies: &Proxies, pairs: &mut PairList) {
        let changes = proxies.changes();
        let few = changes.len() < self.wide.count / 4;
        self.take_in(proxies, few);
        let keeps = few && pairs.is_of(self.stamp);
        if keeps {
            pairs.retain(|a, b| !proxies.is_changed(a) && !proxies.is_changed(b));
        } else {
            pairs.clear();
        }
        self.wide.find_moving();
        if keeps {
            self.search_around(pairs);
        } else {
            self.search(pairs);
        }
        self.wide.forget_changes();
        self.fitted = Some(proxies.version());
        self.stamp = STAMPS.fetch_add(1, Ordering::Relaxed);
        pairs.set_stamp(self.stamp);
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    fn bytes(&self) -> usize {
        self.wide.bytes()
            + self.order.bytes()
            + self.stack.capacity() * size_of::<Task>()
            + self.gather.bytes()
    }

    fn overlapping(&self, proxies: &Proxies, extent: &Aabb, found: &mut dyn FnMut(u32)) {
        let Some(fitted) = self.fitted else {
            return BruteForce.overlapping(proxies, extent, found);
        };
        let mut held = |_| true;
        let mut unchanged = |index| !proxies.is_changed(index);
        let counts: &mut dyn FnMut(u32) -> bool = match fitted == proxies.version() {
            true => &mut held,
            false => {
                let changed = |index: &&u32| {
                    proxies.is_living(**index) && proxies.extent(**index).intersects(extent)
                };
                proxies.changes().iter().filter(changed).for_each(|&index| found(index));
                &mut unchanged
            }
        };
        let found = &mut |index| {
            if counts(index) {
                found(index);
            }
        };
        dispatch(Query { wide: &self.wide, corners: pack::corners(extent), found });
    }

    fn refit(&mut self, proxies: &Proxies) {
        if self.fitted != Some(proxies.version()) {
            let few = proxies.changes().len() < self.wide.count / 4;
            self.take_in(proxies, few);
            self.fitted = Some(proxies.version());
        }
    }

    fn cast_ray(&self, proxies: &Proxies, ray: &BroadRay, visit: &mut dyn FnMut(u32) -> f64) {
        let Some(fitted) = self.fitted else { return BruteForce.cast_ray(proxies, ray, visit) };
        let current = fitted == proxies.version();
        let mut end = ray.end(f64::INFINITY);
        if !current {
            for &index in proxies.changes() {
                if proxies.is_living(index) && ray.meets_before(proxies.extent(index), end) {
                    end = ray.end(visit(index));
                }
            }
        }
        let visit = &mut |index| {
            let counts = current || !proxies.is_changed(index);
            counts.then(|| ray.end(visit(index)))
        };
        dispatch(CastRay { wide: &self.wide, ray, end, visit });
    }
}

impl DynamicTree {
    /// Adds all pairs.
    fn search(&mut self, pairs: &mut PairList) {
        let (wide, stack) = (&self.wide, &mut self.stack);
        stack.clear();
        let top = wide.levels.len().checked_sub(1);
        stack.extend(top.map(|top| Task { level: top as u32, a: 0, b: 0 }));
        if parallel::threads() > 1 {
            let mut writer = Writer::new(pairs);
            dispatch(Widen(Search { wide, stack, writer: &mut writer }));
        }
        let tasks = &*stack;
        self.gather.all([wide.count, tasks.len()], pairs, &|range, list| {
            let mut stack = tasks[range].to_vec();
            let mut writer = Writer::new(list);
            dispatch(Search { wide, stack: &mut stack, writer: &mut writer });
            !writer.is_full()
        });
    }

    /// Adds the pairs of which at least one changed.
    fn search_around(&mut self, pairs: &mut PairList) {
        let wide = &self.wide;
        let leaves = wide.touched_leaves();
        self.gather.all([leaves.len(), leaves.len()], pairs, &|range, list| {
            let mut writer = Writer::new(list);
            dispatch(Around { wide, leaves: &leaves[range], writer: &mut writer });
            !writer.is_full()
        });
    }

    /// Takes note of all changes; if they are `few`, the marks tell the search what changed.
    fn take_in(&mut self, proxies: &Proxies, few: bool) {
        if self.fitted.is_none() {
            self.wide.build(proxies, &mut self.order);
            return;
        }
        if few {
            proxies.changes().iter().for_each(|&index| self.wide.change(proxies, index));
            self.wide.refit_changed();
        } else if self.wide.replace(proxies) {
            self.wide.refit_all(proxies);
        } else {
            self.wide.build(proxies, &mut self.order);
        }
        if self.wide.is_worn() {
            self.wide.build(proxies, &mut self.order);
            if few {
                proxies.changes().iter().for_each(|&index| self.wide.mark_proxy(index));
                self.wide.refit_changed();
            }
        }
    }
}
