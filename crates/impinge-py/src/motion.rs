//! When do two geometries meet that move from one pose to another?

use super::columns::{certainty, column, point_pairs, table, vectors};
use super::geometry::NativeGeometry;
use super::input::{pairs, poses};
use super::work::ask_each;
use impinge::RigidMotion;
use impinge::geom::glam::DVec3;
use impinge::query::{self, FirstContact, Impact, ImpactSettings, Start};
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The numbers of `impinge.Start`.
fn start(start: Start) -> u8 {
    match start {
        Start::Free => 0,
        Start::Leaving => 1,
        Start::Approaching => 2,
        Start::Overlapping => 3,
    }
}

/// When they meet first: start, interval, points, normal, certainty. What there is none of is NaN.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "a class would have to be made for each call")]
pub(crate) fn impact<'py>(
    py: Python<'py>,
    a: &NativeGeometry,
    from_a: Option<PyReadonlyArray2<'py, f64>>,
    to_a: Option<PyReadonlyArray2<'py, f64>>,
    b: &NativeGeometry,
    from_b: Option<PyReadonlyArray2<'py, f64>>,
    to_b: Option<PyReadonlyArray2<'py, f64>>,
    numbers: (f64, u32, f64),
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyTuple>> {
    let (tolerance, max_steps, clearance) = numbers;
    if !(tolerance > 0.0 && tolerance.is_finite()) {
        return Err(PyValueError::new_err(format!(
            "tolerance is {tolerance}: it must be positive"
        )));
    }
    if !(clearance >= 0.0 && clearance.is_finite()) {
        return Err(PyValueError::new_err(format!(
            "clearance is {clearance}: it must be zero or positive"
        )));
    }
    let settings = ImpactSettings { tolerance, max_steps, clearance };
    let motions = |from: &Option<PyReadonlyArray2<'py, f64>>,
                   to: &Option<PyReadonlyArray2<'py, f64>>|
     -> PyResult<Vec<RigidMotion>> {
        let ways = pairs(&poses(from.as_ref(), "start")?, &poses(to.as_ref(), "end")?)?;
        Ok(ways.iter().map(|[from, to]| RigidMotion::between(from, to)).collect())
    };
    let questions = pairs(&motions(&from_a, &to_a)?, &motions(&from_b, &to_b)?)?;
    let slow = a.is_large() || b.is_large();
    let (a, b) = (a.0.clone(), b.0.clone());
    let found = ask_each(py, threads, questions, slow, move |[one, two], workspace| {
        query::impact_with(one, &a, two, &b, &settings, workspace)
    })?;
    PyTuple::new(py, columns(py, &found)?)
}

fn columns<'py>(py: Python<'py>, found: &[Impact]) -> PyResult<[Bound<'py, PyAny>; 5]> {
    let nowhere = [DVec3::NAN; 2];
    let first = || found.iter().map(|found| found.first.as_ref());
    let or_none = |found: Option<&FirstContact>, none: DVec3| {
        found.map_or(none, |found| found.closest.normal)
    };
    Ok([
        column(py, found.iter().map(|found| start(found.start))),
        table(py, first().map(|found| found.map_or([f64::NAN; 2], |found| found.interval)))?,
        point_pairs(py, first().map(|found| found.map_or(nowhere, |found| found.closest.points)))?,
        vectors(py, first().map(|found| or_none(found, DVec3::NAN)))?,
        column(py, first().map(|found| found.map_or(0, |found| certainty(found.certainty)))),
    ])
}
