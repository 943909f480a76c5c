//! Meshes and scenes from files.

use super::check::NativeReading;
use super::columns::table;
use super::geometry::NativeGeometry;
use super::input::refused;
use super::work::{Team, awaited};
use impinge::{Geometry, Mesh};
use impinge_io::{MeshData, SceneData, ShapeData, UnitSource, read_scenes};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::PathBuf;

/// A mesh file as arrays: vertices and faces, as they are in the file.
#[pyfunction]
pub(crate) fn read_mesh<'py>(
    py: Python<'py>,
    path: PathBuf,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let mesh = awaited(py, &Team::of(None)?, None, move || impinge_io::read(path))?;
    let mesh = mesh.map_err(refused)?;
    let faces = mesh.triangles.iter().map(|face| face.map(i64::from));
    Ok((table(py, mesh.vertices.iter().copied())?, table(py, faces)?))
}

/// Writes the mesh of a geometry in the format of the extension.
#[pyfunction]
pub(crate) fn write_mesh(py: Python<'_>, path: PathBuf, geometry: &NativeGeometry) -> PyResult<()> {
    let mesh = geometry.one_mesh()?.clone();
    let work = move || {
        let vertices = mesh.vertices().iter().map(|vertex| vertex.to_array()).collect();
        impinge_io::write(path, &MeshData::new(vertices, mesh.triangles().to_vec()))
    };
    awaited(py, &Team::of(None)?, None, work)?.map_err(refused)
}

/// Parts, the unit, where it comes from, and notes.
type ReadScene<'py> = (Vec<Bound<'py, PyDict>>, String, &'static str, Vec<String>);

/// The parts of a scene: dictionaries with path, name, geometry, pose (4 x 4) and more; then the unit, where it comes from, and notes.
#[pyfunction]
pub(crate) fn read_scene<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    reading: NativeReading,
) -> PyResult<ReadScene<'py>> {
    let read = move || {
        let scene = read_scenes(&paths, &reading.0).map_err(|error| error.to_string())?;
        let geometries = geometries(&scene)?;
        Ok::<_, String>((scene, geometries))
    };
    let read = awaited(py, &Team::of(None)?, None, read)?;
    let (scene, geometries) = read.map_err(PyValueError::new_err)?;
    let mut parts = Vec::with_capacity(scene.parts.len());
    for (index, part) in scene.parts.iter().enumerate() {
        let entry = PyDict::new(py);
        entry.set_item("path", scene.part_path(index))?;
        entry.set_item("name", &part.name)?;
        entry.set_item("file", &scene.files[part.file])?;
        entry.set_item("materials", part.materials.to_vec())?;
        entry.set_item("properties", part.properties.as_ref().clone())?;
        entry.set_item("party", part.party.as_deref())?;
        match &geometries[index] {
            Some(Read::Mesh(mesh)) => {
                entry.set_item("geometry", NativeGeometry(mesh.clone()).into_pyobject(py)?)?;
            }
            Some(Read::Shape(kind, numbers)) => entry.set_item("geometry", (*kind, numbers))?,
            None => entry.set_item("geometry", py.None())?,
        }
        let ([x, y, z], t) = (part.placement.rotation, part.placement.translation);
        let last = [0.0, 0.0, 0.0, 1.0];
        let rows = [[x[0], x[1], x[2], t[0]], [y[0], y[1], y[2], t[1]], [z[0], z[1], z[2], t[2]]];
        entry.set_item("pose", table(py, rows.into_iter().chain([last]))?)?;
        parts.push(entry);
    }
    let source = match scene.unit_source {
        UnitSource::File => "file",
        UnitSource::Given => "given",
        UnitSource::Assumed => "assumed",
    };
    let notes = scene.notes.iter().map(|note| note.to_string()).collect();
    Ok((parts, scene.unit.to_string(), source, notes))
}

/// The geometry of a part: a mesh, or the kind of a shape and its numbers.
#[derive(Clone)]
enum Read {
    Mesh(Geometry),
    Shape(&'static str, Vec<f64>),
}

/// The geometry of each part, in its own frame with its scale; parts with one shape and scale share it. None where there are no triangles.
fn geometries(scene: &SceneData) -> Result<Vec<Option<Read>>, String> {
    let mut made: HashMap<(usize, u64), Option<Read>> = HashMap::new();
    let mut all = Vec::with_capacity(scene.parts.len());
    for (index, part) in scene.parts.iter().enumerate() {
        let scale = part.placement.scale;
        let geometry = match made.entry((part.shape, scale.to_bits())) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(place) => {
                let geometry = geometry(&scene.shapes[part.shape], scale);
                let named = |error| format!("{}: {error}", scene.part_path(index));
                place.insert(geometry.map_err(named)?).clone()
            }
        };
        all.push(geometry);
    }
    Ok(all)
}

fn geometry(shape: &ShapeData, scale: f64) -> Result<Option<Read>, String> {
    let half = 0.5 * scale;
    Ok(Some(match *shape {
        ShapeData::Mesh(ref mesh) if mesh.triangles.is_empty() => return Ok(None),
        ShapeData::Mesh(ref mesh) => {
            let vertices: Vec<[f64; 3]> =
                mesh.vertices.iter().map(|vertex| vertex.map(|x| x * scale)).collect();
            let mesh = Mesh::new(&vertices, &mesh.triangles).map_err(|error| error.to_string())?;
            Read::Mesh(mesh.into())
        }
        ShapeData::Box { size } => Read::Shape("cuboid", size.map(|x| x * half).to_vec()),
        ShapeData::Cylinder { radius, length } => {
            Read::Shape("cylinder", vec![radius * scale, length * half])
        }
        ShapeData::Sphere { radius } => Read::Shape("sphere", vec![radius * scale]),
    }))
}
