//! A recorded simulation as questions: in each frame, the pairs of bodies whose boxes overlap.

use super::race::Task;
use crate::error::LabError;
use crate::model::Model;
use impinge::Pose;
use impinge::geom::glam::DVec3;
use std::collections::{HashMap, HashSet};

/// Bodies, and where they are in some frames. A body that does not move is one like the others.
pub(super) struct Replay {
    pub(super) models: Vec<Model>,
    /// The model of each body.
    pub(super) body_models: Vec<usize>,
    /// The body that does not move, if it takes part.
    pub(super) fixed: Option<usize>,
    /// By ascending numbers.
    pub(super) frames: Vec<Frame>,
}

/// Where all bodies are at one time.
pub(super) struct Frame {
    /// Its place in the recording: what follows it has the next number.
    pub(super) number: usize,
    /// One for each body.
    pub(super) poses: Vec<Pose>,
}

/// What a replay is in numbers.
pub(super) struct Meetings {
    /// Pairs of moving bodies that meet, all frames together.
    pub(super) moving: u64,
    /// The same with the fixed body.
    pub(super) fixed: u64,
    /// How often two moving bodies meet that did not in the frame before, where that one was replayed, too.
    pub(super) begun: u64,
}

/// Two bodies.
type Pair = [usize; 2];

/// By frame: the pairs, and the questions about them.
type Frames = (Vec<Vec<Pair>>, Vec<Vec<Task>>);

impl Replay {
    /// The pairs of each frame, by ascending bodies, and the questions about them.
    ///
    /// The pairs are those that a broad phase leaves: the boxes along the axes around the bodies' own boxes overlap.
    pub(super) fn tasks(&self) -> Result<Frames, LabError> {
        let boxes: Vec<[DVec3; 2]> = self.models.iter().map(own_box).collect();
        let (mut pairs, mut tasks) = (Vec::new(), Vec::new());
        let mut known: HashMap<Pair, usize> = HashMap::new();
        for Frame { number, poses } in &self.frames {
            if poses.len() != self.body_models.len() {
                return Err(LabError::Failed("a frame has not a pose for every body".into()));
            }
            let placed: Vec<[DVec3; 2]> = poses
                .iter()
                .zip(&self.body_models)
                .map(|(pose, model)| {
                    let [center, half] = boxes[*model];
                    let turn = pose.rotation();
                    let around = turn.x_axis.abs() * half.x
                        + turn.y_axis.abs() * half.y
                        + turn.z_axis.abs() * half.z;
                    let center = pose.transform_point(center);
                    [center - around, center + around]
                })
                .collect();
            let near = overlapping(&placed);
            let ask = |&[a, b]: &Pair| {
                let next = known.len();
                Task {
                    models: [self.body_models[a], self.body_models[b]],
                    pair: *known.entry([a, b]).or_insert(next),
                    step: *number,
                    place: poses[a].relative(&poses[b]).into(),
                }
            };
            tasks.push(near.iter().map(ask).collect());
            pairs.push(near);
        }
        Ok((pairs, tasks))
    }

    /// Who meets whom, counted.
    pub(super) fn meetings(&self, pairs: &[Vec<Pair>], meeting: &[Vec<bool>]) -> Meetings {
        let mut counts = Meetings { moving: 0, fixed: 0, begun: 0 };
        let mut before: Option<(usize, HashSet<Pair>)> = None;
        for ((frame, pairs), meeting) in self.frames.iter().zip(pairs).zip(meeting) {
            let now = pairs.iter().zip(meeting).filter(|(_, meet)| **meet).map(|(pair, _)| *pair);
            let (with_fixed, moving): (HashSet<Pair>, HashSet<Pair>) =
                now.partition(|pair| pair.iter().any(|body| Some(*body) == self.fixed));
            counts.fixed += with_fixed.len() as u64;
            counts.moving += moving.len() as u64;
            if let Some((number, before)) = &before
                && number + 1 == frame.number
            {
                counts.begun += moving.difference(before).count() as u64;
            }
            before = Some((frame.number, moving));
        }
        counts
    }
}

/// Centre and half sides of the box around a model along its axes.
fn own_box(model: &Model) -> [DVec3; 2] {
    let points = || model.vertices.iter().map(|p| DVec3::from_array(*p));
    let low = points().fold(DVec3::INFINITY, DVec3::min);
    let high = points().fold(DVec3::NEG_INFINITY, DVec3::max);
    [(low + high) / 2.0, (high - low) / 2.0]
}

/// All pairs of boxes that overlap, by a sweep along x; in ascending order.
fn overlapping(boxes: &[[DVec3; 2]]) -> Vec<Pair> {
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by(|a, b| boxes[*a][0].x.total_cmp(&boxes[*b][0].x).then(a.cmp(b)));
    let mut pairs = Vec::new();
    for (k, &a) in order.iter().enumerate() {
        for &b in order[k + 1..].iter().take_while(|b| boxes[**b][0].x <= boxes[a][1].x) {
            let [low, high] = [boxes[a][0].max(boxes[b][0]), boxes[a][1].min(boxes[b][1])];
            if low.cmple(high).all() {
                pairs.push([a.min(b), a.max(b)]);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelShape;
    use crate::random::Random;

    #[test]
    fn the_sweep_finds_what_all_comparisons_find() {
        let mut random = Random::new(3);
        let boxes: Vec<[DVec3; 2]> = (0..120)
            .map(|_| {
                let low = DVec3::from(random.point()) * 2.0;
                [low, low + DVec3::from(random.point()).abs()]
            })
            .collect();
        let mut expected = Vec::new();
        for a in 0..boxes.len() {
            for b in a + 1..boxes.len() {
                let apart =
                    |k: usize| boxes[a][1][k] < boxes[b][0][k] || boxes[b][1][k] < boxes[a][0][k];
                if !(apart(0) || apart(1) || apart(2)) {
                    expected.push([a, b]);
                }
            }
        }
        assert!(expected.len() > 20);
        assert_eq!(overlapping(&boxes), expected);
    }

    /// Three balls in a row, the last of them fixed: the first two meet in frames 1, 2 and 7, the fixed one meets nobody but in frame 8.
    #[test]
    fn meetings_are_counted() {
        let place = |x: f64| Pose::from_translation([x, 0.0, 0.0]).unwrap();
        let frame =
            |number: usize, x: f64| Frame { number, poses: vec![place(0.0), place(x), place(9.0)] };
        let replay = Replay {
            models: vec![Model::generate(ModelShape::Ball, 80)],
            body_models: vec![0; 3],
            fixed: Some(2),
            frames: vec![frame(0, 2.5), frame(1, 1.5), frame(2, 1.4), frame(7, 1.5), frame(8, 8.0)],
        };
        let (pairs, tasks) = replay.tasks().unwrap();
        let near = [vec![], vec![[0, 1]], vec![[0, 1]], vec![[0, 1]], vec![[1, 2]]];
        assert_eq!(pairs, near);
        assert_eq!(tasks[1][0].place.pose.translation(), DVec3::X * 1.5);
        let numbers = tasks.iter().flatten().map(|task| (task.pair, task.step));
        assert_eq!(numbers.collect::<Vec<_>>(), [(0, 1), (0, 2), (0, 7), (1, 8)]);
        let meeting = near.map(|pairs| vec![true; pairs.len()]);
        let Meetings { moving, fixed, begun } = replay.meetings(&pairs, &meeting);
        // What began before frame 7 was not seen to begin.
        assert_eq!((moving, fixed, begun), (3, 1, 1));
    }
}
