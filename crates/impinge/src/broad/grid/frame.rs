//! Where the cells of a grid lie.

use super::super::{Aabb, Proxies};
use impinge_geom::simd::Simd;

/// How many boxes are looked at to choose the cells.
const SAMPLES: usize = 1024;
/// The width of a row in units of the largest box: wider rows are fewer, and hold more boxes whose tests fail.
const ROW_WIDTH: f32 = 1.5;
/// The length of a cell along its row in the same units.
const CELL_LENGTH: f32 = 0.75;
/// The largest number of cells along an axis: up to it the index of a cell is exact to much less than [`SLACK`].
const MOST_CELLS: f32 = 2048.0;
/// What is added to the reach of a box, in cells, for the rounding of its place.
const SLACK: f32 = 0.01;

/// 2²³: f32 from here on are whole.
const ROUND: f32 = 8_388_608.0;

/// A low and a high corner.
pub(super) type Corners = [[f32; 3]; 2];

/// Rows of cells: two axes tell the row, the third the cell within. All triples begin with the axis after `along`, which is last.
///
/// A box lies in the cell of its low corner. Cells at the border reach to infinity, so that every box has one; places are monotonous
/// in the coordinate, also after rounding, and this alone makes the search complete.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    along: usize,
    origin: [f32; 3],
    /// Cells per unit of length.
    scale: [f32; 3],
    /// Cells along each axis, at least 1.
    pub(super) counts: [usize; 3],
    /// The last cell along each axis.
    last: [f32; 3],
    /// Boxes that are larger along any axis do not take part.
    largest: [f32; 3],
    /// How far, in cells, the low corner of another box may lie below that of an overlapping one.
    reach: [f32; 3],
}

impl Frame {
    /// Cells for boxes of nearly equal sizes, chosen after some of them.
    pub(super) fn choose(proxies: &Proxies) -> Self {
        let sample = sample(proxies);
        let spans: [Span; 3] = std::array::from_fn(|axis| Span::of(&sample, axis));
        let longer = |a: usize, b: usize| if spans[b].cells() > spans[a].cells() { b } else { a };
        let along = longer(0, longer(1, 2));
        let spans = [1, 2, 3].map(|turn| spans[(along + turn) % 3]);
        let rows = [0, 1].map(|k| (spans[k].cells() / ROW_WIDTH).clamp(1.0, MOST_CELLS));
        // Rows without boxes cost time as well.
        let most = (proxies.len() as f32 / 4.0).max(1.0);
        let shrink = (rows[0] * rows[1] / most).max(1.0).sqrt();
        let rows = rows.map(|count| (count / shrink).floor().max(1.0));
        let most = (2.0 * proxies.len() as f32 / (rows[0] * rows[1])).clamp(1.0, MOST_CELLS);
        let cells = (spans[2].cells() / CELL_LENGTH).clamp(1.0, most).floor();
        let counts = [rows[0], rows[1], cells];
        let scale: [f32; 3] = std::array::from_fn(|k| {
            let scale = counts[k] / (spans[k].high - spans[k].low);
            if scale.is_finite() { scale } else { 0.0 }
        });
        Self {
            along,
            origin: spans.map(|span| span.low),
            scale,
            counts: counts.map(|count| count as usize),
            last: counts.map(|count| count - 1.0),
            largest: spans.map(|span| span.size),
            reach: std::array::from_fn(|k| spans[k].size * scale[k] * 1.0001 + SLACK),
        }
    }

    /// How many others share its cell with a box, on average, as some of the boxes tell.
    pub(super) fn crowd(&self, proxies: &Proxies) -> usize {
        let sample = sample(proxies);
        let mut cells: Vec<[usize; 3]> = sample
            .iter()
            .map(|extent| {
                let [low, _] = self.turned(extent);
                [0, 1, 2].map(|axis| self.cell(axis, low[axis]))
            })
            .collect();
        cells.sort_unstable();
        let others: usize =
            cells.chunk_by(|a, b| a == b).map(|cell| cell.len() * (cell.len() - 1)).sum();
        let count = sample.len().max(1);
        others * (proxies.len() / count) / count
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.counts[0] * self.counts[1]
    }

    /// The last axis, along which rows lie; the others follow it in turn.
    pub(super) fn along(&self) -> usize {
        self.along
    }

    /// The corners in the order of the axes.
    pub(super) fn turned(&self, extent: &Aabb) -> Corners {
        match self.along {
            0 => turned::<0>(extent),
            1 => turned::<1>(extent),
            _ => turned::<2>(extent),
        }
    }

    /// True if the box is small enough for the grid. Boxes at infinity are not: their size is NaN.
    #[inline(always)]
    pub(super) fn takes(&self, [low, high]: &Corners) -> bool {
        (high[0] - low[0] <= self.largest[0])
            & (high[1] - low[1] <= self.largest[1])
            & (high[2] - low[2] <= self.largest[2])
    }

    /// The cell along an axis in which a coordinate lies.
    #[inline(always)]
    pub(super) fn cell(&self, axis: usize, x: f32) -> usize {
        self.whole(axis, (x - self.origin[axis]) * self.scale[axis])
    }

    /// The first cell along an axis in which the low corner of a box may lie that overlaps one with this low coordinate.
    #[inline(always)]
    pub(super) fn first(&self, axis: usize, low: f32) -> usize {
        self.whole(axis, (low - self.origin[axis]) * self.scale[axis] - self.reach[axis])
    }

    /// To whole numbers, NaN to 0. The sum has no bits left for a fraction, and the number in its lowest ones.
    #[inline(always)]
    fn whole(&self, axis: usize, place: f32) -> usize {
        let place = if place > 0.0 { place } else { 0.0 };
        let place = if place < self.last[axis] { place } else { self.last[axis] };
        ((place + ROUND).to_bits() & 0x7F_FFFF) as usize
    }

    /// [`Frame::cell`] of eight coordinates, as f32 with the cell in the lowest 23 bits.
    #[inline(always)]
    pub(super) fn cells<S: Simd>(&self, simd: S, axis: usize, x: S::F32x8) -> [f32; 8] {
        let place = simd.sub32(x, simd.splat32(self.origin[axis]));
        self.wholes(simd, axis, simd.mul32(place, simd.splat32(self.scale[axis])))
    }

    /// [`Frame::first`] of eight coordinates, likewise.
    #[inline(always)]
    pub(super) fn firsts<S: Simd>(&self, simd: S, axis: usize, low: S::F32x8) -> [f32; 8] {
        let place = simd.sub32(low, simd.splat32(self.origin[axis]));
        let place = simd.mul32(place, simd.splat32(self.scale[axis]));
        self.wholes(simd, axis, simd.sub32(place, simd.splat32(self.reach[axis])))
    }

    #[inline(always)]
    fn wholes<S: Simd>(&self, simd: S, axis: usize, place: S::F32x8) -> [f32; 8] {
        let place = simd.max32(place, simd.splat32(0.0));
        let place = simd.min32(place, simd.splat32(self.last[axis]));
        simd.store32(simd.add32(place, simd.splat32(ROUND)))
    }
}

/// The cell that [`Frame::cells`] put into a number.
#[inline(always)]
pub(super) fn number(cell: f32) -> usize {
    (cell.to_bits() & 0x7F_FFFF) as usize
}

/// The corners, from the axis after `ALONG` on.
#[inline(always)]
pub(super) fn turned<const ALONG: usize>(extent: &Aabb) -> Corners {
    let turn = |corner: [f32; 3]| [corner[(ALONG + 1) % 3], corner[(ALONG + 2) % 3], corner[ALONG]];
    [turn(extent.low.to_array()), turn(extent.high.to_array())]
}

/// Some of the boxes.
fn sample(proxies: &Proxies) -> Vec<&Aabb> {
    let step = proxies.len().div_ceil(SAMPLES).max(1);
    let living = |index: &usize| proxies.is_living(*index as u32);
    let indices = (0..proxies.len()).step_by(step).filter(living);
    indices.map(|index| &proxies.extents()[index]).collect()
}

/// What a sample tells of the boxes along one axis.
#[derive(Clone, Copy, Debug)]
struct Span {
    low: f32,
    high: f32,
    size: f32,
}

impl Span {
    /// The usual: a few far away, and a few large ones, do not count.
    fn of(sample: &[&Aabb], axis: usize) -> Self {
        let mut lows: Vec<f32> = sample
            .iter()
            .map(|extent| extent.low.to_array()[axis])
            .filter(|low| low.is_finite())
            .collect();
        let mut sizes: Vec<f32> = sample
            .iter()
            .map(|extent| extent.high.to_array()[axis] - extent.low.to_array()[axis])
            .filter(|size| size.is_finite())
            .collect();
        let few = lows.len() / 128;
        let low = at(&mut lows, few);
        let high = at(&mut lows, (sample.len().max(1) - 1).saturating_sub(few));
        let usual = sizes.len().saturating_sub(1 + sizes.len() / 64);
        let size = at(&mut sizes, usual) * 1.05;
        let size = if size.is_finite() { size } else { 0.0 };
        let margin = ((high - low) * 0.01).min(size);
        Self { low: low - margin, high: high + margin, size }
    }

    /// The length in units of the largest box; 0 if there is none.
    fn cells(&self) -> f32 {
        let cells = (self.high - self.low) / self.size;
        if cells.is_nan() { 0.0 } else { cells.min(MOST_CELLS * MOST_CELLS) }
    }
}

/// The value at a place in order; 0 if there is none.
fn at(values: &mut [f32], place: usize) -> f32 {
    let place = place.min(values.len().saturating_sub(1));
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(place, f32::total_cmp).1 }
}
