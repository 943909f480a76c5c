//! Walking through binary data in either byte order.

use crate::error::{Error, ErrorKind, Place};

/// A position in binary data.
pub(crate) struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    pub(crate) fn starting_at(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at: at.min(bytes.len()) }
    }

    /// How many bytes are left.
    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Where the next byte is.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// What is left.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The next bytes, if there are enough.
    #[inline]
    pub(crate) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let taken = *self.bytes.get(self.at..)?.first_chunk::<N>()?;
        self.at += N;
        Some(taken)
    }

    /// Skips bytes, if there are enough.
    #[inline]
    pub(crate) fn skip(&mut self, count: u64) -> Option<()> {
        let count = usize::try_from(count).ok().filter(|&count| count <= self.remaining())?;
        self.at += count;
        Some(())
    }

    /// An error at an offset.
    #[cold]
    pub(crate) fn error(&self, at: usize, kind: ErrorKind, message: impl Into<String>) -> Error {
        Error::new(kind, Place::Byte(at as u64), message)
    }
}
