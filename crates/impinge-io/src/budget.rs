//! How much a scene may hold: as much as its files have bytes for, times a factor, and a constant.
//!
//! Files can name the same data many times: instances, accessors that overlap, scenes within scenes. Meshes and parts that are
//! made of it are counted here before they are made, so that memory follows what was read and not what is claimed.

use crate::error::{Error, ErrorKind, Place};
use std::cell::Cell;

/// What any scene may hold, in vertices and triangles, or in parts.
const ANY: u64 = 1 << 20;
/// How many vertices and triangles a byte may become. A triangle strip of one-byte indices has one to the byte; the rest is room
/// for meshes that are stretched in many ways.
const ELEMENTS_PER_BYTE: u64 = 32;
/// What any scene may hold in parts and nodes.
const ANY_PARTS: u64 = 1 << 16;

/// The count so far.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    bytes: Cell<u64>,
    elements: Cell<u64>,
    parts: Cell<u64>,
}

impl Budget {
    /// Bytes that were read.
    pub(crate) fn add_bytes(&self, bytes: usize) {
        self.bytes.set(self.bytes.get().saturating_add(bytes as u64));
    }

    /// Bytes that were read so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.get()
    }

    /// Takes vertices and triangles, or refuses them.
    pub(crate) fn elements(&self, count: usize) -> Result<(), Error> {
        let used = self.elements.get().saturating_add(count as u64);
        if used > ANY.saturating_add(self.bytes.get().saturating_mul(ELEMENTS_PER_BYTE)) {
            let message = format!(
                "the same data is used so often that the meshes have more than {used} vertices and triangles, and the files \
                 only {} bytes: the file is damaged, or its parts are stretched in too many ways; export it with the \
                 transforms applied",
                self.bytes.get()
            );
            return Err(Error::new(ErrorKind::TooMany, Place::File, message));
        }
        self.elements.set(used);
        Ok(())
    }

    /// Takes parts or nodes with the length of their names in bytes, or refuses them.
    pub(crate) fn parts(&self, count: usize, bytes: usize) -> Result<(), Error> {
        let weight = (count as u64).saturating_add(bytes as u64 / 64);
        let used = self.parts.get().saturating_add(weight);
        if used > ANY_PARTS.saturating_add(self.bytes.get()) {
            let message = format!(
                "files name each other so often that there are more than {used} parts, and the files have only {} bytes: \
                 split the scene",
                self.bytes.get()
            );
            return Err(Error::new(ErrorKind::TooMany, Place::File, message));
        }
        self.parts.set(used);
        Ok(())
    }
}
