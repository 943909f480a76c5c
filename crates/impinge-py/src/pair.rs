//! Questions about two geometries, for one or many pairs of poses.

use super::columns::{
    certainty, column, inside, kind, point_pairs, table, triangle, vectors, verdict,
};
use super::geometry::NativeGeometry;
use super::input::{pairs, poses};
use super::work::ask_each;
use impinge::geom::triangle::TriangleVerdict;
use impinge::query::{self, Distance, Workspace};
use impinge::{Geometry, Pose};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Poses of one geometry.
type Poses<'py> = Option<PyReadonlyArray2<'py, f64>>;

/// Two geometries, and the poses of each.
struct Pair<'a, 'py> {
    geometries: [&'a NativeGeometry; 2],
    poses: [Poses<'py>; 2],
    threads: Option<usize>,
}

impl Pair<'_, '_> {
    /// Asks for each pair of poses.
    fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        ask: impl Fn((&Pose, &Geometry), (&Pose, &Geometry), &mut Workspace) -> T
        + Send
        + Sync
        + 'static,
    ) -> PyResult<Vec<T>> {
        let [at_a, at_b] = &self.poses;
        let poses = pairs(&poses(at_a.as_ref(), "pose")?, &poses(at_b.as_ref(), "poses")?)?;
        let slow = self.geometries.iter().any(|geometry| geometry.is_large());
        let [a, b] = self.geometries.map(|geometry| geometry.0.clone());
        ask_each(py, self.threads, poses, slow, move |[pose_a, pose_b], workspace| {
            ask((pose_a, &a), (pose_b, &b), workspace)
        })
    }
}

/// Whether they meet.
#[pyfunction]
pub(crate) fn intersects<'py>(
    py: Python<'py>,
    a: &NativeGeometry,
    at_a: Poses<'py>,
    b: &NativeGeometry,
    at_b: Poses<'py>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let pair = Pair { geometries: [a, b], poses: [at_a, at_b], threads };
    let found = pair.ask(py, move |(pose_a, a), (pose_b, b), workspace| {
        query::intersects_with(pose_a, a, pose_b, b, workspace)
    })?;
    Ok(column(py, found.into_iter()))
}

/// How they relate: verdict, which lies inside, certainty.
#[pyfunction]
pub(crate) fn relation<'py>(
    py: Python<'py>,
    a: &NativeGeometry,
    at_a: Poses<'py>,
    b: &NativeGeometry,
    at_b: Poses<'py>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let pair = Pair { geometries: [a, b], poses: [at_a, at_b], threads };
    let found = pair.ask(py, move |(pose_a, a), (pose_b, b), workspace| {
        query::relation_with(pose_a, a, pose_b, b, workspace)
    })?;
    let columns = [
        column(py, found.iter().map(|found| verdict(found.verdict))),
        column(py, found.iter().map(|found| inside(found.verdict))),
        column(py, found.iter().map(|found| certainty(found.certainty))),
    ];
    PyTuple::new(py, columns)
}

/// How far apart they are; signed: or how deep they penetrate.
#[pyfunction]
pub(crate) fn distance<'py>(
    py: Python<'py>,
    a: &NativeGeometry,
    at_a: Poses<'py>,
    b: &NativeGeometry,
    at_b: Poses<'py>,
    signed: bool,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let pair = Pair { geometries: [a, b], poses: [at_a, at_b], threads };
    let found = pair.ask(py, move |(pose_a, a), (pose_b, b), workspace| {
        if signed {
            query::signed_distance_with(pose_a, a, pose_b, b, workspace)
        } else {
            query::distance_with(pose_a, a, pose_b, b, workspace)
        }
    })?;
    PyTuple::new(py, distances(py, &found)?)
}

/// The columns of distances.
pub(crate) fn distances<'py>(
    py: Python<'py>,
    found: &[Distance],
) -> PyResult<[Bound<'py, PyAny>; 9]> {
    let all = || found.iter();
    Ok([
        column(py, all().map(|found| found.distance)),
        column(py, all().map(|found| found.uncertainty)),
        point_pairs(py, all().map(|found| found.points))?,
        vectors(py, all().map(|found| found.normal))?,
        table(py, all().map(|found| found.children.map(i64::from)))?,
        table(py, all().map(|found| found.features.map(|feature| triangle(&feature))))?,
        table(py, all().map(|found| found.features.map(|feature| kind(&feature))))?,
        table(py, all().map(|found| found.features.map(|at| i64::from(at.feature.index))))?,
        column(py, all().map(|found| certainty(found.certainty))),
    ])
}

/// Which triangles meet: how many of each pair of poses, then children, triangles and whether they cross, of all in a row.
#[pyfunction]
pub(crate) fn triangle_pairs<'py>(
    py: Python<'py>,
    a: &NativeGeometry,
    at_a: Poses<'py>,
    b: &NativeGeometry,
    at_b: Poses<'py>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let pair = Pair { geometries: [a, b], poses: [at_a, at_b], threads };
    let found = pair.ask(py, move |(pose_a, a), (pose_b, b), workspace| {
        query::triangle_pairs_with(pose_a, a, pose_b, b, workspace)
    })?;
    let all = || found.iter().flatten();
    let columns = [
        column(py, found.iter().map(|found| found.len() as i64)),
        table(py, all().map(|pair| pair.children.map(i64::from)))?,
        table(py, all().map(|pair| pair.triangles.map(|face| face.map_or(-1, i64::from))))?,
        column(py, all().map(|pair| pair.verdict == TriangleVerdict::Crossing)),
    ];
    PyTuple::new(py, columns)
}

/// Where they touch: how many points for each pair of poses, then the points, gaps, normals, children and triangles of all in a row.
#[pyfunction]
pub(crate) fn contacts<'py>(
    py: Python<'py>,
    a: &NativeGeometry,
    at_a: Poses<'py>,
    b: &NativeGeometry,
    at_b: Poses<'py>,
    margin: f64,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let pair = Pair { geometries: [a, b], poses: [at_a, at_b], threads };
    let found = pair.ask(py, move |(pose_a, a), (pose_b, b), workspace| {
        query::contacts_with(pose_a, a, pose_b, b, margin, workspace)
    })?;
    let manifolds = || found.iter().flatten();
    let all = || {
        manifolds().flat_map(|manifold| manifold.points.iter().map(move |point| (manifold, point)))
    };
    let count = |found: &Vec<query::Manifold>| {
        found.iter().map(|manifold| manifold.points.len() as i64).sum::<i64>()
    };
    let columns = [
        column(py, found.iter().map(count)),
        point_pairs(py, all().map(|(_, point)| point.points))?,
        column(py, all().map(|(_, point)| point.distance)),
        vectors(py, all().map(|(manifold, _)| manifold.normal))?,
        table(py, all().map(|(manifold, _)| manifold.children.map(i64::from)))?,
        table(py, all().map(|(_, point)| point.features.map(|feature| triangle(&feature))))?,
    ];
    PyTuple::new(py, columns)
}
