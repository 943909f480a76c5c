//! STL: a list of triangles by the positions of their corners, as text or as 50 bytes each behind a header of 84.
//!
//! The text form is that of the StereoLithography Interface Specification (3D Systems, 1989): `solid`, `facet normal`,
//! `outer loop`, three times `vertex`, `endloop`, `endfacet`, `endsolid`. Binary files may begin with `solid` too, but not go
//! on without control characters: the upper bytes of their count are some. Normals and attribute bytes are ignored. Equal
//! positions become one vertex: the format has no indices, and without that no two triangles would be neighbours.

use crate::bytes::Bytes;
use crate::error::{Error, ErrorKind, Place};
use crate::mesh::{MeshData, Parts, one_line};
use crate::number;
use crate::text::{BYTE_ORDER_MARK, Text, is_space, quoted};
use crate::weld::Welder;
use std::io::Write as _;

/// Bytes before the first triangle of a binary file: a comment of 80 and the count.
const HEADER: u64 = 84;
/// Bytes of a triangle in a binary file: normal, three corners, two bytes of attributes.
const RECORD: u64 = 50;
/// The shortest facet of a text file that can be written takes more bytes than this.
const SHORTEST_FACET: usize = 60;
/// How many leading bytes must be free of control characters in a text file. The count of a binary file lies within.
const TEXT_WINDOW: usize = 4096;

/// Is the size exactly that of a binary file with the count that it states?
pub(crate) fn has_binary_size(bytes: &[u8]) -> bool {
    claimed(bytes).is_some_and(|count| bytes.len() as u64 == HEADER + RECORD * count)
}

/// Does it begin with the word `solid`, and go on as text?
pub(crate) fn begins_like_text(bytes: &[u8]) -> bool {
    let start = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes).trim_ascii_start();
    let word = start.first_chunk::<5>().is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    let control = |byte: &u8| *byte < b' ' && !is_space(*byte);
    word && start.get(5).is_none_or(|&byte| is_space(byte))
        && !bytes.iter().take(TEXT_WINDOW).any(control)
}

/// The number of triangles that a binary header states.
fn claimed(bytes: &[u8]) -> Option<u64> {
    let count = bytes.get(80..84)?.first_chunk::<4>()?;
    Some(u64::from(u32::from_le_bytes(*count)))
}

/// Reads either kind.
pub(crate) fn parse(bytes: &[u8]) -> Result<MeshData, Error> {
    if begins_like_text(bytes) { parse_text(bytes) } else { parse_binary(bytes) }
}

/// Refuses a size that does not go with the stated count; gives that count.
///
/// A few bytes too many are accepted: some programs pad files. A whole triangle too many means that the count is wrong.
fn check_size(bytes: &[u8]) -> Result<u64, Error> {
    let size = bytes.len() as u64;
    let fault = |kind, message| Err(Error::new(kind, Place::File, message));
    let looks_like_text = !bytes.iter().take(TEXT_WINDOW).any(|&b| b < b' ' && !is_space(b));
    if !bytes.is_empty() && looks_like_text {
        let message = "it is text that does not begin with `solid`, so it is not an STL file: it is damaged or misnamed";
        return fault(ErrorKind::Malformed, message.into());
    }
    let Some(count) = claimed(bytes) else {
        let message = format!(
            "a binary STL has at least 84 bytes, but this file has {size}: it is truncated; export it again"
        );
        return fault(ErrorKind::Truncated, message);
    };
    let expected = HEADER + RECORD * count;
    let claim = format!(
        "the header claims {count} triangles ({expected} bytes) but the file has {size} bytes"
    );
    if size < expected {
        return fault(ErrorKind::Truncated, format!("{claim}: it is truncated; export it again"));
    }
    if size >= expected + RECORD {
        return fault(
            ErrorKind::Malformed,
            format!("{claim}: the count is wrong; export it again"),
        );
    }
    Ok(count)
}

fn parse_binary(bytes: &[u8]) -> Result<MeshData, Error> {
    let count = check_size(bytes)? as usize;
    // Closed meshes have half as many vertices as triangles.
    let mut welder = Welder::with_room(count / 2 + 3);
    let mut triangles = Vec::with_capacity(count);
    let mut data = Bytes::starting_at(bytes, HEADER as usize);
    for _ in 0..count {
        let at = data.at();
        let Some(record) = data.take::<{ RECORD as usize }>() else {
            return Err(data.error(at, ErrorKind::Truncated, "the file ends inside a triangle"));
        };
        let mut corners = [0; 3];
        for (k, corner) in corners.iter_mut().enumerate() {
            let mut position = [0.0; 3];
            for (axis, value) in position.iter_mut().enumerate() {
                let offset = 12 + 12 * k + 4 * axis;
                let four = [0, 1, 2, 3].map(|i| record[offset + i]);
                *value = number::check_at(f64::from(f32::from_le_bytes(four)), at + offset)?;
            }
            *corner = welder
                .index(position)
                .ok_or_else(|| data.error(at, ErrorKind::TooMany, number::too_many("vertices")))?;
        }
        triangles.push(corners);
    }
    Ok(MeshData::new(welder.vertices, triangles))
}

/// A text file on its way in.
struct Reader<'a> {
    text: Text<'a>,
    welder: Welder,
    triangles: Vec<[u32; 3]>,
}

fn parse_text(bytes: &[u8]) -> Result<MeshData, Error> {
    let text = Text::new(bytes)?;
    let room = text.remaining() / (4 * SHORTEST_FACET);
    let mut reader =
        Reader { text, welder: Welder::with_room(room / 2), triangles: Vec::with_capacity(room) };
    let mut parts = Parts::default();
    while let Some(token) = reader.text.token() {
        if !token.bytes.eq_ignore_ascii_case(b"solid") {
            return Err(reader.unexpected(token.bytes, token.at, "`solid` or the end of the file"));
        }
        parts.begin(reader.text.rest_of_line(), reader.triangles.len());
        while reader.word(&["facet", "endsolid"])? == 0 {
            reader.facet()?;
        }
        reader.text.rest_of_line();
        parts.end(reader.triangles.len());
    }
    let parts = parts.finish(reader.triangles.len());
    Ok(MeshData { vertices: reader.welder.vertices, triangles: reader.triangles, parts })
}

impl Reader<'_> {
    /// The rest of a facet, behind its keyword.
    fn facet(&mut self) -> Result<(), Error> {
        self.word(&["normal"])?;
        for _ in 0..3 {
            // Normals are often wrong or not numbers; the corners say it better.
            self.text.token().ok_or_else(|| self.text.ended("a normal"))?;
        }
        self.word(&["outer"])?;
        self.word(&["loop"])?;
        let mut corners = [0; 3];
        for corner in &mut corners {
            *corner = self.vertex()?;
        }
        self.word(&["endloop"])?;
        self.word(&["endfacet"])?;
        if self.triangles.len() >= u32::MAX as usize {
            let message = number::too_many("triangles");
            return Err(self.text.error(self.text.at(), ErrorKind::TooMany, message));
        }
        self.triangles.push(corners);
        Ok(())
    }

    /// `vertex x y z`.
    fn vertex(&mut self) -> Result<u32, Error> {
        self.word(&["vertex"])?;
        let mut position = [0.0; 3];
        for value in &mut position {
            let token = self.text.token().ok_or_else(|| self.text.ended("a coordinate"))?;
            *value = self.text.coordinate(token)?;
        }
        self.welder.index(position).ok_or_else(|| {
            let message = number::too_many("vertices");
            self.text.error(self.text.at(), ErrorKind::TooMany, message)
        })
    }

    /// One of the words, in any case; gives its index.
    fn word(&mut self, words: &[&str]) -> Result<usize, Error> {
        let expected =
            || words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or ");
        let Some(token) = self.text.token() else { return Err(self.text.ended(&expected())) };
        words
            .iter()
            .position(|word| token.bytes.eq_ignore_ascii_case(word.as_bytes()))
            .ok_or_else(|| self.unexpected(token.bytes, token.at, &expected()))
    }

    fn unexpected(&self, token: &[u8], at: usize, expected: &str) -> Error {
        let message = format!(
            "expected {expected}, not {}: the file is damaged; export it again",
            quoted(token)
        );
        self.text.error(at, ErrorKind::Malformed, message)
    }
}

/// The positions of a triangle's corners.
fn corners(mesh: &MeshData, triangle: [u32; 3]) -> [[f64; 3]; 3] {
    triangle.map(|corner| mesh.vertices[corner as usize])
}

/// The unit normal of a triangle; zero if it has no direction.
fn normal([a, b, c]: [[f64; 3]; 3]) -> [f64; 3] {
    let [u, v] = [b, c].map(|p| [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
    // Edges of a size near one have products that do not overflow.
    let largest = u.iter().chain(&v).fold(0.0, |largest: f64, value| largest.max(value.abs()));
    if largest == 0.0 {
        return [0.0; 3];
    }
    let [u, v] = [u, v].map(|edge| edge.map(|value| value / largest));
    let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
    if length > 0.0 { n.map(|value| value / length) } else { [0.0; 3] }
}

/// Refuses a position that f32 cannot hold.
fn check_single(mesh: &MeshData, corner: u32) -> Result<(), Error> {
    let vertex = mesh.vertices[corner as usize];
    if vertex.iter().all(|&value| (value as f32).is_finite()) {
        return Ok(());
    }
    let message = format!(
        "vertices[{corner}] is beyond the largest f32, which is all that a binary STL has: \
         choose a larger unit or another format"
    );
    Err(Error::new(ErrorKind::Number, Place::File, message))
}

/// A binary file.
pub(crate) fn encode_binary(mesh: &MeshData) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::with_capacity(84 + 50 * mesh.triangles.len());
    bytes.extend_from_slice(b"binary STL");
    bytes.resize(80, b' ');
    // The mesh was checked to have fewer triangles than u32 can count.
    bytes.extend_from_slice(&(mesh.triangles.len() as u32).to_le_bytes());
    for &triangle in &mesh.triangles {
        for corner in triangle {
            check_single(mesh, corner)?;
        }
        let corners = corners(mesh, triangle);
        for value in normal(corners).into_iter().chain(corners.into_iter().flatten()) {
            bytes.extend_from_slice(&(value as f32).to_le_bytes());
        }
        bytes.extend_from_slice(&[0; 2]);
    }
    Ok(bytes)
}

/// A text file with a solid per part.
pub(crate) fn encode_text(mesh: &MeshData) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut runs = mesh.runs();
    if runs.is_empty() {
        runs.push((None, &[]));
    }
    // Writing to a vector does not fail.
    for (name, triangles) in runs {
        let name = one_line(name.unwrap_or_default());
        let _ = writeln!(bytes, "solid {name}");
        for &triangle in triangles {
            let corners = corners(mesh, triangle);
            let [x, y, z] = normal(corners).map(|value| value as f32);
            let _ = writeln!(bytes, "facet normal {x:?} {y:?} {z:?}\n  outer loop");
            for [x, y, z] in corners {
                let _ = writeln!(bytes, "    vertex {x:?} {y:?} {z:?}");
            }
            let _ = writeln!(bytes, "  endloop\nendfacet");
        }
        let _ = writeln!(bytes, "endsolid {name}");
    }
    bytes
}
