//! Cells of one size, found by hashing: a world without bounds, and memory only for what is there.
//!
//! Teschner, Heidelberger, Müller, Pomeranets and Gross, *Optimized spatial hashing for collision detection of deformable objects*,
//! VMV 2003. They enter an object in every cell that it meets and choose the size of a cell by its mean size; here a box is entered
//! once, and the size is chosen by what a sample of the boxes says about the work: many small cells to look into, or many boxes in a
//! cell. The boxes that are larger than a cell are kept in a sorted list beside the table; each looks for the smaller ones in all
//! cells that it covers.

use super::generations::{Flow, Generations, Snapshot, by_generations};
use super::hashed_cells::HashedCells;
use super::lanes::{Lanes, effective_size};
use super::size_sample::SizeSample;
use super::sorted_list::SortedList;
use super::{Aabb, Proxies};
use std::ops::Range;

/// A hash table of cells of one size.
///
/// For boxes of about the same size, anywhere. Where sizes differ a lot, [`super::HierarchicalGrid`] does less work.
///
/// ```
/// use impinge::broad::{BroadPhase, Aabb, PairList, Proxies, SpatialHash};
/// let mut proxies = Proxies::default();
/// for k in 0..4 {
///     let x = 0.75 * k as f32;
///     proxies.insert(Aabb::new([x, 0.0, 1e6], [x + 1.0, 1.0, 1e6]), true);
/// }
/// let (mut broad, mut pairs) = (SpatialHash::default(), PairList::default());
/// broad.update(&proxies, &mut pairs);
/// pairs.sort();
/// assert_eq!(pairs.list(), [[0, 1], [1, 2], [2, 3]]);
/// ```
#[derive(Debug, Default)]
pub struct SpatialHash {
    generations: Generations<OneSize>,
}

by_generations!(SpatialHash, "spatial hash");

/// The small boxes in cells and the others in a list.
#[derive(Debug, Default)]
struct OneSize {
    cells: HashedCells,
    large: SortedList,
    small_members: Vec<u32>,
    large_members: Vec<u32>,
}

impl Snapshot for OneSize {
    fn build(&mut self, proxies: &Proxies, members: &[u32]) {
        let size = choose_size(proxies, members);
        self.small_members.clear();
        self.large_members.clear();
        for &index in members {
            let fits = effective_size(proxies.extent(index)) <= size;
            if fits { &mut self.small_members } else { &mut self.large_members }.push(index);
        }
        self.cells.build(proxies, &self.small_members, size);
        self.large.build(proxies, &self.large_members);
    }

    fn len(&self) -> usize {
        self.portions()
    }

    fn portions(&self) -> usize {
        self.cells.len() + self.large.len()
    }

    fn pairs_within(
        &self,
        portions: Range<usize>,
        found: &mut impl FnMut(u32, u32) -> Flow,
    ) -> Flow {
        for position in portions {
            if position < self.cells.len() {
                let (_, index) = self.cells.entry(position);
                self.cells.later(position, &mut |other| found(index, other))?;
            } else {
                let position = position - self.cells.len();
                self.large.later(position, found)?;
                let (extent, index) = self.large.entry(position);
                self.cells.meeting(&Lanes::new(extent), &mut |other| found(index, other))?;
            }
        }
        Flow::Continue(())
    }

    fn meeting(&self, extent: &Aabb, found: &mut impl FnMut(u32) -> Flow) -> Flow {
        self.cells.meeting(&Lanes::new(extent), found)?;
        self.large.meeting(extent, found)
    }

    fn bytes(&self) -> usize {
        let members = self.small_members.capacity() + self.large_members.capacity();
        self.cells.bytes() + self.large.bytes() + members * size_of::<u32>()
    }
}

/// What a look into the cells of a row costs, in tests of boxes.
const ROW: f64 = 4.0;

/// The size of a cell that seems to make the least work.
fn choose_size(proxies: &Proxies, members: &[u32]) -> f32 {
    let sample = SizeSample::new(proxies, members);
    let (Some(smallest), Some(largest)) = (sample.quantile(0.0), sample.quantile(1.0)) else {
        return 1.0;
    };
    // A little more than the sample shows, for there may be others a little larger.
    let with_slack = |size: f32| (size * 1.05).min(f32::MAX);
    let mut best = (f64::INFINITY, with_slack(largest));
    // Near-equal sizes leave nothing to choose.
    if smallest * 4.0 > largest {
        return best.1;
    }
    let mut keys = Vec::new();
    for eighth in 1..=8 {
        let size = with_slack(sample.quantile(f64::from(eighth) / 8.0).unwrap_or(largest));
        let cost = estimated_cost(&sample, size, &mut keys);
        if cost < best.0 {
            best = (cost, size);
        }
    }
    best.1
}

/// The tests of boxes for cells of this size, as far as a sample tells.
fn estimated_cost(sample: &SizeSample, size: f32, keys: &mut Vec<u64>) -> f64 {
    let scale = sample.scale();
    let others = sample.others_in_cell(size, keys);
    let small = sample.not_above(size);
    let small_count = small as f64 * scale;
    let small_cost = small_count * (5.0 * ROW + 13.5 * others);
    let large = sample.sizes().skip(small);
    let large_count = large.len() as f64 * scale;
    let large_cost: f64 = large
        .map(|other| {
            let across = f64::from(other) / f64::from(size) + 2.0;
            (across * across * (ROW + across * others)).min(small_count) * scale
        })
        .sum();
    small_cost + large_cost + large_count * large_count * 0.05
}
