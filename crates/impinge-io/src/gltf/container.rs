//! The binary file: a header of 12 bytes, a chunk of JSON, and perhaps one of data.

use crate::error::{Error, ErrorKind, Place};

/// What a binary file holds.
pub(super) struct Container<'a> {
    pub(super) json: &'a [u8],
    /// Where the JSON begins.
    pub(super) json_at: usize,
    pub(super) binary: Option<&'a [u8]>,
}

/// `JSON` and `BIN\0`.
const JSON: u32 = 0x4e4f_534a;
const BINARY: u32 = 0x004e_4942;

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk::<4>().map(|four| u32::from_le_bytes(*four))
}

fn fault<T>(kind: ErrorKind, at: usize, message: String) -> Result<T, Error> {
    Err(Error::new(kind, Place::Byte(at as u64), message))
}

/// Takes a file apart. Chunks of other kinds are skipped, as the specification asks.
pub(super) fn open(bytes: &[u8]) -> Result<Container<'_>, Error> {
    if !bytes.starts_with(b"glTF") {
        let message =
            "a GLB file begins with `glTF`, but this one does not: it is damaged or misnamed";
        return fault(ErrorKind::Malformed, 0, message.into());
    }
    let (Some(version), Some(length)) = (word(bytes, 4), word(bytes, 8)) else {
        let message = format!(
            "the header has 12 bytes, the file {}: it is truncated; export or download it again",
            bytes.len()
        );
        return fault(ErrorKind::Truncated, bytes.len(), message);
    };
    if version != 2 {
        let message = format!("the version is {version}, not 2: export it as glTF 2.0");
        return fault(ErrorKind::Unsupported, 4, message);
    }
    // A little more than the header claims is accepted: some programs pad files.
    if length as usize > bytes.len() {
        let message = format!(
            "the header claims {length} bytes but the file has {}: it is truncated; export or download it again",
            bytes.len()
        );
        return fault(ErrorKind::Truncated, 8, message);
    }
    let bytes = &bytes[..length as usize];
    let (mut at, mut json, mut binary) = (12, None, None);
    while at < bytes.len() {
        let (Some(size), Some(kind)) = (word(bytes, at), word(bytes, at + 4)) else {
            let message =
                "the file ends inside the header of a chunk: it is truncated; export it again";
            return fault(ErrorKind::Truncated, at, message.into());
        };
        let start = at + 8;
        let Some(chunk) = start.checked_add(size as usize).and_then(|end| bytes.get(start..end))
        else {
            let message = format!(
                "a chunk claims {size} bytes, but {} follow: the file is truncated or damaged; export it again",
                bytes.len() - start
            );
            return fault(ErrorKind::Truncated, at, message);
        };
        match kind {
            JSON if json.is_none() => json = Some((chunk, start)),
            BINARY if binary.is_none() => binary = Some(chunk),
            _ if json.is_none() => break,
            _ => {}
        }
        at = start + size as usize;
    }
    match json {
        Some((json, json_at)) => Ok(Container { json, json_at, binary }),
        None => {
            let message = "the first chunk is not JSON: the file is damaged; export it again";
            fault(ErrorKind::Malformed, 12, message.into())
        }
    }
}
