//! The nodes: packs of eight in levels, without pointers.

use super::super::Proxies;
use super::order::Order;
use super::pack::{Corners, Pack, corners, side_sum, union};
use impinge_geom::simd::memory::with_capacity;
use impinge_geom::simd::{Kernel, Simd, dispatch};

/// An index that no proxy has.
pub(super) const NONE: u32 = u32::MAX;

/// Packs in levels: lane `i` of pack `k` of a level bounds pack `8 k + i` of the level below; on level 0 the lanes are the boxes
/// themselves. The last level is one pack, unless there is nothing at all.
#[derive(Clone, Debug, Default)]
pub(super) struct WideTree {
    pub(super) levels: Vec<Vec<Pack>>,
    /// Whose boxes are on level 0.
    pub(super) indices: Vec<[u32; 8]>,
    /// Which of them move, a bit per lane.
    pub(super) moving: Vec<u8>,
    /// For every proxy its lane on level 0, counted through, or [`NONE`].
    slots: Vec<u32>,
    /// Lanes on level 0 that changed since the last update.
    pub(super) changed: Vec<u8>,
    /// Packs with changes below, on every level, in order.
    touched: Vec<Vec<u32>>,
    /// How many boxes there are.
    pub(super) count: usize,
    /// How many packs the last build made on level 0.
    built: usize,
    /// The sum of the girths of all packs on level 0, now and after the last build.
    cost: [f64; 2],
    /// True if there was ever one that does not move, since the last build.
    pub(super) has_fixed: bool,
    /// For every level the packs with something below that moves; empty if everything moves.
    has_moving: Vec<Vec<bool>>,
}

impl WideTree {
    /// All from scratch.
    pub(super) fn build(&mut self, proxies: &Proxies, order: &mut Order) {
        order.sort(proxies);
        self.slots.clear();
        self.slots.resize(proxies.len(), NONE);
        self.indices.clear();
        self.indices.reserve(order.len() / 7 + 1);
        let (mut class, mut lane) = (0, 8);
        for (next, index) in order.iter() {
            if lane == 8 || next != class {
                self.indices.push([NONE; 8]);
                (class, lane) = (next, 0);
            }
            if let Some(last) = self.indices.last_mut() {
                last[lane] = index;
            }
            self.slots[index as usize] = (8 * (self.indices.len() - 1) + lane) as u32;
            lane += 1;
        }
        self.count = order.len();
        self.built = self.indices.len();
        self.has_fixed = false;
        self.resize();
        self.refit_all(proxies);
        self.cost[1] = self.cost[0];
    }

    /// Notes where something moves, so that a search passes over what cannot have pairs: a million boxes in one place that do not move
    /// are no work.
    pub(super) fn find_moving(&mut self) {
        self.has_moving.clear();
        if !self.has_fixed {
            return;
        }
        let mut list: Vec<bool> = self.moving.iter().map(|&lanes| lanes != 0).collect();
        for _ in 0..self.levels.len() {
            let above = list.chunks(8).map(|packs| packs.contains(&true)).collect();
            self.has_moving.push(std::mem::replace(&mut list, above));
        }
    }

    /// False if nothing below a pack moves.
    #[inline(always)]
    pub(super) fn has_moving_children(&self, level: usize, at: usize) -> bool {
        self.has_moving.get(level).is_none_or(|list| list.get(at) != Some(&false))
    }

    /// As many packs on all levels, empty, as the indices need.
    fn resize(&mut self) {
        let (mut count, mut level) = (self.indices.len(), 0);
        self.moving.resize(count, 0);
        while count > 0 {
            if level == self.levels.len() {
                self.levels.push(with_capacity(count));
                self.touched.push(Vec::new());
            }
            self.levels[level].clear();
            self.levels[level].resize(count, Pack::EMPTY);
            self.touched[level].clear();
            level += 1;
            count = if count == 1 { 0 } else { count.div_ceil(8) };
        }
        self.levels.truncate(level);
        self.changed.clear();
        self.changed.resize(self.indices.len(), 0);
        self.touched.truncate(level);
    }

    /// Takes all boxes from the proxies, without a change of their places.
    pub(super) fn refit_all(&mut self, proxies: &Proxies) {
        let Some(boxes) = self.levels.first_mut() else { return };
        let extents = proxies.extents();
        for ((pack, indices), moving) in boxes.iter_mut().zip(&self.indices).zip(&mut self.moving) {
            *moving = 0;
            for (lane, &index) in indices.iter().enumerate() {
                if let Some(extent) = extents.get(index as usize) {
                    pack.set(lane, corners(extent));
                    *moving |= u8::from(proxies.is_moving(index)) << lane;
                    self.has_fixed |= !proxies.is_moving(index);
                }
            }
        }
        self.cost[0] = dispatch(Refit { levels: &mut self.levels });
    }

    /// Takes out what is gone and puts in what is new, before all boxes are refitted. False if there is so much of it that building
    /// is cheaper.
    pub(super) fn replace(&mut self, proxies: &Proxies) -> bool {
        self.slots.resize(proxies.len().max(self.slots.len()), NONE);
        let changes = proxies.changes();
        let is_new = |index: u32| proxies.is_living(index) && self.slots[index as usize] == NONE;
        let new = changes.iter().filter(|&&index| is_new(index)).count();
        if new * 16 > self.count {
            return false;
        }
        for &index in changes {
            let slot = self.slots[index as usize];
            if proxies.is_living(index) && slot == NONE {
                self.insert(index, corners(proxies.extent(index)), proxies.is_moving(index));
            } else if !proxies.is_living(index) && slot != NONE {
                self.clear(index);
            }
        }
        true
    }

    /// Marks a proxy as changed.
    pub(super) fn mark_proxy(&mut self, index: u32) {
        let slot = self.slots.get(index as usize).map_or(NONE, |&slot| slot) as usize;
        if slot != NONE as usize {
            self.mark(slot / 8, slot % 8);
        }
    }

    /// Takes in one change: a new box, a new proxy or the end of one.
    pub(super) fn change(&mut self, proxies: &Proxies, index: u32) {
        if self.slots.len() < proxies.len() {
            self.slots.resize(proxies.len(), NONE);
        }
        let Some(&slot) = self.slots.get(index as usize) else { return };
        let (leaf, lane) = (slot as usize / 8, slot as usize % 8);
        if !proxies.is_living(index) {
            if slot != NONE {
                self.clear(index);
            }
            return;
        }
        let corners = corners(proxies.extent(index));
        let moving = proxies.is_moving(index);
        if slot != NONE && self.is_near(leaf, &corners) {
            self.levels[0][leaf].set(lane, corners);
            self.moving[leaf] = self.moving[leaf] & !(1 << lane) | u8::from(moving) << lane;
            self.has_fixed |= !moving;
            self.mark(leaf, lane);
            return;
        }
        if slot != NONE {
            self.clear(index);
        }
        self.insert(index, corners, moving);
    }

    /// True if a box overlaps the others of its pack: then it may stay with them.
    fn is_near(&self, leaf: usize, [low, high]: &Corners) -> bool {
        let Some(parents) = self.levels.get(1) else { return true };
        let bound = parents[leaf / 8].get(leaf % 8);
        (0..3).all(|k| low[k].max(bound[0][k]) <= high[k].min(bound[1][k]))
    }

    fn clear(&mut self, index: u32) {
        let slot = self.slots[index as usize] as usize;
        let (leaf, lane) = (slot / 8, slot % 8);
        self.slots[index as usize] = NONE;
        self.indices[leaf][lane] = NONE;
        self.levels[0][leaf].set(lane, [[f32::NAN; 3]; 2]);
        self.moving[leaf] &= !(1 << lane);
        self.count -= 1;
        self.mark(leaf, lane);
    }

    /// Puts a box where it widens the nodes least; into a pack of its own if that place is full.
    fn insert(&mut self, index: u32, corners: Corners, moving: bool) {
        let mut at = 0;
        for level in (1..self.levels.len()).rev() {
            let below = self.levels[level - 1].len();
            at = 8 * at + best(&self.levels[level][at], &corners, (below - 8 * at).min(8));
        }
        let full = |indices: &[u32; 8]| indices.iter().all(|&index| index != NONE);
        if self.indices.get(at).is_none_or(full) {
            at = self.add_leaf();
        }
        let lane = self.indices[at].iter().position(|&index| index == NONE).unwrap_or(0);
        self.slots[index as usize] = (8 * at + lane) as u32;
        self.indices[at][lane] = index;
        self.levels[0][at].set(lane, corners);
        self.moving[at] |= u8::from(moving) << lane;
        self.has_fixed |= !moving;
        self.count += 1;
        self.mark(at, lane);
        for level in 1..self.levels.len() {
            let pack = &mut self.levels[level][at / 8];
            let old = pack.get(at % 8);
            let new = union(&old, &corners);
            pack.set(at % 8, new);
            if level == 1 {
                self.cost[0] += f64::from(side_sum(&new) - side_sum(&old));
            }
            at /= 8;
        }
    }

    /// One more pack on level 0, and above it what is needed.
    fn add_leaf(&mut self) -> usize {
        self.indices.push([NONE; 8]);
        self.moving.push(0);
        self.changed.push(0);
        let (mut count, mut level) = (self.indices.len(), 0);
        loop {
            if level == self.levels.len() {
                self.levels.push(Vec::new());
                self.touched.push(Vec::new());
                // A level above what was the root.
                if level > 0 {
                    let below = self.levels[level - 1][0];
                    let mut pack = Pack::EMPTY;
                    pack.set(
                        0,
                        (0..8).fold(below.get(0), |sum, lane| union(&sum, &below.get(lane))),
                    );
                    self.levels[level].push(pack);
                }
            }
            self.levels[level].resize(count, Pack::EMPTY);
            if count == 1 {
                return self.indices.len() - 1;
            }
            count = count.div_ceil(8);
            level += 1;
        }
    }

    fn mark(&mut self, leaf: usize, lane: usize) {
        if self.changed[leaf] == 0 {
            self.touched[0].push(leaf as u32);
        }
        self.changed[leaf] |= 1 << lane;
    }

    /// Bounds what changed, level by level.
    pub(super) fn refit_changed(&mut self) {
        dispatch(RefitChanged { wide: self });
    }

    /// Packs on level 0 with changes.
    pub(super) fn touched_leaves(&self) -> &[u32] {
        self.touched.first().map_or(&[], Vec::as_slice)
    }

    /// Forgets what changed.
    pub(super) fn forget_changes(&mut self) {
        for pack in self.touched.iter().take(1).flatten() {
            self.changed[*pack as usize] = 0;
        }
        self.touched.iter_mut().for_each(Vec::clear);
    }

    /// True if the nodes have grown too much, or too many boxes came later.
    pub(super) fn is_worn(&self) -> bool {
        let [now, before] = self.cost;
        now > 1.2 * before
            || self.indices.len() > self.built + self.built / 8 + 8
            || self.count * 2 + 256 < 8 * self.indices.len()
    }

    /// The memory that it holds, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let packs: usize = self.levels.iter().map(Vec::capacity).sum();
        let touched: usize = self.touched.iter().map(Vec::capacity).sum();
        packs * size_of::<Pack>()
            + self.indices.capacity() * size_of::<[u32; 8]>()
            + 4 * (self.slots.capacity() + touched)
            + self.moving.capacity()
            + self.has_moving.iter().map(Vec::capacity).sum::<usize>()
            + self.changed.capacity()
    }
}

/// The lane that grows least.
fn best(pack: &Pack, corners: &Corners, count: usize) -> usize {
    let growth = |lane: usize| {
        let old = pack.get(lane);
        side_sum(&union(&old, corners)) - side_sum(&old)
    };
    let mut best = (0, growth(0));
    for lane in 1..count {
        let growth = growth(lane);
        if growth < best.1 {
            best = (lane, growth);
        }
    }
    best.0
}

/// Bounds all packs, and sums the girths of those on level 0.
struct Refit<'a> {
    levels: &'a mut [Vec<Pack>],
}

impl Kernel for Refit<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f64 {
        let mut cost = 0.0;
        for level in 1..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(level);
            for (packs, parent) in below[level - 1].chunks(8).zip(&mut above[0]) {
                for (lane, pack) in packs.iter().enumerate() {
                    let bound = pack.bound(simd);
                    parent.set(lane, bound);
                    if level == 1 {
                        cost += f64::from(side_sum(&bound));
                    }
                }
            }
        }
        cost
    }
}

/// Bounds the packs that were touched.
struct RefitChanged<'a> {
    wide: &'a mut WideTree,
}

impl Kernel for RefitChanged<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let wide = self.wide;
        if let Some(leaves) = wide.touched.first_mut() {
            leaves.sort_unstable();
        }
        for level in 1..wide.levels.len() {
            let (below, above) = wide.levels.split_at_mut(level);
            let (touched, touched_above) = wide.touched.split_at_mut(level);
            for &at in &touched[level - 1] {
                let (pack, parent, lane) = (at as usize, at as usize / 8, at as usize % 8);
                let bound = below[level - 1][pack].bound(simd);
                if level == 1 {
                    let old = above[0][parent].get(lane);
                    wide.cost[0] += f64::from(side_sum(&bound) - side_sum(&old));
                }
                above[0][parent].set(lane, bound);
                if touched_above[0].last() != Some(&(parent as u32)) {
                    touched_above[0].push(parent as u32);
                }
            }
        }
    }
}
