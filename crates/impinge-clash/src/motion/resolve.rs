//! From the file to a movement: names become parts and joints, key frames become steps.

use super::file::{MotionError, MotionFile, Move, Range, Target};
use super::movement::{JointRange, Line, Movement, Step};
use super::quantity::Quantity;
use crate::model::Model;
use crate::robot;
use crate::selector::like;
use crate::suggest::did_you_mean;
use impinge::geom::glam::DVec3;
use impinge::{Motion, MotionPath, Pose, RigidMotion};
use impinge_robot::{Freedom, Joint, TreeError};
use std::sync::Arc;
use toml::Spanned;

/// Work per pair unless the file says more or less.
const MAX_STEPS: u32 = 4000;

/// The interval of a first contact, as a share of the whole, unless the file says otherwise.
const PRECISION: f64 = 1e-6;

/// What a name stands for.
enum Found {
    Parts(Vec<usize>),
    Joint(usize),
}

impl MotionFile {
    /// What the file moves in a model.
    pub(super) fn resolve(&self, model: &Model) -> Result<Movement, MotionError> {
        let mut resolver = Resolver {
            file: self,
            model,
            scale: self.scale(model.unit)?,
            steps: Vec::new(),
            by_part: vec![Vec::new(); model.parts.len()],
            by_joint: vec![None; model.robot.joints().len()],
            notes: Vec::new(),
        };
        let (axes, time) = if self.written.ranges.is_empty() {
            (Vec::new(), resolver.moves()?)
        } else {
            (resolver.ranges()?, [0.0, 1.0])
        };
        let Resolver { steps, by_part, by_joint, notes, .. } = resolver;
        let chain = |(part, mut chain): (usize, Vec<usize>)| {
            let link = model.parts[part].link;
            let joints = link.map_or_else(Vec::new, |link| model.robot.joints_above(link));
            chain.extend(joints.into_iter().filter_map(|joint| by_joint[joint]));
            chain
        };
        let rest = MotionPath::through(&[(0.0, Pose::IDENTITY)]);
        let mut movement = Movement {
            still: rest.map_err(|error| MotionError(error.to_string()))?,
            name: self.name.clone(),
            axes,
            time,
            notes,
            precision: PRECISION,
            max_steps: MAX_STEPS,
            steps,
            chains: by_part.into_iter().enumerate().map(chain).collect(),
            stands: model.parts.iter().map(|part| *part.pose()).collect(),
        };
        self.settle(&mut movement)?;
        Ok(movement)
    }

    /// Precision and work.
    fn settle(&self, movement: &mut Movement) -> Result<(), MotionError> {
        if let Some(precision) = &self.written.precision {
            let share = precision.get_ref().0 / (movement.time[1] - movement.time[0]);
            if !movement.axes.is_empty() {
                let message = "precision is a time, which ranges do not have: they are certified to a millionth of the range";
                return Err(self.wrong(precision, message));
            }
            if !(1e-12..=1.0).contains(&share) {
                let message =
                    "precision must be between 1e-12 of the motion's duration and all of it";
                return Err(self.wrong(precision, message));
            }
            movement.precision = share;
        }
        if let Some(steps) = &self.written.max_steps {
            let fits = u32::try_from(*steps.get_ref())
                .ok()
                .filter(|&count| (1..=1_000_000).contains(&count));
            movement.max_steps =
                fits.ok_or_else(|| self.wrong(steps, "max_steps must be between 1 and 1000000"))?;
        }
        Ok(())
    }
}

struct Resolver<'r> {
    file: &'r MotionFile,
    model: &'r Model,
    /// Lengths of the file times this are lengths of the model.
    scale: f64,
    steps: Vec<Step>,
    by_part: Vec<Vec<usize>>,
    by_joint: Vec<Option<usize>>,
    notes: Vec<String>,
}

impl Resolver<'_> {
    /// Key frames over time; the first and the last time.
    fn moves(&mut self) -> Result<[f64; 2], MotionError> {
        let file = self.file;
        let mut time = [f64::INFINITY, f64::NEG_INFINITY];
        for one in &file.written.moves {
            let keys = &one.get_ref().keys;
            if keys.is_empty() {
                let message =
                    "no key frames; add keys = [{ time = \"0s\", ... }, { time = \"2s\", ... }]";
                return Err(file.wrong(one, message));
            }
            for key in keys {
                let at = key.get_ref().time.get_ref().0;
                time = [time[0].min(at), time[1].max(at)];
            }
            for two in keys.windows(2) {
                let [before, after] = [&two[0], &two[1]].map(|key| &key.get_ref().time);
                if after.get_ref().0 <= before.get_ref().0 {
                    let message = "the time of a key frame must be after that of the one before it";
                    return Err(file.wrong(after, message));
                }
            }
        }
        if time[1] <= time[0] {
            let message = "all key frames have the same time; add a later one";
            return Err(file.wrong(&file.written.moves[0], message));
        }
        for one in &file.written.moves {
            match self.find(&one.get_ref().target(), one)? {
                Found::Parts(parts) => {
                    let (path, line) = self.free_path(one.get_ref(), time)?;
                    let step = self.add(Step::Timed { path: Arc::new(path), line });
                    parts.iter().for_each(|&part| self.by_part[part].push(step));
                }
                Found::Joint(joint) => self.joint_path(one, joint, time)?,
            }
        }
        Ok(time)
    }

    fn add(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// The way of parts: a turn about an axis, a shift, a rotation.
    fn free_path(
        &self,
        one: &Move,
        time: [f64; 2],
    ) -> Result<(MotionPath, Option<Line>), MotionError> {
        let file = self.file;
        let point = self.point(one.point.as_ref())?;
        let mut frames: Vec<(f64, Frame)> = Vec::new();
        for key in &one.keys {
            let key = key.get_ref();
            let mut frame = frames.last().map_or(Frame::default(), |(_, frame)| *frame);
            if let Some(position) = &key.position {
                return Err(
                    file.wrong(position, "parts have no position; write turn, shift or rotation")
                );
            }
            if let Some(shift) = &key.shift {
                frame.shift = self.length(shift)?;
            }
            match (&key.turn, &key.rotation) {
                (Some(turn), Some(_)) => {
                    return Err(
                        file.wrong(turn, "a turn about the axis and a rotation exclude each other")
                    );
                }
                (Some(turn), None) => {
                    if one.axis.is_none() {
                        return Err(file.wrong(turn, "about what? Add axis = [0, 0, 1] and point = [0, 0, 0] to the [[move]]"));
                    }
                    let angle = turn.get_ref().angle().map_err(|error| file.wrong(turn, error))?;
                    frame.turn = self.position(turn, angle)?;
                }
                (None, Some(rotation)) => {
                    let super::file::Rotation { axis, angle } = rotation.get_ref();
                    let radians =
                        angle.get_ref().angle().map_err(|error| file.wrong(angle, error))?;
                    let pose =
                        Pose::from_axis_angle(*axis, self.position(angle, radians)?, [0.0; 3]);
                    frame.rotation =
                        Some(pose.map_err(|error| file.wrong(rotation, error.to_string()))?);
                }
                (None, None) => {}
            }
            frames.push((key.time.get_ref().0, frame));
        }
        let axis = match &one.axis {
            Some(axis) => match Freedom::turn(point.to_array(), *axis.get_ref()) {
                Ok(Freedom::Turn { axis, .. }) => axis,
                Ok(_) => DVec3::Z,
                Err(error) => return Err(file.wrong(axis, error.to_string())),
            },
            None => DVec3::Z,
        };
        if frames.iter().any(|(_, frame)| frame.rotation.is_some() && frame.turn != 0.0) {
            let message = "turns about the axis and rotations cannot be mixed in one [[move]]; use two of them";
            return Err(file.refuse(one.keys[0].span().start, message));
        }
        let hold = extended(&frames, time);
        let piece =
            |two: &[(f64, Frame)]| Ok((two[1].0 - two[0].0, two[0].1.to(&two[1].1, point, axis)?));
        let pieces: Result<Vec<_>, impinge::geom::GeometryError> =
            hold.windows(2).map(piece).collect();
        let path = pieces.and_then(|pieces| MotionPath::of_pieces(&pieces));
        let path = path.map_err(|error| file.refuse(one.keys[0].span().start, &error.to_string()));
        let turns_only =
            |(_, frame): &(f64, Frame)| frame.rotation.is_none() && frame.shift == DVec3::ZERO;
        let line = frames.iter().all(turns_only).then_some(Line { point, axis });
        Ok((path?, line))
    }

    /// The way of a joint, and of those that follow it.
    fn joint_path(
        &mut self,
        one: &Spanned<Move>,
        index: usize,
        time: [f64; 2],
    ) -> Result<(), MotionError> {
        let (file, model) = (self.file, self.model);
        let joint = &model.robot.joints()[index];
        let (mut frames, mut position) = (Vec::new(), joint.position);
        for key in &one.get_ref().keys {
            let key = key.get_ref();
            if key.turn.is_some() || key.shift.is_some() || key.rotation.is_some() {
                return Err(file.wrong(
                    &key.time,
                    "a joint has one position per key frame; write position = \"90deg\"",
                ));
            }
            if let Some(written) = &key.position {
                position = self.joint_position(joint, written)?;
                if !joint.allows(position) {
                    let [low, high] = joint.limits.unwrap_or_default();
                    self.notes.push(format!(
                        "joint \"{}\" leaves its limits {low} to {high}: {position}",
                        joint.name
                    ));
                }
            }
            frames.push((key.time.get_ref().0, position));
        }
        let frames = extended(&frames, time);
        for (other, factor, offset) in self.followers(index, one)? {
            let freedom = model.robot.joints()[other].freedom;
            let place = |&(time, position): &(f64, f64)| (time, factor * position + offset);
            let path = freedom.path(&frames.iter().map(place).collect::<Vec<_>>());
            let path = path.map_err(|error| file.wrong(one, error.to_string()))?;
            self.drive(other, Step::Timed { path: Arc::new(path), line: Line::of(&freedom) }, one)?;
        }
        Ok(())
    }

    /// A joint and those that follow it: with the factor and the offset by which their places, measured from where they stand, follow its position.
    fn followers<T>(
        &self,
        index: usize,
        at: &Spanned<T>,
    ) -> Result<Vec<(usize, f64, f64)>, MotionError> {
        let robot = &self.model.robot;
        let positions = |position: f64| {
            let all = robot.positions(&[(index, position)]);
            all.map_err(|error| self.file.wrong(at, error.to_string()))
        };
        let (zero, one) = (positions(0.0)?, positions(1.0)?);
        let follows = |(other, joint): (usize, &Joint)| {
            let factor = one[other] - zero[other];
            let moves = factor != 0.0 && joint.freedom != Freedom::Fixed;
            moves.then(|| (other, factor, zero[other] - joint.position))
        };
        Ok(robot.joints().iter().enumerate().filter_map(follows).collect())
    }

    /// A joint takes part with a step.
    fn drive<T>(&mut self, joint: usize, step: Step, at: &Spanned<T>) -> Result<(), MotionError> {
        let index = self.add(step);
        if self.by_joint[joint].replace(index).is_some() {
            let name = &self.model.robot.joints()[joint].name;
            let message =
                format!("joint \"{name}\" is moved twice; put its key frames into one [[move]]");
            return Err(self.file.wrong(at, message));
        }
        Ok(())
    }

    /// Ranges of joints, or of parts about or along an axis.
    fn ranges(&mut self) -> Result<Vec<JointRange>, MotionError> {
        let file = self.file;
        let mut axes = Vec::new();
        for (axis, range) in file.written.ranges.iter().enumerate() {
            axes.push(match self.find(&range.get_ref().target(), range)? {
                Found::Joint(joint) => self.joint_range(range, joint, axis)?,
                Found::Parts(parts) => {
                    let (made, freedom) = self.free_range(range)?;
                    let metres = self.model.unit.metres();
                    let factor = if made.is_angle { 1.0 } else { metres.recip() };
                    let step = self.add(Step::Ranged { freedom, axis, factor, offset: 0.0 });
                    parts.iter().for_each(|&part| self.by_part[part].push(step));
                    made
                }
            });
        }
        Ok(axes)
    }

    fn joint_range(
        &mut self,
        range: &Spanned<Range>,
        index: usize,
        axis: usize,
    ) -> Result<JointRange, MotionError> {
        let (file, model) = (self.file, self.model);
        let joint = &model.robot.joints()[index];
        let end = |written: &Option<Spanned<Quantity>>, k: usize| match (written, joint.limits) {
            (Some(written), _) => self.joint_position(joint, written),
            (None, Some(limits)) => Ok(limits[k]),
            (None, None) => {
                let message =
                    format!("joint \"{}\" has no limits in the file; add from and to", joint.name);
                Err(file.wrong(range, message))
            }
        };
        let (from, to) = (end(&range.get_ref().from, 0)?, end(&range.get_ref().to, 1)?);
        if from == to {
            return Err(file.wrong(range, "the range is empty: from and to are the same"));
        }
        for (other, factor, offset) in self.followers(index, range)? {
            let freedom = model.robot.joints()[other].freedom;
            self.drive(other, Step::Ranged { freedom, axis, factor, offset }, range)?;
        }
        if !(joint.allows(from) && joint.allows(to)) {
            let [low, high] = joint.limits.unwrap_or_default();
            self.notes.push(format!(
                "the range of joint \"{}\" leaves its limits {low} to {high}",
                joint.name
            ));
        }
        let is_angle = matches!(joint.freedom, Freedom::Turn { .. });
        Ok(JointRange { name: joint.name.clone(), from, to, is_angle, stand: joint.position })
    }

    fn free_range(&self, range: &Spanned<Range>) -> Result<(JointRange, Freedom), MotionError> {
        let file = self.file;
        let Range { axis, point, from, to, .. } = range.get_ref();
        let (Some(axis), Some(from), Some(to)) = (axis, from, to) else {
            let message = "a range of parts needs axis, point, from and to; a length from and to slides along the axis";
            return Err(file.wrong(range, message));
        };
        let point = self.point(point.as_ref())?;
        let refused = |error: impinge::geom::GeometryError| file.wrong(axis, error.to_string());
        let turn = Freedom::turn(point.to_array(), *axis.get_ref()).map_err(refused)?;
        let is_angle = !(from.get_ref().is_length() || to.get_ref().is_length());
        let value = |written: &Spanned<Quantity>| {
            let read =
                |quantity: Quantity| if is_angle { quantity.angle() } else { quantity.slid() };
            let value = read(*written.get_ref()).map_err(|error| file.wrong(written, error))?;
            self.position(written, value)
        };
        let (from, to) = (value(from)?, value(to)?);
        if from == to {
            return Err(file.wrong(range, "the range is empty: from and to are the same"));
        }
        let freedom = match turn {
            Freedom::Turn { axis: along, .. } if !is_angle => {
                Freedom::slide(along.to_array()).map_err(refused)?
            }
            turn => turn,
        };
        let target = range.get_ref().target();
        let name = match (target.node, target.parts) {
            (Some(node), _) => node.get_ref().clone(),
            (None, Some(parts)) => parts.get_ref().to_string(),
            (None, None) => String::new(),
        };
        Ok((JointRange { name, from, to, is_angle, stand: 0.0 }, freedom))
    }

    /// The parts or the joint that a name stands for.
    fn find<T>(&self, target: &Target<'_>, owner: &Spanned<T>) -> Result<Found, MotionError> {
        let (file, model) = (self.file, self.model);
        match (target.parts, target.node, target.joint) {
            (Some(set), None, None) => {
                let parts: Vec<usize> = (0..model.parts.len())
                    .filter(|&part| set.get_ref().holds(&model.parts[part]))
                    .collect();
                if parts.is_empty() {
                    let wanted = set.get_ref().include.first().map_or("", String::as_str);
                    let near = self.near_part(wanted.trim_matches('*'));
                    let message = format!("no part matches \"{}\"{near}", set.get_ref());
                    return Err(file.wrong(set, message));
                }
                Ok(Found::Parts(parts))
            }
            (None, Some(node), None) => {
                let name = node.get_ref().trim_end_matches('/');
                let below = |path: &str| {
                    path.strip_prefix(name)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                };
                let parts: Vec<usize> =
                    (0..model.parts.len()).filter(|&part| below(&model.parts[part].path)).collect();
                if parts.is_empty() {
                    let message = format!("no node is called \"{name}\"{}", self.near_part(name));
                    return Err(file.wrong(node, message));
                }
                Ok(Found::Parts(parts))
            }
            (None, None, Some(joint)) => self.find_joint(joint).map(Found::Joint),
            (None, None, None) => {
                let message = "what moves? Add parts = \"...\", node = \"...\" or joint = \"...\"";
                Err(file.wrong(owner, message))
            }
            _ => Err(file.wrong(owner, "parts, node and joint exclude each other; use two tables")),
        }
    }

    /// "did you mean …?" among names, paths and the nodes above them.
    fn near_part(&self, wanted: &str) -> String {
        let paths = self.model.parts.iter().map(|part| part.path.as_str());
        let above = paths.clone().filter_map(|path| Some(path.rsplit_once('/')?.0));
        let names = self.model.parts.iter().map(|part| part.name.as_str());
        let near = did_you_mean(wanted, paths.chain(above).chain(names));
        if near.is_empty() { "; `impinge inspect --parts` lists them".to_string() } else { near }
    }

    fn find_joint(&self, wanted: &Spanned<String>) -> Result<usize, MotionError> {
        let (file, model) = (self.file, self.model);
        let name = wanted.get_ref().as_str();
        let joints = model.robot.joints();
        let last = name.rsplit('/').next().unwrap_or(name);
        let fits = |joint: &Joint| {
            joint.name == name
                || (name.contains('/')
                    && like(last, &joint.name)
                    && like(name, &robot::joint_path(model, joint)))
        };
        let found: Vec<usize> = (0..joints.len()).filter(|&index| fits(&joints[index])).collect();
        match found.as_slice() {
            [index] if joints[*index].is_free() => Ok(*index),
            [index] => {
                let error = TreeError::NotFree { joint: joints[*index].name.clone() };
                Err(file.wrong(wanted, error.to_string()))
            }
            [] if joints.is_empty() => {
                let message =
                    "the model has no joints (only URDF robots have them); move parts or a node";
                Err(file.wrong(wanted, message))
            }
            [] => {
                let free =
                    joints.iter().filter(|joint| joint.is_free()).map(|joint| joint.name.as_str());
                let near = did_you_mean(name, free.clone());
                let list: Vec<String> = free.take(12).map(|name| format!("\"{name}\"")).collect();
                let hint =
                    if near.is_empty() { format!("; there are {}", list.join(", ")) } else { near };
                Err(file.wrong(wanted, format!("no joint is called \"{name}\"{hint}")))
            }
            [first, ..] => {
                let path = robot::joint_path(model, &joints[*first]);
                let message = format!(
                    "{} joints are called \"{name}\"; write the path of one, such as \"{path}\"",
                    found.len()
                );
                Err(file.wrong(wanted, message))
            }
        }
    }

    fn joint_position(
        &self,
        joint: &Joint,
        written: &Spanned<Quantity>,
    ) -> Result<f64, MotionError> {
        let quantity = *written.get_ref();
        let slides = matches!(joint.freedom, Freedom::Slide { .. });
        let position = if slides { quantity.slid() } else { quantity.turned() };
        let position = position.map_err(|error| self.file.wrong(written, error))?;
        self.position(written, position)
    }

    fn position<T>(&self, written: &Spanned<T>, value: f64) -> Result<f64, MotionError> {
        if value.abs() <= 1_048_576.0 {
            return Ok(value);
        }
        Err(self.file.wrong(written, "positions and angles are at most 2^20"))
    }

    fn point(&self, written: Option<&Spanned<[f64; 3]>>) -> Result<DVec3, MotionError> {
        written.map_or(Ok(DVec3::ZERO), |written| self.length(written))
    }

    /// A point or a way in the unit of the model.
    fn length(&self, written: &Spanned<[f64; 3]>) -> Result<DVec3, MotionError> {
        let value = DVec3::from_array(*written.get_ref()) * self.scale;
        let sound = Pose::from_translation(value.to_array());
        sound.map(|_| value).map_err(|error| self.file.wrong(written, error.to_string()))
    }
}

/// Where parts are at a key frame.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    shift: DVec3,
    turn: f64,
    rotation: Option<Pose>,
}

impl Frame {
    fn rotated(&self, axis: DVec3) -> Result<Pose, impinge::geom::GeometryError> {
        match self.rotation {
            Some(rotation) => Ok(rotation),
            None if self.turn == 0.0 => Ok(Pose::IDENTITY),
            None => Pose::from_axis_angle(axis.to_array(), self.turn, [0.0; 3]),
        }
    }

    /// From here to another frame, about a point that shifts.
    fn to(
        &self,
        other: &Self,
        point: DVec3,
        axis: DVec3,
    ) -> Result<RigidMotion, impinge::geom::GeometryError> {
        let rotated = self.rotated(axis)?;
        let start = if rotated == Pose::IDENTITY {
            Pose::from_translation(self.shift.to_array())?
        } else {
            rotated.with_translation((point - rotated.rotate(point) + self.shift).to_array())?
        };
        let turn = if self.rotation.is_some() || other.rotation.is_some() {
            RigidMotion::between(&rotated, &other.rotated(axis)?).velocity(0.0, 1.0).angular
        } else {
            axis * (other.turn - self.turn)
        };
        RigidMotion::turning(&start, point, other.shift - self.shift, turn)
    }
}

/// The frames, held before the first and after the last.
fn extended<T: Copy>(frames: &[(f64, T)], [from, to]: [f64; 2]) -> Vec<(f64, T)> {
    let mut all = frames.to_vec();
    if let (Some(&(first, start)), Some(&(last, end))) = (frames.first(), frames.last()) {
        if first > from {
            all.insert(0, (from, start));
        }
        if last < to {
            all.push((to, end));
        }
    }
    all
}
