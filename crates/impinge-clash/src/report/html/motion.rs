//! The motion as the viewer plays it: steps of lines and turns, and which parts hang on which.

use crate::model::Model;
use crate::motion::Step;
use impinge::Motion as _;
use impinge::geom::motion::VelocityBound;
use impinge::{MotionPath, RigidMotion};
use serde::Serialize;

/// `viewer/src/motion.ts` reads it.
#[derive(Serialize)]
pub(super) struct MotionTracks {
    steps: Vec<StepEntry>,
    /// By part: its steps, the outermost first.
    chains: Vec<Vec<usize>>,
}

#[derive(Serialize)]
struct StepEntry {
    /// Which axis drives it; 0 for time.
    axis: usize,
    /// The end of each piece, from 0 to 1, and the numbers of its motion: a rotation by rows, the point that moves on a line, in the body and where it starts, its way, and
    /// the turn about it.
    pieces: Vec<(f64, Vec<f64>)>,
}

/// The tracks of a model's motion, in coordinates of the scene.
pub(super) fn tracks(model: &Model) -> Option<MotionTracks> {
    let movement = model.motion.as_deref()?;
    let step = |step: &Step| {
        let (path, axis) = movement.track(step);
        StepEntry { axis, pieces: pieces(&path) }
    };
    let steps = movement.steps().iter().map(step).collect();
    let chains = (0..model.parts.len()).map(|part| movement.chain_of(part).to_vec()).collect();
    Some(MotionTracks { steps, chains })
}

fn pieces(path: &MotionPath) -> Vec<(f64, Vec<f64>)> {
    path.pieces().iter().map(|(end, motion)| (*end, numbers(motion))).collect()
}

fn numbers(motion: &RigidMotion) -> Vec<f64> {
    let VelocityBound { center, linear, angular, .. } = motion.velocity(0.0, 1.0);
    let start = motion.start();
    let rows = start.rotation().transpose().to_cols_array();
    let place = start.transform_point(center);
    let vectors = [center, place, linear, angular].map(|vector| vector.to_array());
    rows.into_iter().chain(vectors.into_iter().flatten()).collect()
}
