//! Bodies by handles: numbers that are never given twice.

use super::geometry::NativeGeometry;
use super::input::poses;
use impinge::Pose;
use impinge::scene::{Body, BodyId};
use numpy::PyReadonlyArray2;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use std::collections::HashMap;

/// The handles of living bodies.
#[derive(Default)]
pub(crate) struct Handles {
    ids: HashMap<i64, BodyId>,
    handles: HashMap<BodyId, i64>,
    next: i64,
}

impl Handles {
    /// A handle for a new body.
    pub(crate) fn add(&mut self, id: BodyId) -> i64 {
        let handle = self.next;
        self.next += 1;
        self.ids.insert(handle, id);
        self.handles.insert(id, handle);
        handle
    }

    /// Forgets a body.
    pub(crate) fn remove(&mut self, handle: i64) {
        if let Some(id) = self.ids.remove(&handle) {
            self.handles.remove(&id);
        }
    }

    pub(crate) fn id(&self, handle: i64) -> PyResult<BodyId> {
        let found = self.ids.get(&handle).copied();
        found.ok_or_else(|| PyKeyError::new_err(format!("there is no body {handle}")))
    }

    pub(crate) fn ids(&self, handles: &[i64]) -> PyResult<Vec<BodyId>> {
        handles.iter().map(|handle| self.id(*handle)).collect()
    }

    /// Every body has a handle.
    pub(crate) fn of(&self, id: BodyId) -> i64 {
        self.handles.get(&id).copied().unwrap_or(-1)
    }
}

/// The one pose of a body.
pub(crate) fn one_pose(at: Option<&PyReadonlyArray2<'_, f64>>) -> PyResult<Pose> {
    match poses(at, "pose")?[..] {
        [pose] => Ok(pose),
        ref several => {
            Err(PyValueError::new_err(format!("pose has {} poses: a body has one", several.len())))
        }
    }
}

/// A body from what Python gives.
pub(crate) fn body(
    geometry: &NativeGeometry,
    at: Option<&PyReadonlyArray2<'_, f64>>,
    moves: bool,
) -> PyResult<Body> {
    Ok(Body { moves, ..Body::moving(geometry.0.clone(), one_pose(at)?) })
}

/// As many poses as bodies.
pub(crate) fn as_many(bodies: usize, poses: usize) -> PyResult<()> {
    if bodies == poses {
        return Ok(());
    }
    let message = format!("there are {bodies} bodies and {poses} poses: give as many");
    Err(PyValueError::new_err(message))
}
