//! Files: put in place whole, and known by a checksum.

use crate::error::LabError;
use std::path::Path;

/// Written whole or not at all.
pub(crate) fn put(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), LabError> {
    impinge_io::write_file(path, bytes.as_ref())
        .map_err(|error| LabError::file(path, error.message()))
}

/// FNV-1a over words of eight bytes, mixed; the rest byte by byte.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let mut state = 0xcbf2_9ce4_8422_2325_u64 ^ bytes.len() as u64;
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().map(|word| u64::from_le_bytes(*word));
    for word in words.chain(rest.iter().map(|byte| u64::from(*byte))) {
        let mixed = (state ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        state = mixed ^ (mixed >> 29);
    }
    state
}
