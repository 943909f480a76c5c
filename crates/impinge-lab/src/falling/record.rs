//! The simulation.

use super::balls;
use super::file;
use super::replay::Replay;
use super::{Counts, Ground, Options, Place, Recording, of_unit_size, torus};
use crate::error::LabError;
use crate::model::Model;
use crate::random::Random;
use crate::session::Session;
use impinge::Pose;
use impinge::geom::Shape;
use impinge::mesh::Mode;
use impinge::query::Geometry;
use impinge::response::{Material, Simulation, SimulationSettings};
use impinge::scene::{Body, BodyId};
use std::sync::Arc;

/// Lets bodies fall, in turn of one model and the next, and records every frame.
pub fn record(
    models: &[Model],
    options: &Options,
    session: &Session<'_>,
) -> Result<Recording, LabError> {
    if models.is_empty() || options.frames() == 0 {
        return Err(LabError::failed("a simulation needs a model and a frame at least"));
    }
    let models: Vec<Model> = models.iter().map(of_unit_size).collect();
    let model_of: Vec<u32> = (0..options.bodies).map(|body| body % models.len() as u32).collect();
    let (mut simulation, bodies) = stage(&models, &model_of, options)?;
    let mut replay = Replay::of(options.ground, &models, &model_of)?;
    let mut places: Vec<Place> = Vec::new();
    let mut counts: Vec<Counts> = Vec::new();
    let what = format!("bodies falling on a {}", options.ground.name());
    for frame in 0..options.frames() {
        session.step(&what, u64::from(frame), u64::from(options.frames()))?;
        let first = places.len();
        for id in &bodies {
            places.push(Place::of(&simulation.pose(*id).map_err(LabError::failed)?));
        }
        counts.push(replay.count(places.get(first..).unwrap_or_default())?);
        for _ in 0..options.steps_per_frame.max(1) {
            simulation.step();
        }
    }
    let (ground, frames_per_second) = (options.ground, options.frames_per_second);
    Ok(Recording { ground, models, model_of, frames_per_second, places, counts })
}

/// The recording of a session: from the folder where it keeps such things, if it has one, and a recording of these models and options is there.
pub fn recording(
    models: &[Model],
    options: &Options,
    session: &Session<'_>,
) -> Result<Recording, LabError> {
    let Some(folder) = &session.cache else { return record(models, options, session) };
    let key = file::key(models, options);
    let path = folder.join(format!("falling-{}-{key:016x}.bin", options.ground.name()));
    if let Ok(recording) = Recording::load(&path, key) {
        return Ok(recording);
    }
    let recording = record(models, options, session)?;
    std::fs::create_dir_all(folder).map_err(|error| LabError::file(folder, error))?;
    recording.save(&path, key)?;
    Ok(recording)
}

/// The bodies at their start: columns above the ground, each body turned at random.
fn stage(
    models: &[Model],
    model_of: &[u32],
    options: &Options,
) -> Result<(Simulation, Vec<BodyId>), LabError> {
    let steps = f64::from(options.frames_per_second * options.steps_per_frame.max(1));
    let settings = SimulationSettings {
        time_step: 1.0 / steps.max(1.0),
        substeps: 2,
        margin: 0.04,
        rest_depth: 0.01,
        bounce_speed: 0.3,
        sleep: None,
        ..SimulationSettings::default()
    };
    let mut simulation = Simulation::new(settings).map_err(LabError::failed)?;
    let made_of = Material { density: 1000.0, friction: 0.5, restitution: 0.5 };
    let (below, top): (Geometry, f64) = match options.ground {
        Ground::Torus => (Geometry::mesh(Arc::new(torus().mesh()?), Mode::Solid), 1.225),
        Ground::Plane => {
            (Shape::half_space([0.0, 0.0, 1.0], 0.0).map_err(LabError::failed)?.into(), 0.0)
        }
    };
    let ground = Body::fixed(below, Pose::IDENTITY);
    simulation.add(ground, made_of).map_err(LabError::failed)?;
    let geometries = models.iter().map(balls::geometry).collect::<Result<Vec<_>, _>>()?;
    let mut random = Random::new(options.seed);
    let [across, along] = options.columns.map(|count| count.max(1));
    let mut bodies = Vec::new();
    for (k, model) in (0..).zip(model_of) {
        let (column, level) = (k % (across * along), k / (across * along));
        let middle = |place: u32, of: u32| f64::from(place) - 0.5 * f64::from(of - 1);
        let [x, y] = [middle(column % across, across), middle(column / across, along)];
        let [aside, above] = options.spacing;
        // A little off, so that columns do not stand.
        let off = random.point().map(|x| 0.04 * x);
        let place = [
            aside * x + off[0],
            aside * y + off[1],
            top + options.height + above * f64::from(level),
        ];
        let pose = Pose::new(random.quaternion(), place).map_err(LabError::failed)?;
        let geometry = geometries.get(*model as usize).cloned();
        let geometry = geometry.ok_or_else(|| LabError::failed("a body has no model"))?;
        let body = simulation.add(Body::moving(geometry, pose), made_of);
        bodies.push(body.map_err(LabError::failed)?);
    }
    Ok((simulation, bodies))
}
