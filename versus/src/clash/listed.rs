//! Models that peers do not read, robots and folders, as they are given to them: meshes in files, and a list of places.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use impinge_clash::{Model, ModelPart};
use impinge_io::MeshData;
use serde_json::{Value, json};

/// Writes one PLY file per mesh and scale (coordinates in f64) and the list of parts into a folder; gives the list. Parts are named
/// by their numbers, and their places are rigid, which FCL takes for granted.
pub fn write(model: &Model, folder: &Path) -> Result<PathBuf, String> {
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let mut meshes: Vec<(&ModelPart, PathBuf)> = Vec::new();
    let mut parts: Vec<Value> = Vec::new();
    for (number, part) in model.parts.iter().enumerate() {
        let (mesh, scale) = (part.instance.mesh(), part.instance.scale());
        let known = meshes.iter().position(|(other, _)| {
            Arc::ptr_eq(other.instance.mesh(), mesh) && other.instance.scale() == scale
        });
        let index = known.unwrap_or(meshes.len());
        if known.is_none() {
            let path = folder.join(format!("{index}.ply"));
            let vertices =
                mesh.vertices().iter().map(|&point| (point * scale).to_array()).collect();
            let data = MeshData::new(vertices, mesh.triangles().to_vec());
            impinge_io::write(&path, &data).map_err(|error| error.to_string())?;
            meshes.push((part, path));
        }
        parts.push(json!({"name": number.to_string(), "mesh": index, "matrix": matrix(part)}));
    }
    let paths: Vec<&Path> = meshes.iter().map(|(_, path)| path.as_path()).collect();
    let list = folder.join("parts.json");
    let text = json!({"meshes": paths, "parts": parts}).to_string();
    std::fs::write(&list, text).map_err(|error| format!("{}: {error}", list.display()))?;
    Ok(list)
}

/// The place of a part as a matrix of 4 rows, one after another.
fn matrix(part: &ModelPart) -> Vec<f64> {
    let (rotation, translation) =
        (part.instance.pose().rotation(), part.instance.pose().translation());
    let mut rows: Vec<f64> = Vec::new();
    for axis in 0..3 {
        rows.extend(rotation.row(axis).to_array());
        rows.push(translation[axis]);
    }
    rows.extend([0.0, 0.0, 0.0, 1.0]);
    rows
}
