//! Bytes: the chunk of a binary file, data in the JSON itself, or a file beside the model. Each is read when it is first used.

use super::{item, whole};
use crate::error::{Error, ErrorKind};
use crate::json::Value;
use crate::loader::Loader;
use crate::text::quoted;
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// All buffers of a document.
pub(super) struct Buffers<'j> {
    items: Vec<Value<'j>>,
    bytes: Vec<OnceCell<Bytes<'j>>>,
    chunk: Option<&'j [u8]>,
    loader: &'j Loader<'j>,
    path: &'j Path,
    /// Files that were read: several buffers may name one.
    files: RefCell<HashMap<PathBuf, Rc<[u8]>>>,
}

enum Bytes<'j> {
    Chunk(&'j [u8]),
    Own(Rc<[u8]>),
}

impl<'j> Buffers<'j> {
    pub(super) fn new(
        items: Vec<Value<'j>>,
        chunk: Option<&'j [u8]>,
        loader: &'j Loader<'j>,
        path: &'j Path,
    ) -> Self {
        let bytes = items.iter().map(|_| OnceCell::new()).collect();
        Self { items, bytes, chunk, loader, path, files: RefCell::default() }
    }

    /// How many bytes the files have that were read so far.
    pub(super) fn bytes_read(&self) -> u64 {
        self.loader.budget.bytes()
    }

    /// The bytes of a buffer view.
    pub(super) fn view(&self, view: Value<'j>) -> Result<&[u8], Error> {
        let Some(named) = view.get("buffer") else {
            let message = "the buffer view names no buffer: the file is damaged; export it again";
            return Err(view.error(ErrorKind::Malformed, message));
        };
        let (index, buffer) = item(&self.items, named, "buffer")?;
        let bytes = self.buffer(index, buffer)?;
        let offset = whole(view, "byteOffset", Some(0))?;
        let length = whole(view, "byteLength", None)?;
        let end = offset.saturating_add(length);
        if end > bytes.len() as u64 {
            let message = format!(
                "the buffer view ends at byte {end} of a buffer of {}: the buffer is truncated or the file damaged; \
                 export it again",
                bytes.len()
            );
            return Err(view.error(ErrorKind::Truncated, message));
        }
        Ok(&bytes[offset as usize..end as usize])
    }

    fn buffer(&self, index: usize, buffer: Value<'j>) -> Result<&[u8], Error> {
        let cell = &self.bytes[index];
        if cell.get().is_none() {
            let bytes = self.load(index, buffer)?;
            let length = match &bytes {
                Bytes::Chunk(bytes) => bytes.len(),
                Bytes::Own(bytes) => bytes.len(),
            };
            let claimed = whole(buffer, "byteLength", None)?;
            if claimed > length as u64 {
                let message = format!(
                    "the buffer claims {claimed} bytes and has {length}: it is truncated; export it again"
                );
                return Err(buffer.error(ErrorKind::Truncated, message));
            }
            let _ = cell.set(bytes);
        }
        Ok(match cell.get() {
            Some(Bytes::Chunk(bytes)) => bytes,
            Some(Bytes::Own(bytes)) => bytes,
            None => &[],
        })
    }

    fn load(&self, index: usize, buffer: Value<'j>) -> Result<Bytes<'j>, Error> {
        let Some(uri) = buffer.get("uri") else {
            return match self.chunk {
                Some(chunk) if index == 0 => Ok(Bytes::Chunk(chunk)),
                _ => {
                    let message = "the buffer has no `uri`, and the file no data for it: a part of the file is missing; export it again";
                    Err(buffer.error(ErrorKind::Truncated, message))
                }
            };
        };
        let Some(text) = uri.text() else {
            return Err(uri.error(ErrorKind::Malformed, "the `uri` is not text: export it again"));
        };
        if let Some(data) = text.strip_prefix("data:") {
            return decode(data).map(|bytes| Bytes::Own(bytes.into())).map_err(|reason| {
                let message =
                    format!("the data in the `uri` {reason}: the file is damaged; export it again");
                uri.error(ErrorKind::Malformed, message)
            });
        }
        self.file(uri, &text).map(Bytes::Own)
    }

    /// A file beside the model.
    fn file(&self, uri: Value<'j>, text: &str) -> Result<Rc<[u8]>, Error> {
        let refuse = |reason: &str| {
            let message = format!("the buffer is in {}, {reason}", quoted(text.as_bytes()));
            Err(uri.error(ErrorKind::Unsupported, message))
        };
        let scheme = text.split(['/', '?', '#']).next().is_some_and(|head| head.contains(':'));
        if scheme {
            return refuse("which is not a file beside the model: put it there, or export a GLB");
        }
        let Some(relative) = percent_decoded(text) else {
            return refuse("which is not a file name: rename it");
        };
        if Path::new(relative.as_ref()).has_root() {
            return refuse("which is an absolute path: put the file beside the model");
        }
        let path = self.path.parent().unwrap_or(Path::new("")).join(relative.as_ref());
        if let Some(bytes) = self.files.borrow().get(&path) {
            return Ok(bytes.clone());
        }
        let bytes: Rc<[u8]> = match self.loader.fetch(&path) {
            Ok(bytes) => bytes.into(),
            Err(error) => {
                let message = format!(
                    "the buffer is in {}: {}; put it beside the model, or export a GLB",
                    quoted(text.as_bytes()),
                    error.message()
                );
                return Err(uri.error(error.kind(), message));
            }
        };
        self.files.borrow_mut().insert(path, bytes.clone());
        Ok(bytes)
    }
}

/// The bytes of a data URI behind `data:`: base 64 (RFC 2397, RFC 4648), with or without padding. The reason completes the
/// sentence "the data …".
fn decode(data: &str) -> Result<Vec<u8>, &'static str> {
    let (kind, text) = data.split_once(',').ok_or("has no comma")?;
    if !kind.ends_with(";base64") {
        return Err("is not in base 64");
    }
    let text = percent_decoded(text).ok_or("is not in base 64")?;
    let mut result = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut bits, mut count) = (0u32, 0u32);
    let digits = text.trim_end_matches('=');
    if text.len() - digits.len() > 2 || digits.len() % 4 == 1 {
        return Err("is cut short");
    }
    for byte in digits.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return Err("has a character that is not of base 64"),
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            result.push((bits >> count) as u8);
        }
    }
    Ok(result)
}

/// A URI's text with `%20` and the like resolved; none if it is then no text.
fn percent_decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let code = behind.get(..2).and_then(|hex| str::from_utf8(hex).ok());
        let code = code.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (first, code) {
            (b'%', Some(0)) => return None,
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = &behind[2..];
            }
            _ => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64() {
        let plain = |text: &str| decode(&format!("application/octet-stream;base64,{text}"));
        assert_eq!(plain("").unwrap(), b"");
        assert_eq!(plain("Zg==").unwrap(), b"f");
        assert_eq!(plain("Zm8=").unwrap(), b"fo");
        assert_eq!(plain("Zm8").unwrap(), b"fo");
        assert_eq!(plain("Zm9vYmFy").unwrap(), b"foobar");
        assert_eq!(plain("%2B%2f8=").unwrap(), b"\xfb\xff");
        for bad in ["Z", "Zm9v!", "Zm9vYmFyZ", "Zg==Zg=="] {
            assert!(plain(bad).is_err(), "{bad}");
        }
        assert!(decode("text/plain,abc").is_err() && decode("base64").is_err());
    }

    #[test]
    fn percent_signs() {
        assert_eq!(percent_decoded("a%20b.bin").unwrap(), "a b.bin");
        assert_eq!(percent_decoded("100%").unwrap(), "100%");
        assert_eq!(percent_decoded("%c3%a9").unwrap(), "é");
        assert!(percent_decoded("%ff").is_none() && percent_decoded("a%00").is_none());
    }
}
