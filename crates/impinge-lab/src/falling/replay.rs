//! Recorded frames, one after the other, and what collides in them.

use super::{Counts, Ground, Place, Recording, torus};
use crate::error::LabError;
use crate::model::Model;
use impinge::Pose;
use impinge::geom::Shape;
use impinge::mesh::{Mesh, Mode};
use impinge::query::Geometry;
use impinge::scene::{Body, BodyId, Scene};
use std::sync::Arc;

/// All models of a recording in a scene, as surfaces.
pub struct Replay<'r> {
    recording: Option<&'r Recording>,
    scene: Scene,
    ground: BodyId,
    bodies: Vec<BodyId>,
}

impl<'r> Replay<'r> {
    /// Of a recording, before its first frame.
    pub fn new(recording: &'r Recording) -> Result<Self, LabError> {
        let replay = Self::of(recording.ground, &recording.models, &recording.model_of)?;
        Ok(Self { recording: Some(recording), ..replay })
    }

    pub(super) fn of(ground: Ground, models: &[Model], model_of: &[u32]) -> Result<Self, LabError> {
        let mut geometries = Vec::new();
        for model in models {
            let mesh: Mesh = model.mesh()?;
            geometries.push(Geometry::mesh(Arc::new(mesh), Mode::Surface));
        }
        let mut scene = Scene::default();
        let below: Geometry = match ground {
            Ground::Torus => Geometry::mesh(Arc::new(torus().mesh()?), Mode::Surface),
            Ground::Plane => {
                Shape::half_space([0.0, 0.0, 1.0], 0.0).map_err(LabError::failed)?.into()
            }
        };
        let fixed = Body::fixed(below, Pose::IDENTITY);
        let ground = scene.add(fixed).map_err(LabError::failed)?;
        let mut bodies = Vec::new();
        for model in model_of {
            let geometry = geometries.get(*model as usize).cloned();
            let geometry = geometry.ok_or_else(|| LabError::failed("a body has no model"))?;
            let body = Body::moving(geometry, Pose::IDENTITY);
            bodies.push(scene.add(body).map_err(LabError::failed)?);
        }
        Ok(Self { recording: None, scene, ground, bodies })
    }

    /// Puts all bodies where they are in a frame, and counts what collides.
    pub fn frame(&mut self, frame: usize) -> Result<Counts, LabError> {
        let count = self.bodies.len();
        let places = self.recording.and_then(|recording| {
            recording.places.get(frame.checked_mul(count)?..(frame + 1).checked_mul(count)?)
        });
        match places {
            Some(places) => self.count(places),
            None => Err(LabError::failed(format!("there is no frame {frame}"))),
        }
    }

    pub(super) fn count(&mut self, places: &[Place]) -> Result<Counts, LabError> {
        for (body, place) in self.bodies.iter().zip(places) {
            self.scene.set_pose(*body, place.pose()?).map_err(LabError::failed)?;
        }
        let mut counts = Counts::default();
        for pair in self.scene.step().pairs.iter().filter(|pair| pair.meets()) {
            match pair.bodies.contains(&self.ground) {
                true => counts.with_ground += 1,
                false => counts.pairs += 1,
            }
        }
        Ok(counts)
    }
}
