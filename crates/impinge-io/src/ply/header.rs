//! The header: which elements follow, in which order, with which properties.

use crate::error::{Error, ErrorKind};
use crate::text::{Text, Token, quoted};

/// How the data is laid down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Data {
    Text,
    LittleEndian,
    BigEndian,
}

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    /// By the names of 1994, and by those with the number of bits.
    fn named(name: &[u8]) -> Option<Self> {
        Some(match name {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    /// Its bytes in binary data.
    pub(super) fn size(self) -> u64 {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }
}

/// A property of an element.
#[derive(Debug)]
pub(super) struct Property<'a> {
    name: &'a [u8],
    /// The type of the value, or of each entry of the list.
    pub(super) scalar: Scalar,
    /// The type of the count, if it is a list.
    pub(super) list: Option<Scalar>,
}

impl Property<'_> {
    /// Which coordinate of a vertex it is.
    pub(super) fn axis(&self) -> Option<usize> {
        let axis = [b"x", b"y", b"z"].iter().position(|axis| *axis == self.name)?;
        self.list.is_none().then_some(axis)
    }

    /// Is it the list of a face's corners?
    pub(super) fn holds_corners(&self) -> bool {
        matches!(self.name, b"vertex_indices" | b"vertex_index") && self.list.is_some()
    }
}

/// An element: a number of records with the same properties.
#[derive(Debug)]
pub(super) struct Element<'a> {
    pub(super) name: &'a [u8],
    pub(super) count: u64,
    pub(super) properties: Vec<Property<'a>>,
    at: usize,
}

/// The whole header.
#[derive(Debug)]
pub(super) struct Header<'a> {
    pub(super) data: Data,
    pub(super) elements: Vec<Element<'a>>,
    /// Where the data begins.
    pub(super) end: usize,
}

impl<'a> Header<'a> {
    /// Reads the header and refuses one without the positions of vertices or the corners of faces.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut reader = Reader { text: Text::new(bytes)?, data: None, elements: Vec::new() };
        match reader.text.token() {
            Some(token) if token.bytes == b"ply" => reader.text.rest_of_line(),
            Some(token) => {
                let message = format!(
                    "a PLY file begins with `ply`, not {}: it is damaged or in another format",
                    quoted(token.bytes)
                );
                return Err(reader.text.error(token.at, ErrorKind::Malformed, message));
            }
            None => return Err(reader.text.ended("`ply`")),
        };
        let start = reader.text.at();
        let old_macintosh =
            bytes[start..].starts_with(b"\r") && !bytes[start..].starts_with(b"\r\n");
        while reader.line()? {}
        // Binary data begins right behind the line end. There a `\n` behind `\r` belongs to the data only if `\r` alone ends lines.
        let end = reader.text.at();
        let end = end + if !old_macintosh && bytes[end..].starts_with(b"\r\n") { 2 } else { 1 };
        let Some(data) = reader.data else {
            let message = "the header has no `format` line: it is damaged; export it again";
            return Err(reader.text.error(start, ErrorKind::Malformed, message));
        };
        reader.check(start)?;
        Ok(Self { data, elements: reader.elements, end })
    }
}

struct Reader<'a> {
    text: Text<'a>,
    data: Option<Data>,
    elements: Vec<Element<'a>>,
}

impl<'a> Reader<'a> {
    /// Reads a line. False if it was the last of the header.
    fn line(&mut self) -> Result<bool, Error> {
        let Some(keyword) = self.text.token() else { return Err(self.text.ended("`end_header`")) };
        match keyword.bytes {
            b"format" => self.format()?,
            b"element" => self.element(keyword.at)?,
            b"property" => self.property(keyword.at)?,
            b"comment" | b"obj_info" => {}
            b"end_header" => {
                self.text.rest_of_line();
                return Ok(false);
            }
            word => {
                let message = format!(
                    "{} is not a PLY header line: the file is damaged; export it again",
                    quoted(word)
                );
                return Err(self.text.error(keyword.at, ErrorKind::Malformed, message));
            }
        }
        self.text.rest_of_line();
        Ok(true)
    }

    fn word(&mut self, what: &str) -> Result<Token<'a>, Error> {
        let at = self.text.at();
        self.text.token_in_line().ok_or_else(|| {
            let message = format!("{what} is missing: the header is damaged; export it again");
            self.text.error(at, ErrorKind::Malformed, message)
        })
    }

    fn format(&mut self) -> Result<(), Error> {
        let token = self.word("the format's name")?;
        self.data = Some(match token.bytes {
            b"ascii" => Data::Text,
            b"binary_little_endian" => Data::LittleEndian,
            b"binary_big_endian" => Data::BigEndian,
            word => {
                let message = format!(
                    "unknown format {}: known formats are ascii, binary_little_endian, binary_big_endian",
                    quoted(word)
                );
                return Err(self.text.error(token.at, ErrorKind::Unsupported, message));
            }
        });
        Ok(())
    }

    fn element(&mut self, at: usize) -> Result<(), Error> {
        let name = self.word("the element's name")?.bytes;
        let token = self.word("the element's count")?;
        let count = self.text.integer(token, "the count of an element")?;
        let count = u64::try_from(count).ok().filter(|&count| count <= u64::from(u32::MAX));
        let Some(count) = count else {
            let message = format!(
                "the header claims {} of the element {}: it must be between 0 and 2^32 - 1; export it again",
                quoted(token.bytes),
                quoted(name)
            );
            return Err(self.text.error(token.at, ErrorKind::TooMany, message));
        };
        if self.elements.iter().any(|element| element.name == name) {
            let message =
                format!("the element {} is declared twice: export it again", quoted(name));
            return Err(self.text.error(at, ErrorKind::Malformed, message));
        }
        self.elements.push(Element { name, count, properties: Vec::new(), at });
        Ok(())
    }

    fn property(&mut self, at: usize) -> Result<(), Error> {
        let first = self.word("the property's type")?;
        let (list, scalar) = if first.bytes == b"list" {
            let count = self.word("the type of the list's count")?;
            let list = self.scalar(count)?;
            if !list.is_integer() {
                let message = "the count of a list must be an integer: export it again";
                return Err(self.text.error(count.at, ErrorKind::Malformed, message));
            }
            let entry = self.word("the type of the list's entries")?;
            (Some(list), self.scalar(entry)?)
        } else {
            (None, self.scalar(first)?)
        };
        let name = self.word("the property's name")?.bytes;
        let Some(element) = self.elements.last_mut() else {
            let message = "a property comes before the first element: export it again";
            return Err(self.text.error(at, ErrorKind::Malformed, message));
        };
        element.properties.push(Property { name, scalar, list });
        Ok(())
    }

    fn scalar(&self, token: Token<'_>) -> Result<Scalar, Error> {
        Scalar::named(token.bytes).ok_or_else(|| {
            let message = format!(
                "unknown type {}: known types are char, uchar, short, ushort, int, uint, float, double",
                quoted(token.bytes)
            );
            self.text.error(token.at, ErrorKind::Malformed, message)
        })
    }

    /// Refuses a header without the positions of vertices or the corners of faces.
    fn check(&self, start: usize) -> Result<(), Error> {
        let fault = |at, message: &str| Err(self.text.error(at, ErrorKind::Malformed, message));
        let Some(vertex) = self.elements.iter().find(|element| element.name == b"vertex") else {
            return fault(start, "the header has no element `vertex`: this PLY holds no mesh");
        };
        for axis in 0..3 {
            let properties = vertex.properties.iter().filter(|p| p.axis() == Some(axis));
            let name = ["x", "y", "z"][axis];
            match properties.count() {
                1 => {}
                0 => {
                    let message =
                        format!("the element `vertex` has no property `{name}`: export it again");
                    return fault(vertex.at, &message);
                }
                _ => {
                    let message =
                        format!("the property `{name}` is declared twice: export it again");
                    return fault(vertex.at, &message);
                }
            }
        }
        for element in &self.elements {
            if !matches!(element.name, b"face" | b"tristrips") || element.count == 0 {
                continue;
            }
            let mut lists = element.properties.iter().filter(|property| property.holds_corners());
            match (lists.next(), lists.next()) {
                (Some(list), None) if list.scalar.is_integer() => {}
                (Some(_), None) => {
                    return fault(
                        element.at,
                        "the indices of corners must be integers: export it again",
                    );
                }
                (Some(_), Some(_)) => {
                    return fault(element.at, "a face has two lists of corners: export it again");
                }
                (None, _) => {
                    let message = "the faces have no list `vertex_indices` or `vertex_index`: export it again";
                    return fault(element.at, message);
                }
            }
        }
        Ok(())
    }
}
