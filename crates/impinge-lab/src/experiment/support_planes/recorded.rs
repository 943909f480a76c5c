//! The simulations of figure 5: bodies that fall on a torus, and on a plane.

use super::replay::{Frame, Replay};
use crate::error::LabError;
pub(super) use crate::falling::Ground;
use crate::falling::{self, Options, Recording};
use crate::session::Session;
use impinge::Pose;

/// In the paper's simulations.
const BODIES: usize = 600;

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

/// A simulation, and the part of it that is replayed.
pub(super) struct Recorded {
    /// What it is, in some sentences.
    pub(super) setting: String,
    /// How many bodies, and how many of the frames: the published size is [`BODIES`] for 14 s, all frames.
    pub(super) size: String,
    pub(super) replay: Replay,
    /// Pairs of moving bodies that collide, in all frames of the simulation together.
    pub(super) total: u64,
    /// In the frames that are replayed, as they were counted when it was recorded: pairs of moving bodies, and bodies with the fixed one.
    pub(super) counted: [u64; 2],
}

/// Runs of frames of the simulation, with what it is. The torus takes part as the last body.
pub(super) fn recorded(session: &Session<'_>, ground: Ground) -> Result<Recorded, LabError> {
    let models = session.models(session.pick(1_500, 17_000, 17_000), 20_000)?;
    let options = Options::new(ground, session);
    let recording = falling::recording(&models, &options, session)?;
    let [count, length] = session.pick([3, 5], [4, 8], [10, 10]);
    let numbers = runs(recording.frames(), count, length);
    let counts = || numbers.iter().map(|number| recording.counts(*number));
    let counted = [
        counts().map(|counts| u64::from(counts.pairs)).sum(),
        counts().map(|counts| u64::from(counts.with_ground)).sum(),
    ];
    let [moving, fixed] = recording.total();
    let left_out = match ground {
        Ground::Torus => "",
        // Two triangles of its size are near everything: trees of spheres would be opened down to every leaf, and that would be most of the time.
        Ground::Plane => {
            " Hierarchies are not asked about bodies and the plane: a half-space needs none."
        }
    };
    let setting = format!(
        "{} bodies fall on a {} for {} s, recorded at {} frames per second; in all frames together {moving} pairs of moving bodies collide, and {fixed} bodies with the {}.\
         {left_out} {} frames are replayed, in {count} runs of {length} successive ones; what is kept from step to step is forgotten between runs.",
        recording.bodies(),
        ground.name(),
        options.seconds,
        recording.frames_per_second(),
        ground.name(),
        numbers.len(),
    );
    let size = format!(
        "{} of the published {BODIES} bodies, {} of {} frames of {} s (published: 14 s)",
        recording.bodies(),
        numbers.len(),
        recording.frames(),
        options.seconds
    );
    Ok(Recorded { setting, size, replay: replay(&recording, &numbers), total: moving, counted })
}

/// Some frames of a recording. A plane has no part in them.
fn replay(recording: &Recording, numbers: &[usize]) -> Replay {
    let mut models = recording.models().to_vec();
    let mut body_models: Vec<usize> = recording.model_of().iter().map(|k| *k as usize).collect();
    let fixed = (recording.ground() == Ground::Torus).then_some(body_models.len());
    if fixed.is_some() {
        body_models.push(models.len());
        models.push(recording.ground_model());
    }
    let frame = |number: &usize| {
        let mut poses = recording.poses(*number);
        poses.extend(fixed.map(|_| Pose::IDENTITY));
        Frame { number: *number, poses }
    };
    Replay { models, body_models, fixed, frames: numbers.iter().map(frame).collect() }
}

/// `count` runs of successive frames, each in the middle of an equal part of all; all frames if there are not more.
fn runs(frames: usize, count: usize, length: usize) -> Vec<usize> {
    if count * length >= frames {
        return (0..frames).collect();
    }
    let aside = (frames / count - length) / 2;
    let starts = (0..count).map(|run| run * frames / count + aside);
    starts.flat_map(|start| start..start + length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_spread_over_the_recording() {
        assert_eq!(runs(20, 2, 3), [3, 4, 5, 13, 14, 15]);
        assert_eq!(runs(6, 2, 3), [0, 1, 2, 3, 4, 5]);
        assert_eq!(runs(5, 2, 3), [0, 1, 2, 3, 4]);
        for (frames, count, length) in [(60, 3, 5), (420, 4, 8), (420, 10, 10), (43, 6, 7)] {
            let numbers = runs(frames, count, length);
            assert_eq!(numbers.len(), count * length);
            assert!(numbers.is_sorted_by(|a, b| a < b) && numbers.iter().all(|n| *n < frames));
            assert!(numbers.chunks(length).all(|run| run[0] + length == run[length - 1] + 1));
        }
    }

    /// A plane has no part, a torus is the last body and stays where it is.
    #[test]
    fn the_torus_takes_part() {
        for (ground, more) in [(Ground::Torus, 1), (Ground::Plane, 0)] {
            let session = Session::new(crate::session::Size::Quick, 1);
            let models = session.models(80, 100).unwrap();
            let options = Options { bodies: 4, seconds: 1, ..Options::new(ground, &session) };
            let recording = falling::record(&models, &options, &session).unwrap();
            let replay = replay(&recording, &[0, 3]);
            assert_eq!(replay.body_models.len(), 4 + more);
            assert_eq!(replay.models.len(), models.len() + more);
            assert_eq!(replay.fixed, (more > 0).then_some(4));
            assert_eq!(replay.frames[1].poses[..4], recording.poses(3));
            assert!(replay.frames.iter().all(|frame| frame.poses.len() == 4 + more));
        }
    }
}
