//! A way of a robot through key frames.

use crate::chain::Chain;
use crate::error::TreeError;
use crate::tree::KinematicTree;
use impinge::geom::glam::DVec3;
use impinge::{MotionPath, Pose};
use std::sync::Arc;

/// A path through key frames: joints move at constant rates between them. Times of any unit are mapped to 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct JointPath {
    times: Vec<f64>,
    /// By key frame, for all joints.
    positions: Vec<Vec<f64>>,
}

impl JointPath {
    /// The times of the key frames.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The positions of all joints at a time from 0 to 1.
    ///
    /// ```
    /// # use impinge_robot::{Freedom, Joint, KinematicTree};
    /// let lift = Joint::new("lift", 0, 1, Freedom::slide([0.0, 0.0, 1.0])?);
    /// let tree = KinematicTree::new(2, vec![lift])?;
    /// let path = tree.path(&[(10.0, &[(0, 0.0)]), (12.0, &[(0, 1.0)]), (14.0, &[(0, 0.0)])])?;
    /// assert_eq!(path.positions(0.25), [0.5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn positions(&self, t: f64) -> Vec<f64> {
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        let time = first + (last - first) * t.clamp(0.0, 1.0);
        let next = self.times.partition_point(|&key| key <= time).min(self.times.len() - 1);
        let before = next.saturating_sub(1);
        let span = self.times[next] - self.times[before];
        let share = if span > 0.0 { (time - self.times[before]) / span } else { 0.0 };
        let two = self.positions[before].iter().zip(&self.positions[next]);
        two.map(|(a, b)| a + (b - a) * share.clamp(0.0, 1.0)).collect()
    }
}

impl KinematicTree {
    /// A path through key frames: a time and the positions of some joints; the others keep theirs, or mimic.
    pub fn path(&self, frames: &[(f64, &[(usize, f64)])]) -> Result<JointPath, TreeError> {
        let times: Vec<f64> = frames.iter().map(|frame| frame.0).collect();
        let rises = times.windows(2).all(|two| two[1] > two[0] && (two[1] - two[0]).is_finite());
        if times.is_empty() || !rises || !times.iter().all(|time| time.is_finite()) {
            return Err(TreeError::Times);
        }
        let positions = frames.iter().map(|(_, given)| self.positions(given));
        Ok(JointPath { times, positions: positions.collect::<Result<_, _>>()? })
    }

    /// The motion of everything below a joint along a path; none if the joint does not move.
    pub fn step(&self, path: &JointPath, joint: usize) -> Result<Option<MotionPath>, TreeError> {
        let Some(own) = self.joints().get(joint) else { return Ok(None) };
        let place = |positions: &Vec<f64>| positions[joint] - own.position;
        if path.positions.iter().all(|positions| place(positions) == 0.0) {
            return Ok(None);
        }
        let places = path.positions.iter().map(place);
        let frames: Vec<(f64, f64)> = path.times.iter().copied().zip(places).collect();
        Ok(Some(own.freedom.path(&frames)?))
    }

    /// The motion of a body on a link along a path; `pose` is the body's with the tree in its reference position. `center` is a point of the body, in its own frame: the middle of its
    /// geometry makes the bounds tight.
    pub fn motion(
        &self,
        path: &JointPath,
        link: usize,
        pose: &Pose,
        center: impl Into<DVec3>,
    ) -> Result<Chain, TreeError> {
        let mut steps = Vec::new();
        for joint in self.joints_above(link) {
            steps.extend(self.step(path, joint)?.map(Arc::new));
        }
        Ok(Chain::new(&steps, pose, center))
    }
}
