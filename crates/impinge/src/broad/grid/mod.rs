//! A uniform grid.
//!
//! Boxes are sorted by cell anew in every step: with eight boxes per test there is nothing to gain from what was known before. Rows of
//! cells lie side by side in memory, so that a box is compared with short runs of others, each run eight at a time; every pair is
//! found from the one that comes first. References: Ericson, Real-Time Collision Detection (2005), chapter 7; the runs along rows are
//! those of cell lists in molecular dynamics.

mod frame;
mod place;
mod search;

use super::gather::Gather;
use super::writer::Writer;
use super::{Aabb, BroadPhase, BruteForce, DynamicTree, PairList, Proxies};
use frame::Frame;
use impinge_geom::simd::dispatch;
use place::Placed;
use search::Search;

/// If on average more boxes than this share a cell with a box, a tree is used instead.
const CROWD: usize = 512;

/// Cells of one size, for boxes of nearly equal sizes. Much larger boxes are handled correctly, but slowly if there are many. Where
/// cells would be crowded, as in a clump far from the rest, a [`DynamicTree`] takes over.
///
/// ```
/// use impinge::broad::{BroadPhase, Aabb, PairList, Proxies, UniformGrid};
/// let mut proxies = Proxies::default();
/// for k in 0..10 {
///     let x = k as f32;
///     proxies.insert(Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]), true);
/// }
/// let (mut grid, mut pairs) = (UniformGrid::default(), PairList::default());
/// grid.update(&proxies, &mut pairs);
/// assert_eq!(pairs.list().len(), 9);
/// ```
#[derive(Debug, Default)]
pub struct UniformGrid {
    frame: Frame,
    placed: Placed,
    gather: Gather,
    /// Does the work while too many boxes share a cell, and gets all changes while it exists.
    tree: Option<Box<DynamicTree>>,
    /// False before the first update.
    is_filled: bool,
}

/// False if cells would be so crowded that testing all pairs in them costs more than any other way.
pub(super) fn suits(proxies: &Proxies) -> bool {
    Frame::choose(proxies).crowd(proxies) <= CROWD / 8
}

impl BroadPhase for UniformGrid {
    fn name(&self) -> &'static str {
        "uniform grid"
    }

    fn update(&mut self, proxies: &Proxies, pairs: &mut PairList) {
        pairs.clear();
        self.frame = Frame::choose(proxies);
        self.placed.fill(&self.frame, proxies);
        self.is_filled = true;
        if self.placed.crowd(&self.frame) > CROWD {
            return self.tree.get_or_insert_default().update(proxies, pairs);
        }
        self.tree = None;
        let (frame, placed) = (&self.frame, &self.placed);
        let count = placed.count + placed.large.len();
        self.gather.all([count, count], pairs, &|range, list| {
            let mut writer = Writer::new(list);
            dispatch(Search { frame, placed, range, writer: &mut writer });
            !writer.is_full()
        });
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    fn bytes(&self) -> usize {
        let tree = self.tree.as_ref().map_or(0, |tree| tree.bytes());
        self.placed.bytes() + self.gather.bytes() + tree
    }

    fn overlapping(&self, proxies: &Proxies, extent: &Aabb, found: &mut dyn FnMut(u32)) {
        if !self.is_filled {
            return BruteForce.overlapping(proxies, extent, found);
        }
        for &index in proxies.changes() {
            if proxies.is_living(index) && proxies.extent(index).intersects(extent) {
                found(index);
            }
        }
        let mut look = |index: u32| {
            if !proxies.is_changed(index)
                && proxies.is_living(index)
                && proxies.extent(index).intersects(extent)
            {
                found(index);
            }
        };
        let [us, vs, cells] = self.frame.covered(&self.frame.turned(extent));
        for u in us {
            for v in vs.clone() {
                let row = (u * self.frame.counts[1] + v) * (self.frame.counts[2] + 1);
                let range = self.placed.range(row, cells.start..cells.end);
                self.placed.indices[range].iter().for_each(|&index| look(index));
            }
        }
        self.placed.large.iter().for_each(|record| look(record.index));
    }
}
