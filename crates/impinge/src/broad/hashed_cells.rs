//! Cells of one size in a hash table, without bounds.
//!
//! Every box is entered once, in the cell of its low corner, and is no larger than a cell, so that the boxes that it overlaps are in
//! its own cell and in those around it (Ericson, *Real-Time Collision Detection*, 2005, 7.1.3). The table is filled by counting: the
//! boxes of a bucket lie side by side, and nothing is allocated for a cell.
//!
//! The bucket of the cell (x, y, z) is h(y, z) + x, so that neighbours along x are neighbours in memory and one look-up serves all
//! cells of a row. Rows may overlap in the table; an entry says which row it belongs to.

use super::generations::Flow;
use super::{Extent, Proxies};

/// Cells are numbered within these bounds; what is further away is counted to the outermost.
const OUTERMOST: f32 = (1 << 30) as f32;

/// The smallest and largest size of a cell, so that neither it nor its inverse overflows.
const SIZES: [f32; 2] = [1e-30, 1e30];

/// A box and the row (y, z) of its low corner.
#[derive(Clone, Copy, Debug)]
struct Entry {
    extent: Extent,
    row: [i32; 2],
}

/// The table.
#[derive(Debug, Default)]
pub(super) struct HashedCells {
    per_length: f32,
    /// The largest size of the boxes on each axis, rounded upwards.
    reach: [f32; 3],
    /// The least and largest number of an occupied cell on each axis.
    occupied: [[i32; 2]; 3],
    /// How many others an entry shares its bucket with, on an average.
    crowding: f64,
    /// The number of buckets less one; that number is a power of two.
    mask: u32,
    /// Where each bucket begins in `entries`, and one more for where the last one ends.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    indices: Vec<u32>,
    /// The buckets of the members while the table is filled.
    buckets: Vec<u32>,
}

/// The size that decides which cells are large enough for a box: the longest side, but not less than what its coordinates can
/// resolve, so that cell numbers stay small also for points far away.
pub(super) fn effective_size(extent: &Extent) -> f32 {
    let (low, high) = (extent.low(), extent.high());
    let side = (0..3).fold(0.0f32, |most, axis| most.max((high[axis] - low[axis]).next_up()));
    let far = (0..3).fold(0.0f32, |most, axis| most.max(low[axis].abs()).max(high[axis].abs()));
    side.max(far * 2f32.powi(-20)).max(SIZES[0])
}

/// True if cells of this size can be made.
pub(super) fn is_cell_size(size: f32) -> bool {
    (SIZES[0]..=SIZES[1]).contains(&size)
}

impl HashedCells {
    /// Enters boxes, none of which has an [`effective_size`] above that of the cells.
    pub(super) fn build(&mut self, proxies: &Proxies, members: &[u32], size: f32) {
        self.per_length = 1.0 / size.clamp(SIZES[0], SIZES[1]);
        self.reach = [0.0; 3];
        self.occupied = [[i32::MAX, i32::MIN]; 3];
        let table = members.len().max(8).next_power_of_two();
        self.mask = (table - 1) as u32;
        self.starts.clear();
        self.starts.resize(table + 1, 0);
        self.buckets.clear();
        for &index in members {
            let extent = proxies.extent(index);
            let cell = extent.low().map(|x| self.number(x));
            for (axis, number) in cell.into_iter().enumerate() {
                let length = extent.high()[axis] - extent.low()[axis];
                self.reach[axis] = self.reach[axis].max(length);
                let [least, most] = &mut self.occupied[axis];
                (*least, *most) = ((*least).min(number), (*most).max(number));
            }
            let bucket = self.bucket(cell[0], [cell[1], cell[2]]);
            self.starts[bucket as usize] += 1;
            self.buckets.push(bucket);
        }
        self.reach = self.reach.map(f32::next_up);
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
        let nothing = Entry { extent: Extent::POINT, row: [0; 2] };
        self.entries.resize(members.len(), nothing);
        self.indices.resize(members.len(), 0);
        for (&index, &bucket) in members.iter().zip(&self.buckets).rev() {
            let start = &mut self.starts[bucket as usize];
            *start -= 1;
            let place = *start as usize;
            let extent = *proxies.extent(index);
            let low = extent.low();
            let row = [self.number(low[1]), self.number(low[2])];
            self.entries[place] = Entry { extent, row };
            self.indices[place] = index;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.indices.len()
    }

    /// The box and the proxy of an entry.
    pub(super) fn entry(&self, position: usize) -> (&Extent, u32) {
        (&self.entries[position].extent, self.indices[position])
    }

    /// How many other entries there are, on an average over the entries, in the bucket of an entry.
    pub(super) fn crowding(&self) -> f64 {
        self.crowding
    }

    /// Shows the entries that overlap one of the entries and come after it, in the order of rows, cells and positions.
    pub(super) fn later(&self, position: usize, found: &mut impl FnMut(u32) -> Flow) -> Flow {
        let Entry { extent, row: [y, z] } = &self.entries[position];
        let (low, high) = (extent.low(), extent.high());
        let x = self.number(low[0]);
        let last = high.map(|end| self.number(end));
        let bucket = self.bucket(x, [*y, *z]) as usize;
        self.scan(position + 1..self.starts[bucket + 1] as usize, extent, [*y, *z], found)?;
        if last[0] > x {
            self.row(extent, [*y, *z], [x + 1, last[0]], found)?;
        }
        let first = [0, 1].map(|axis| self.first(low, axis));
        for other_y in y + 1..=last[1] {
            self.row(extent, [other_y, *z], [first[0], last[0]], found)?;
        }
        for other_z in z + 1..=last[2] {
            for other_y in first[1]..=last[1] {
                self.row(extent, [other_y, other_z], [first[0], last[0]], found)?;
            }
        }
        Flow::Continue(())
    }

    /// Shows the entries that overlap a box of any size.
    pub(super) fn meeting(&self, extent: &Extent, found: &mut impl FnMut(u32) -> Flow) -> Flow {
        let (low, high) = (extent.low(), extent.high());
        let first = [0, 1, 2].map(|axis| self.first(low, axis).max(self.occupied[axis][0]));
        let last = [0, 1, 2].map(|axis| self.number(high[axis]).min(self.occupied[axis][1]));
        let cells =
            [0, 1, 2].map(|axis| (i64::from(last[axis]) - i64::from(first[axis]) + 1).max(0));
        if cells.contains(&0) {
            return Flow::Continue(());
        }
        // Rows of at least as many cells as the table has buckets would show entries twice.
        if cells[1] * cells[2] > self.len() as i64 || cells[0] > i64::from(self.mask) {
            for (entry, &index) in self.entries.iter().zip(&self.indices) {
                if entry.extent.overlaps(extent) {
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
        self.entries.capacity() * size_of::<Entry>()
            + (self.starts.capacity() + self.indices.capacity() + self.buckets.capacity())
                * size_of::<u32>()
    }

    /// The first cell, along an axis, in which the low corner of a box may be that reaches this coordinate.
    #[inline]
    fn first(&self, low: [f32; 3], axis: usize) -> i32 {
        self.number((low[axis] - self.reach[axis]).next_down())
    }

    /// Shows the entries that overlap a box among those of some cells of a row.
    #[inline]
    fn row(
        &self,
        extent: &Extent,
        row: [i32; 2],
        [first, last]: [i32; 2],
        found: &mut impl FnMut(u32) -> Flow,
    ) -> Flow {
        let cells = (last - first) as u32;
        let begin = self.bucket(first, row);
        let end = begin.wrapping_add(cells.min(self.mask));
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
        range: std::ops::Range<usize>,
        extent: &Extent,
        row: [i32; 2],
        found: &mut impl FnMut(u32) -> Flow,
    ) -> Flow {
        for (entry, &index) in self.entries[range.clone()].iter().zip(&self.indices[range]) {
            if entry.extent.overlaps(extent) && entry.row == row {
                found(index)?;
            }
        }
        Flow::Continue(())
    }

    /// The number of the cell of a coordinate. It never falls when the coordinate rises, whatever is rounded.
    #[inline]
    fn number(&self, x: f32) -> i32 {
        let scaled = (x * self.per_length).clamp(-OUTERMOST, OUTERMOST);
        let towards_zero = scaled as i32;
        towards_zero - i32::from(towards_zero as f32 > scaled)
    }

    #[inline]
    fn bucket(&self, x: i32, [y, z]: [i32; 2]) -> u32 {
        let mixed = (y as u32).wrapping_mul(0x9E37_79B1) ^ (z as u32).wrapping_mul(0x85EB_CA77);
        let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x2C1B_3C6D);
        (mixed ^ (mixed >> 14)).wrapping_add(x as u32) & self.mask
    }
}
