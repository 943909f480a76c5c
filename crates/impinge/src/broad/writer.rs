//! From masks of lanes to the list of pairs.

use super::PairList;
use impinge_geom::simd::Simd;

/// How many pairs are collected before they go to the list.
const PORTION: usize = 1024;

/// Collects pairs in a small buffer, without a branch per pair. How many are in it is kept by the one who writes, so that it can stay
/// in a register.
pub(super) struct Writer<'a> {
    buffer: [[u32; 2]; PORTION + 8],
    pairs: &'a mut PairList,
    is_full: bool,
}

impl<'a> Writer<'a> {
    /// Writes at the end of a list.
    pub(super) fn new(pairs: &'a mut PairList) -> Self {
        Self { buffer: [[0; 2]; PORTION + 8], pairs, is_full: false }
    }

    /// True if the list has reached its limit: the search may end.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Adds the pairs of one with the others in the lanes of a mask.
    #[inline(always)]
    pub(super) fn write<S: Simd>(
        &mut self,
        simd: S,
        count: &mut usize,
        mask: u32,
        one: u32,
        others: &[u32; 8],
    ) {
        if let Some(place) = self.buffer[*count..].first_chunk_mut() {
            simd.write_pairs(mask, one, others, place);
        }
        *count += (mask & 255).count_ones() as usize;
        if *count > PORTION {
            *count = self.flush(*count);
        }
    }

    /// Adds one pair.
    #[cfg(feature = "broad-phases")]
    pub(super) fn push(&mut self, count: &mut usize, a: u32, b: u32) {
        self.buffer[*count] = [a.min(b), a.max(b)];
        *count += 1;
        if *count > PORTION {
            *count = self.flush(*count);
        }
    }

    /// Hands over what is in the buffer; then there are 0 in it.
    #[cold]
    #[inline(never)]
    pub(super) fn flush(&mut self, count: usize) -> usize {
        self.is_full |= !self.pairs.extend(&self.buffer[..count]);
        0
    }
}
