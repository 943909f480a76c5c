//! OFF: the counts, the vertices one per line, the faces one per line.
//!
//! After the manual of Geomview (version 1.9, section 4.2.5): the keyword may be missing, and carries the prefixes `ST`, `C`
//! and `N` where vertices have texture coordinates, colours and normals; the position always comes first, so that what
//! follows it on the line is skipped, as are the colours behind the corners of a face. Comments run from `#` to the end of
//! the line. Here the counts may stand behind the keyword, even without a space, as in the ModelNet collection, and the count of
//! edges may be missing.

use crate::error::{Error, ErrorKind};
use crate::faces::{Faces, Fan, too_few_corners, too_many_triangles};
use crate::mesh::MeshData;
use crate::text::{BYTE_ORDER_MARK, Text, Token, is_line_end, is_space, quoted};
use std::io::Write as _;

/// Does it begin with the keyword in one of its forms?
pub(crate) fn begins_with_keyword(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let mut lines = bytes.split(|&byte| is_line_end(byte)).map(<[u8]>::trim_ascii);
    let Some(line) = lines.find(|line| !line.is_empty() && line[0] != b'#') else { return false };
    let word = line.split(|&byte| is_space(byte)).next().unwrap_or_default();
    Keyword::of(word).is_some()
}

/// The keyword, taken apart.
struct Keyword {
    /// Four coordinates, or a dimension stated in the file.
    unusual_space: bool,
    /// How many bytes of the word are the keyword: digits may follow.
    length: usize,
}

impl Keyword {
    /// `[ST][C][N][4][n]OFF`, with digits behind it or not.
    fn of(word: &[u8]) -> Option<Self> {
        let mut rest = word;
        for prefix in [&b"ST"[..], b"C", b"N"] {
            rest = rest.strip_prefix(prefix).unwrap_or(rest);
        }
        let plain = rest;
        for prefix in [&b"4"[..], b"n"] {
            rest = rest.strip_prefix(prefix).unwrap_or(rest);
        }
        let unusual_space = rest.len() < plain.len();
        let behind = rest.strip_prefix(b"OFF")?;
        let length = word.len() - behind.len();
        behind.iter().all(u8::is_ascii_digit).then_some(Self { unusual_space, length })
    }
}

/// Reads a file.
pub(crate) fn parse(bytes: &[u8]) -> Result<(MeshData, usize), Error> {
    let mut reader = Reader { text: Text::new(bytes)? };
    let (vertices, faces) = reader.header()?;
    let vertices = reader.vertices(vertices)?;
    let mut faces = reader.faces(faces)?;
    if let Some(token) = reader.token() {
        let message = format!(
            "{} follows the last face that the header claims: a count is wrong; export it again",
            quoted(token.bytes)
        );
        return Err(reader.text.error(token.at, ErrorKind::Malformed, message));
    }
    faces
        .check(vertices.len(), 0)
        .map_err(|(at, message)| reader.text.error(at, ErrorKind::Index, message))?;
    let crossed = faces.split_polygons(&vertices);
    Ok((MeshData::new(vertices, faces.triangles), crossed))
}

struct Reader<'a> {
    text: Text<'a>,
}

impl<'a> Reader<'a> {
    /// The next token that is not in a comment, on this line or a later one.
    fn token(&mut self) -> Option<Token<'a>> {
        loop {
            let token = self.text.token()?;
            if token.bytes[0] != b'#' {
                return Some(token);
            }
            self.text.go_to(token.at);
            self.text.rest_of_line();
        }
    }

    /// The next token, which must be there.
    fn expect(&mut self, what: &str) -> Result<Token<'a>, Error> {
        self.token().ok_or_else(|| self.text.ended(what))
    }

    /// The keyword and the counts of vertices and faces.
    fn header(&mut self) -> Result<(u64, u64), Error> {
        let first = self.expect("the keyword OFF")?;
        match Keyword::of(first.bytes) {
            Some(keyword) if keyword.unusual_space => {
                let message = format!(
                    "{} has vertices with other than three coordinates: export the model as plain OFF",
                    quoted(first.bytes)
                );
                return Err(self.text.error(first.at, ErrorKind::Unsupported, message));
            }
            Some(keyword) => self.text.go_to(first.at + keyword.length),
            None if first.bytes[0].is_ascii_digit() => self.text.go_to(first.at),
            None => {
                let message = format!(
                    "expected the keyword OFF or the counts, not {}: it is damaged or in another format",
                    quoted(first.bytes)
                );
                return Err(self.text.error(first.at, ErrorKind::Malformed, message));
            }
        }
        let vertices = self.count("the count of vertices")?;
        let faces = self.count("the count of faces")?;
        // The count of edges, which nobody keeps right.
        self.text.rest_of_line();
        Ok((vertices, faces))
    }

    fn count(&mut self, what: &str) -> Result<u64, Error> {
        let token = self.expect(what)?;
        if token.bytes == b"BINARY" {
            let message = "binary OFF is not supported: export it as text";
            return Err(self.text.error(token.at, ErrorKind::Unsupported, message));
        }
        let count = self.text.integer(token, what)?;
        u64::try_from(count).ok().filter(|&count| count <= u64::from(u32::MAX)).ok_or_else(|| {
            let message = format!(
                "{what} is {count}: it must be between 0 and 2^32 - 1; the file is damaged, export it again"
            );
            self.text.error(token.at, ErrorKind::TooMany, message)
        })
    }

    fn vertices(&mut self, count: u64) -> Result<Vec<[f64; 3]>, Error> {
        // A vertex takes at least six bytes: three digits, each with a separator.
        let possible = self.text.remaining() / 6 + 1;
        let mut vertices = Vec::with_capacity((count as usize).min(possible));
        for index in 0..count {
            let mut position = [0.0; 3];
            for value in &mut position {
                let Some(token) = self.token() else {
                    let what = format!("vertex {index} of the {count} that the header claims");
                    return Err(self.text.ended(&what));
                };
                *value = self.text.coordinate(token)?;
            }
            self.text.rest_of_line();
            vertices.push(position);
        }
        Ok(vertices)
    }

    fn faces(&mut self, count: u64) -> Result<Faces, Error> {
        // A triangle takes at least eight bytes.
        let mut faces = Faces::default();
        faces.reserve(count, self.text.remaining() / 8 + 1);
        for face in 0..count {
            let Some(token) = self.token() else {
                let what = format!("face {face} of the {count} that the header claims");
                return Err(self.text.ended(&what));
            };
            let corners = self.text.integer(token, "a number of corners")?;
            if corners < 3 {
                let message = match u64::try_from(corners) {
                    Ok(corners) => too_few_corners(corners),
                    Err(_) => format!("{corners} is not a number of corners: export it again"),
                };
                return Err(self.text.error(token.at, ErrorKind::Malformed, message));
            }
            let mut fan = Fan::default();
            for _ in 0..corners {
                let token = self.expect("the index of a corner")?;
                let index = self.text.integer(token, "the index of a vertex")?;
                let index = u32::try_from(index).map_err(|_| {
                    let message = format!("{index} is not a vertex index: export it again");
                    self.text.error(token.at, ErrorKind::Index, message)
                })?;
                if !faces.add_corner(&mut fan, index, token.at) {
                    let message = too_many_triangles();
                    return Err(self.text.error(token.at, ErrorKind::TooMany, message));
                }
            }
            // Colours.
            self.text.rest_of_line();
        }
        Ok(faces)
    }
}

/// A file with the keyword and all three counts; that of edges is 0, which readers ignore.
pub(crate) fn encode(mesh: &MeshData) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Writing to a vector does not fail.
    let _ = writeln!(bytes, "OFF\n{} {} 0", mesh.vertices.len(), mesh.triangles.len());
    for [x, y, z] in &mesh.vertices {
        let _ = writeln!(bytes, "{x:?} {y:?} {z:?}");
    }
    for [a, b, c] in &mesh.triangles {
        let _ = writeln!(bytes, "3 {a} {b} {c}");
    }
    bytes
}
