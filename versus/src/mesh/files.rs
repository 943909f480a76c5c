//! Meshes of a folder.

use std::path::{Path, PathBuf};

use super::model::{Mesh, Model, bumpy};
use crate::bytes::Cursor;

/// The generated mesh and those of the folder, by name.
pub fn all(folder: Option<&Path>) -> Result<Vec<Model>, String> {
    let mut models = vec![bumpy()];
    let Some(folder) = folder else { return Ok(models) };
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "ply"));
    paths.sort();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mesh = ply(&bytes).ok_or_else(|| format!("{}: not understood", path.display()))?;
        models.push(Model { name, mesh: scaled(mesh) });
    }
    Ok(models)
}

/// By a power of two, so that nothing is rounded, to a diameter between 2 and 4, as the generated mesh has: some peers have
/// absolute tolerances, which would else depend on the unit of the file.
fn scaled(mut mesh: Mesh) -> Mesh {
    let mut factor = 1.0;
    while factor * mesh.diameter() >= 4.0 && factor > 1e-30 {
        factor *= 0.5;
    }
    while factor * mesh.diameter() < 2.0 && factor < 1e30 {
        factor *= 2.0;
    }
    mesh.vertices.as_flattened_mut().iter_mut().for_each(|value| *value *= factor);
    mesh
}

/// Binary little-endian PLY with f32 x, y, z and triangles of u8 count and i32 indices.
fn ply(bytes: &[u8]) -> Option<Mesh> {
    let mark = b"end_header\n";
    let end = bytes.windows(mark.len()).position(|window| window == mark)? + mark.len();
    let header = std::str::from_utf8(&bytes[..end]).ok()?;
    let count = |name: &str| {
        header.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<usize>().ok())
    };
    let mut cursor = Cursor::new(&bytes[end..]);
    let mut mesh = Mesh { vertices: Vec::new(), triangles: Vec::new() };
    for _ in 0..count("element vertex")? {
        let mut next = || cursor.take().map(|bytes| f64::from(f32::from_le_bytes(bytes)));
        mesh.vertices.push([next()?, next()?, next()?]);
    }
    for _ in 0..count("element face")? {
        if cursor.take::<1>()? != [3] {
            return None;
        }
        mesh.triangles.push([cursor.word()?, cursor.word()?, cursor.word()?]);
    }
    Some(mesh)
}
