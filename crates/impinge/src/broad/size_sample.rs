//! What some of the boxes tell about sizes and crowds.

use super::hashed_cells::is_cell_size;
use super::lanes::effective_size;
use super::{Aabb, Proxies};

/// The fewest and the most boxes of a sample.
const COUNTS: [usize; 2] = [64, 2048];

/// Some of the boxes that cells can be made for, the smallest first.
#[derive(Debug)]
pub(super) struct SizeSample {
    /// Sizes and low corners.
    boxes: Vec<(f32, [f32; 3])>,
    /// How many boxes stand behind each of the sample.
    scale: f64,
}

impl SizeSample {
    /// Twice the square root of the members, evenly by position: enough that boxes in the same cell are seen if every second box has
    /// another one with it.
    pub(super) fn new(proxies: &Proxies, members: &[u32]) -> Self {
        let count = (2 * members.len().isqrt()).clamp(COUNTS[0], COUNTS[1]);
        let stride = members.len().div_ceil(count).max(1);
        let extents = members.iter().step_by(stride).map(|&index| proxies.extent(index));
        let sized = |extent: &Aabb| (effective_size(extent), extent.low.to_array());
        let mut boxes: Vec<_> =
            extents.map(sized).filter(|&(size, _)| is_cell_size(size)).collect();
        boxes.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        Self { boxes, scale: stride as f64 }
    }

    /// How many boxes one of the sample represents.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    /// The sizes, the smallest first.
    pub(super) fn sizes(&self) -> impl ExactSizeIterator<Item = f32> + '_ {
        self.boxes.iter().map(|&(size, _)| size)
    }

    /// The size at a place of the order, from 0 for the smallest to 1 for the largest; nothing if there are none.
    pub(super) fn quantile(&self, part: f64) -> Option<f32> {
        let position = (part * self.boxes.len() as f64) as usize;
        self.boxes.get(position.min(self.boxes.len().saturating_sub(1))).map(|&(size, _)| size)
    }

    /// How many of the sample are not larger than this.
    pub(super) fn not_above(&self, size: f32) -> usize {
        self.boxes.partition_point(|&(other, _)| other <= size)
    }

    /// How many others a box that is not larger than a cell finds in its cell, on an average. `keys` is for work.
    pub(super) fn others_in_cell(&self, size: f32, keys: &mut Vec<u64>) -> f64 {
        let small = &self.boxes[..self.not_above(size)];
        let per_length = 1.0 / f64::from(size);
        keys.clear();
        keys.extend(small.iter().map(|(_, low)| {
            low.iter().fold(0u64, |key, &x| {
                let number = (f64::from(x) * per_length).floor() as i64;
                (key ^ number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
            })
        }));
        keys.sort_unstable();
        let together: usize =
            keys.chunk_by(|a, b| a == b).map(|run| run.len() * (run.len() - 1)).sum();
        // Half a pair is added: what a sample does not show may still be there.
        (together as f64 + 0.5) / small.len().max(1) as f64 * self.scale
    }
}
