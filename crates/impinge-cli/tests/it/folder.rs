//! A folder of the test's own, and meshes to put into it.

use crate::command::impinge;
use impinge_io::{Encoding, MeshData};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A new folder, removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("impinge-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a mesh; its place as JSON writes it.
    pub(crate) fn write(&self, name: &str, mesh: &MeshData, encoding: Encoding) -> String {
        let path = self.0.join(name);
        impinge_io::write_as(&path, mesh, encoding).unwrap();
        Value::from(path.to_str().unwrap()).to_string()
    }

    /// Writes text; its place as JSON writes it.
    pub(crate) fn write_text(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        Value::from(path.to_str().unwrap()).to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A box by its half extents. Bit k of a vertex's index is its side along axis k; there are two triangles to each of the sides
/// −x, x, −y, y, −z, z, facing outwards.
pub(crate) fn block(half: [f64; 3]) -> MeshData {
    let corner = |index: usize| {
        [0, 1, 2].map(|axis| if index >> axis & 1 == 1 { half[axis] } else { -half[axis] })
    };
    let sides =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = sides.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
    MeshData::new((0..8).map(corner).collect(), triangles.collect())
}

/// A mesh within a line: its vertices and triangles, and what comes after them.
pub(crate) fn inline(mesh: &MeshData, rest: &str) -> String {
    let (vertices, triangles) =
        (Value::from_iter(mesh.vertices.iter().map(|v| v.to_vec())), &mesh.triangles);
    let triangles = Value::from_iter(triangles.iter().map(|t| t.to_vec()));
    format!(r#""mesh":{{"vertices":{vertices},"triangles":{triangles}{rest}}}"#)
}

/// Boxes of one metre at places along x, as an OBJ file.
pub(crate) fn row(places: &[(&str, f64)]) -> String {
    let mut text = String::new();
    for (index, (name, x)) in places.iter().enumerate() {
        writeln!(text, "o {name}").unwrap();
        for corner in 0..8u32 {
            let side = |k: u32| f64::from(corner >> k & 1);
            writeln!(text, "v {} {} {}", x + side(0), side(1), side(2)).unwrap();
        }
        for face in
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
        {
            let [a, b, c, d] = face.map(|k| 8 * index + k + 1);
            writeln!(text, "f {a} {b} {c} {d}").unwrap();
        }
    }
    text
}

/// The exit code, standard output and standard error.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = impinge(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}
