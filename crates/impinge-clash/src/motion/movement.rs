//! What moves in a model, and by which steps.

use super::encounter::Moment;
use super::file::{MotionError, MotionFile};
use crate::model::Model;
use impinge::geom::glam::DVec3;
use impinge::{Motion, MotionPath, Pose};
use impinge_robot::{Chain, Freedom};
use std::sync::Arc;

impl Model {
    /// Gives the model a motion, and puts its parts where that begins: a check then follows all pairs that move relative to each other.
    pub fn set_motion(&mut self, file: &MotionFile) -> Result<(), MotionError> {
        let movement = file.resolve(self)?;
        movement.place(self, movement.start());
        self.motion = Some(Arc::new(movement));
        Ok(())
    }

    /// The model as it is at a moment of its motion.
    pub fn posed(&self, moment: Moment) -> Self {
        let mut model = self.clone();
        if let Some(movement) = &self.motion {
            movement.place(&mut model, moment);
        }
        model
    }
}

/// A motion of a model: over time, or over the ranges of one or two joints.
#[derive(Clone, Debug)]
pub struct Movement {
    /// The name of the file that states it.
    pub name: String,
    /// What it goes through: nothing for time, else one or two joints.
    pub axes: Vec<JointRange>,
    /// The first and the last time, in seconds; from 0 to 1 over ranges.
    pub time: [f64; 2],
    /// What people should know, such as joints that leave their limits.
    pub notes: Vec<String>,
    /// The interval of a first contact is at most this wide, as a share of the whole.
    pub precision: f64,
    /// Work per pair before it is left undecided: distance queries of shapes, thousands of pairs of volumes of meshes.
    pub max_steps: u32,
    pub(super) steps: Vec<Step>,
    /// By part: the steps that displace it, the outermost first.
    pub(super) chains: Vec<Vec<usize>>,
    /// By part: where it stands in the model.
    pub(super) stands: Vec<Pose>,
    /// A rest.
    pub(super) still: MotionPath,
}

/// The range of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointRange {
    /// The name of the joint, or of the parts that turn.
    pub name: String,
    /// Where it begins, in radians or metres.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// True if it turns.
    pub is_angle: bool,
    /// Where it stands in the model.
    pub stand: f64,
}

/// A line about which something turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub(super) point: DVec3,
    /// Of unit length.
    pub(super) axis: DVec3,
}

impl Line {
    /// The line of a turn.
    pub(super) fn of(freedom: &Freedom) -> Option<Self> {
        match *freedom {
            Freedom::Turn { point, axis } => Some(Self { point, axis }),
            Freedom::Fixed | Freedom::Slide { .. } => None,
        }
    }
}

/// A displacement of all that hangs on it.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Over time.
    Timed {
        /// What it does.
        path: Arc<MotionPath>,
        /// The line about which it turns, if it does nothing else.
        line: Option<Line>,
    },
    /// With a joint: its place, measured from where it stands, is the position of an axis times a factor, and an offset.
    Ranged {
        /// What it lets move.
        freedom: Freedom,
        /// Which axis.
        axis: usize,
        /// The factor.
        factor: f64,
        /// The offset.
        offset: f64,
    },
}

impl Step {
    /// Its place with the axes at positions; zero for steps over time.
    pub(super) fn place(&self, values: [f64; 2]) -> f64 {
        match self {
            Self::Timed { .. } => 0.0,
            Self::Ranged { axis, factor, offset, .. } => values[*axis] * factor + offset,
        }
    }

    /// What it lets move, which axis drives it and by which factor, if one does.
    pub(super) fn ranged(&self) -> Option<(Freedom, usize, f64)> {
        match self {
            Self::Timed { .. } => None,
            Self::Ranged { freedom, axis, factor, .. } => Some((*freedom, *axis, *factor)),
        }
    }
}

/// Two parts, each on its own steps: those that both share are left out.
pub(crate) struct Pair {
    /// How many steps they share.
    pub(super) common: usize,
    pub(super) parts: [usize; 2],
}

impl Movement {
    /// True if it is over two joints.
    pub(crate) fn is_field(&self) -> bool {
        self.axes.len() == 2
    }

    /// The moment at a share of the way, from 0 to 1; over two joints, of their diagonal.
    pub fn moment(&self, t: f64) -> Moment {
        // Exact at both ends.
        let between = |from: f64, to: f64| if t == 1.0 { to } else { from + (to - from) * t };
        let mut values = [0.0; 2];
        match self.axes.as_slice() {
            [] => values[0] = between(self.time[0], self.time[1]),
            axes => {
                for (value, axis) in values.iter_mut().zip(axes) {
                    *value = between(axis.from, axis.to);
                }
            }
        }
        Moment { values }
    }

    /// The moment at which it begins; over two joints, the configuration of the range that is nearest to where the model stands.
    pub fn start(&self) -> Moment {
        if !self.is_field() {
            return self.moment(0.0);
        }
        let near =
            |axis: &JointRange| axis.stand.clamp(axis.from.min(axis.to), axis.from.max(axis.to));
        Moment { values: [near(&self.axes[0]), near(&self.axes[1])] }
    }

    /// The pose of a part at a moment.
    pub fn pose(&self, part: usize, moment: Moment) -> Pose {
        let Some(stand) = self.stands.get(part) else { return Pose::IDENTITY };
        let displacement = self.displacement(&self.chains[part], moment);
        if displacement == Pose::IDENTITY { *stand } else { displacement.compose(stand) }
    }

    /// What some steps do together at a moment.
    pub(super) fn displacement(&self, chain: &[usize], moment: Moment) -> Pose {
        let [from, to] = self.time;
        let t =
            if to > from { ((moment.values[0] - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
        chain.iter().fold(Pose::IDENTITY, |outer, &index| {
            let step = &self.steps[index];
            let inner = match step {
                Step::Timed { path, .. } => path.pose(t),
                Step::Ranged { freedom, .. } => freedom.moved(step.place(moment.values)),
            };
            if inner == Pose::IDENTITY { outer } else { outer.compose(&inner) }
        })
    }

    /// Puts the parts of the model where they are at a moment.
    pub(crate) fn place(&self, model: &mut Model, moment: Moment) {
        for (index, part) in model.parts.iter_mut().enumerate() {
            if self.chains.get(index).is_some_and(|chain| !chain.is_empty()) {
                part.place(&self.pose(index, moment));
            }
        }
    }

    /// The steps of the straight way between two configurations; over time there is one way only.
    pub(super) fn way(&self, from: [f64; 2], to: [f64; 2]) -> Vec<Arc<MotionPath>> {
        self.steps.iter().map(|step| self.path(step, from, to)).collect()
    }

    fn path(&self, step: &Step, from: [f64; 2], to: [f64; 2]) -> Arc<MotionPath> {
        match step {
            Step::Timed { path, .. } => path.clone(),
            Step::Ranged { freedom, .. } => {
                let frames = [(0.0, step.place(from)), (1.0, step.place(to))];
                // Places were within what the kernel takes when the motion was read: this does not fail.
                Arc::new(freedom.path(&frames).unwrap_or_else(|_| self.still.clone()))
            }
        }
    }

    /// The steps from the first moment to the last.
    pub(super) fn whole_way(&self) -> Vec<Arc<MotionPath>> {
        self.way(self.moment(0.0).values, self.moment(1.0).values)
    }

    /// A step as a path along the axis that drives it.
    pub(crate) fn track(&self, step: &Step) -> (Arc<MotionPath>, usize) {
        let axis = step.ranged().map_or(0, |(_, axis, _)| axis);
        let ends = [0.0, 1.0].map(|t| self.moment(t).values);
        (self.path(step, ends[0], ends[1]), axis)
    }

    /// All steps.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The steps of a part, the outermost first.
    pub(crate) fn chain_of(&self, part: usize) -> &[usize] {
        self.chains.get(part).map_or(&[], Vec::as_slice)
    }

    /// What a moment is made of: a time, or the positions of one or two joints.
    pub fn values<'m>(&self, moment: &'m Moment) -> &'m [f64] {
        &moment.values[..self.axes.len().max(1)]
    }

    /// The unit of an axis, in a word.
    pub(crate) fn unit(&self, axis: &JointRange) -> &'static str {
        if axis.is_angle { "rad" } else { "m" }
    }

    /// Two parts with the steps that only one of them has; none if they do not move relative to each other.
    pub(crate) fn pair(&self, parts: [usize; 2]) -> Option<Pair> {
        let [a, b] = parts.map(|part| self.chains.get(part).map_or(&[][..], Vec::as_slice));
        let common = a.iter().zip(b).take_while(|(one, other)| one == other).count();
        (a.len() > common || b.len() > common).then_some(Pair { common, parts })
    }

    /// The steps of one side of a pair that the other does not have.
    pub(super) fn own(&self, pair: &Pair, side: usize) -> &[usize] {
        &self.chains[pair.parts[side]][pair.common..]
    }

    /// A part on some of its steps.
    pub(super) fn chain(
        &self,
        model: &Model,
        part: usize,
        steps: &[usize],
        way: &[Arc<MotionPath>],
    ) -> Chain {
        let stand = &self.stands[part];
        let steps: Vec<Arc<MotionPath>> = steps.iter().map(|&index| way[index].clone()).collect();
        Chain::new(&steps, stand, self.middle(model, part))
    }

    /// The middle of a part in its own frame.
    pub(super) fn middle(&self, model: &Model, part: usize) -> DVec3 {
        let part = &model.parts[part];
        let middle = 0.5 * part.bounds.low + 0.5 * part.bounds.high;
        part.pose().inverse_transform_point(middle)
    }
}
