//! Cells of one size, found by hashing: a world without bounds, and memory only for what is there.
//!
//! Teschner, Heidelberger, Müller, Pomeranets and Gross, *Optimized spatial hashing for collision detection of deformable objects*,
//! VMV 2003. They enter an object in every cell that it meets and choose the size of a cell by its mean size; here a box is entered
//! once, and the size is chosen by what a sample of the boxes says about the work: many small cells to look into, or many boxes in a
//! cell. The boxes that are larger than a cell are kept in a sorted list beside the table; each looks for the smaller ones in all
//! cells that it covers.

use super::generations::{Flow, Generations, Snapshot, by_generations};
use super::hashed_cells::{HashedCells, is_cell_size};
use super::lanes::{Lanes, effective_size};
use super::sorted_list::SortedList;
use super::{Extent, Proxies};
use std::ops::Range;

/// A hash table of cells of one size.
///
/// For boxes of about the same size, anywhere. Where sizes differ much, [`super::HierarchicalGrid`] does less work.
///
/// ```
/// use impinge::broad::{BroadPhase, Extent, Pairs, Proxies, SpatialHash};
/// let mut proxies = Proxies::default();
/// for k in 0..4 {
///     let x = 0.75 * k as f32;
///     proxies.insert(Extent::new([x, 0.0, 1e6], [x + 1.0, 1.0, 1e6])?, true);
/// }
/// let (mut broad, mut pairs) = (SpatialHash::default(), Pairs::default());
/// broad.update(&proxies, &mut pairs);
/// pairs.sort();
/// assert_eq!(pairs.list(), [[0, 1], [1, 2], [2, 3]]);
/// # Ok::<(), impinge::broad::BroadError>(())
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

    fn meeting(&self, extent: &Extent, found: &mut impl FnMut(u32) -> Flow) -> Flow {
        self.cells.meeting(&Lanes::new(extent), found)?;
        self.large.meeting(extent, found)
    }

    fn bytes(&self) -> usize {
        let members = self.small_members.capacity() + self.large_members.capacity();
        self.cells.bytes() + self.large.bytes() + members * size_of::<u32>()
    }
}

/// How many boxes the choice of the size is based on.
const SAMPLE: usize = 512;

/// What a look into the cells of a row costs, in tests of boxes.
const ROW: f64 = 4.0;

/// The size of a cell that seems to make the least work.
fn choose_size(proxies: &Proxies, members: &[u32]) -> f32 {
    let stride = members.len().div_ceil(SAMPLE).max(1);
    let sample = members.iter().step_by(stride).map(|&index| proxies.extent(index));
    let mut sample: Vec<(f32, [f32; 3])> = sample
        .map(|extent| (effective_size(extent), extent.low()))
        .filter(|&(size, _)| is_cell_size(size))
        .collect();
    sample.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let Some(&(largest, _)) = sample.last() else { return 1.0 };
    // Sizes just above that of the largest of the sample, for there may be others a little larger.
    let with_slack = |size: f32| (size * 1.05).min(f32::MAX);
    let mut best = (f64::INFINITY, with_slack(largest));
    for eighth in (1..=8).rev() {
        let Some(&(size, _)) = sample.get((sample.len() * eighth / 8).saturating_sub(1)) else {
            continue;
        };
        let cost = estimated_cost(&sample, members.len() as f64, with_slack(size));
        if cost < best.0 {
            best = (cost, with_slack(size));
        }
        // Near-equal sizes leave nothing to choose.
        if size * 2.0 > largest && eighth == 7 && sample[0].0 * 4.0 > largest {
            break;
        }
    }
    best.1
}

/// The tests of boxes for a cell of this size, as a sample sorted by size tells it.
fn estimated_cost(sample: &[(f32, [f32; 3])], count: f64, size: f32) -> f64 {
    let scale = count / sample.len() as f64;
    let small = sample.partition_point(|&(other, _)| other <= size);
    let mut cells: Vec<[i64; 3]> = sample[..small]
        .iter()
        .map(|(_, low)| low.map(|x| (f64::from(x) / f64::from(size)).floor() as i64))
        .collect();
    cells.sort_unstable();
    let together: usize =
        cells.chunk_by(|a, b| a == b).map(|run| run.len() * (run.len() - 1)).sum();
    // How many others are in the cell of a box. Half a pair is added: what a sample does not show may still be there.
    let in_cell = (together as f64 + 0.5) / small.max(1) as f64 * scale;
    let small_cost = small as f64 * scale * (5.0 * ROW + 13.5 * in_cell);
    let large = (sample.len() - small) as f64 * scale;
    let large_cost: f64 = sample[small..]
        .iter()
        .map(|&(other, _)| {
            let across = f64::from(other) / f64::from(size) + 2.0;
            let cells = across * across * (ROW + across * (in_cell + 1.0).min(in_cell * 8.0));
            cells.min(small as f64 * scale) * scale
        })
        .sum();
    small_cost + large_cost + large * large * 0.05
}
