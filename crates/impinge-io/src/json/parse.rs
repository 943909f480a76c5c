//! From text to entries, in one loop with a list of what is open.

use super::{Entry, Json, Kind};
use crate::error::{Error, ErrorKind};
use crate::text::quoted;

/// A position in the text of a document, whose entries are being made.
pub(super) struct Parser<'p, 'a> {
    json: &'p mut Json<'a>,
    at: usize,
}

impl<'p, 'a> Parser<'p, 'a> {
    pub(super) fn new(json: &'p mut Json<'a>, at: usize) -> Self {
        Self { json, at }
    }

    /// Reads the whole text.
    pub(super) fn document(&mut self) -> Result<(), Error> {
        // Arrays and objects that are open.
        let mut open: Vec<usize> = Vec::new();
        loop {
            // Here a value must come, or a key, or the end of an empty array or object.
            self.skip_space();
            let closed = match (self.peek(), open.last()) {
                (Some(b']'), Some(&last)) if self.is_fresh(last, Kind::Array) => true,
                (Some(b'}'), Some(&last)) if self.is_fresh(last, Kind::Object) => true,
                _ => false,
            };
            if !closed {
                if open.last().is_some_and(|&last| self.kind(last) == Kind::Object) {
                    self.key()?;
                }
                if let Some(opened) = self.value()? {
                    open.push(opened);
                    continue;
                }
            }
            // Behind a value: commas and ends.
            loop {
                self.skip_space();
                let Some(&last) = open.last() else {
                    return self.finish();
                };
                let end = if self.kind(last) == Kind::Array { b']' } else { b'}' };
                match self.peek() {
                    Some(b',') => {
                        self.at += 1;
                        break;
                    }
                    Some(byte) if byte == end => {
                        self.at += 1;
                        self.json.entries[last].next = self.json.entries.len() as u32;
                        open.pop();
                    }
                    _ => {
                        let expected = if end == b']' { "`,` or `]`" } else { "`,` or `}`" };
                        return Err(self.unexpected(expected));
                    }
                }
            }
        }
    }

    /// Is it open and still empty?
    fn is_fresh(&self, entry: usize, kind: Kind) -> bool {
        self.kind(entry) == kind && entry + 1 == self.json.entries.len()
    }

    fn kind(&self, entry: usize) -> Kind {
        self.json.entries[entry].kind
    }

    fn finish(&mut self) -> Result<(), Error> {
        if self.at < self.json.text.len() {
            // GLB files are filled up with spaces, some with zeros.
            let rest = &self.json.text[self.at..];
            if self.json.base.is_none() || rest.iter().any(|&byte| byte != 0) {
                return Err(self.unexpected("the end of the JSON"));
            }
        }
        Ok(())
    }

    fn key(&mut self) -> Result<(), Error> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a quoted name"));
        }
        self.string()?;
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("`:`"));
        }
        self.at += 1;
        self.skip_space();
        Ok(())
    }

    /// Reads a value; an array or object is only opened, and its entry given.
    fn value(&mut self) -> Result<Option<usize>, Error> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'"') => return self.string().map(|()| None),
            Some(b'[') => Kind::Array,
            Some(b'{') => Kind::Object,
            Some(b'-' | b'0'..=b'9') => return self.number().map(|()| None),
            _ => {
                let rest = &self.json.text[start..];
                let words = [
                    (&b"true"[..], Kind::Boolean),
                    (b"false", Kind::Boolean),
                    (b"null", Kind::Null),
                ];
                let Some((word, kind)) = words.into_iter().find(|(word, _)| rest.starts_with(word))
                else {
                    return Err(self.unexpected("a value"));
                };
                self.at += word.len();
                self.push(start, kind);
                return Ok(None);
            }
        };
        self.at += 1;
        self.push(start, kind);
        Ok(Some(self.json.entries.len() - 1))
    }

    fn push(&mut self, start: usize, kind: Kind) {
        let next = self.json.entries.len() as u32 + 1;
        self.json.entries.push(Entry { start: start as u32, end: self.at as u32, next, kind });
    }

    fn string(&mut self) -> Result<(), Error> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    let escape = self.json.text.get(self.at + 1).copied();
                    let digits = self.json.text.get(self.at + 2..self.at + 6);
                    match escape {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                            self.at += 2
                        }
                        Some(b'u')
                            if digits.is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit)) =>
                        {
                            self.at += 6;
                        }
                        _ => return Err(self.unexpected("an escape such as `\\n` or `\\u00e9`")),
                    }
                }
                Some(byte) if byte >= b' ' => self.at += 1,
                _ => return Err(self.unexpected("the end of a string")),
            }
        }
        self.at += 1;
        self.push(start, Kind::String);
        Ok(())
    }

    fn number(&mut self) -> Result<(), Error> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let leading_zero = self.peek() == Some(b'0');
        let digits = self.digits();
        if digits == 0 || (leading_zero && digits > 1) {
            return Err(self.unexpected("digits"));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if self.digits() == 0 {
                return Err(self.unexpected("digits"));
            }
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if self.digits() == 0 {
                return Err(self.unexpected("digits"));
            }
        }
        self.push(start, Kind::Number);
        Ok(())
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.json.text.get(self.at).copied()
    }

    #[cold]
    fn unexpected(&self, expected: &str) -> Error {
        if self.at >= self.json.text.len() {
            let message = format!(
                "the JSON ends where {expected} was expected: the file is truncated; export it again"
            );
            return self.json.error(self.at, ErrorKind::Truncated, message);
        }
        let rest = &self.json.text[self.at..];
        let word = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count().max(1);
        let mut end = word;
        // A whole character, whatever its length.
        while rest.get(end).is_some_and(|byte| byte & 0xc0 == 0x80) {
            end += 1;
        }
        let found = quoted(&rest[..end]);
        let message = format!(
            "expected {expected}, but found {found}: not valid JSON; export it again, or repair it if written by hand"
        );
        self.json.error(self.at, ErrorKind::Malformed, message)
    }
}
