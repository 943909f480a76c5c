//! Grids of several cell sizes: every box in the one that suits it.
//!
//! Ericson, *Real-Time Collision Detection*, 2005, 7.2, after Mirtich, *Impulse-based dynamic simulation of rigid body systems*, 1996.
//! A box is entered once, on the finest level whose cells are not smaller than it, and is compared on its own level with the cells
//! around it and on the others with those it may meet. What is different here: all levels are hash tables, so that there are no bounds;
//! the sizes of the levels follow the sizes of the boxes, instead of being powers of two from a given one; and of two levels it is
//! not always the finer that asks the coarser one, but the one for which less work is expected.

use super::generations::{Flow, Generations, Snapshot, by_generations};
use super::hashed_cells::{HashedCells, is_cell_size};
use super::lanes::{Lanes, effective_size};
use super::size_sample::SizeSample;
use super::sorted_list::SortedList;
use super::{Aabb, Proxies};
use std::ops::Range;

/// A hash table of cells for every range of sizes.
///
/// For boxes of any sizes, anywhere.
///
/// ```
/// use impinge::broad::{BroadPhase, Aabb, HierarchicalGrid, PairList, Proxies};
/// let mut proxies = Proxies::default();
/// for k in 0..5 {
///     let size = 10f32.powi(k);
///     proxies.insert(Aabb::new([size; 3], [12.0 * size; 3]), true);
/// }
/// let (mut broad, mut pairs) = (HierarchicalGrid::default(), PairList::default());
/// broad.update(&proxies, &mut pairs);
/// pairs.sort();
/// assert_eq!(pairs.list(), [[0, 1], [1, 2], [2, 3], [3, 4]]);
/// ```
#[derive(Debug, Default)]
pub struct HierarchicalGrid {
    generations: Generations<Levels>,
}

by_generations!(HierarchicalGrid, "hierarchical grid");

/// Sizes are counted by their exponent and the first two bits of their fraction.
const BIN_BITS: u32 = 21;
const BINS: usize = 1 << (31 - BIN_BITS);

/// How many bins, a quarter of an octave each, a level takes.
const BINS_OF_LEVEL: usize = 8;

/// Up to this number of others, a cell is not crowded.
const NOT_CROWDED: f64 = 2.5;

/// What a look into the cells of a row costs, in tests of boxes.
const ROW: f64 = 4.0;

/// The levels, the finest first.
#[derive(Debug, Default)]
struct Levels {
    levels: Vec<Level>,
    /// How many of them are in use; the others keep their memory.
    used: usize,
    large: SortedList,
    large_members: Vec<u32>,
}

#[derive(Debug, Default)]
struct Level {
    cells: HashedCells,
    members: Vec<u32>,
    size: f32,
    /// Which other levels are asked for what the boxes of this one meet.
    asks: Vec<usize>,
}

impl Snapshot for Levels {
    fn build(&mut self, proxies: &Proxies, members: &[u32]) {
        let level_of_bin = self.choose_levels(proxies, members);
        self.large_members.clear();
        for &index in members {
            let size = effective_size(proxies.extent(index));
            if is_cell_size(size) {
                self.levels[usize::from(level_of_bin[bin(size)])].members.push(index);
            } else {
                self.large_members.push(index);
            }
        }
        for level in &mut self.levels[..self.used] {
            level.cells.build(proxies, &level.members, level.size);
        }
        self.large.build(proxies, &self.large_members);
        self.choose_directions();
    }

    fn len(&self) -> usize {
        self.portions()
    }

    fn portions(&self) -> usize {
        self.levels[..self.used].iter().map(|level| level.cells.len()).sum::<usize>()
            + self.large.len()
    }

    fn pairs_within(
        &self,
        portions: Range<usize>,
        found: &mut impl FnMut(u32, u32) -> Flow,
    ) -> Flow {
        let mut begin = 0;
        for level in &self.levels[..self.used] {
            let end = begin + level.cells.len();
            for position in portions.start.max(begin)..portions.end.min(end) {
                let (extent, index) = level.cells.entry(position - begin);
                level.cells.later(position - begin, &mut |other| found(index, other))?;
                for &asked in &level.asks {
                    let asked = &self.levels[asked].cells;
                    asked.meeting(extent, &mut |other| found(index, other))?;
                }
            }
            begin = end;
        }
        for position in portions.start.max(begin)..portions.end {
            self.large.later(position - begin, found)?;
            let (extent, index) = self.large.entry(position - begin);
            let lanes = Lanes::new(extent);
            for level in &self.levels[..self.used] {
                level.cells.meeting(&lanes, &mut |other| found(index, other))?;
            }
        }
        Flow::Continue(())
    }

    fn meeting(&self, extent: &Aabb, found: &mut impl FnMut(u32) -> Flow) -> Flow {
        let lanes = Lanes::new(extent);
        for level in &self.levels[..self.used] {
            level.cells.meeting(&lanes, found)?;
        }
        self.large.meeting(extent, found)
    }

    fn bytes(&self) -> usize {
        let levels = self.levels.iter().map(|level| {
            level.cells.bytes() + level.members.capacity() * size_of::<u32>() + size_of::<Level>()
        });
        let large = self.large.bytes() + self.large_members.capacity() * size_of::<u32>();
        levels.sum::<usize>() + large
    }
}

impl Levels {
    /// Divides the sizes into levels, and says on which level each bin of sizes is.
    fn choose_levels(&mut self, proxies: &Proxies, members: &[u32]) -> [u16; BINS] {
        let mut counts = [(0usize, 0.0f32); BINS];
        let mut total = 0;
        for &index in members {
            let size = effective_size(proxies.extent(index));
            if is_cell_size(size) {
                let (count, largest) = &mut counts[bin(size)];
                (*count, *largest) = (*count + 1, largest.max(size));
                total += 1;
            }
        }
        // Less than this is not worth a level: it goes to the next coarser one.
        let few = (total / 256).min(1024);
        let finest = finest_cells(proxies, members);
        self.used = 0;
        let mut levels = [0; BINS];
        let (mut first, mut held, mut largest) = (0, 0, 0.0f32);
        for (number, &(count, size)) in counts.iter().enumerate() {
            if count > 0 {
                if held > few && number >= first + BINS_OF_LEVEL && size > finest {
                    self.begin_level(largest);
                    held = 0;
                }
                if held <= few {
                    first = number;
                }
                (held, largest) = (held + count, size);
            }
            levels[number] = self.used as u16;
        }
        if held > 0 {
            self.begin_level(largest);
        }
        levels
    }

    /// Puts another level to use.
    fn begin_level(&mut self, size: f32) {
        if self.used == self.levels.len() {
            self.levels.push(Level::default());
        }
        let level = &mut self.levels[self.used];
        level.members.clear();
        level.size = size;
        self.used += 1;
    }

    /// Decides for any two levels which of them asks the other.
    fn choose_directions(&mut self) {
        for coarse in 0..self.used {
            self.levels[coarse].asks.clear();
            for fine in 0..coarse {
                let (f, c) = (&self.levels[fine], &self.levels[coarse]);
                let crowds = [f.cells.crowding(), c.cells.crowding()];
                let counts = [f.cells.len() as f64, c.cells.len() as f64];
                let ratio = f64::from(f.size) / f64::from(c.size);
                let [by_fine, by_coarse] = [(0, ratio, crowds[1]), (1, 1.0 / ratio, crowds[0])]
                    .map(|(asking, ratio, crowd)| {
                        let rows = (ratio + 2.0) * (ratio + 2.0);
                        let work = rows * (ROW + (ratio + 2.0) * crowd);
                        counts[asking] * work.min(counts[1 - asking] + ROW)
                    });
                let (asking, asked) =
                    if by_fine < by_coarse { (fine, coarse) } else { (coarse, fine) };
                self.levels[asking].asks.push(asked);
            }
        }
    }
}

/// The largest size of cells that are not crowded with the boxes that fit into them: smaller ones would only be more.
fn finest_cells(proxies: &Proxies, members: &[u32]) -> f32 {
    let sample = SizeSample::new(proxies, members);
    let (Some(smallest), Some(largest)) = (sample.quantile(0.0), sample.quantile(1.0)) else {
        return 0.0;
    };
    let mut keys = Vec::new();
    let mut size = largest;
    while size > smallest && sample.others_in_cell(size, &mut keys) > NOT_CROWDED {
        size *= 0.7;
    }
    size
}

/// The bin of a size, which is positive and finite.
fn bin(size: f32) -> usize {
    (size.to_bits() >> BIN_BITS) as usize & (BINS - 1)
}
