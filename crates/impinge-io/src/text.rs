//! Walking through text: tokens between white space, lines, and the line of an error.
//!
//! Lines end with `\n`, `\r\n` or `\r`. The number of a line is counted only when an error needs it.

use crate::error::{Error, ErrorKind, Place};
use crate::number;

/// A position in a text.
#[derive(Clone)]
pub(crate) struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// A token, and where it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Token<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
}

/// Is it a character that ends a line?
pub(crate) fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// Is it white space? Vertical tabs and form feeds count.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

impl<'a> Text<'a> {
    /// The start of a text, behind the byte order mark if there is one.
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self, Error> {
        if bytes.is_empty() {
            let message = "the file is empty: export it again";
            return Err(Error::new(ErrorKind::Truncated, Place::File, message));
        }
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            let message = "the file is UTF-16 text: save it as UTF-8 or plain ASCII";
            return Err(Error::new(ErrorKind::Unsupported, Place::File, message));
        }
        Ok(Self { bytes, at: if bytes.starts_with(BYTE_ORDER_MARK) { 3 } else { 0 } })
    }

    /// The text from `at` on.
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

    /// The next token, on this line or a later one.
    pub(crate) fn token(&mut self) -> Option<Token<'a>> {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
        self.cut()
    }

    /// The next token of this line.
    pub(crate) fn token_in_line(&mut self) -> Option<Token<'a>> {
        while self.peek().is_some_and(|byte| is_space(byte) && !is_line_end(byte)) {
            self.at += 1;
        }
        self.cut()
    }

    /// The rest of this line without white space about it; the position is then before the line's end.
    pub(crate) fn rest_of_line(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&byte| is_line_end(byte)).unwrap_or(rest.len());
        self.at += length;
        rest[..length].trim_ascii()
    }

    /// Goes back or forth to a place that was seen before.
    pub(crate) fn go_to(&mut self, at: usize) {
        self.at = at.min(self.bytes.len());
    }

    /// The next byte.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Steps over one byte.
    pub(crate) fn step(&mut self) {
        self.at = (self.at + 1).min(self.bytes.len());
    }

    /// Cuts the token that begins here.
    fn cut(&mut self) -> Option<Token<'a>> {
        let at = self.at;
        while self.peek().is_some_and(|byte| !is_space(byte)) {
            self.at += 1;
        }
        (self.at > at).then(|| Token { bytes: &self.bytes[at..self.at], at })
    }

    /// An error on the line of an offset.
    #[cold]
    pub(crate) fn error(&self, at: usize, kind: ErrorKind, message: impl Into<String>) -> Error {
        Error::new(kind, Place::Line(line_of(self.bytes, at)), message)
    }

    /// The error of a text that ends where `expected` should come.
    #[cold]
    pub(crate) fn ended(&self, expected: &str) -> Error {
        let message = format!("the file ends before {expected}: it is truncated; export it again");
        self.error(self.bytes.trim_ascii_end().len(), ErrorKind::Truncated, message)
    }

    /// The coordinate that a token states.
    pub(crate) fn coordinate(&self, token: Token<'_>) -> Result<f64, Error> {
        number::coordinate(token.bytes).map_err(|reason| {
            self.error(token.at, ErrorKind::Number, format!("{} {reason}", quoted(token.bytes)))
        })
    }

    /// The integer that a token states; `what` names it in the error.
    pub(crate) fn integer(&self, token: Token<'_>, what: &str) -> Result<i64, Error> {
        number::integer(token.bytes).ok_or_else(|| {
            let message = format!(
                "{} is not {what}: the file is damaged or in another format; export it again",
                quoted(token.bytes)
            );
            self.error(token.at, ErrorKind::Malformed, message)
        })
    }
}

/// What some editors of Windows put before UTF-8.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The number of the line that holds an offset, counted from 1.
fn line_of(bytes: &[u8], at: usize) -> u64 {
    let before = &bytes[..at.min(bytes.len())];
    let ends = (0..before.len()).filter(|&i| {
        before[i] == b'\n' || (before[i] == b'\r' && bytes.get(i + 1) != Some(&b'\n'))
    });
    ends.count() as u64 + 1
}

/// The line and column of an offset: the column counts characters, from 1.
pub(crate) fn place_of(bytes: &[u8], at: usize) -> Place {
    let before = &bytes[..at.min(bytes.len())];
    let start = before.iter().rposition(|&byte| is_line_end(byte)).map_or(0, |end| end + 1);
    // Bytes that continue a character of UTF-8 do not count.
    let column = before[start..].iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    Place::Column(line_of(bytes, at), column as u64 + 1)
}

/// A token for an error message: on one line, and not longer than a line.
pub(crate) fn quoted(token: &[u8]) -> String {
    let shown: String = String::from_utf8_lossy(&token[..token.len().min(40)])
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect();
    if token.len() > 40 { format!("`{shown}…`") } else { format!("`{shown}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_lines() {
        let mut text = Text::new(b"\xef\xbb\xbf a b\r\n\n c\rd").unwrap();
        assert_eq!(text.token_in_line().unwrap().bytes, b"a");
        assert_eq!(text.rest_of_line(), b"b");
        assert_eq!(text.token_in_line(), None);
        let c = text.token().unwrap();
        assert_eq!((c.bytes, line_of(text.bytes, c.at)), (&b"c"[..], 3));
        let d = text.token().unwrap();
        assert_eq!((d.bytes, line_of(text.bytes, d.at)), (&b"d"[..], 4));
        assert_eq!(text.token(), None);
        assert_eq!(text.remaining(), 0);
    }

    #[test]
    fn long_and_wild_tokens_are_shown_short() {
        assert_eq!(quoted(b"a\x07b"), "`a\u{fffd}b`");
        assert_eq!(quoted(&[b'x'; 99]), format!("`{}…`", "x".repeat(40)));
    }
}
