//! Boxes in the order of the cells: first by row, then along each row.
//!
//! Both steps count and then place. The first writes to as many places as there are rows, which are few enough for the caches; the
//! second works within a row, so that a million boxes cross the memory twice and no more.

use super::super::Proxies;
use super::frame::{Corners, Frame, turned};
use impinge_geom::simd::memory::with_capacity;

/// A box on its way, corners in the order of the axes of the frame.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct Record {
    pub(super) corners: Corners,
    pub(super) index: u32,
    /// 1 if it moves.
    pub(super) moving: u8,
}

/// Boxes in order, coordinate by coordinate, with room for eight lanes behind the last.
#[derive(Clone, Debug, Default)]
pub(super) struct Placed {
    pub(super) low: [Vec<f32>; 3],
    pub(super) high: [Vec<f32>; 3],
    pub(super) indices: Vec<u32>,
    pub(super) moving: Vec<u8>,
    /// Where each cell begins, row by row; each row has one more, its end.
    pub(super) starts: Vec<u32>,
    /// How many there are.
    pub(super) count: usize,
    /// True if one of them does not move.
    pub(super) has_fixed: bool,
    /// Those that are too large for the grid, by their low ends along the rows.
    pub(super) large: Vec<Record>,
    rows: Vec<u32>,
    ends: Vec<u32>,
    records: Vec<Record>,
    cells: Vec<u16>,
}

impl Placed {
    /// Puts all living boxes in order.
    pub(super) fn fill(&mut self, frame: &Frame, proxies: &Proxies) {
        match frame.along() {
            0 => self.place_in_rows::<0>(frame, proxies),
            1 => self.place_in_rows::<1>(frame, proxies),
            _ => self.place_in_rows::<2>(frame, proxies),
        }
        self.grow();
        let length = frame.counts[2] + 1;
        if self.starts.len() < frame.rows() * length {
            self.starts.resize(frame.rows() * length, 0);
        }
        let mut begin = 0;
        for row in 0..frame.rows() {
            let end = self.ends[row] as usize;
            self.place_along(frame, begin..end, row * length);
            begin = end;
        }
        self.count = begin;
        self.large.clear();
        self.large.extend_from_slice(&self.records[begin..]);
        self.large.sort_unstable_by(|a, b| a.corners[0][2].total_cmp(&b.corners[0][2]));
    }

    /// How many boxes, on average, share its cell with a box.
    pub(super) fn crowd(&self, frame: &Frame) -> usize {
        let starts = &self.starts[..frame.rows() * (frame.counts[2] + 1)];
        // From the end of a row to the begin of the next there is nothing.
        let squares =
            starts.windows(2).map(|pair| u64::from(pair[1] - pair[0]).pow(2)).sum::<u64>();
        (squares / self.count.max(1) as u64) as usize
    }

    /// The row of each box; behind the rows one for those that are too large and one for those that are no more.
    fn count_rows<const ALONG: usize>(&mut self, frame: &Frame, proxies: &Proxies) {
        let rows = frame.rows();
        self.ends.clear();
        self.ends.resize(rows + 2, 0);
        if self.rows.len() < proxies.len() {
            self.rows = with_capacity(proxies.len());
            self.rows.resize(proxies.len(), 0);
        }
        for ((index, extent), place) in (0..).zip(proxies.extents()).zip(&mut self.rows) {
            let corners = turned::<ALONG>(extent);
            let row = frame.cell(0, corners[0][0]) * frame.counts[1] + frame.cell(1, corners[0][1]);
            let row = if frame.takes(&corners) { row } else { rows };
            let row = if proxies.is_living(index) { row } else { rows + 1 };
            *place = row as u32;
            self.ends[row] += 1;
        }
    }

    /// Boxes by row. Afterwards `ends` tells where each row ends.
    fn place_in_rows<const ALONG: usize>(&mut self, frame: &Frame, proxies: &Proxies) {
        self.count_rows::<ALONG>(frame, proxies);
        let mut begin = 0;
        for end in &mut self.ends {
            let count = *end;
            *end = begin;
            begin += count;
        }
        let living = self.ends[frame.rows() + 1] as usize;
        if self.records.capacity() < living {
            self.records = with_capacity(living);
        }
        self.records.resize(living, Record::default());
        self.has_fixed = false;
        for ((index, extent), row) in (0..).zip(proxies.extents()).zip(&self.rows) {
            let place = &mut self.ends[*row as usize];
            if let Some(record) = self.records.get_mut(*place as usize) {
                let moving = proxies.is_moving(index);
                self.has_fixed |= !moving;
                *record =
                    Record { corners: turned::<ALONG>(extent), index, moving: u8::from(moving) };
                *place += 1;
            }
        }
    }

    /// Room for all boxes, and eight lanes more.
    fn grow(&mut self) {
        let needed = self.records.len() + 8;
        if self.indices.len() >= needed {
            return;
        }
        for list in self.low.iter_mut().chain(&mut self.high) {
            *list = with_capacity(needed);
            list.resize(needed, f32::NAN);
        }
        self.indices = with_capacity(needed);
        self.indices.resize(needed, 0);
        self.moving.resize(needed, 0);
    }

    /// The boxes of one row by their cells in it.
    fn place_along(&mut self, frame: &Frame, row: std::ops::Range<usize>, first: usize) {
        let begin = row.start;
        let records = &self.records[row.clone()];
        let starts = &mut self.starts[first..first + frame.counts[2] + 1];
        starts.fill(0);
        self.cells.clear();
        for record in records {
            let cell = frame.cell(2, record.corners[0][2]);
            self.cells.push(cell as u16);
            starts[cell + 1] += 1;
        }
        // One step ahead: placing moves each start to the start of the next cell.
        let mut sum = begin as u32;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        let [low0, low1, low2] = self.low.each_mut().map(|list| &mut list[row.clone()]);
        let [high0, high1, high2] = self.high.each_mut().map(|list| &mut list[row.clone()]);
        let indices = &mut self.indices[row.clone()];
        let moving = &mut self.moving[row.clone()];
        for (record, &cell) in records.iter().zip(&self.cells) {
            let start = &mut starts[usize::from(cell)];
            let place = *start as usize - begin;
            *start += 1;
            let [low, high] = record.corners;
            (low0[place], low1[place], low2[place]) = (low[0], low[1], low[2]);
            (high0[place], high1[place], high2[place]) = (high[0], high[1], high[2]);
            indices[place] = record.index;
            if self.has_fixed {
                moving[place] = record.moving;
            }
        }
        // Now each holds its end: back by one cell.
        starts.copy_within(0..frame.counts[2], 1);
        starts[0] = begin as u32;
    }

    /// The memory that it holds, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let floats: usize = self.low.iter().chain(&self.high).map(Vec::capacity).sum();
        let words = floats
            + self.indices.capacity()
            + self.starts.capacity()
            + self.rows.capacity()
            + self.ends.capacity();
        let records = (self.records.capacity() + self.large.capacity()) * size_of::<Record>();
        4 * words + records + self.moving.capacity() + 2 * self.cells.capacity()
    }
}
