//! From masks of lanes to the list of pairs.

use super::Pairs;
use impinge_geom::simd::Simd;

/// How many pairs are collected before they go to the list.
const PORTION: usize = 1024;

/// Collects pairs in a small buffer, without a branch per pair.
pub(super) struct Writer<'a> {
    buffer: [[u32; 2]; PORTION + 8],
    count: usize,
    pairs: &'a mut Pairs,
    is_full: bool,
}

impl<'a> Writer<'a> {
    /// Writes at the end of a list.
    pub(super) fn new(pairs: &'a mut Pairs) -> Self {
        Self { buffer: [[0; 2]; PORTION + 8], count: 0, pairs, is_full: false }
    }

    /// True if the list has reached its limit: the search may end.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Adds the pairs of one with the others in the lanes of a mask.
    #[inline(always)]
    pub(super) fn write<S: Simd>(&mut self, simd: S, mask: u32, one: u32, others: &[u32; 8]) {
        if let Some(place) = self.buffer[self.count..].first_chunk_mut() {
            simd.write_pairs(mask, one, others, place);
        }
        self.count += (mask & 255).count_ones() as usize;
        if self.count > PORTION {
            self.flush();
        }
    }

    /// Adds one pair.
    pub(super) fn push(&mut self, a: u32, b: u32) {
        self.buffer[self.count] = [a.min(b), a.max(b)];
        self.count += 1;
        if self.count > PORTION {
            self.flush();
        }
    }

    #[cold]
    #[inline(never)]
    fn flush(&mut self) {
        self.is_full |= !self.pairs.extend(&self.buffer[..self.count]);
        self.count = 0;
    }

    /// Hands over what is left.
    pub(super) fn finish(mut self) {
        self.flush();
    }
}
