//! XML that is written: elements and attributes, with what must be escaped escaped.

/// A document that grows.
pub(super) struct Writer {
    text: String,
    open: Vec<&'static str>,
}

impl Writer {
    pub(super) fn new() -> Self {
        Self { text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_string(), open: Vec::new() }
    }

    /// Begins an element.
    pub(super) fn open(&mut self, name: &'static str, attributes: &[(&str, &str)]) -> &mut Self {
        self.indent();
        self.tag(name, attributes);
        self.text.push_str(">\n");
        self.open.push(name);
        self
    }

    /// Ends the element that was begun last.
    pub(super) fn close(&mut self) -> &mut Self {
        if let Some(name) = self.open.pop() {
            self.indent();
            self.text.push_str(&format!("</{name}>\n"));
        }
        self
    }

    /// An element with nothing in it.
    pub(super) fn empty(&mut self, name: &'static str, attributes: &[(&str, &str)]) -> &mut Self {
        self.indent();
        self.tag(name, attributes);
        self.text.push_str("/>\n");
        self
    }

    /// An element with text.
    pub(super) fn text(&mut self, name: &'static str, text: &str) -> &mut Self {
        self.indent();
        self.tag(name, &[]);
        self.text.push('>');
        self.text.push_str(&escaped(text));
        self.text.push_str(&format!("</{name}>\n"));
        self
    }

    /// An element with text, unless that is blank, which BCF 3.0 does not allow.
    pub(super) fn text_unless_blank(&mut self, name: &'static str, text: &str) -> &mut Self {
        if text.trim().is_empty() { self } else { self.text(name, text) }
    }

    /// The whole, with all elements ended.
    pub(super) fn end(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    fn indent(&mut self) {
        self.text.push_str(&"  ".repeat(self.open.len()));
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.text.push('<');
        self.text.push_str(name);
        for (name, value) in attributes {
            self.text.push_str(&format!(" {name}=\"{}\"", escaped(value)));
        }
    }
}

/// Text as XML 1.0 allows it, which has no place for control characters other than tabs and line ends (section 2.2): those are shown, as in all that is
/// written.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in impinge_io::printable_lines(text).chars() {
        match c {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            // As they are, readers make one line feed of them.
            '\r' => result.push_str("&#13;"),
            '\t' | '\n' => result.push(c),
            '\u{fffe}' | '\u{ffff}' => result.push('\u{fffd}'),
            _ => result.push(c),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::Writer;

    #[test]
    fn what_is_written_is_read_back() {
        let awkward = "a < b & \"c\" > 'd'\r\n\ttab ]]> é";
        let mut writer = Writer::new();
        writer.open("A", &[("of", "x & \"y\"")]).text("B", awkward).empty("C", &[]);
        let text = writer.end();
        let document = roxmltree::Document::parse(&text).unwrap();
        let root = document.root_element();
        assert_eq!(root.attribute("of"), Some("x & \"y\""));
        assert_eq!(root.first_element_child().and_then(|node| node.text()), Some(awkward));
        let mut writer = Writer::new();
        writer.text("A", "bell \u{7} and \u{ffff} and \u{202e}");
        let text = writer.end();
        let document = roxmltree::Document::parse(&text).unwrap();
        assert_eq!(document.root_element().text(), Some("bell \\u{7} and \u{fffd} and \\u{202e}"));
    }
}
