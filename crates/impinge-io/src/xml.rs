//! XML files: elements by name, attributes as numbers, and the line of what is wrong.

use crate::error::{Error, ErrorKind, Place};
use crate::number;
use crate::text::{BYTE_ORDER_MARK, quoted};
use roxmltree::{Document, Node, ParsingOptions};

/// How many declarations of namespaces a file may have. The parser keeps for each element all that hold for it, which for
/// thousands inside each other would be millions.
const MOST_NAMESPACES: usize = 1000;

/// The text of a file, which must be UTF-8.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, Error> {
    if bytes.is_empty() {
        let message = "the file is empty: export it again";
        return Err(Error::new(ErrorKind::Truncated, Place::File, message));
    }
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    str::from_utf8(bytes).map_err(|error| {
        let utf_16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
        let (place, message) = if utf_16 {
            (Place::File, "the file is UTF-16 text: save it as UTF-8")
        } else {
            (
                Place::Byte(error.valid_up_to() as u64),
                "the file is not UTF-8 here: save it as UTF-8",
            )
        };
        Error::new(ErrorKind::Unsupported, place, message)
    })
}

/// The tree of a file.
pub(crate) fn parse(text: &str) -> Result<Document<'_>, Error> {
    if text.matches("xmlns").nth(MOST_NAMESPACES).is_some() {
        let message = format!(
            "the file declares more than {MOST_NAMESPACES} namespaces: it is damaged; export it again"
        );
        return Err(Error::new(ErrorKind::TooMany, Place::File, message));
    }
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        if matches!(error, roxmltree::Error::DtdDetected) {
            let message = "the file has a document type definition, which is not supported: remove the `<!DOCTYPE` line";
            return Error::new(ErrorKind::Unsupported, Place::File, message);
        }
        let whole = error.to_string();
        let reason = whole.rsplit_once(" at ").map_or(whole.as_str(), |(reason, _)| reason);
        let reason: String = reason.chars().filter(|c| !c.is_control()).take(120).collect();
        let position = error.pos();
        let place = Place::Column(position.row.into(), position.col.into());
        let message = format!("the XML is not well formed, {reason}: repair it or export it again");
        Error::new(ErrorKind::Malformed, place, message)
    })
}

/// An error about an element.
#[cold]
pub(crate) fn error(node: Node<'_, '_>, kind: ErrorKind, message: impl Into<String>) -> Error {
    at(node, node.range().start, kind, message)
}

fn at(node: Node<'_, '_>, offset: usize, kind: ErrorKind, message: impl Into<String>) -> Error {
    let position = node.document().text_pos_at(offset);
    Error::new(kind, Place::Column(position.row.into(), position.col.into()), message)
}

/// An error about an attribute, or about its element if it is missing.
#[cold]
pub(crate) fn attribute_error(
    node: Node<'_, '_>,
    name: &str,
    kind: ErrorKind,
    message: impl Into<String>,
) -> Error {
    let offset = node.attribute_node(name).map_or(node.range().start, |found| found.range().start);
    at(node, offset, kind, message)
}

/// The elements in an element that have a name, in whatever namespace.
pub(crate) fn children<'a, 'i>(
    node: Node<'a, 'i>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// The first of them.
pub(crate) fn child<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

/// An attribute that must be there.
pub(crate) fn required<'a>(node: Node<'a, '_>, name: &str) -> Result<&'a str, Error> {
    node.attribute(name).ok_or_else(|| {
        let element = quoted(node.tag_name().name().as_bytes());
        error(node, ErrorKind::Malformed, format!("{element} lacks the attribute `{name}`"))
    })
}

/// An attribute of exactly `N` numbers; none if it is missing.
pub(crate) fn numbers<const N: usize>(
    node: Node<'_, '_>,
    name: &str,
) -> Result<Option<[f64; N]>, Error> {
    let Some(text) = node.attribute(name) else { return Ok(None) };
    let mut result = [0.0; N];
    let mut words = text.split_ascii_whitespace();
    for slot in &mut result {
        let Some(word) = words.next() else {
            let message = format!("`{name}` has fewer than {N} numbers: add what is missing");
            return Err(attribute_error(node, name, ErrorKind::Number, message));
        };
        *slot = number::coordinate(word.as_bytes()).map_err(|reason| {
            let message = format!("{} in `{name}` {reason}", quoted(word.as_bytes()));
            attribute_error(node, name, ErrorKind::Number, message)
        })?;
    }
    if words.next().is_some() {
        let message = format!("`{name}` has more than {N} number{}", if N == 1 { "" } else { "s" });
        return Err(attribute_error(node, name, ErrorKind::Number, message));
    }
    Ok(Some(result))
}
