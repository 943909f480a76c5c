//! The order of boxes along a curve that fills space, those of like size together.
//!
//! Morton's order with as many bits per axis as the world is long along it, every bit halving the longest side of what is left: a flat
//! world is ordered as if it were a plane. Large boxes would widen every node that holds them, so those of like size share a part of
//! the order of their own; compare the keys with a size in them of Vinkler, Bittner and Havran, Extended Morton Codes
//! (HPG 2017).

use super::super::{Aabb, Proxies};
use super::pack::{Corners, corners, union};
use impinge_geom::simd::memory::with_capacity;

/// Bits of the place in a key; those above tell the size.
const PLACE_BITS: u32 = 28;
/// The largest sizes share the first class.
const CLASSES: u32 = 16;
/// What counts as small, in units of the place that eight boxes share.
const SMALL: f32 = 1.5;
/// How many boxes are ordered again among themselves: those of a node three levels up.
const REFINED: usize = 512;
/// How many boxes are looked at.
const SAMPLES: usize = 1024;

/// How keys are made.
struct Keys {
    origin: [f32; 3],
    /// Cells per unit of length.
    scale: [f32; 3],
    /// The last cell along each axis.
    last: [f32; 3],
    /// What the low and the high byte of a cell's number give to the key.
    spread: Box<[[[u32; 256]; 2]; 3]>,
    /// Boxes up to this size widen nodes no more than their distances do.
    small: f32,
}

/// The living proxies in order, each with its class.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    /// Keys in the high half, indices in the low half.
    list: Vec<u64>,
    other: Vec<u64>,
}

impl Order {
    /// Sorts all living proxies.
    pub(super) fn sort(&mut self, proxies: &Proxies) {
        let keys = Keys::choose(proxies);
        if self.list.capacity() < proxies.len() {
            self.list = with_capacity(proxies.len());
            self.other = with_capacity(proxies.len());
        }
        self.list.clear();
        for (index, extent) in (0..).zip(proxies.extents()) {
            if proxies.is_living(index) {
                self.list.push(u64::from(keys.key(&corners(extent))) << 32 | u64::from(index));
            }
        }
        self.other.resize(self.list.len(), 0);
        for digit in [32, 43, 54] {
            self.by_digit(digit);
        }
        let class = |entry: u64| entry >> (32 + PLACE_BITS);
        for same in self.list.chunk_by_mut(|&a, &b| class(a) == class(b)) {
            same.chunks_mut(REFINED).for_each(|part| refine(part, proxies));
        }
    }

    /// The class and the index of each.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.list.iter().map(|&entry| ((entry >> (32 + PLACE_BITS)) as u32, entry as u32))
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The memory that it holds, in bytes.
    pub(super) fn bytes(&self) -> usize {
        (self.list.capacity() + self.other.capacity()) * size_of::<u64>()
    }

    /// One pass of a radix sort, by eleven bits.
    fn by_digit(&mut self, shift: u32) {
        let digit = |entry: u64| (entry >> shift & 0x7FF) as usize;
        let mut starts = [0u32; 2048];
        for &entry in &self.list {
            starts[digit(entry)] += 1;
        }
        if starts.iter().any(|&count| count as usize == self.list.len()) {
            return;
        }
        let mut sum = 0;
        for start in &mut starts {
            (sum, *start) = (sum + *start, sum);
        }
        for &entry in &self.list {
            let start = &mut starts[digit(entry)];
            self.other[*start as usize] = entry;
            *start += 1;
        }
        std::mem::swap(&mut self.list, &mut self.other);
    }
}

/// Orders some neighbours along the curve better than the curve does, where it jumps: by halves along the longest side.
fn refine(entries: &mut [u64], proxies: &Proxies) {
    let mut items = [Item::default(); REFINED];
    for (item, &entry) in items.iter_mut().zip(&*entries) {
        let corners = corners(proxies.extent(entry as u32));
        *item = Item { middle: [0, 1, 2].map(|axis| middle(&corners, axis)), index: entry as u32 };
    }
    let items = &mut items[..entries.len()];
    halve(items);
    for (item, entry) in items.iter().zip(entries) {
        *entry = *entry >> 32 << 32 | u64::from(item.index);
    }
}

/// The middle of a box.
#[derive(Clone, Copy, Default)]
struct Item {
    middle: [f32; 3],
    index: u32,
}

/// Splits until eight are left, into parts that fill nodes.
fn halve(items: &mut [Item]) {
    if items.len() <= 8 {
        return;
    }
    let nothing = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    let range = items.iter().fold(nothing, |range, item| union(&range, &[item.middle; 2]));
    let length: [f32; 3] = std::array::from_fn(|axis| range[1][axis] - range[0][axis]);
    let longer = |a: usize, b: usize| if length[b] > length[a] { b } else { a };
    let axis = longer(0, longer(1, 2));
    let half = items.len().next_power_of_two() / 2;
    items.select_nth_unstable_by(half, |a, b| a.middle[axis].total_cmp(&b.middle[axis]));
    let (first, second) = items.split_at_mut(half);
    halve(first);
    halve(second);
}

impl Keys {
    /// After some of the boxes. A few far away, and a few large ones, do not count.
    fn choose(proxies: &Proxies) -> Self {
        let step = proxies.len().div_ceil(SAMPLES).max(1);
        let sample: Vec<&Aabb> = (0..proxies.len())
            .step_by(step)
            .filter(|&index| proxies.is_living(index as u32))
            .map(|index| &proxies.extents()[index])
            .collect();
        let middle = |axis: usize| sample.iter().map(move |extent| middle(&corners(extent), axis));
        let low = [0, 1, 2].map(|axis| quantile(middle(axis), 0.01));
        let high = [0, 1, 2].map(|axis| quantile(middle(axis), 0.99));
        let length: [f32; 3] = std::array::from_fn(|k| high[k] - low[k]);
        let margin = length.map(|length| 0.05 * length);
        let length: [f32; 3] = std::array::from_fn(|k| length[k] + 2.0 * margin[k]);
        let mut keys = Self {
            origin: std::array::from_fn(|k| low[k] - margin[k]),
            scale: [0.0; 3],
            last: [0.0; 3],
            spread: Box::new([[[0; 256]; 2]; 3]),
            small: 0.0,
        };
        keys.share_bits(length, proxies.len());
        keys
    }

    /// Gives every bit, from the highest on, to the axis along which cells are longest. When there are as many cells as groups of eight
    /// boxes, the length of a cell tells what is small.
    fn share_bits(&mut self, length: [f32; 3], count: usize) {
        let (mut rest, mut axes) = (length, Vec::new());
        let places = count.div_ceil(8).next_power_of_two().trailing_zeros();
        for bit in 0..PLACE_BITS {
            if bit == places {
                self.small = SMALL * rest[0].max(rest[1]).max(rest[2]);
            }
            let longer = |a: usize, b: usize| if rest[b] > rest[a] { b } else { a };
            let axis = longer(0, longer(1, 2));
            let fits = axes.iter().filter(|&&other| other == axis).count() < 16;
            rest[axis] = if fits { rest[axis] * 0.5 } else { 0.0 };
            axes.extend(fits.then_some(axis));
        }
        let mut bits = [0; 3];
        for (place, &axis) in axes.iter().rev().enumerate() {
            let bit: usize = bits[axis];
            for (byte, key) in self.spread[axis][bit / 8].iter_mut().enumerate() {
                *key |= ((byte >> (bit % 8) & 1) as u32) << place;
            }
            bits[axis] += 1;
        }
        for axis in 0..3 {
            let cells = (1u32 << bits[axis]) as f32;
            let scale = cells / length[axis];
            self.scale[axis] = if scale.is_finite() { scale } else { 0.0 };
            self.last[axis] = cells - 1.0;
        }
    }

    fn key(&self, corners: &Corners) -> u32 {
        let mut key = self.class(size(corners)) << PLACE_BITS;
        for axis in 0..3 {
            let place = (middle(corners, axis) - self.origin[axis]) * self.scale[axis];
            let place = if place > 0.0 { place } else { 0.0 };
            let place = if place < self.last[axis] { place } else { self.last[axis] };
            let cell = place as u16;
            let [low, high] = &self.spread[axis];
            key |= low[usize::from(cell & 255)] | high[usize::from(cell >> 8)];
        }
        key
    }

    /// The last for small boxes, then one less for every factor of four.
    fn class(&self, size: f32) -> u32 {
        let quotient = size / self.small;
        // Two values of the exponent are a factor of four. What is not a number counts as small.
        let fours = if quotient >= 1.0 {
            1 + (quotient.to_bits() >> 23).saturating_sub(127) / 2
        } else {
            0
        };
        (CLASSES - 1).saturating_sub(fours)
    }
}

/// The largest side.
fn size([low, high]: &Corners) -> f32 {
    let sides: [f32; 3] = std::array::from_fn(|k| high[k] - low[k]);
    sides[0].max(sides[1]).max(sides[2])
}

fn middle([low, high]: &Corners, axis: usize) -> f32 {
    0.5 * low[axis] + 0.5 * high[axis]
}

/// The value below which a part of the finite ones lies; 0 if there is none.
fn quantile(values: impl Iterator<Item = f32>, part: f64) -> f32 {
    let mut values: Vec<f32> = values.filter(|value| value.is_finite()).collect();
    let place = (values.len() as f64 * part) as usize;
    let place = place.min(values.len().saturating_sub(1));
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(place, f32::total_cmp).1 }
}
