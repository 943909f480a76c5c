//! Meshes of a folder.

use std::path::{Path, PathBuf};

use super::model::{Mesh, Model, bumpy};
use crate::random::single;

/// The generated mesh and those of the folder, by name.
pub fn all(folder: Option<&Path>) -> Result<Vec<Model>, String> {
    let mut models = vec![bumpy()];
    let Some(folder) = folder else { return Ok(models) };
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        ["off", "ply", "obj", "stl"].iter().any(|known| extension == *known)
    });
    paths.sort();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let data = impinge_io::read(&path).map_err(|error| error.to_string())?;
        let mesh = Mesh { vertices: data.vertices, triangles: data.triangles };
        models.push(Model { name, mesh: scaled(mesh) });
    }
    Ok(models)
}

/// By a power of two, so that `f32` values are not rounded, to a diameter between 2 and 4, as the generated mesh has: some
/// peers have absolute tolerances, which would else depend on the unit of the file.
fn scaled(mut mesh: Mesh) -> Mesh {
    let mut factor = 1.0;
    while factor * mesh.diameter() >= 4.0 && factor > 1e-30 {
        factor *= 0.5;
    }
    while factor * mesh.diameter() < 2.0 && factor < 1e30 {
        factor *= 2.0;
    }
    for value in mesh.vertices.as_flattened_mut() {
        *value = single(*value * factor);
    }
    mesh
}
