//! One motion after another.

use super::{Motion, RigidMotion, VelocityBound};
use crate::number::error::{GeometryError, check_number};
use crate::pose::Pose;

/// Pieces of motion, one after another, each over a span of time.
///
/// ```
/// use impinge_geom::{Pose, motion::{Motion, MotionPath}};
/// let at = |x: f64| Pose::from_translation([x, 0.0, 0.0]);
/// // Key frames at times of any unit; they are mapped to the time from 0 to 1.
/// let path = MotionPath::through(&[(0.0, at(0.0)?), (3.0, at(6.0)?), (4.0, at(6.0)?)])?;
/// assert_eq!(path.pose(0.375).translation().x, 3.0);
/// assert_eq!(path.pose(0.9).translation().x, 6.0);
/// assert_eq!(path.piece_end(0.1), 0.75);
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MotionPath {
    /// The end of each piece, rising, the last one 1; and the piece.
    pieces: Vec<(f64, RigidMotion)>,
}

impl MotionPath {
    /// Poses at given times, which must rise, with [`RigidMotion::between`] from each to the next. At least one is needed.
    pub fn through(frames: &[(f64, Pose)]) -> Result<Self, GeometryError> {
        for (index, (time, _)) in frames.iter().enumerate() {
            check_number(*time, "times", Some(index))?;
        }
        let step = |two: &[(f64, Pose)]| two[1].0 - two[0].0;
        if let Some(two) = frames.windows(2).find(|two| step(two) <= 0.0) {
            return Err(GeometryError::Negative { argument: "time step", value: step(two) });
        }
        match frames {
            [] => Err(GeometryError::Empty { argument: "frames" }),
            [(_, only)] => Ok(Self { pieces: vec![(1.0, RigidMotion::still(only))] }),
            _ => {
                let piece =
                    |two: &[(f64, Pose)]| (step(two), RigidMotion::between(&two[0].1, &two[1].1));
                let pieces: Vec<_> = frames.windows(2).map(piece).collect();
                Self::of_pieces(&pieces)
            }
        }
    }

    /// Motions one after another, each with how long it takes, in any unit.
    pub fn of_pieces(pieces: &[(f64, RigidMotion)]) -> Result<Self, GeometryError> {
        let mut total = 0.0;
        for (index, (duration, _)) in pieces.iter().enumerate() {
            let duration = check_number(*duration, "durations", Some(index))?;
            if duration <= 0.0 {
                return Err(GeometryError::Negative { argument: "duration", value: duration });
            }
            total += duration;
        }
        if pieces.is_empty() {
            return Err(GeometryError::Empty { argument: "pieces" });
        }
        let mut passed = 0.0;
        let last = pieces.len() - 1;
        let mut ends: Vec<(f64, RigidMotion)> = Vec::with_capacity(pieces.len());
        for (index, (duration, motion)) in pieces.iter().enumerate() {
            passed += duration;
            let end = if index == last { 1.0 } else { passed / total };
            // A piece shorter than what a time can resolve passes in no time.
            if end > ends.last().map_or(0.0, |(end, _)| *end) {
                ends.push((end, *motion));
            }
        }
        Ok(Self { pieces: ends })
    }

    /// The pieces: each with the time at which it ends, the last one at 1.
    pub fn pieces(&self) -> &[(f64, RigidMotion)] {
        &self.pieces
    }

    /// The piece that begins at or holds a time, and its beginning and length.
    fn piece(&self, t: f64) -> (&RigidMotion, f64, f64) {
        let last = self.pieces.len() - 1;
        let index = self.pieces.partition_point(|(end, _)| *end <= t).min(last);
        let from = if index == 0 { 0.0 } else { self.pieces[index - 1].0 };
        let (end, motion) = &self.pieces[index];
        (motion, from, end - from)
    }
}

impl Motion for MotionPath {
    fn pose(&self, t: f64) -> Pose {
        let (motion, from, length) = self.piece(t);
        motion.pose(((t - from) / length).clamp(0.0, 1.0))
    }

    fn velocity(&self, from: f64, to: f64) -> VelocityBound {
        // The middle is in the piece, whichever way its ends were rounded.
        let (motion, _, length) = self.piece(from + (to - from) * 0.5);
        let whole = motion.velocity(0.0, 1.0);
        let (linear, angular) = (whole.linear / length, whole.angular / length);
        VelocityBound { linear, angular, ..whole }
    }

    fn piece_end(&self, t: f64) -> f64 {
        let index = self.pieces.partition_point(|(end, _)| *end <= t);
        self.pieces.get(index).map_or(1.0, |(end, _)| *end)
    }
}
