//! The native module of the Python package `impinge`: arrays in, arrays out, no algorithm of its own.
//!
//! The classes that users see are in `python/impinge`. They bring arguments into one form (contiguous arrays of f64 or i64, poses as rows) and
//! name the columns of the answers; what is decided is decided by [`impinge::query`], and by `impinge-clash` for checks.

mod assembly;
mod check;
mod columns;
mod files;
mod geometry;
mod handles;
mod input;
mod motion;
mod pair;
mod point;
mod scene;
mod simulation;
mod work;

use pyo3::prelude::*;

/// The native module.
#[pymodule]
mod _impinge {
    #[pymodule_export]
    use super::check::{NativeCheck, NativeReading, check, decide, has_viewer, view, write_bytes};
    #[pymodule_export]
    use super::files::{read_mesh, read_scene, write_mesh};
    #[pymodule_export]
    use super::geometry::{NativeGeometry, compound, mesh, shape};
    #[pymodule_export]
    use super::motion::impact;
    #[pymodule_export]
    use super::pair::{contacts, distance, intersects, relation, triangle_pairs};
    #[pymodule_export]
    use super::point::{cast_rays, closest_point, contains, signed_distance};
    #[pymodule_export]
    use super::scene::NativeScene;
    #[pymodule_export]
    use super::simulation::NativeSimulation;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::work::loaded();
        Ok(())
    }
}
