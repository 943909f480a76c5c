//! Questions about points and rays, for many of them at once.

use super::columns::{column, kind, triangle, vectors};
use super::geometry::NativeGeometry;
use super::input::{points, poses, rows};
use super::work::{Batch, Team, ask_batch, ask_each};
use impinge::Pose;
use impinge::geom::glam::DVec3;
use impinge::geom::ray::Ray;
use impinge::query::{self, ClosestPoint, PointSeries, RayHit};
use impinge::tree::curve;
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The number of points that are sorted in about a millisecond.
const MANY: usize = 10_000;
/// Rays that are cast together: enough to be fast, few enough to be interrupted between.
const RAYS: usize = 512;

fn one_pose(at: Option<&PyReadonlyArray2<'_, f64>>) -> PyResult<Pose> {
    match poses(at, "pose")?[..] {
        [pose] => Ok(pose),
        ref several => Err(PyValueError::new_err(format!(
            "pose has {} poses: points and rays take one",
            several.len()
        ))),
    }
}

/// The closest points of the boundary, in the order of the points. Along a curve through space each is near the one before, and found sooner.
fn closest(
    py: Python<'_>,
    geometry: &NativeGeometry,
    at: Option<&PyReadonlyArray2<'_, f64>>,
    to: &PyReadonlyArray2<'_, f64>,
    threads: Option<usize>,
) -> PyResult<Vec<ClosestPoint>> {
    let (pose, to) = (one_pose(at)?, points(to, "points")?);
    let to: Vec<DVec3> = to.into_iter().map(DVec3::from_array).collect();
    let mut answers = vec![None; to.len()];
    let (order, asked) = Team::of(threads)?.does(py, to.len() < MANY, move || {
        let order = curve::order(&to);
        let asked = order.iter().map(|place| to[*place]).collect();
        (order, asked)
    })?;
    let target = geometry.0.clone();
    let ask = move |points: &mut dyn Iterator<Item = &DVec3>| {
        let mut series = PointSeries::new(&pose, &target);
        points.map(|point| series.closest_point(*point)).collect()
    };
    let batch = Batch { questions: asked, ask, slow: geometry.is_large() };
    let found = ask_batch(py, threads, batch)?;
    for (place, answer) in order.into_iter().zip(found) {
        answers[place] = answer;
    }
    // Points are finite, so that there is an answer to each.
    Ok(answers.into_iter().flatten().collect())
}

/// The distance of each point to the boundary, negative inside.
#[pyfunction]
pub(crate) fn signed_distance<'py>(
    py: Python<'py>,
    geometry: &NativeGeometry,
    at: Option<PyReadonlyArray2<'py, f64>>,
    to: PyReadonlyArray2<'py, f64>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let found = closest(py, geometry, at.as_ref(), &to, threads)?;
    Ok(column(py, found.iter().map(|found| found.distance)))
}

/// The closest point of the boundary to each point: distance (negative inside), point, child, triangle, kind and index of the feature.
#[pyfunction]
pub(crate) fn closest_point<'py>(
    py: Python<'py>,
    geometry: &NativeGeometry,
    at: Option<PyReadonlyArray2<'py, f64>>,
    to: PyReadonlyArray2<'py, f64>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let found = closest(py, geometry, at.as_ref(), &to, threads)?;
    let all = || found.iter();
    let columns = [
        column(py, all().map(|found| found.distance)),
        vectors(py, all().map(|found| found.point))?,
        column(py, all().map(|found| i64::from(found.child))),
        column(py, all().map(|found| triangle(&found.feature))),
        column(py, all().map(|found| kind(&found.feature))),
        column(py, all().map(|found| i64::from(found.feature.feature.index))),
    ];
    PyTuple::new(py, columns)
}

/// Whether each point belongs to the geometry.
#[pyfunction]
pub(crate) fn contains<'py>(
    py: Python<'py>,
    geometry: &NativeGeometry,
    at: Option<PyReadonlyArray2<'py, f64>>,
    asked: PyReadonlyArray2<'py, f64>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let (pose, asked) = (one_pose(at.as_ref())?, points(&asked, "points")?);
    let (solid, slow) = (geometry.0.clone(), geometry.is_large());
    let found = ask_each(py, threads, asked, slow, move |point, workspace| {
        query::contains_point_with(&pose, &solid, *point, workspace)
    })?;
    Ok(column(py, found.into_iter()))
}

/// The first hit of each ray: t (infinite for a miss), point, normal, child, triangle, and whether the ray leaves a solid there.
#[pyfunction]
pub(crate) fn cast_rays<'py>(
    py: Python<'py>,
    geometry: &NativeGeometry,
    at: Option<PyReadonlyArray2<'py, f64>>,
    origins: PyReadonlyArray2<'py, f64>,
    directions: PyReadonlyArray2<'py, f64>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let pose = one_pose(at.as_ref())?;
    let origins: Vec<[f64; 3]> = rows(&origins, "origins")?;
    let directions: Vec<[f64; 3]> = rows(&directions, "directions")?;
    if origins.len() != directions.len() {
        return Err(PyValueError::new_err(format!(
            "there are {} origins and {} directions: give as many",
            origins.len(),
            directions.len()
        )));
    }
    let ray = |(index, (origin, direction)): (usize, (&[f64; 3], &[f64; 3]))| {
        Ray::new(*origin, *direction)
            .map_err(|error| PyValueError::new_err(format!("ray {index}: {error}")))
    };
    let both = origins.iter().zip(&directions).enumerate();
    let rays = both.map(ray).collect::<PyResult<Vec<Ray>>>()?;
    let groups: Vec<Box<[Ray]>> = rays.chunks(RAYS).map(Box::from).collect();
    let target = geometry.0.clone();
    let found = ask_each(py, threads, groups, false, move |rays, workspace| {
        query::cast_rays_with(&pose, &target, rays, workspace)
    })?;
    let all = || found.iter().flatten();
    let or = |hit: &Option<RayHit>, of: fn(&RayHit) -> DVec3| hit.as_ref().map_or(DVec3::NAN, of);
    let columns = [
        column(py, all().map(|hit| hit.map_or(f64::INFINITY, |hit| hit.t))),
        vectors(py, all().map(|hit| or(hit, |hit| hit.point)))?,
        vectors(py, all().map(|hit| or(hit, |hit| hit.normal)))?,
        column(py, all().map(|hit| hit.map_or(-1, |hit| i64::from(hit.child)))),
        column(py, all().map(|hit| hit.map_or(-1, |hit| triangle(&hit.feature)))),
        column(py, all().map(|hit| hit.is_some_and(|hit| hit.inside))),
    ];
    PyTuple::new(py, columns)
}
