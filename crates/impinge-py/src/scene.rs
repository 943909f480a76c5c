//! Many bodies: who meets whom, and which are nearest to each other.

use super::columns::{certainty, column, inside, table, verdict};
use super::geometry::NativeGeometry;
use super::input::{poses, refused};
use super::pair::distances;
use super::work::Team;
use impinge::query::{Distance, Workspace};
use impinge::scene::{Body, BodyId, Filter, Scene};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::collections::HashMap;

/// Bodies by handles: numbers that are never given twice.
#[pyclass(module = "impinge._impinge")]
pub(crate) struct NativeScene {
    scene: Scene,
    ids: HashMap<i64, BodyId>,
    handles: HashMap<BodyId, i64>,
    next: i64,
}

#[pymethods]
impl NativeScene {
    #[new]
    fn new() -> Self {
        Self { scene: Scene::default(), ids: HashMap::new(), handles: HashMap::new(), next: 0 }
    }

    /// Adds a body and returns its handle.
    fn add(
        &mut self,
        geometry: &NativeGeometry,
        at: Option<PyReadonlyArray2<'_, f64>>,
        moves: bool,
    ) -> PyResult<i64> {
        let [pose] = poses(at.as_ref(), "pose")?[..] else {
            return Err(PyValueError::new_err("pose has several poses: a body has one"));
        };
        let body = Body { moves, ..Body::moving(geometry.0.clone(), pose) };
        let id = self.scene.add(body).map_err(refused)?;
        let handle = self.next;
        self.next += 1;
        self.ids.insert(handle, id);
        self.handles.insert(id, handle);
        Ok(handle)
    }

    /// Removes a body.
    fn remove(&mut self, handle: i64) -> PyResult<()> {
        let id = self.id(handle)?;
        self.scene.remove(id).map_err(refused)?;
        self.ids.remove(&handle);
        self.handles.remove(&id);
        Ok(())
    }

    /// Moves bodies, each to its pose.
    fn set_poses(
        &mut self,
        handles: PyReadonlyArray1<'_, i64>,
        at: Option<PyReadonlyArray2<'_, f64>>,
    ) -> PyResult<()> {
        let ids = self.ids_of(&handles)?;
        let poses = poses(at.as_ref(), "poses")?;
        if ids.len() != poses.len() {
            return Err(PyValueError::new_err(format!(
                "there are {} bodies and {} poses: give as many",
                ids.len(),
                poses.len()
            )));
        }
        for (id, pose) in ids.into_iter().zip(poses) {
            self.scene.set_pose(id, pose).map_err(refused)?;
        }
        Ok(())
    }

    /// Who meets: handles, children, verdict, inside, certainty.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let team = Team::of(threads)?;
        let scene = &mut self.scene;
        let report = py.detach(|| team.run(|| scene.step()));
        let all = || report.pairs.iter();
        let columns = [
            table(py, all().map(|pair| pair.bodies.map(|id| handle(&self.handles, id))))?,
            table(py, all().map(|pair| pair.children.map(i64::from)))?,
            column(py, all().map(|pair| verdict(pair.verdict))),
            column(py, all().map(|pair| inside(pair.verdict))),
            column(py, all().map(|pair| certainty(pair.certainty))),
        ];
        PyTuple::new(py, columns)
    }

    /// The pairs that meet or are at most `margin` apart: handles, and the columns of their distances.
    fn pairs_within<'py>(
        &self,
        py: Python<'py>,
        margin: f64,
        threads: Option<usize>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let team = Team::of(threads)?;
        let found = py.detach(|| {
            team.run(|| {
                let (mut found, mut workspace) = (Vec::new(), Workspace::default());
                self.scene.pairs_within(margin, &mut workspace, &mut found).map(|()| found)
            })
        });
        // No distance is there where no translation separates the two, as for crossing planes.
        let measured: Vec<([BodyId; 2], Distance)> = found
            .map_err(refused)?
            .iter()
            .filter_map(|report| {
                let pair = report.distance?;
                Some((report.bodies, Distance { children: report.children, pair }))
            })
            .collect();
        let bodies = measured.iter().map(|(bodies, _)| bodies.map(|id| handle(&self.handles, id)));
        let bodies = table(py, bodies)?;
        let found: Vec<Distance> = measured.iter().map(|(_, distance)| *distance).collect();
        Ok((bodies, PyTuple::new(py, distances(py, &found)?)?))
    }

    /// The bodies that meet a geometry: handles, children (of the geometry, of the body), verdict, inside, certainty.
    fn overlapping<'py>(
        &self,
        py: Python<'py>,
        geometry: &NativeGeometry,
        at: Option<PyReadonlyArray2<'py, f64>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let [pose] = poses(at.as_ref(), "pose")?[..] else {
            return Err(PyValueError::new_err("pose has several poses: give one"));
        };
        let team = Team::of(None)?;
        let found = py.detach(|| {
            team.run(|| {
                let (mut found, mut workspace) = (Vec::new(), Workspace::default());
                let all = Filter::default();
                self.scene.overlapping_with(&geometry.0, &pose, all, &mut workspace, &mut found);
                found
            })
        });
        let columns = [
            column(py, found.iter().map(|found| handle(&self.handles, found.body))),
            table(py, found.iter().map(|found| [found.own_child, found.child].map(i64::from)))?,
            column(py, found.iter().map(|found| verdict(found.verdict))),
            column(py, found.iter().map(|found| inside(found.verdict))),
            column(py, found.iter().map(|found| certainty(found.certainty))),
        ];
        PyTuple::new(py, columns)
    }

    /// The two bodies of two groups that are nearest to each other: handles, and the columns of their distance; nothing if there are none.
    fn distance_between<'py>(
        &self,
        py: Python<'py>,
        first: PyReadonlyArray1<'py, i64>,
        second: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Option<([i64; 2], Bound<'py, PyTuple>)>> {
        let (first, second) = (self.ids_of(&first)?, self.ids_of(&second)?);
        let team = Team::of(None)?;
        let found = py.detach(|| {
            team.run(|| self.scene.distance_between(&first, &second, &mut Workspace::default()))
        });
        let Some(found) = found.map_err(refused)? else {
            return Ok(None);
        };
        let bodies = found.bodies.map(|id| handle(&self.handles, id));
        let pair = Distance { children: found.children, pair: found.distance };
        let columns = PyTuple::new(py, distances(py, &[pair])?)?;
        Ok(Some((bodies, columns)))
    }

    fn __len__(&self) -> usize {
        self.scene.len()
    }
}

impl NativeScene {
    fn id(&self, handle: i64) -> PyResult<BodyId> {
        let found = self.ids.get(&handle).copied();
        found.ok_or_else(|| PyKeyError::new_err(format!("there is no body {handle}")))
    }

    fn ids_of(&self, handles: &PyReadonlyArray1<'_, i64>) -> PyResult<Vec<BodyId>> {
        handles.as_slice()?.iter().map(|handle| self.id(*handle)).collect()
    }
}

/// Every body of the scene has a handle.
fn handle(handles: &HashMap<BodyId, i64>, id: BodyId) -> i64 {
    handles.get(&id).copied().unwrap_or(-1)
}
