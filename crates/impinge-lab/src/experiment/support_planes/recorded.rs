//! The simulations of figure 5: bodies that fall on a torus, and on a plane.

use super::replay::Replay;
use crate::error::LabError;
use crate::model::{Model, ModelShape};
use crate::random::Random;
use crate::session::Session;
use impinge::Pose;
use impinge::geom::glam::DVec3;

/// What bodies fall on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    Torus,
    Plane,
}

impl Ground {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Torus => "torus",
            Self::Plane => "plane",
        }
    }

    /// In 14 s, those with the fixed body left out.
    pub(super) fn published_collisions(self) -> u64 {
        match self {
            Self::Torus => 14_000,
            Self::Plane => 130_000,
        }
    }

    /// Where the figure's axis ends, in milliseconds.
    pub(super) fn published_axis(self) -> u32 {
        match self {
            Self::Torus => 80,
            Self::Plane => 300,
        }
    }
}

/// A stand-in for the simulation, with what it is in a sentence: bodies on straight ways into a cloud that becomes denser, turning as they go.
pub(super) fn recorded(
    session: &Session<'_>,
    ground: Ground,
) -> Result<(String, Replay), LabError> {
    let count = session.pick(40, 150, 600);
    let frames = session.pick(10, 30, 840);
    let mut models = session.models(session.pick(1_500, 17_000, 17_000), 20_000)?;
    let mut random = Random::new(session.seed);
    let body_models: Vec<usize> = (0..count).map(|k| k % models.len()).collect();
    let radius = models.iter().map(|model| model.center_and_radius().1).fold(0.0, f64::max);
    let side = (count as f64).powf(1.0 / 3.0) * radius;
    let starts: Vec<DVec3> = (0..count).map(|_| DVec3::from(random.point()) * side).collect();
    let turns: Vec<[f64; 4]> = (0..count).map(|_| random.quaternion()).collect();
    models.push(Model::generate(ModelShape::Torus, session.pick(1_500, 16_000, 16_000)));
    let mut all = Vec::new();
    for frame in 0..frames {
        let part = frame as f64 / frames as f64;
        let flat = if ground == Ground::Plane { 1.0 - 0.6 * part } else { 1.0 };
        let mut poses = Vec::new();
        for (start, turn) in starts.iter().zip(&turns) {
            let place = *start * (1.8 - 0.8 * part) * DVec3::new(1.0, 1.0, flat);
            let pose = Pose::new(*turn, (place).to_array()).map_err(LabError::failed)?;
            poses.push(pose);
        }
        poses.push(Pose::IDENTITY);
        all.push(poses);
    }
    let setting = format!(
        "Not a simulation but a stand-in: {count} bodies on straight ways into a cloud that becomes denser, around a {}.",
        ground.name()
    );
    let mut body_models = body_models;
    body_models.push(models.len() - 1);
    Ok((setting, Replay { models, body_models, frames: all }))
}
