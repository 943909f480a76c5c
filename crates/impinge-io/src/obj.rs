//! Wavefront OBJ: `v x y z` and `f a b c …`, a statement per line.
//!
//! After the Advanced Visualizer's manual, appendix B1 (Alias|Wavefront, 1995). Indices count from 1, or backwards from the
//! last vertex if negative; a corner may carry texture and normal indices, `v/t/n`, which are skipped. A backslash before
//! the end of a line joins it with the next. Objects and groups name parts, the last statement of either kind counts; materials
//! have runs of their own. Lines, points and statements that nobody knows are skipped; surfaces that are not polygons are refused, because without
//! them the model would not be the model.

use crate::error::{Error, ErrorKind};
use crate::faces::{Faces, Fan, too_few_corners, too_many_triangles};
use crate::mesh::{MeshData, PartRange, Parts, one_line};
use crate::number;
use crate::text::{Text, Token, is_line_end, quoted};
use std::io::Write as _;

/// Statements of surfaces that are not polygons, and of other files.
const REFUSED: [&[u8]; 6] = [b"surf", b"bzp", b"bsp", b"cdp", b"patch", b"call"];

/// Statements that are skipped and known, so that a file of them is an OBJ.
const SKIPPED: [&[u8]; 28] = [
    b"vn",
    b"vt",
    b"vp",
    b"l",
    b"p",
    b"s",
    b"mg",
    b"mtllib",
    b"maplib",
    b"usemap",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"lod",
    b"shadow_obj",
    b"trace_obj",
    b"cstype",
    b"deg",
    b"step",
    b"bmat",
    b"curv",
    b"curv2",
    b"parm",
    b"trim",
    b"hole",
    b"scrv",
    b"sp",
    b"end",
];

/// What an OBJ names besides the parts of [`MeshData`].
pub(crate) struct Named {
    /// Objects; groups where no triangle belongs to an object.
    pub(crate) objects: Vec<PartRange>,
    /// Runs of triangles of one material.
    pub(crate) materials: Vec<PartRange>,
}

/// Reads a file; also how many faces have no right triangles.
pub(crate) fn parse(bytes: &[u8]) -> Result<(MeshData, usize), Error> {
    parse_named(bytes).map(|(mesh, _, crossed)| (mesh, crossed))
}

/// Reads a file, with its objects and materials, and how many faces have no right triangles.
pub(crate) fn parse_named(bytes: &[u8]) -> Result<(MeshData, Named, usize), Error> {
    let text = Text::new(bytes)?;
    // Exporters write about half as many vertices as triangles, and 30 bytes or more for each.
    let room = text.remaining() / 120;
    let mut reader = Reader {
        text,
        vertices: Vec::with_capacity(room),
        faces: Faces::default(),
        parts: Parts::default(),
        objects: Parts::default(),
        materials: Parts::default(),
        unknown: None,
    };
    reader.faces.triangles.reserve(room);
    while reader.statement()? {}
    let Reader { text, vertices, mut faces, parts, objects, materials, unknown } = reader;
    if let (Some(token), true) = (unknown, vertices.is_empty()) {
        let message = format!(
            "{} is not an OBJ statement, and the file has no vertices: it is damaged or in another format",
            quoted(token.bytes)
        );
        return Err(text.error(token.at, ErrorKind::Malformed, message));
    }
    faces
        .check(vertices.len(), 1)
        .map_err(|(at, message)| text.error(at, ErrorKind::Index, message))?;
    let crossed = faces.split_polygons(&vertices);
    let count = faces.triangles.len();
    let parts = parts.finish(count);
    let objects = Some(objects.finish(count)).filter(|objects| !objects.is_empty());
    let named = Named {
        objects: objects.unwrap_or_else(|| parts.clone()),
        materials: materials.finish(count),
    };
    Ok((MeshData { vertices, triangles: faces.triangles, parts }, named, crossed))
}

struct Reader<'a> {
    text: Text<'a>,
    vertices: Vec<[f64; 3]>,
    faces: Faces,
    parts: Parts,
    objects: Parts,
    materials: Parts,
    /// The first statement that nobody knows.
    unknown: Option<Token<'a>>,
}

impl<'a> Reader<'a> {
    /// Reads one statement. False at the end of the file.
    fn statement(&mut self) -> Result<bool, Error> {
        let Some(keyword) = self.text.token() else { return Ok(false) };
        let keyword = self.without_continuation(keyword);
        match keyword.bytes {
            b"v" => self.vertex()?,
            b"f" | b"fo" => self.face(keyword.at)?,
            b"o" | b"g" => {
                let name = self.text.rest_of_line();
                self.parts.begin(name, self.faces.triangles.len());
                if keyword.bytes == b"o" {
                    self.objects.begin(name, self.faces.triangles.len());
                }
                return Ok(true);
            }
            b"usemtl" => {
                let name = self.text.rest_of_line();
                self.materials.begin(name, self.faces.triangles.len());
                return Ok(true);
            }
            [b'#', ..] => {
                // A backslash does not continue a comment: paths of Windows end with one.
                self.text.rest_of_line();
                return Ok(true);
            }
            word if REFUSED.contains(&word) => {
                let message = format!(
                    "the statement {} is not supported: export the model as polygons in one file",
                    quoted(word)
                );
                return Err(self.text.error(keyword.at, ErrorKind::Unsupported, message));
            }
            word => {
                if self.unknown.is_none() && !SKIPPED.contains(&word) {
                    self.unknown = Some(keyword);
                }
            }
        }
        self.skip_statement();
        Ok(true)
    }

    /// The next token of the statement, also on a line that continues it.
    fn token(&mut self) -> Option<Token<'a>> {
        loop {
            let token = self.text.token_in_line()?;
            if token.bytes[0] == b'#' {
                self.text.go_to(token.at);
                return None;
            }
            let token = self.without_continuation(token);
            if !token.bytes.is_empty() {
                return Some(token);
            }
        }
    }

    /// Takes a backslash off the end of a token, if it joins this line with the next, and goes there.
    #[inline]
    fn without_continuation(&mut self, token: Token<'a>) -> Token<'a> {
        match token.bytes {
            [bytes @ .., b'\\'] if self.text.peek().is_none_or(is_line_end) => {
                self.step_over_line_end();
                Token { bytes, at: token.at }
            }
            _ => token,
        }
    }

    fn step_over_line_end(&mut self) {
        let carriage_return = self.text.peek() == Some(b'\r');
        self.text.step();
        if carriage_return && self.text.peek() == Some(b'\n') {
            self.text.step();
        }
    }

    /// Goes to the end of the statement.
    fn skip_statement(&mut self) {
        loop {
            let rest = self.text.rest_of_line();
            if rest.last() != Some(&b'\\') || rest.contains(&b'#') || self.text.peek().is_none() {
                return;
            }
            self.step_over_line_end();
        }
    }

    /// `v x y z`; weights and colours behind are skipped.
    fn vertex(&mut self) -> Result<(), Error> {
        let mut position = [0.0; 3];
        for value in &mut position {
            let at = self.text.at();
            let Some(token) = self.token() else {
                let message =
                    "a vertex has fewer than 3 coordinates: the file is damaged; export it again";
                return Err(self.text.error(at, ErrorKind::Malformed, message));
            };
            *value = self.text.coordinate(token)?;
        }
        if self.vertices.len() >= u32::MAX as usize {
            let message = number::too_many("vertices");
            return Err(self.text.error(self.text.at(), ErrorKind::TooMany, message));
        }
        self.vertices.push(position);
        Ok(())
    }

    /// `f a b c …`.
    fn face(&mut self, at: usize) -> Result<(), Error> {
        let mut fan = Fan::default();
        while let Some(token) = self.token() {
            let index = self.corner(token)?;
            if !self.faces.add_corner(&mut fan, index, token.at) {
                return Err(self.text.error(token.at, ErrorKind::TooMany, too_many_triangles()));
            }
        }
        if fan.corners() < 3 {
            let message = too_few_corners(fan.corners());
            return Err(self.text.error(at, ErrorKind::Malformed, message));
        }
        Ok(())
    }

    /// The vertex of a corner, counted from 0: `v`, `v/t`, `v//n` or `v/t/n`.
    fn corner(&self, token: Token<'_>) -> Result<u32, Error> {
        let bytes = token.bytes;
        let length = bytes.iter().position(|&byte| byte == b'/').unwrap_or(bytes.len());
        let (vertex, behind) = bytes.split_at(length);
        let known = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'/');
        let Some(index) = number::integer(vertex).filter(|_| behind.iter().all(known)) else {
            let message = format!(
                "{} is not a corner of a face, which is v, v/t, v//n or v/t/n: the file is damaged; export it again",
                quoted(bytes)
            );
            return Err(self.text.error(token.at, ErrorKind::Malformed, message));
        };
        let count = self.vertices.len() as i64;
        let zero_based = if index < 0 { count + index } else { index - 1 };
        u32::try_from(zero_based).map_err(|_| {
            let message = match index {
                0 => "a face refers to vertex 0, but OBJ counts from 1: export it again".to_string(),
                _ if index < 0 => format!(
                    "a face refers to vertex {index}, counted backwards, but only {count} come before it: export it again"
                ),
                _ => format!("a face refers to vertex {index}, but the limit is 2^32: export it again"),
            };
            self.text.error(token.at, ErrorKind::Index, message)
        })
    }
}

/// A file with an object per part.
pub(crate) fn encode(mesh: &MeshData) -> Vec<u8> {
    // A comment, so that a mesh without anything is not an empty file. Writing to a vector does not fail.
    let mut bytes = Vec::new();
    let _ =
        writeln!(bytes, "# {} vertices, {} triangles", mesh.vertices.len(), mesh.triangles.len());
    for [x, y, z] in &mesh.vertices {
        let _ = writeln!(bytes, "v {x:?} {y:?} {z:?}");
    }
    for (index, (name, triangles)) in mesh.runs().into_iter().enumerate() {
        match name.map(one_line) {
            Some(name) if !name.is_empty() => {
                let _ = writeln!(bytes, "o {name}");
            }
            // The group without a name takes what follows a part and belongs to none.
            _ if index > 0 => bytes.extend_from_slice(b"g\n"),
            _ => {}
        }
        for triangle in triangles {
            let [a, b, c] = triangle.map(|corner| u64::from(corner) + 1);
            let _ = writeln!(bytes, "f {a} {b} {c}");
        }
    }
    bytes
}
