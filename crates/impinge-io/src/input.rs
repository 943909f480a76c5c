//! Reads files, and nothing that only looks like one.

use crate::error::{Error, ErrorKind, Place};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// The bytes of a file. Devices, pipes and sockets are refused: they may never end, or block forever.
///
/// ```
/// let error = impinge_io::read_file("/dev/null").unwrap_err();
/// assert!(error.to_string().contains("neither a file nor a folder") || cfg!(windows));
/// ```
pub fn read_file(path: impl AsRef<Path>) -> Result<Vec<u8>, Error> {
    let path = path.as_ref();
    let name = || path.display().to_string();
    let fault = |error| Error::io("read", error).in_file(&name());
    let refused = || {
        let message = "it is neither a file nor a folder: save its output to a file";
        Err(Error::new(ErrorKind::Io, Place::File, message).in_file(&name()))
    };
    // To open a pipe may wait without end, so it is looked at before; and after, for it may have changed.
    let is_odd = |found: fs::Metadata| !found.is_file() && !found.is_dir();
    if is_odd(fs::metadata(path).map_err(fault)?) {
        return refused();
    }
    let mut file = File::open(path).map_err(fault)?;
    let metadata = file.metadata().map_err(fault)?;
    let length = metadata.len();
    if is_odd(metadata) {
        return refused();
    }
    let mut bytes = Vec::new();
    // A sparse file may claim any length.
    let room = usize::try_from(length).ok().and_then(|room| bytes.try_reserve_exact(room).ok());
    if room.is_none() {
        let message = format!("there is not enough memory for its {length} bytes: split it");
        return Err(Error::new(ErrorKind::TooMany, Place::File, message).in_file(&name()));
    }
    file.read_to_end(&mut bytes).map_err(fault)?;
    Ok(bytes)
}
