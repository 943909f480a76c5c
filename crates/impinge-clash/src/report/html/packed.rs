//! Numbers as bytes that compress well, and compressed bytes as text.
//!
//! Columns of one quantity follow each other, and within a column first all low bytes, then all high bytes: what varies little is then
//! beside its like, which is where deflate finds repetitions.

use flate2::{Compression, write::ZlibEncoder};
use std::io::Write as _;

/// How hard deflate tries, from 0 to 9: beyond this the time doubles for a percent.
const EFFORT: u32 = 7;

/// Columns of numbers, one after the other.
#[derive(Debug, Default)]
pub(super) struct Packed {
    bytes: Vec<u8>,
}

impl Packed {
    /// A column of whole numbers of `width` bytes each, which must hold them.
    pub(super) fn column(&mut self, numbers: &[u32], width: usize) {
        for byte in 0..width {
            self.bytes.extend(numbers.iter().map(|number| (number >> (8 * byte)) as u8));
        }
    }

    /// A column of 16-bit numbers of which neighbours are alike: what each differs from the one before, small whatever its sign.
    pub(super) fn differences(&mut self, numbers: impl Iterator<Item = u16>) {
        let mut last = 0u16;
        let folded: Vec<u32> = numbers
            .map(|number| {
                let difference = number.wrapping_sub(last) as i16;
                last = number;
                u32::from(((difference << 1) ^ (difference >> 15)) as u16)
            })
            .collect();
        self.column(&folded, 2);
    }

    /// How many bytes there are.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn append(&mut self, other: &Self) {
        self.bytes.extend_from_slice(&other.bytes);
    }

    /// A header in JSON, its length before it, then the columns; compressed, as text.
    pub(super) fn text(&self, header: &str) -> String {
        let mut all = Vec::with_capacity(4 + header.len() + self.bytes.len());
        all.extend((header.len() as u32).to_le_bytes());
        all.extend(header.as_bytes());
        all.extend(&self.bytes);
        compressed(&all)
    }
}

/// How many bytes it takes to hold a number.
pub(super) fn width_of(largest: u32) -> usize {
    (4 - largest.leading_zeros() as usize / 8).max(1)
}

/// Compressed as RFC 1950 has it, in base 64 as RFC 4648 has it.
pub(super) fn compressed(bytes: &[u8]) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(EFFORT));
    // A list takes whatever is written: this does not fail.
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    base64(&written.unwrap_or_default())
}

/// Bytes in base 64.
pub(super) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |k: usize| u32::from(three.get(k).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for k in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * k)) as usize & 63];
            text.push(if k > three.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        // RFC 4648, section 10.
        let coded = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|t| base64(t.as_bytes()));
        assert_eq!(coded, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }

    #[test]
    fn differences_are_folded_and_split_into_bytes() {
        let mut packed = Packed::default();
        packed.differences([0, 1, 0, 65535, 300].into_iter());
        // 0, +1, -1, -1, +301 as 0, 2, 1, 1, 602.
        assert_eq!(packed.bytes, [0, 2, 1, 1, 90, 0, 0, 0, 0, 2]);
        assert_eq!([0, 255, 256, 65_536, u32::MAX].map(width_of), [1, 1, 2, 3, 4]);
    }
}
