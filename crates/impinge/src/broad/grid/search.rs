//! All pairs of boxes that lie in order.

use super::super::writer::Writer;
use super::frame::{Corners, Frame, number};
use super::place::{Placed, Record};
use impinge_geom::simd::{Kernel, Simd, vector};
use std::ops::Range;

/// Finds the pairs of some boxes with those that come later, and of boxes that are too large with all.
pub(super) struct Search<'a, 'b> {
    pub(super) frame: &'a Frame,
    pub(super) placed: &'a Placed,
    /// Places of the boxes that come first in their pairs; those that are too large are behind the last place.
    pub(super) range: Range<usize>,
    pub(super) writer: &'a mut Writer<'b>,
}

impl Kernel for Search<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let (frame, placed) = (self.frame, self.placed);
        let view = View::new(placed);
        let mut count = 0;
        let end = self.range.end.min(placed.count);
        for at in (self.range.start..end).step_by(8) {
            let Some((corners, _)) = view.lanes(simd, at) else { return };
            let covered = Covered::new(simd, frame, &corners);
            let mut runs = Runs::default();
            for lane in 0..(end - at).min(8) {
                runs.collect(frame, &view, at + lane, &covered, lane);
            }
            for &[at, start, end] in &runs.list[..runs.count] {
                let Some(one) = One::at(simd, &view, at as usize) else { return };
                self.scan(simd, &mut count, &view, &one, start as usize..end as usize);
            }
            if self.writer.is_full() {
                return;
            }
        }
        let large = |place: usize| place.max(placed.count) - placed.count;
        for k in large(self.range.start)..large(self.range.end) {
            let large = &placed.large[k];
            self.large(simd, &mut count, &view, large);
            for other in &placed.large[k + 1..] {
                if other.corners[0][2] > large.corners[1][2] {
                    break;
                }
                if large.touches(other) && large.moving | other.moving == 1 {
                    self.writer.push(&mut count, large.index, other.index);
                }
            }
            if self.writer.is_full() {
                return;
            }
        }
        self.writer.flush(count);
    }
}

impl Search<'_, '_> {
    /// A box that is too large for the grid with all that are in it.
    #[inline(always)]
    fn large<S: Simd>(&mut self, simd: S, count: &mut usize, view: &View<'_>, record: &Record) {
        let one = One::new(simd, record);
        let [us, vs, cells] = self.frame.covered(&record.corners);
        for u in us {
            for v in vs.clone() {
                let row = (u * self.frame.counts[1] + v) * (self.frame.counts[2] + 1);
                let range = view.start(row + cells.start)..view.start(row + cells.end);
                self.scan(simd, count, view, &one, range);
            }
        }
    }

    /// One box with a range of others.
    #[inline(always)]
    fn scan<S: Simd>(
        &mut self,
        simd: S,
        count: &mut usize,
        view: &View<'_>,
        one: &One<S>,
        range: Range<usize>,
    ) {
        let mut at = range.start;
        loop {
            let Some((others, indices)) = view.lanes(simd, at) else { return };
            let lanes = (1u32 << range.end.saturating_sub(at).min(8)) - 1;
            let mut mask = simd.touching32(&one.lanes, &others) & lanes;
            if !one.moving {
                mask &= self.placed.moving_lanes(at);
            }
            // Nothing to write is as likely as something: not worth a branch.
            self.writer.write(simd, count, mask, one.index, indices);
            at += 8;
            if at >= range.end {
                return;
            }
        }
    }
}

/// What eight boxes are to be compared with: for each a few runs of others, none of them empty.
struct Runs {
    /// The place of the box, and where the run begins and ends.
    list: [[u32; 3]; 40],
    count: usize,
}

impl Default for Runs {
    #[inline(always)]
    fn default() -> Self {
        Self { list: [[0; 3]; 40], count: 0 }
    }
}

impl Runs {
    /// The later boxes of the same row, and those of the four rows around it that come later. A row is wider than any box reaches, so
    /// that there are no more; which of them are needed is as good as random, so that all are made and only counted if needed.
    #[inline(always)]
    fn collect(
        &mut self,
        frame: &Frame,
        view: &View<'_>,
        at: usize,
        covered: &Covered,
        lane: usize,
    ) {
        let (rows_v, length) = (frame.counts[1], frame.counts[2] + 1);
        let [u, v] = [number(covered.own[0][lane]), number(covered.own[1][lane])];
        let [first_v, first] = [number(covered.first[0][lane]), number(covered.first[1][lane])];
        let [last_u, last_v] = [number(covered.last[0][lane]), number(covered.last[1][lane])];
        let last = number(covered.last[2][lane]) + 1;
        let row = (u * rows_v + v) * length;
        self.add(at, [at + 1, view.start(row + last)], true);
        let mut add = |row: usize, needed: bool| {
            let row = if needed { row } else { 0 };
            self.add(at, [view.start(row + first), view.start(row + last)], needed);
        };
        let (above, below, next) = (last_v > v, first_v < v, last_u > u);
        add(row + length, above);
        let row = row + rows_v * length;
        add(row.wrapping_sub(length), next & below);
        add(row, next);
        add(row + length, next & above);
    }

    #[inline(always)]
    fn add(&mut self, at: usize, [start, end]: [usize; 2], needed: bool) {
        if let Some(place) = self.list.get_mut(self.count) {
            *place = [at as u32, start as u32, end as u32];
            self.count += usize::from(needed & (start < end));
        }
    }
}

/// The lists of [`Placed`], all of one length, so that one comparison covers them.
struct View<'a> {
    low: [&'a [f32]; 3],
    high: [&'a [f32]; 3],
    indices: &'a [u32],
    starts: &'a [u32],
    moving: Option<&'a [u8]>,
}

impl<'a> View<'a> {
    #[inline(always)]
    fn new(placed: &'a Placed) -> Self {
        let end = placed.indices.len();
        let [a, b, c] = &placed.low;
        let [d, e, f] = &placed.high;
        Self {
            low: [&a[..end], &b[..end], &c[..end]],
            high: [&d[..end], &e[..end], &f[..end]],
            indices: &placed.indices[..end],
            starts: &placed.starts,
            moving: placed.has_fixed.then(|| &placed.moving[..end]),
        }
    }

    /// Where a cell begins.
    #[inline(always)]
    fn start(&self, cell: usize) -> usize {
        self.starts[cell] as usize
    }

    /// Eight boxes and their indices.
    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, at: usize) -> Option<(Lanes<S>, &'a [u32; 8])> {
        let ([a, b, c], [d, e, f]) = (self.low, self.high);
        let low = [
            simd.load32(a.get(at..)?.first_chunk()?),
            simd.load32(b.get(at..)?.first_chunk()?),
            simd.load32(c.get(at..)?.first_chunk()?),
        ];
        let high = [
            simd.load32(d.get(at..)?.first_chunk()?),
            simd.load32(e.get(at..)?.first_chunk()?),
            simd.load32(f.get(at..)?.first_chunk()?),
        ];
        Some(([low, high], self.indices.get(at..)?.first_chunk()?))
    }
}

/// The cells of eight boxes.
struct Covered {
    /// Their own, along the first two axes.
    own: [[f32; 8]; 2],
    /// The first with boxes that they may overlap, along the last two.
    first: [[f32; 8]; 2],
    /// The last, along all.
    last: [[f32; 8]; 3],
}

impl Covered {
    #[inline(always)]
    fn new<S: Simd>(simd: S, frame: &Frame, [low, high]: &Lanes<S>) -> Self {
        Self {
            own: [frame.cells(simd, 0, low[0]), frame.cells(simd, 1, low[1])],
            first: [frame.firsts(simd, 1, low[1]), frame.firsts(simd, 2, low[2])],
            last: [
                frame.cells(simd, 0, high[0]),
                frame.cells(simd, 1, high[1]),
                frame.cells(simd, 2, high[2]),
            ],
        }
    }
}

/// Eight boxes: low and high corners.
type Lanes<S> = [[<S as Simd>::F32x8; 3]; 2];

/// A box in all lanes.
struct One<S: Simd> {
    lanes: Lanes<S>,
    index: u32,
    moving: bool,
}

impl<S: Simd> One<S> {
    #[inline(always)]
    fn at(simd: S, view: &View<'_>, at: usize) -> Option<Self> {
        let ([a, b, c], [d, e, f]) = (view.low, view.high);
        let low = [*a.get(at)?, *b.get(at)?, *c.get(at)?];
        let high = [*d.get(at)?, *e.get(at)?, *f.get(at)?];
        let moving = view.moving.is_none_or(|moving| moving[at] == 1);
        let lanes = [vector::splat(simd, low), vector::splat(simd, high)];
        Some(Self { lanes, index: *view.indices.get(at)?, moving })
    }

    #[inline(always)]
    fn new(simd: S, record: &Record) -> Self {
        let [low, high] = record.corners;
        let lanes = [vector::splat(simd, low), vector::splat(simd, high)];
        Self { lanes, index: record.index, moving: record.moving == 1 }
    }
}

impl Record {
    fn touches(&self, other: &Self) -> bool {
        let ([low, high], [other_low, other_high]) = (self.corners, other.corners);
        (0..3).all(|k| low[k] <= other_high[k] && other_low[k] <= high[k])
    }
}

impl Frame {
    /// The cells along each axis in which low corners of boxes may lie that overlap this one.
    #[inline(always)]
    pub(super) fn covered(&self, corners: &Corners) -> [Range<usize>; 3] {
        let covered = |k: usize| self.first(k, corners[0][k])..self.cell(k, corners[1][k]) + 1;
        [covered(0), covered(1), covered(2)]
    }
}

impl Placed {
    /// The places of the boxes in some cells of a row.
    #[inline(always)]
    pub(super) fn range(&self, row: usize, cells: Range<usize>) -> Range<usize> {
        self.starts[row + cells.start] as usize..self.starts[row + cells.end] as usize
    }

    /// Which of eight boxes move, one bit each.
    #[inline(always)]
    fn moving_lanes(&self, at: usize) -> u32 {
        let bytes =
            self.moving.get(at..).and_then(|moving| moving.first_chunk()).unwrap_or(&[0; 8]);
        // The bytes are 0 or 1; the product brings byte k to bit k of the highest byte.
        (u64::from_le_bytes(*bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
    }
}
