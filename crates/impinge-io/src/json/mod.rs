//! JSON that remembers where each value stands, so that what is wrong with a value can be said with its line and column.
//!
//! RFC 8259. Values are entries of one list in the order of the text: 16 bytes for each, whatever it is, and no recursion, so
//! that neither depth nor breadth of a file can exhaust anything.

mod parse;

use crate::error::{Error, ErrorKind, Place};
use crate::text::{BYTE_ORDER_MARK, place_of};
use parse::Parser;
use std::borrow::Cow;

/// A document.
pub(crate) struct Json<'a> {
    text: &'a [u8],
    /// Where the text begins in a binary file; none for a text file.
    base: Option<usize>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    /// The first byte and the one behind the last; for arrays and objects only the first counts.
    start: u32,
    end: u32,
    /// The entry behind this value and all that is in it.
    next: u32,
    kind: Kind,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

/// A value of a document.
#[derive(Clone, Copy)]
pub(crate) struct Value<'j> {
    json: &'j Json<'j>,
    index: usize,
}

impl<'a> Json<'a> {
    /// Reads a document that fills the text.
    pub(crate) fn parse(text: &'a [u8], base: Option<usize>) -> Result<Self, Error> {
        let text_file = text.strip_prefix(BYTE_ORDER_MARK).filter(|_| base.is_none());
        let start = text.len() - text_file.unwrap_or(text).len();
        let mut json = Self { text, base, entries: Vec::new() };
        if u32::try_from(text.len()).is_err() {
            let message = "the JSON is larger than 4 GiB: split the model";
            return Err(json.error(0, ErrorKind::TooMany, message));
        }
        if let Err(error) = str::from_utf8(text) {
            let message = "the JSON is not UTF-8 here: the file is damaged; export it again";
            return Err(json.error(error.valid_up_to(), ErrorKind::Malformed, message));
        }
        Parser::new(&mut json, start).document()?;
        Ok(json)
    }

    /// The whole document.
    pub(crate) fn root(&self) -> Value<'_> {
        Value { json: self, index: 0 }
    }

    #[cold]
    fn error(&self, at: usize, kind: ErrorKind, message: impl Into<String>) -> Error {
        let place = match self.base {
            Some(base) => Place::Byte((base + at) as u64),
            None => place_of(self.text, at),
        };
        Error::new(kind, place, message)
    }
}

impl<'j> Value<'j> {
    fn entry(self) -> Entry {
        self.json.entries[self.index]
    }

    pub(crate) fn kind(self) -> Kind {
        self.entry().kind
    }

    /// An error about this value.
    #[cold]
    pub(crate) fn error(self, kind: ErrorKind, message: impl Into<String>) -> Error {
        self.json.error(self.entry().start as usize, kind, message)
    }

    /// Its text, as it stands in the file, if it is neither an array nor an object.
    pub(crate) fn raw(self) -> &'j str {
        let Entry { start, end, .. } = self.entry();
        str::from_utf8(&self.json.text[start as usize..end as usize]).unwrap_or_default()
    }

    /// The members of an object, as names and values; empty for anything else.
    pub(crate) fn members(self) -> impl Iterator<Item = (Cow<'j, str>, Value<'j>)> {
        let mut rest = self.inside(Kind::Object);
        std::iter::from_fn(move || Some((rest.next()?.text_or_empty(), rest.next()?)))
    }

    /// The items of an array; empty for anything else.
    pub(crate) fn items(self) -> impl Iterator<Item = Value<'j>> {
        self.inside(Kind::Array)
    }

    fn inside(self, kind: Kind) -> Inside<'j> {
        let entry = self.entry();
        let (at, end) =
            if entry.kind == kind { (self.index + 1, entry.next as usize) } else { (0, 0) };
        Inside { json: self.json, at, end }
    }

    /// The member of that name, the first if there are several.
    pub(crate) fn get(self, name: &str) -> Option<Value<'j>> {
        self.members().find(|(found, _)| found == name).map(|(_, value)| value)
    }

    /// The text of a string; none if it is something else.
    pub(crate) fn text(self) -> Option<Cow<'j, str>> {
        (self.kind() == Kind::String).then(|| self.text_or_empty())
    }

    fn text_or_empty(self) -> Cow<'j, str> {
        let raw = self.raw();
        let inner = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
        if inner.contains('\\') { Cow::Owned(unescape(inner)) } else { Cow::Borrowed(inner) }
    }

    /// The number, if it is one; digits beyond `f64` are rounded, and what is beyond its range is infinite.
    pub(crate) fn number(self) -> Option<f64> {
        (self.kind() == Kind::Number).then(|| self.raw().parse().ok()).flatten()
    }

    /// A number that counts or names something.
    pub(crate) fn index(self) -> Option<usize> {
        let whole = |value: &f64| (0.0..=9_007_199_254_740_992.0).contains(value);
        let value = self.number().filter(whole)?;
        (value.fract() == 0.0).then_some(value as usize)
    }
}

struct Inside<'j> {
    json: &'j Json<'j>,
    at: usize,
    end: usize,
}

impl<'j> Iterator for Inside<'j> {
    type Item = Value<'j>;

    fn next(&mut self) -> Option<Value<'j>> {
        if self.at >= self.end {
            return None;
        }
        let value = Value { json: self.json, index: self.at };
        self.at = value.entry().next as usize;
        Some(value)
    }
}

/// Text with its escapes resolved; halves of surrogate pairs that stand alone become U+FFFD.
fn unescape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        result.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(escape) = rest.chars().next() else { break };
        rest = &rest[escape.len_utf8()..];
        let hex = |text: &str| text.get(..4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        match escape {
            'u' => {
                let first = hex(rest).unwrap_or(0xfffd);
                rest = rest.get(4..).unwrap_or_default();
                let second = rest.strip_prefix("\\u").and_then(hex);
                let low = second.filter(|low| (0xdc00..0xe000).contains(low));
                let code = match (first, low) {
                    (0xd800..0xdc00, Some(low)) => {
                        rest = rest.get(6..).unwrap_or_default();
                        0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00)
                    }
                    _ => first,
                };
                result.push(char::from_u32(code).unwrap_or('\u{fffd}'));
            }
            'n' => result.push('\n'),
            't' => result.push('\t'),
            'r' => result.push('\r'),
            'b' => result.push('\u{8}'),
            'f' => result.push('\u{c}'),
            other => result.push(other),
        }
    }
    result.push_str(rest);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        match Json::parse(text.as_bytes(), None) {
            Ok(_) => panic!("{text} is refused"),
            Err(error) => error.in_file("f").to_string(),
        }
    }

    #[test]
    fn values_and_members() {
        let text = r#" {"a": [1, -2.5e1, [], {}, [[3]]], "b": {"c": null, "d": true}, "e": "x\n\u00e9\ud83d\ude00\ud800",
            "a": 7} "#;
        let json = Json::parse(text.as_bytes(), None).unwrap();
        let root = json.root();
        let a: Vec<_> = root.get("a").unwrap().items().collect();
        assert_eq!(a.len(), 5);
        assert_eq!((a[0].index(), a[1].number(), a[1].index()), (Some(1), Some(-25.0), None));
        assert_eq!(a[4].items().next().unwrap().items().next().unwrap().index(), Some(3));
        assert_eq!(root.get("b").unwrap().get("d").unwrap().raw(), "true");
        assert_eq!(root.get("e").unwrap().text().unwrap(), "x\né😀\u{fffd}");
        assert_eq!(root.members().count(), 4);
        assert!(root.get("z").is_none() && root.items().next().is_none());
    }

    #[test]
    fn places_of_faults() {
        for (text, start) in [
            ("", "f: line 1, column 1: the JSON ends where a value was expected"),
            ("{", "f: line 1, column 2: the JSON ends where a quoted name was expected"),
            ("{\"a\":1,}", "f: line 1, column 8: expected a quoted name, but found `}`"),
            ("[1,]", "f: line 1, column 4: expected a value, but found `]`"),
            ("[,1]", "f: line 1, column 2: expected a value, but found `,`"),
            ("[1 2]", "f: line 1, column 4: expected `,` or `]`, but found `2`"),
            ("{\"a\" 1}", "f: line 1, column 6: expected `:`, but found `1`"),
            ("{\"é\": nan}", "f: line 1, column 7: expected a value, but found `nan`"),
            ("[\n\n  01]", "f: line 3, column 5: expected digits, but found `]`"),
            ("{}\r\n{}", "f: line 2, column 1: expected the end of the JSON, but found `{`"),
            (
                "[\"\\x\"]",
                "f: line 1, column 3: expected an escape such as `\\n` or `\\u00e9`, but found `\\`",
            ),
            ("[1.]", "f: line 1, column 4: expected digits, but found `]`"),
            ("]", "f: line 1, column 1: expected a value, but found `]`"),
            ("[}", "f: line 1, column 2: expected a value, but found `}`"),
        ] {
            let message = message(text);
            assert!(message.starts_with(start), "{text}: {message}");
        }
    }

    #[test]
    fn depth_is_no_matter() {
        let deep = "[".repeat(200_000) + &"]".repeat(200_000);
        assert_eq!(Json::parse(deep.as_bytes(), None).unwrap().entries.len(), 200_000);
        assert!(message(&"[{\"a\":".repeat(100_000)).contains("ends where"));
    }
}
