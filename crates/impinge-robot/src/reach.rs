//! How fast points of a link can be over intervals of joint positions.

use crate::freedom::Freedom;
use crate::tree::KinematicTree;
use impinge::geom::motion::Reach;

impl KinematicTree {
    /// For every joint: no point of a ball on a link moves farther than this per unit of the joint, while all joints stay in their intervals. The ball is in
    /// world coordinates, with the tree in its reference position. Zero for joints that do not move the link.
    ///
    /// ```
    /// use impinge::geom::{glam::DVec3, motion::Reach};
    /// use impinge_robot::{Freedom, Joint, KinematicTree};
    /// let z = [0.0, 0.0, 1.0];
    /// let shoulder = Joint::new("shoulder", 0, 1, Freedom::turn([0.0; 3], z)?);
    /// let elbow = Joint::new("elbow", 1, 2, Freedom::turn([1.0, 0.0, 0.0], z)?);
    /// let tree = KinematicTree::new(3, vec![shoulder, elbow])?;
    /// let hand = Reach { center: DVec3::new(1.5, 0.0, 0.0), radius: 0.1 };
    /// let speeds = tree.speeds(2, &hand, &[[-3.0, 3.0]; 2]);
    /// // Stretched out, the hand is 1.6 from the shoulder and 0.6 from the elbow.
    /// assert!((speeds[0] - 1.6).abs() < 1e-8 && (speeds[1] - 0.6).abs() < 1e-8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn speeds(&self, link: usize, ball: &Reach, intervals: &[[f64; 2]]) -> Vec<f64> {
        let mut speeds = vec![0.0; self.joints().len()];
        let chain = self.joints_above(link);
        let steps: Vec<(Freedom, [f64; 2])> = chain
            .iter()
            .map(|&index| {
                let joint = &self.joints()[index];
                let here = [joint.position; 2];
                let interval = intervals.get(index).copied().unwrap_or(here);
                (joint.freedom, interval.map(|position| position - joint.position))
            })
            .collect();
        for (&index, speed) in chain.iter().zip(speeds_of(&steps, ball)) {
            speeds[index] = speed;
        }
        speeds
    }
}

/// The same for the steps of a chain, the outermost first, each with the interval of its place, measured from where it stands.
pub(crate) fn speeds_of(steps: &[(Freedom, [f64; 2])], ball: &Reach) -> Vec<f64> {
    let mut speeds = vec![0.0; steps.len()];
    // Where the last joint below that moves has its axis, in the world as it stands, and how far the ball reaches from there. Below it everything is as it stands.
    let mut anchor = ball.center;
    let mut reach = ball.radius;
    for (speed, (freedom, [low, high])) in speeds.iter_mut().zip(steps).rev() {
        match *freedom {
            Freedom::Fixed => {}
            Freedom::Turn { point, axis } => {
                // The nearest point of the axis: a bar to it does not change its length when only this joint turns.
                let foot = point + axis * axis.dot(anchor - point);
                let arm = anchor.distance(foot);
                *speed = (arm + reach) * (1.0 + 1e-9);
                // Where it stands, it is a bar like any other.
                if *low != 0.0 || *high != 0.0 {
                    (anchor, reach) = (foot, arm + reach);
                }
            }
            Freedom::Slide { along } => {
                *speed = along.length() * (1.0 + 1e-9);
                reach += along.length() * low.abs().max(high.abs());
            }
        }
    }
    speeds
}

impl Freedom {
    /// Like [`KinematicTree::speeds`], for a chain of freedoms without a tree.
    pub fn speeds(steps: &[(Self, [f64; 2])], ball: &Reach) -> Vec<f64> {
        speeds_of(steps, ball)
    }
}
