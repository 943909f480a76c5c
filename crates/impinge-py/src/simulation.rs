//! Rigid bodies that fall, collide and come to rest.

use super::columns::{column, table};
use super::geometry::NativeGeometry;
use super::handles::{Handles, as_many, body};
use super::input::{poses, refused};
use super::scene::{last_meetings, meetings};
use super::work::Shared;
use impinge::geom::glam::DVec3;
use impinge::response::{Material, Simulation, SimulationSettings, Sleep, Solver, Velocity};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Bodies with mass and velocity, by handles. Threads take turns.
#[pyclass(frozen, module = "impinge._impinge")]
pub(crate) struct NativeSimulation(Shared<World>);

struct World {
    simulation: Simulation,
    handles: Handles,
}

#[pymethods]
impl NativeSimulation {
    /// `lengths`: margin, rest depth, bounce speed, push speed; `sleep`: speed and time, or none.
    #[new]
    fn new(
        gravity: [f64; 3],
        time_step: f64,
        solver: &str,
        rounds: [u32; 2],
        lengths: [f64; 4],
        damping: f64,
        sleep: Option<[f64; 2]>,
    ) -> PyResult<Self> {
        let solver = match solver {
            "sequential_impulses" => Solver::SequentialImpulses,
            "reflection" => Solver::Reflection,
            "penalty" => Solver::Penalty,
            other => {
                return Err(PyValueError::new_err(format!(
                    "there is no solver {other}: use sequential_impulses, reflection or penalty"
                )));
            }
        };
        let [substeps, iterations] = rounds;
        let [margin, rest_depth, bounce_speed, push_speed] = lengths;
        let settings = SimulationSettings {
            gravity,
            time_step,
            solver,
            substeps,
            iterations,
            margin,
            rest_depth,
            bounce_speed,
            push_speed,
            damping,
            sleep: sleep.map(|[speed, time]| Sleep { speed, time }),
        };
        let simulation = Simulation::new(settings).map_err(refused)?;
        Ok(Self(Shared::new(World { simulation, handles: Handles::default() })))
    }

    /// The lengths and speeds that fit bodies of a size: margin, rest depth, bounce speed, push speed, and sleep speed and time.
    #[staticmethod]
    fn lengths_for_size(size: f64) -> ([f64; 4], [f64; 2]) {
        let settings = SimulationSettings::for_size(size);
        let sleep = settings.sleep.map_or([0.0; 2], |sleep| [sleep.speed, sleep.time]);
        let SimulationSettings { margin, rest_depth, bounce_speed, push_speed, .. } = settings;
        ([margin, rest_depth, bounce_speed, push_speed], sleep)
    }

    /// Adds a body at rest; `material`: density, friction, restitution.
    fn add(
        &self,
        py: Python<'_>,
        geometry: &NativeGeometry,
        at: Option<PyReadonlyArray2<'_, f64>>,
        moves: bool,
        material: [f64; 3],
    ) -> PyResult<i64> {
        let body = body(geometry, at.as_ref(), moves)?;
        let [density, friction, restitution] = material;
        let material = Material { density, friction, restitution };
        self.0
            .work(py, None, move |world| {
                let id = world.simulation.add(body, material)?;
                Ok(world.handles.add(id))
            })?
            .map_err(|error: impinge::response::ResponseError| refused(error))
    }

    fn remove(&self, py: Python<'_>, handle: i64) -> PyResult<()> {
        self.0.with(py, |world| {
            world.simulation.remove(world.handles.id(handle)?).map_err(refused)?;
            world.handles.remove(handle);
            Ok(())
        })?
    }

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
                world.simulation.set_pose(id, pose).map_err(refused)?;
            }
            Ok(())
        })?
    }

    fn set_velocity(
        &self,
        py: Python<'_>,
        handle: i64,
        linear: [f64; 3],
        angular: [f64; 3],
    ) -> PyResult<()> {
        let velocity = Velocity { linear: linear.into(), angular: angular.into() };
        self.0.with(py, |world| {
            let id = world.handles.id(handle)?;
            world.simulation.set_velocity(id, velocity).map_err(refused)
        })?
    }

    /// Changes the velocity of a body by an impulse at a point.
    fn push(
        &self,
        py: Python<'_>,
        handle: i64,
        impulse: [f64; 3],
        point: [f64; 3],
    ) -> PyResult<()> {
        self.0.with(py, |world| {
            let id = world.handles.id(handle)?;
            world.simulation.push(id, impulse.into(), point.into()).map_err(refused)
        })?
    }

    fn set_fast(&self, py: Python<'_>, handle: i64, fast: bool) -> PyResult<()> {
        self.0.with(py, |world| {
            let id = world.handles.id(handle)?;
            world.simulation.set_fast(id, fast).map_err(refused)
        })?
    }

    /// Makes steps, one at a time, so that a signal is heard in between.
    fn step(&self, py: Python<'_>, steps: usize, threads: Option<usize>) -> PyResult<()> {
        for _ in 0..steps {
            self.0.work(py, threads, |world| {
                world.simulation.step();
            })?;
        }
        Ok(())
    }

    /// Of each body: the pose (4 x 4, row by row), the velocity, the angular velocity, whether it is asleep.
    fn state<'py>(
        &self,
        py: Python<'py>,
        handles: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let handles = handles.as_slice()?;
        let rows = self.0.with(py, |world| {
            let simulation = &world.simulation;
            let row = |handle: &i64| {
                let id = world.handles.id(*handle)?;
                let (pose, velocity) = (simulation.pose(id), simulation.velocity(id));
                let (pose, velocity) = (pose.map_err(refused)?, velocity.map_err(refused)?);
                Ok((matrix(&pose), velocity, simulation.is_asleep(id).map_err(refused)?))
            };
            handles.iter().map(row).collect::<PyResult<Vec<_>>>()
        })??;
        let vector = |of: fn(&Velocity) -> DVec3| {
            table(py, rows.iter().map(move |row| of(&row.1).to_array()))
        };
        let columns = [
            table(py, rows.iter().map(|row| row.0))?,
            vector(|velocity| velocity.linear)?,
            vector(|velocity| velocity.angular)?,
            column(py, rows.iter().map(|row| row.2)),
        ];
        PyTuple::new(py, columns)
    }

    /// Who met in the last step.
    fn meetings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let found =
            self.0.with(py, |world| last_meetings(world.simulation.scene(), &world.handles))?;
        meetings(py, &found)
    }

    /// Kinetic and potential energy, the number of bodies awake, and of steps made.
    fn totals(&self, py: Python<'_>) -> PyResult<(f64, f64, usize, u64)> {
        self.0.with(py, |World { simulation, .. }| {
            let energy = simulation.energy();
            (energy.kinetic, energy.potential, simulation.awake(), simulation.steps())
        })
    }

    /// A number that two simulations share only if they are in the same state.
    fn state_hash(&self, py: Python<'_>) -> PyResult<u64> {
        self.0.with(py, |world| world.simulation.hash())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.0.with(py, |world| world.simulation.scene().len())
    }
}

/// A pose as a 4 x 4 matrix, row by row.
fn matrix(pose: &impinge::Pose) -> [f64; 16] {
    let (rotation, t) = (pose.rotation(), pose.translation());
    let [x, y, z] = [rotation.x_axis, rotation.y_axis, rotation.z_axis];
    [x.x, y.x, z.x, t.x, x.y, y.y, z.y, t.y, x.z, y.z, z.z, t.z, 0.0, 0.0, 0.0, 1.0]
}
