//! Many bodies: who meets whom, and which are nearest to each other.

use super::columns::{certainty, column, inside, table, verdict};
use super::geometry::NativeGeometry;
use super::handles::{Handles, as_many, body, one_pose};
use super::input::{poses, refused};
use super::pair::distances;
use super::work::Shared;
use impinge::geom::{Certainty, Verdict};
use impinge::query::{Distance, Workspace};
use impinge::scene::{Filter, Scene};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Bodies by handles. Threads take turns.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct NativeScene(Shared<World>);

#[derive(Default)]
struct World {
    scene: Scene,
    handles: Handles,
}

/// A pair that meets: handles, children, how.
pub(crate) type Meeting = ([i64; 2], [i64; 2], Verdict, Certainty);

/// The columns of meetings: handles, children, verdict, inside, certainty.
pub(crate) fn meetings<'py>(py: Python<'py>, found: &[Meeting]) -> PyResult<Bound<'py, PyTuple>> {
    let all = || found.iter();
    let columns = [
        table(py, all().map(|found| found.0))?,
        table(py, all().map(|found| found.1))?,
        column(py, all().map(|found| verdict(found.2))),
        column(py, all().map(|found| inside(found.2))),
        column(py, all().map(|found| certainty(found.3))),
    ];
    PyTuple::new(py, columns)
}

/// What the last step of a scene found.
pub(crate) fn last_meetings(scene: &Scene, handles: &Handles) -> Vec<Meeting> {
    let of = |pair: &impinge::scene::PairReport| {
        let bodies = pair.bodies.map(|id| handles.of(id));
        (bodies, pair.children.map(i64::from), pair.verdict, pair.certainty)
    };
    scene.report().pairs.iter().map(of).collect()
}

#[pymethods]
impl NativeScene {
    #[new]
    fn new() -> Self {
        Self(Shared::new(World::default()))
    }

    /// Adds a body and returns its handle.
    fn add(
        &self,
        py: Python<'_>,
        geometry: &NativeGeometry,
        at: Option<PyReadonlyArray2<'_, f64>>,
        moves: bool,
    ) -> PyResult<i64> {
        let body = body(geometry, at.as_ref(), moves)?;
        self.0.with(py, |world| {
            let id = world.scene.add(body).map_err(refused)?;
            Ok(world.handles.add(id))
        })?
    }

    /// Removes a body.
    fn remove(&self, py: Python<'_>, handle: i64) -> PyResult<()> {
        self.0.with(py, |world| {
            world.scene.remove(world.handles.id(handle)?).map_err(refused)?;
            world.handles.remove(handle);
            Ok(())
        })?
    }

    /// Moves bodies, each to its pose.
    fn set_poses(
        &self,
        py: Python<'_>,
        handles: PyReadonlyArray1<'_, i64>,
        at: Option<PyReadonlyArray2<'_, f64>>,
    ) -> PyResult<()> {
        let (handles, poses) = (handles.as_slice()?, poses(at.as_ref(), "poses")?);
        self.0.with(py, |world| {
            let ids = world.handles.ids(handles)?;
            as_many(ids.len(), poses.len())?;
            for (id, pose) in ids.into_iter().zip(poses) {
                world.scene.set_pose(id, pose).map_err(refused)?;
            }
            Ok(())
        })?
    }

    /// Who meets: handles, children, verdict, inside, certainty.
    fn step<'py>(&self, py: Python<'py>, threads: Option<usize>) -> PyResult<Bound<'py, PyTuple>> {
        let found = self.0.work(py, threads, |world| {
            world.scene.step();
            last_meetings(&world.scene, &world.handles)
        })?;
        meetings(py, &found)
    }

    /// The pairs that meet or are at most `margin` apart: handles, and the columns of their distances.
    fn pairs_within<'py>(
        &self,
        py: Python<'py>,
        margin: f64,
        threads: Option<usize>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let found = self.0.work(py, threads, move |world| {
            let (mut found, mut workspace) = (Vec::new(), Workspace::default());
            world.scene.pairs_within(margin, &mut workspace, &mut found)?;
            // No distance is there where no translation separates the two, as for crossing planes.
            let measured = found.iter().filter_map(|report| {
                let pair = report.distance?;
                let bodies = report.bodies.map(|id| world.handles.of(id));
                Some((bodies, Distance { children: report.children, pair }))
            });
            Ok(measured.collect::<Vec<_>>())
        })?;
        let found = found.map_err(|error: impinge::scene::SceneError| refused(error))?;
        let (bodies, found): (Vec<[i64; 2]>, Vec<Distance>) = found.into_iter().unzip();
        let bodies = table(py, bodies.into_iter())?;
        Ok((bodies, PyTuple::new(py, distances(py, &found)?)?))
    }

    /// The bodies that meet a geometry: -1 and the handle, children (of the geometry, of the body), verdict, inside, certainty.
    fn overlapping<'py>(
        &self,
        py: Python<'py>,
        geometry: &NativeGeometry,
        at: Option<PyReadonlyArray2<'py, f64>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (pose, guest) = (one_pose(at.as_ref())?, geometry.0.clone());
        let found = self.0.work(py, None, move |world| {
            let (mut found, mut workspace) = (Vec::new(), Workspace::default());
            let all = Filter::default();
            world.scene.overlapping_with(&guest, &pose, all, &mut workspace, &mut found);
            let meeting = |found: &impinge::scene::Overlap| {
                let children = [found.own_child, found.child].map(i64::from);
                ([-1, world.handles.of(found.body)], children, found.verdict, found.certainty)
            };
            found.iter().map(meeting).collect::<Vec<Meeting>>()
        })?;
        meetings(py, &found)
    }

    /// The two bodies of two groups that are nearest to each other: handles, and the columns of their distance; nothing if there are none.
    fn distance_between<'py>(
        &self,
        py: Python<'py>,
        first: PyReadonlyArray1<'py, i64>,
        second: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Option<([i64; 2], Bound<'py, PyTuple>)>> {
        let groups = [first.as_slice()?, second.as_slice()?];
        let [first, second] = self.0.with(py, |world| {
            let [first, second] = groups.map(|group| world.handles.ids(group));
            Ok::<_, PyErr>([first?, second?])
        })??;
        let found = self.0.work(py, None, move |world| {
            let mut workspace = Workspace::default();
            let found = world.scene.distance_between(&first, &second, &mut workspace)?;
            Ok(found.map(|found| {
                let bodies = found.bodies.map(|id| world.handles.of(id));
                (bodies, Distance { children: found.children, pair: found.distance })
            }))
        })?;
        let Some((bodies, pair)) =
            found.map_err(|error: impinge::scene::SceneError| refused(error))?
        else {
            return Ok(None);
        };
        let columns = PyTuple::new(py, distances(py, &[pair])?)?;
        Ok(Some((bodies, columns)))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.0.with(py, |world| world.scene.len())
    }
}
