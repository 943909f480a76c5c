//! Arguments: arrays from Python become values of the library.
//!
//! Numbers are copied before the interpreter is released, so that another thread may write to the arrays meanwhile.

use impinge::Pose;
use impinge::geom::number::error::{GeometryError, LARGEST};
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fmt::Display;

/// An error of the library as a `ValueError`, in its words.
pub(crate) fn refused(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The rows of an array with `N` columns.
pub(crate) fn rows<T: numpy::Element + Copy, const N: usize>(
    array: &PyReadonlyArray2<'_, T>,
    name: &str,
) -> PyResult<Vec<[T; N]>> {
    let columns = array.shape()[1];
    if columns != N {
        return Err(PyValueError::new_err(format!(
            "{name} has {columns} columns: it must have {N}"
        )));
    }
    let numbers = contiguous(array, name)?;
    Ok(numbers.as_chunks().0.to_vec())
}

/// The numbers of an array, row by row.
fn contiguous<'a, T: numpy::Element>(
    array: &'a PyReadonlyArray2<'_, T>,
    name: &str,
) -> PyResult<&'a [T]> {
    let numbers = array.as_slice();
    numbers.map_err(|_| PyValueError::new_err(format!("{name} is not contiguous")))
}

/// Points in the world; those that are not finite, or too far, are refused.
pub(crate) fn points(
    array: &PyReadonlyArray2<'_, f64>,
    argument: &'static str,
) -> PyResult<Vec<[f64; 3]>> {
    let points: Vec<[f64; 3]> = rows(array, argument)?;
    for (index, point) in points.iter().enumerate() {
        let index = Some(index);
        for &value in point {
            if !value.is_finite() {
                return Err(refused(GeometryError::NotFinite { argument, index }));
            }
            if value.abs() > LARGEST {
                return Err(refused(GeometryError::TooLarge { argument, index, value }));
            }
        }
    }
    Ok(points)
}

/// Poses, one in each row: a 4 x 4 matrix row by row, a quaternion (w, x, y, z) and a translation, or a translation. Without an array it is the
/// identity.
pub(crate) fn poses(array: Option<&PyReadonlyArray2<'_, f64>>, name: &str) -> PyResult<Vec<Pose>> {
    let Some(array) = array else {
        return Ok(vec![Pose::IDENTITY]);
    };
    let columns = array.shape()[1];
    let made: fn(&[f64]) -> Result<Pose, String> = match columns {
        16 => of_matrix,
        7 => of_quaternion,
        3 => of_translation,
        _ => {
            return Err(PyValueError::new_err(format!(
                "{name} has {columns} columns: it must have 16, 7 or 3"
            )));
        }
    };
    let numbers = contiguous(array, name)?;
    let one = numbers.len() == columns;
    let pose = |(index, row): (usize, &[f64])| {
        let place = if one { name.to_owned() } else { format!("{name}[{index}]") };
        made(row).map_err(|error| PyValueError::new_err(format!("{place}: {error}")))
    };
    numbers.chunks_exact(columns).enumerate().map(pose).collect()
}

fn words(made: Result<Pose, GeometryError>) -> Result<Pose, String> {
    made.map_err(|error| error.to_string())
}

fn of_matrix(m: &[f64]) -> Result<Pose, String> {
    if m[12..] != [0.0, 0.0, 0.0, 1.0] {
        return Err("the last row of a 4 x 4 pose must be 0, 0, 0, 1".to_owned());
    }
    let rows = [[m[0], m[1], m[2]], [m[4], m[5], m[6]], [m[8], m[9], m[10]]];
    words(Pose::from_rows(rows, [m[3], m[7], m[11]]))
}

fn of_quaternion(m: &[f64]) -> Result<Pose, String> {
    words(Pose::new([m[0], m[1], m[2], m[3]], [m[4], m[5], m[6]]))
}

fn of_translation(m: &[f64]) -> Result<Pose, String> {
    words(Pose::from_translation([m[0], m[1], m[2]]))
}

/// Pairs of poses; a single one stays while the others change.
pub(crate) fn pairs<T: Copy>(a: &[T], b: &[T]) -> PyResult<Vec<[T; 2]>> {
    match (a, b) {
        ([one], _) => Ok(b.iter().map(|b| [*one, *b]).collect()),
        (_, [one]) => Ok(a.iter().map(|a| [*a, *one]).collect()),
        _ if a.len() == b.len() => Ok(a.iter().zip(b).map(|(a, b)| [*a, *b]).collect()),
        _ => Err(PyValueError::new_err(format!(
            "there are {} poses of one and {} of the other: give as many, or a single one",
            a.len(),
            b.len()
        ))),
    }
}
