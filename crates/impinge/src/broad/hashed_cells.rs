//! Cells of one size in a hash table, without bounds.
//!
//! Every box is entered once, in the cell of its low corner, and is no larger than a cell, so that the boxes that it overlaps are in
//! its own cell and in those around it (Ericson, *Real-Time Collision Detection*, 2005, 7.1.3). The table is filled by counting: the
//! boxes of a bucket lie side by side, and nothing is allocated for a cell.
//!
//! The bucket of the cell (x, y, z) is h(y, z) + x, so that neighbours along x are neighbours in memory and one look-up serves all
//! cells of a row. Rows may overlap in the table; an entry says which row it belongs to.

use super::Proxies;
use super::generations::Flow;
use super::lanes::{Lanes, effective_size, largest_of, least_of};
use std::ops::Range;

/// Cells are numbered within these bounds; what is further away is counted to the outermost. Members are well within, for the size of
/// a cell is more than the 2^-20th part of their coordinates.
const OUTERMOST: f32 = (1 << 21) as f32;

/// Added to a number below 2^22, this leaves its integer in the lowest bits.
const SHIFT: f32 = 12_582_912.0;

/// The smallest and largest size of a cell, so that neither it nor its inverse overflows.
const SIZES: [f32; 2] = [1e-30, 1e30];

/// The table.
#[derive(Debug, Default)]
pub(super) struct HashedCells {
    per_length: f32,
    /// How far before a coordinate the low end of a member may be that reaches it: its largest size and what rounding may do.
    reach: [f32; 4],
    /// The least and largest coordinate of a low corner on each axis.
    corners: [[f32; 4]; 2],
    /// How many others an entry shares its bucket with, on an average.
    crowding: f64,
    /// The number of buckets less one; that number is a power of two.
    mask: u32,
    /// Where each bucket begins in `entries`, and one more for where the last one ends.
    starts: Vec<u32>,
    entries: Vec<Lanes>,
    /// The row (y, z) and the proxy of each entry.
    rows: Vec<[i32; 2]>,
    indices: Vec<u32>,
    /// The buckets of the members while the table is filled.
    buckets: Vec<u32>,
}

/// True if cells of this size can be made.
pub(super) fn is_cell_size(size: f32) -> bool {
    (SIZES[0]..=SIZES[1]).contains(&size)
}

impl HashedCells {
    /// Enters boxes, none of which has an [`effective_size`] above that of the cells.
    pub(super) fn build(&mut self, proxies: &Proxies, members: &[u32], size: f32) {
        debug_assert!(members.iter().all(|&k| effective_size(proxies.extent(k)) <= size));
        self.per_length = 1.0 / size.clamp(SIZES[0], SIZES[1]);
        self.corners = [[f32::INFINITY; 4], [f32::NEG_INFINITY; 4]];
        // Twice as many buckets as members: fewer tests fail, and they are still few beside the entries.
        let table = (members.len() * 2).max(8).next_power_of_two();
        self.mask = (table - 1) as u32;
        self.starts.clear();
        self.starts.resize(table + 1, 0);
        self.buckets.clear();
        let mut longest = [0.0; 4];
        for &index in members {
            let Lanes { low, high } = Lanes::new(proxies.extent(index));
            let sides = [0, 1, 2, 3].map(|k| high[k] - low[k]);
            longest = largest_of(longest, sides);
            self.corners = [least_of(self.corners[0], low), largest_of(self.corners[1], low)];
            let [x, y, z, _] = self.numbers(low);
            let bucket = self.bucket(x, [y, z]);
            self.starts[bucket as usize] += 1;
            self.buckets.push(bucket);
        }
        // The difference of two numbers is off by less than this part of the larger one.
        let rounding = [0, 1, 2, 3]
            .map(|k| self.corners[0][k].abs().max(self.corners[1][k].abs()).max(longest[k]) / 4e6);
        self.reach = [0, 1, 2, 3].map(|k| longest[k] + rounding[k]);
        self.fill(proxies, members);
    }

    /// Turns counts into places and puts every box into its own.
    fn fill(&mut self, proxies: &Proxies, members: &[u32]) {
        let (mut end, mut squares) = (0, 0);
        for count in &mut self.starts {
            squares += u64::from(*count) * u64::from(*count);
            end += *count;
            *count = end;
        }
        self.crowding = squares as f64 / members.len().max(1) as f64 - 1.0;
        self.entries.resize(members.len(), Lanes::default());
        self.rows.resize(members.len(), [0; 2]);
        self.indices.resize(members.len(), 0);
        for (&index, &bucket) in members.iter().zip(&self.buckets).rev() {
            let start = &mut self.starts[bucket as usize];
            *start -= 1;
            let place = *start as usize;
            let entry = Lanes::new(proxies.extent(index));
            let [_, y, z, _] = self.numbers(entry.low);
            self.entries[place] = entry;
            self.rows[place] = [y, z];
            self.indices[place] = index;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.indices.len()
    }

    /// The box and the proxy of an entry.
    #[inline]
    pub(super) fn entry(&self, position: usize) -> (&Lanes, u32) {
        (&self.entries[position], self.indices[position])
    }

    /// How many other entries there are, on an average over the entries, in the bucket of an entry.
    pub(super) fn crowding(&self) -> f64 {
        self.crowding
    }

    /// Shows the entries that overlap one of the entries and come after it, in the order of rows, cells and positions.
    #[inline]
    pub(super) fn later(&self, position: usize, found: &mut impl FnMut(u32) -> Flow) -> Flow {
        let extent = self.entries[position];
        let [x, y, z, _] = self.numbers(extent.low);
        let last = self.numbers(extent.high);
        let bucket = self.bucket(x, [y, z]) as usize;
        let own_end = self.starts[bucket + 1] as usize;
        if last[0] > x && bucket < self.mask as usize {
            // The next cells of the row follow in memory.
            let cells = (last[0] - x) as usize;
            let end = (bucket + cells).min(self.mask as usize);
            self.scan(position + 1..self.starts[end + 1] as usize, &extent, [y, z], found)?;
            if bucket + cells > end {
                let rest = self.starts[bucket + cells - end] as usize;
                self.scan(0..rest, &extent, [y, z], found)?;
            }
        } else {
            self.scan(position + 1..own_end, &extent, [y, z], found)?;
            if last[0] > x {
                self.row(&extent, [y, z], [x + 1, last[0]], found)?;
            }
        }
        let first = self.first(extent.low);
        for other_y in y + 1..=last[1] {
            self.row(&extent, [other_y, z], [first[0], last[0]], found)?;
        }
        for other_z in z + 1..=last[2] {
            for other_y in first[1]..=last[1] {
                self.row(&extent, [other_y, other_z], [first[0], last[0]], found)?;
            }
        }
        Flow::Continue(())
    }

    /// Shows the entries that overlap a box of any size.
    #[inline]
    pub(super) fn meeting(&self, extent: &Lanes, found: &mut impl FnMut(u32) -> Flow) -> Flow {
        if self.indices.is_empty() {
            return Flow::Continue(());
        }
        // Between the outermost members rounding is known; beyond them there is nothing to find.
        let high = least_of(extent.high, self.corners[1]);
        let beyond = [0, 1, 2, 3].map(|k| self.corners[1][k] + self.reach[k]);
        let low = largest_of(least_of(extent.low, beyond), self.corners[0]);
        let first =
            self.numbers(largest_of([0, 1, 2, 3].map(|k| low[k] - self.reach[k]), self.corners[0]));
        let last = self.numbers(high);
        let cells = [0, 1, 2].map(|k| i64::from((last[k] - first[k] + 1).max(0)));
        if cells.contains(&0) {
            return Flow::Continue(());
        }
        // Rows of at least as many cells as the table has buckets would show entries twice.
        if cells[1] * cells[2] > self.len() as i64 || cells[0] > i64::from(self.mask) {
            for (entry, &index) in self.entries.iter().zip(&self.indices) {
                if entry.intersects(extent) {
                    found(index)?;
                }
            }
            return Flow::Continue(());
        }
        for z in first[2]..=last[2] {
            for y in first[1]..=last[1] {
                self.row(extent, [y, z], [first[0], last[0]], found)?;
            }
        }
        Flow::Continue(())
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Lanes>()
            + self.rows.capacity() * size_of::<[i32; 2]>()
            + (self.starts.capacity() + self.indices.capacity() + self.buckets.capacity())
                * size_of::<u32>()
    }

    /// The first cells in which the low corner of a member may be that reaches the low corner of another.
    #[inline]
    fn first(&self, low: [f32; 4]) -> [i32; 4] {
        self.numbers([0, 1, 2, 3].map(|k| low[k] - self.reach[k]))
    }

    /// Shows the entries that overlap a box among those of some cells of a row.
    #[inline]
    fn row(
        &self,
        extent: &Lanes,
        row: [i32; 2],
        [first, last]: [i32; 2],
        found: &mut impl FnMut(u32) -> Flow,
    ) -> Flow {
        let cells = (last - first) as u32;
        let begin = self.bucket(first, row);
        let end = begin + cells.min(self.mask);
        if end <= self.mask {
            let range = self.starts[begin as usize]..self.starts[end as usize + 1];
            return self.scan(range.start as usize..range.end as usize, extent, row, found);
        }
        self.scan(self.starts[begin as usize] as usize..self.len(), extent, row, found)?;
        let rest = self.starts[(end & self.mask) as usize + 1] as usize;
        self.scan(0..rest, extent, row, found)
    }

    #[inline]
    fn scan(
        &self,
        range: Range<usize>,
        extent: &Lanes,
        row: [i32; 2],
        found: &mut impl FnMut(u32) -> Flow,
    ) -> Flow {
        let begin = range.start;
        for (k, entry) in self.entries[range].iter().enumerate() {
            if entry.intersects(extent) && self.rows[begin + k] == row {
                found(self.indices[begin + k])?;
            }
        }
        Flow::Continue(())
    }

    /// The numbers of the cells of coordinates. They never fall when a coordinate rises, whatever is rounded.
    #[inline]
    fn numbers(&self, x: [f32; 4]) -> [i32; 4] {
        let scaled = x.map(|x| x * self.per_length);
        let within = largest_of(least_of(scaled, [OUTERMOST; 4]), [-OUTERMOST; 4]);
        within.map(|x| (x + SHIFT).to_bits() as i32 - SHIFT.to_bits() as i32)
    }

    #[inline]
    fn bucket(&self, x: i32, [y, z]: [i32; 2]) -> u32 {
        let mixed = (y as u32).wrapping_mul(0x9E37_79B1) ^ (z as u32).wrapping_mul(0x85EB_CA77);
        let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x2C1B_3C6D);
        (mixed ^ (mixed >> 14)).wrapping_add(x as u32) & self.mask
    }
}
