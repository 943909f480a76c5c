//! Simple bodies around parts that stay apart on all of the way: most pairs of a mechanism are dismissed by one look at them.
//!
//! What turns about a fixed line sweeps a body of revolution. Two parts that turn about one line are apart if their rectangles of radius and height are; of a
//! part whose last step is such a turn a cylinder is followed that leaves the turn out; of any other part its box.

use super::movement::{Line, Step};
use super::sweep::Encountered;
use crate::model::ModelPart;
use impinge::geom::glam::{DQuat, DVec3};
use impinge::query::{self, ImpactSettings, Workspace};
use impinge::{Geometry, MotionPath, Pose, Shape};
use impinge_robot::Chain;
use std::sync::Arc;

/// Room for rounding, as a share of coordinates.
const ROUNDING: f64 = 1e-9;

/// A time that is only compared with the end.
const COARSE: ImpactSettings = ImpactSettings { tolerance: 1e-3, max_steps: 400, clearance: 0.0 };

/// What a part sweeps as it turns about a line: radii and heights.
struct Profile {
    radii: [f64; 2],
    heights: [f64; 2],
    /// What rounding may take.
    slack: f64,
}

/// True if bodies around both parts stay farther apart than a distance, wherever the steps of the way take them.
pub(super) fn stay_apart(
    pair: &Encountered<'_>,
    way: &[Arc<MotionPath>],
    distance: f64,
    workspace: &mut Workspace,
) -> bool {
    let lines = [0, 1].map(|side| {
        let own = pair.movement.own(&pair.pair, side).iter();
        own.map(|&step| pair.movement.steps[step].line()).collect::<Vec<_>>()
    });
    if let Some(line) = common_line(lines.iter().flatten().copied()) {
        let profiles = [0, 1].map(|side| Profile::of(pair, side, &line));
        if profiles[0].is_apart(&profiles[1], distance) {
            return true;
        }
    }
    let [Some((geometry_a, chain_a)), Some((geometry_b, chain_b))] =
        [0, 1].map(|side| shell(pair, way, side, lines[side].last().copied().flatten()))
    else {
        return false;
    };
    let settings = ImpactSettings { clearance: distance, ..COARSE };
    let found =
        query::impact_with(&chain_a, &geometry_a, &chain_b, &geometry_b, &settings, workspace);
    found.first.is_none()
}

/// The line about which all steps turn, if there is one.
fn common_line(mut lines: impl Iterator<Item = Option<Line>>) -> Option<Line> {
    let first = lines.next()??;
    let same = |line: Option<Line>| {
        line.is_some_and(|line| {
            let way = line.point - first.point;
            let scale = line.point.abs().max(first.point.abs()).max_element();
            let off = way - first.axis * first.axis.dot(way);
            line.axis.cross(first.axis).length() <= 1e-14 && off.length() <= 1e-14 * scale
        })
    };
    lines.all(same).then_some(first)
}

impl Profile {
    fn of(pair: &Encountered<'_>, side: usize, line: &Line) -> Self {
        let index = pair.pair.parts[side];
        let (part, stand) = (&pair.model.parts[index], &pair.movement.stands[index]);
        let (mesh, scale) = (part.instance.mesh(), part.instance.scale());
        let corners: Vec<[f64; 3]> = mesh
            .vertices()
            .iter()
            .map(|&vertex| line.coordinates(stand.transform_point(vertex * scale)))
            .collect();
        let mut radii = [f64::INFINITY, 0.0f64];
        let mut heights = [f64::INFINITY, f64::NEG_INFINITY];
        let mut size = line.point.abs().max_element();
        for &[x, y, z] in &corners {
            radii[1] = radii[1].max(x.hypot(y));
            heights = [heights[0].min(z), heights[1].max(z)];
            size = size.max(x.abs()).max(y.abs()).max(z.abs());
        }
        for triangle in mesh.triangles() {
            let flat = triangle.map(|k| corners.get(k as usize).map_or([0.0; 2], |c| [c[0], c[1]]));
            radii[0] = radii[0].min(distance_from_origin(flat));
        }
        if part.is_round() {
            // The mesh of something round lies within it: a sagitta of 64 sides at most.
            let more = 0.01 * size;
            radii = [radii[0] - more, radii[1] + more];
            heights = [heights[0] - more, heights[1] + more];
        }
        Self { radii, heights, slack: ROUNDING * size }
    }

    fn is_apart(&self, other: &Self, distance: f64) -> bool {
        let room = distance + self.slack + other.slack;
        let after = |one: &[f64; 2], other: &[f64; 2]| other[0] - one[1] > room;
        let either = |one: &[f64; 2], two: &[f64; 2]| after(one, two) || after(two, one);
        either(&self.radii, &other.radii) || either(&self.heights, &other.heights)
    }
}

/// The distance of a triangle in the plane from the origin.
fn distance_from_origin(corners: [[f64; 2]; 3]) -> f64 {
    let mut least = f64::INFINITY;
    let (mut left, mut right) = (false, false);
    for k in 0..3 {
        let ([ax, ay], [bx, by]) = (corners[k], corners[(k + 1) % 3]);
        let (dx, dy) = (bx - ax, by - ay);
        let square = dx * dx + dy * dy;
        let share =
            if square > 0.0 { (-(ax * dx + ay * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
        least = least.min((ax + share * dx).hypot(ay + share * dy));
        let turn = ax * by - ay * bx;
        left |= turn > 0.0;
        right |= turn < 0.0;
    }
    if left && right { least } else { 0.0 }
}

/// A body around a part, and how it moves.
fn shell(
    pair: &Encountered<'_>,
    way: &[Arc<MotionPath>],
    side: usize,
    last: Option<Line>,
) -> Option<(Geometry, Chain)> {
    let index = pair.pair.parts[side];
    let part = &pair.model.parts[index];
    let own = pair.movement.own(&pair.pair, side);
    let Some(line) = last else {
        return Some((boxed(part)?, pair.movement.chain(pair.model, index, own, way)));
    };
    let Profile { radii, heights, slack } = Profile::of(pair, side, &line);
    let half = 0.5 * (heights[1] - heights[0]) + slack;
    let middle = line.point + line.axis * (0.5 * (heights[0] + heights[1]));
    let cylinder = Shape::cylinder(radii[1] + slack, half).ok()?;
    let turn = DQuat::from_rotation_arc(DVec3::Z, line.axis);
    let pose = Pose::from_quat(turn, middle).ok()?;
    let outer = &own[..own.len() - 1];
    let steps: Vec<Arc<MotionPath>> = outer.iter().map(|&step| way[step].clone()).collect();
    Some((cylinder.into(), Chain::new(&steps, &pose, DVec3::ZERO)))
}

/// The box of a part in its own frame.
fn boxed(part: &ModelPart) -> Option<Geometry> {
    if part.is_exact() {
        return Some(part.solid().clone());
    }
    let (bounds, scale) = (part.instance.mesh().bounds(), part.instance.scale());
    let (low, high) = (bounds.low * scale, bounds.high * scale);
    let half = 0.5 * (high - low) + ROUNDING * low.abs().max(high.abs()).max_element();
    let shape = Shape::cuboid(half.to_array()).ok()?;
    let pose = Pose::from_translation((0.5 * low + 0.5 * high).to_array()).ok()?;
    Geometry::compound([(0, pose, shape.into())]).ok()
}

impl Step {
    /// The line about which it turns, if it does nothing else.
    pub(super) fn line(&self) -> Option<Line> {
        match self {
            Self::Timed { line, .. } => *line,
            Self::Ranged { freedom, .. } => Line::of(freedom),
        }
    }
}

impl Line {
    /// A point across the line, and its height along it.
    fn coordinates(&self, point: DVec3) -> [f64; 3] {
        let (x, y) = self.axis.any_orthonormal_pair();
        let way = point - self.point;
        [x.dot(way), y.dot(way), self.axis.dot(way)]
    }
}
