//! Geometries: made from arrays, asked for what they hold.

use super::columns::table;
use super::input::{poses, refused, rows};
use super::work::{Team, awaited};
use impinge::mesh::Mode;
use impinge::query::{MeshPart, Part};
use impinge::{Geometry, Mesh, Shape};
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// The number of triangles from which on a pass over all of them takes longer than waking a thread.
const LARGE: usize = 10_000;

/// A shape, a mesh or a compound. Never changes.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct NativeGeometry(pub(crate) Geometry);

#[pymethods]
impl NativeGeometry {
    /// The vertices of a mesh.
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        table(py, self.one_mesh()?.vertices().iter().map(|vertex| vertex.to_array()))
    }

    /// The triangles of a mesh.
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        table(py, self.one_mesh()?.triangles().iter().map(|face| face.map(i64::from)))
    }

    /// How many vertices and triangles a mesh has.
    fn counts(&self) -> PyResult<(usize, usize)> {
        self.one_mesh().map(|mesh| (mesh.vertices().len(), mesh.triangles().len()))
    }

    /// Whether a mesh has no boundary.
    fn is_closed(&self, py: Python<'_>) -> PyResult<bool> {
        self.ask_mesh(py, |mesh| mesh.is_closed())
    }

    /// Whether a mesh is taken for a solid.
    fn is_solid(&self) -> PyResult<bool> {
        let mesh = self.0.as_mesh().ok_or_else(no_mesh)?;
        Ok(mesh.mode() == Mode::Solid)
    }

    /// The defects of a mesh, in a few lines, and whether there are none.
    fn health(&self, py: Python<'_>) -> PyResult<(String, bool)> {
        self.ask_mesh(py, |mesh| {
            let health = mesh.health();
            (health.to_string(), health.is_solid())
        })
    }

    /// The corners of a box around the geometry, for each pose.
    #[pyo3(signature = (at=None))]
    fn bounds<'py>(
        &self,
        py: Python<'py>,
        at: Option<PyReadonlyArray2<'py, f64>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let poses = poses(at.as_ref(), "pose")?;
        let boxes = poses.iter().map(|pose| self.0.bounds(pose));
        super::columns::point_pairs(py, boxes.map(|bounds| [bounds.low, bounds.high]))
    }

    /// The geometry scaled about its origin.
    fn scaled(&self, py: Python<'_>, factor: f64) -> PyResult<Self> {
        let own = self.0.clone();
        awaited(py, &Team::of(None)?, None, move || own.scaled(factor))?.map(Self).map_err(refused)
    }

    /// A shape swept by a ball.
    fn rounded(&self, radius: f64) -> PyResult<Self> {
        match self.0.children() {
            [child] => match &child.part {
                Part::Shape(shape) => {
                    shape.clone().rounded(radius).map(|shape| Self(shape.into())).map_err(refused)
                }
                Part::Mesh(_) => Err(PyValueError::new_err("a mesh cannot be rounded")),
            },
            _ => Err(PyValueError::new_err("a compound cannot be rounded")),
        }
    }
}

impl NativeGeometry {
    pub(crate) fn one_mesh(&self) -> PyResult<&Arc<Mesh>> {
        self.0.as_mesh().map(MeshPart::mesh).ok_or_else(no_mesh)
    }

    /// Asks a mesh for something that may take a while.
    fn ask_mesh<T: Send + 'static>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&Mesh) -> T + Send + 'static,
    ) -> PyResult<T> {
        let mesh = Arc::clone(self.one_mesh()?);
        let short = mesh.triangles().len() < LARGE;
        Team::of(None)?.does(py, short, move || ask(&mesh))
    }

    /// The meshes of its parts.
    fn meshes(&self) -> impl Iterator<Item = &MeshPart> {
        self.0.children().iter().filter_map(|child| child.part.as_mesh())
    }

    /// Whether a single question about it and another one may take long.
    pub(crate) fn is_large(&self) -> bool {
        self.meshes().any(|part| part.mesh().triangles().len() >= LARGE)
    }
}

fn no_mesh() -> PyErr {
    PyValueError::new_err("the geometry is not a mesh")
}

/// A mesh; a solid if it is closed, unless stated otherwise.
#[pyfunction]
#[pyo3(signature = (vertices, faces, solid=None))]
pub(crate) fn mesh(
    py: Python<'_>,
    vertices: PyReadonlyArray2<'_, f64>,
    faces: PyReadonlyArray2<'_, i64>,
    solid: Option<bool>,
) -> PyResult<NativeGeometry> {
    let vertices = rows(&vertices, "vertices")?;
    let faces: Vec<[i64; 3]> = rows(&faces, "faces")?;
    let short = faces.len() < LARGE;
    let made = Team::of(None)?.does(py, short, move || made(&vertices, &faces, solid))?;
    made.map(NativeGeometry).map_err(PyValueError::new_err)
}

fn made(
    vertices: &[[f64; 3]],
    faces: &[[i64; 3]],
    solid: Option<bool>,
) -> Result<Geometry, String> {
    let mut triangles = Vec::with_capacity(faces.len());
    for (face, indices) in faces.iter().enumerate() {
        let strange = |index: i64| {
            let count = vertices.len();
            format!(
                "triangles[{face}] refers to vertex {index}, but there are {count} vertices, counted from 0"
            )
        };
        let mut triangle = [0; 3];
        for (place, index) in triangle.iter_mut().zip(indices) {
            *place = u32::try_from(*index).map_err(|_| strange(*index))?;
        }
        triangles.push(triangle);
    }
    let mesh = Mesh::new(vertices, &triangles).map_err(|error| error.to_string())?;
    Ok(match solid {
        None => mesh.into(),
        Some(true) => Geometry::mesh(mesh, Mode::Solid),
        Some(false) => Geometry::mesh(mesh, Mode::Surface),
    })
}

/// The shape of this kind with these numbers, in the order of the arguments of its constructor.
#[pyfunction]
pub(crate) fn shape(py: Python<'_>, kind: &str, numbers: Vec<f64>) -> PyResult<NativeGeometry> {
    let point = |place: usize| [numbers[place], numbers[place + 1], numbers[place + 2]];
    let made = match (kind, numbers.as_slice()) {
        ("sphere", &[radius]) => Shape::sphere(radius),
        ("capsule", &[radius, half_height]) => Shape::capsule(radius, half_height),
        ("tapered_capsule", &[bottom, top, half_height]) => {
            Shape::tapered_capsule(bottom, top, half_height)
        }
        ("cuboid", [_, _, _]) => Shape::cuboid(point(0)),
        ("cylinder", &[radius, half_height]) => Shape::cylinder(radius, half_height),
        ("cone", &[radius, half_height]) => Shape::cone(radius, half_height),
        ("ellipsoid", [_, _, _]) => Shape::ellipsoid(point(0)),
        ("segment", [_, _, _, _, _, _]) => Shape::segment([point(0), point(3)]),
        ("triangle", [_, _, _, _, _, _, _, _, _]) => {
            Shape::triangle([point(0), point(3), point(6)])
        }
        ("plane", &[_, _, _, offset]) => Shape::plane(point(0), offset),
        ("half_space", &[_, _, _, offset]) => Shape::half_space(point(0), offset),
        ("hull", points) => {
            let points = points.as_chunks::<3>().0.to_vec();
            awaited(py, &Team::of(None)?, None, move || Shape::hull(&points))?
        }
        (kind, numbers) => {
            return Err(PyValueError::new_err(format!(
                "no shape {kind} is made of {} numbers",
                numbers.len()
            )));
        }
    };
    made.map(|shape| NativeGeometry(shape.into())).map_err(refused)
}

/// Parts that move together: their ids, their geometries (of one part each), and their poses.
#[pyfunction]
pub(crate) fn compound(
    ids: Vec<u32>,
    parts: Vec<PyRef<'_, NativeGeometry>>,
    at: Vec<Option<PyReadonlyArray2<'_, f64>>>,
) -> PyResult<NativeGeometry> {
    let mut children = Vec::with_capacity(parts.len());
    for ((id, part), at) in ids.into_iter().zip(&parts).zip(&at) {
        let name = format!("the pose of child {id}");
        let [pose] = poses(at.as_ref(), &name)?[..] else {
            return Err(PyValueError::new_err(format!("{name} is not a single pose")));
        };
        let [child] = part.0.children() else {
            return Err(PyValueError::new_err(format!(
                "child {id} is a compound: its parts must be children themselves"
            )));
        };
        children.push((id, part.0.place(child, &pose), child.part.clone()));
    }
    Geometry::compound(children).map(NativeGeometry).map_err(refused)
}
