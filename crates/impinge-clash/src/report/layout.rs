//! How JSON reports are laid out: indented as far as people read them, and points and what is smaller in one line.
//!
//! Curves are most of a report. With every coordinate on a line of its own, more than half of its bytes would be spaces.

use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use std::io::{self, Write};

/// A value as JSON, with line breaks between the entries of this many levels.
pub(super) fn laid_out(value: &impl Serialize, levels: usize) -> String {
    let mut bytes = Vec::new();
    let layout = Layout { pretty: PrettyFormatter::new(), levels, depth: 0 };
    // Plain fields and finite numbers: this does not fail.
    let done = value.serialize(&mut Serializer::with_formatter(&mut bytes, layout));
    debug_assert!(done.is_ok());
    bytes.push(b'\n');
    impinge_io::printable_json(String::from_utf8(bytes).unwrap_or_default())
}

struct Layout {
    pretty: PrettyFormatter<'static>,
    levels: usize,
    /// Of the array or object that is being written.
    depth: usize,
}

impl Layout {
    fn is_broken(&self) -> bool {
        self.depth <= self.levels
    }

    fn between<W: ?Sized + Write>(writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        if self.is_broken() { self.pretty.begin_array(writer) } else { writer.write_all(b"[") }
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let broken = self.is_broken();
        self.depth -= 1;
        if broken { self.pretty.end_array(writer) } else { writer.write_all(b"]") }
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if self.is_broken() {
            self.pretty.begin_array_value(writer, first)
        } else {
            Self::between(writer, first)
        }
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        if self.is_broken() { self.pretty.end_array_value(writer) } else { Ok(()) }
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        if self.is_broken() { self.pretty.begin_object(writer) } else { writer.write_all(b"{") }
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let broken = self.is_broken();
        self.depth -= 1;
        if broken { self.pretty.end_object(writer) } else { writer.write_all(b"}") }
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if self.is_broken() {
            self.pretty.begin_object_key(writer, first)
        } else {
            Self::between(writer, first)
        }
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        if self.is_broken() { self.pretty.end_object_value(writer) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn small_things_take_one_line_and_read_back() {
        let value = json!({ "name": "a", "curve": [[[0.1, 2.0], [3.0, 4.0]], []], "none": {} });
        let text = laid_out(&value, 2);
        let lines = [
            "{",
            "  \"curve\": [",
            "    [[0.1, 2.0], [3.0, 4.0]],",
            "    []",
            "  ],",
            "  \"name\": \"a\",",
            "  \"none\": {}",
            "}",
            "",
        ];
        assert_eq!(text, lines.join("\n"));
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
