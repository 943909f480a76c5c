//! Answers: lists of the library become arrays, whose memory is handed over and not copied.

use impinge::geom::glam::DVec3;
use impinge::geom::{Certainty, FeatureKind, Inside, Verdict};
use impinge::query::PartFeature;
use numpy::{Element, PyArray1, PyArrayMethods};
use pyo3::prelude::*;

/// A column of an answer.
pub(crate) type Column<'py> = Bound<'py, PyAny>;

/// One value for each answer.
pub(crate) fn column<'py, T: Element>(
    py: Python<'py>,
    values: impl Iterator<Item = T>,
) -> Column<'py> {
    PyArray1::from_vec(py, values.collect()).into_any()
}

/// `N` values for each answer.
pub(crate) fn table<'py, T: Element + Copy, const N: usize>(
    py: Python<'py>,
    values: impl Iterator<Item = [T; N]>,
) -> PyResult<Column<'py>> {
    let values: Vec<T> = values.collect::<Vec<_>>().into_flattened();
    let count = values.len() / N;
    Ok(PyArray1::from_vec(py, values).reshape([count, N])?.into_any())
}

/// A vector for each answer.
pub(crate) fn vectors<'py>(
    py: Python<'py>,
    values: impl Iterator<Item = DVec3>,
) -> PyResult<Column<'py>> {
    table(py, values.map(|value| value.to_array()))
}

/// Two points for each answer.
pub(crate) fn point_pairs<'py>(
    py: Python<'py>,
    values: impl Iterator<Item = [DVec3; 2]>,
) -> PyResult<Column<'py>> {
    let values: Vec<f64> = values.flatten().flat_map(|point| point.to_array()).collect();
    let count = values.len() / 6;
    Ok(PyArray1::from_vec(py, values).reshape([count, 2, 3])?.into_any())
}

/// The triangle of a feature; -1 for a shape.
pub(crate) fn triangle(feature: &PartFeature) -> i64 {
    feature.triangle.map_or(-1, i64::from)
}

/// The numbers of `impinge.FeatureKind`.
pub(crate) fn kind(feature: &PartFeature) -> u8 {
    match feature.feature.kind {
        FeatureKind::Vertex => 0,
        FeatureKind::Edge => 1,
        FeatureKind::Face => 2,
        FeatureKind::Surface => 3,
    }
}

/// The numbers of `impinge.Verdict`.
pub(crate) fn verdict(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Separated => 0,
        Verdict::Touching => 1,
        Verdict::Penetrating => 2,
        Verdict::Contained(_) => 3,
    }
}

/// Which body lies in the other: 0 for the first, 1 for the second, -1 for neither.
pub(crate) fn inside(verdict: Verdict) -> i8 {
    match verdict {
        Verdict::Contained(Inside::A) => 0,
        Verdict::Contained(Inside::B) => 1,
        _ => -1,
    }
}

/// The numbers of `impinge.Certainty`.
pub(crate) fn certainty(certainty: Certainty) -> u8 {
    match certainty {
        Certainty::Exact => 0,
        Certainty::Bound => 1,
        Certainty::Estimate => 2,
    }
}
