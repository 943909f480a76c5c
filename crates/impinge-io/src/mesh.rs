//! Mesh data: positions, triangles, and named parts.

use crate::error::{Error, ErrorKind, Place};
use crate::number;
use std::ops::Range;

/// A triangle mesh as plain data.
///
/// ```
/// use impinge_io::MeshData;
/// let mesh = MeshData::new(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], vec![[0, 1, 2]]);
/// assert!(mesh.parts.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshData {
    /// Positions, in the unit of the file.
    pub vertices: Vec<[f64; 3]>,
    /// Vertex indices of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Named ranges of triangles, ascending and disjoint; triangles outside them have no name.
    pub parts: Vec<PartRange>,
}

/// A named range of triangles: a solid of a text STL, an object or group of an OBJ.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartRange {
    /// The name; bytes that are not UTF-8 are replaced.
    pub name: String,
    /// The triangles: indices into [`MeshData::triangles`], never empty in what was read.
    pub triangles: Range<usize>,
}

impl MeshData {
    /// Creates a mesh without parts.
    pub fn new(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Self {
        Self { vertices, triangles, parts: Vec::new() }
    }

    /// Refuses what no file may hold.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let refuse = |kind, message| Err(Error::new(kind, Place::File, message));
        for (index, vertex) in self.vertices.iter().enumerate() {
            for &value in vertex {
                if let Err(reason) = number::check(value) {
                    let message = format!("vertices[{index}] holds {value:?}, which {reason}");
                    return refuse(ErrorKind::Number, message);
                }
            }
        }
        let count = self.vertices.len();
        for (index, triangle) in self.triangles.iter().enumerate() {
            if let Some(corner) = triangle.iter().find(|&&corner| corner as usize >= count) {
                let message =
                    format!("triangles[{index}] refers to vertex {corner}, but there are {count}");
                return refuse(ErrorKind::Index, message);
            }
        }
        if self.triangles.len() > u32::MAX as usize {
            return refuse(ErrorKind::TooMany, number::too_many("triangles"));
        }
        let mut end = 0;
        for (index, part) in self.parts.iter().enumerate() {
            let Range { start, end: stop } = part.triangles;
            if start < end || stop < start || stop > self.triangles.len() {
                let message = format!(
                    "parts[{index}] is triangles {start}..{stop}: parts must be in order, without overlap, within {}",
                    self.triangles.len()
                );
                return refuse(ErrorKind::Malformed, message);
            }
            end = stop;
        }
        Ok(())
    }

    /// All triangles as runs in order, each with its name or with none.
    pub(crate) fn runs(&self) -> Vec<(Option<&str>, &[[u32; 3]])> {
        let mut runs = Vec::new();
        let mut end = 0;
        for part in &self.parts {
            if part.triangles.start > end {
                runs.push((None, &self.triangles[end..part.triangles.start]));
            }
            runs.push((Some(part.name.as_str()), &self.triangles[part.triangles.clone()]));
            end = part.triangles.end;
        }
        if end < self.triangles.len() {
            runs.push((None, &self.triangles[end..]));
        }
        runs
    }
}

/// Collects parts while triangles come in.
#[derive(Default)]
pub(crate) struct Parts {
    done: Vec<PartRange>,
    open: Option<(String, usize)>,
}

impl Parts {
    /// From triangle `at` on, triangles belong to `name`; an empty name ends the naming.
    pub(crate) fn begin(&mut self, name: &[u8], at: usize) {
        self.end(at);
        if !name.is_empty() {
            self.open = Some((String::from_utf8_lossy(name).into_owned(), at));
        }
    }
    /// Closes the open part before triangle `at`; a part without triangles is dropped.
    pub(crate) fn end(&mut self, at: usize) {
        if let Some((name, start)) = self.open.take()
            && start < at
        {
            self.done.push(PartRange { name, triangles: start..at });
        }
    }
    /// All parts, of `count` triangles in all.
    pub(crate) fn finish(mut self, count: usize) -> Vec<PartRange> {
        self.end(count);
        self.done
    }
}

/// A name that stays on its line: control characters, which would also make a text file look binary, become spaces.
pub(crate) fn one_line(name: &str) -> String {
    let clean: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    clean.trim_matches(' ').to_string()
}
