//! The simulations of figure 5: bodies that fall on a torus, and on a plane.

use super::replay::Replay;
use crate::error::LabError;
pub(super) use crate::falling::Ground;
use crate::falling::{self, Options};
use crate::session::Session;
use impinge::Pose;

/// In 14 s, those with the fixed body left out.
pub(super) fn published_collisions(ground: Ground) -> u64 {
    match ground {
        Ground::Torus => 14_000,
        Ground::Plane => 130_000,
    }
}

/// Where the figure's axis ends, in milliseconds.
pub(super) fn published_axis(ground: Ground) -> u32 {
    match ground {
        Ground::Torus => 80,
        Ground::Plane => 300,
    }
}

/// Frames of the simulation, at even distances, with what it is in a sentence. The fixed body comes last.
pub(super) fn recorded(
    session: &Session<'_>,
    ground: Ground,
) -> Result<(String, Replay), LabError> {
    let models = session.models(session.pick(1_500, 17_000, 17_000), 20_000)?;
    let options = Options::new(ground, session);
    let recording = falling::recording(&models, &options, session)?;
    let wanted = session.pick(12, 30, recording.frames());
    let every = recording.frames().div_ceil(wanted).max(1);
    let frames: Vec<Vec<Pose>> = (0..recording.frames())
        .step_by(every)
        .map(|frame| {
            let mut poses = recording.poses(frame);
            poses.push(Pose::IDENTITY);
            poses
        })
        .collect();
    let [moving, fixed] = recording.total();
    let setting = format!(
        "{} bodies fall on a {} for {} s, recorded at {} frames per second; in all frames together {moving} pairs of moving bodies collide, and {fixed} bodies with the {}. One frame in {every} is replayed.",
        recording.bodies(),
        ground.name(),
        options.seconds,
        recording.frames_per_second(),
        ground.name(),
    );
    let mut body_models: Vec<usize> = recording.model_of().iter().map(|k| *k as usize).collect();
    let mut models = recording.models().to_vec();
    body_models.push(models.len());
    models.push(recording.ground_model());
    Ok((setting, Replay { models, body_models, frames }))
}
