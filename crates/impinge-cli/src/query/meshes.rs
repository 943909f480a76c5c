//! Meshes of the questions: from files, each read once, and from the lines themselves.

use super::fields::{self, Fields};
use impinge::Mesh;
use impinge::geom::number::error::LARGEST;
use impinge_io::MeshData;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::Arc;

/// The fields of a mesh.
const FIELDS: &[&str] = &["file", "vertices", "triangles", "scale", "solid"];
/// How many scales of a file are kept: a sweep over scales must not fill the memory.
const SCALES: usize = 4;

/// The files that were named so far.
#[derive(Default)]
pub(crate) struct Meshes {
    files: HashMap<String, Result<File, String>>,
}

/// A file as it was read, and the meshes made of it at the last few scales, the last one first.
struct File {
    data: MeshData,
    scaled: Vec<(f64, Arc<Mesh>)>,
}

impl Meshes {
    /// The mesh at `path`, and whether it is solid.
    pub(crate) fn read(&mut self, raw: &RawValue, path: &str) -> Result<(Arc<Mesh>, bool), String> {
        let fields = Fields::read(raw, path, FIELDS)?;
        let solid = match fields.optional("solid") {
            Some(value) => fields::boolean(value, &fields.place("solid"))?,
            None => false,
        };
        let scale = scale(&fields)?;
        let inline =
            fields.optional("vertices").is_some() || fields.optional("triangles").is_some();
        let mesh = match fields.optional("file") {
            Some(_) if inline => {
                return Err(format!(
                    "{path} has a \"file\" and \"vertices\" or \"triangles\": give either"
                ));
            }
            Some(file) => {
                let place = fields.place("file");
                let name = fields::text(file, &place)?;
                self.in_file(name, scale).map_err(|error| format!("{place}: {error}"))?
            }
            None if !inline => {
                return Err(format!(
                    "{path} has no triangles: give \"file\", or \"vertices\" and \"triangles\""
                ));
            }
            None => {
                let vertices =
                    fields::points(fields.required("vertices")?, &fields.place("vertices"))?;
                let triangles =
                    fields::indices(fields.required("triangles")?, &fields.place("triangles"))?;
                made(&vertices, &triangles, scale).map_err(|error| format!("{path}: {error}"))?
            }
        };
        Ok((mesh, solid))
    }

    /// The mesh in a file. What could not be read is not tried again, so that all lines of a run see the same.
    fn in_file(&mut self, name: String, scale: f64) -> Result<Arc<Mesh>, String> {
        let read = |name: &String| {
            let data = impinge_io::read(name).map_err(|error| error.to_string())?;
            Ok(File { data, scaled: Vec::new() })
        };
        let file = self.files.entry(name.clone()).or_insert_with_key(read);
        let file = file.as_mut().map_err(|error| error.clone())?;
        let kept = match file.scaled.iter().position(|(kept, _)| *kept == scale) {
            Some(place) => file.scaled.remove(place),
            None => {
                let mesh = made(&file.data.vertices, &file.data.triangles, scale);
                (scale, mesh.map_err(|error| format!("{name}: {error}"))?)
            }
        };
        let mesh = Arc::clone(&kept.1);
        file.scaled.truncate(SCALES - 1);
        file.scaled.insert(0, kept);
        Ok(mesh)
    }
}

/// The factor by which vertices are multiplied.
fn scale(fields: &Fields<'_>) -> Result<f64, String> {
    let Some(value) = fields.optional("scale") else { return Ok(1.0) };
    let place = fields.place("scale");
    let scale = fields::number(value, &place)?;
    if scale > 0.0 && scale <= LARGEST {
        Ok(scale)
    } else {
        Err(format!("{place} is {scale}: it must be above zero, and at most 2^250"))
    }
}

/// The mesh of these vertices, each coordinate multiplied by the scale and rounded once.
fn made(vertices: &[[f64; 3]], triangles: &[[u32; 3]], scale: f64) -> Result<Arc<Mesh>, String> {
    let mesh = if scale == 1.0 {
        Mesh::new(vertices, triangles)
    } else {
        let scaled: Vec<_> = vertices.iter().map(|vertex| vertex.map(|x| x * scale)).collect();
        Mesh::new(&scaled, triangles)
    };
    mesh.map(Arc::new).map_err(|error| error.to_string())
}
