//! Which pairs can come near on the way: boxes around parts over slices of it.

use super::encounter::Moment;
use super::movement::Movement;
use crate::model::Model;
use impinge::geom::DAabb;
use impinge::geom::glam::DVec3;
use impinge::geom::motion::Reach;
use impinge::{Motion, MotionPath};
use impinge_robot::{Chain, Freedom};
use std::sync::Arc;

/// Slices of the way, each with boxes of its own.
const SLICES: usize = 64;

/// For every part its boxes: one if it stands still, else one per slice.
pub(crate) struct Swept {
    boxes: Vec<Vec<DAabb>>,
}

impl Swept {
    /// The boxes of all parts.
    pub(crate) fn new(model: &Model, movement: &Movement) -> Self {
        let way = if movement.is_field() { Vec::new() } else { movement.whole_way() };
        let part = |part: usize| {
            if movement.chains[part].is_empty() {
                vec![model.parts[part].bounds]
            } else if movement.is_field() {
                vec![over_field(model, movement, part)]
            } else {
                over_time(model, movement, part, &way)
            }
        };
        Self { boxes: (0..model.parts.len()).map(part).collect() }
    }

    /// The box around all of a part's way.
    pub(crate) fn whole(&self, part: usize) -> DAabb {
        self.boxes[part].iter().fold(DAabb::EMPTY, |all, one| all.joined(one))
    }

    /// True if the boxes of two parts come within a distance in some slice.
    pub(crate) fn come_near(&self, [a, b]: [usize; 2], distance: f64) -> bool {
        let (one, other) = (&self.boxes[a], &self.boxes[b]);
        let count = one.len().max(other.len());
        let at = |boxes: &[DAabb], k: usize| boxes[if boxes.len() == 1 { 0 } else { k }];
        (0..count).any(|k| meet(&at(one, k).grown(distance), &at(other, k)))
    }
}

fn meet(a: &DAabb, b: &DAabb) -> bool {
    a.low.cmple(b.high).all() && b.low.cmple(a.high).all()
}

/// The corners of a part's box.
fn corners(bounds: &DAabb) -> [DVec3; 8] {
    std::array::from_fn(|k| {
        let pick =
            |axis: usize| if k >> axis & 1 == 0 { bounds.low[axis] } else { bounds.high[axis] };
        DVec3::new(pick(0), pick(1), pick(2))
    })
}

/// A box per slice: that of the corners in the middle of the slice, and as much more as they can go from there.
fn over_time(
    model: &Model,
    movement: &Movement,
    part: usize,
    way: &[Arc<MotionPath>],
) -> Vec<DAabb> {
    let chain: Chain = movement.chain(model, part, &movement.chains[part], way);
    let pose = model.parts[part].pose();
    let local =
        corners(&model.parts[part].bounds).map(|corner| pose.inverse_transform_point(corner));
    let slice = |k: usize| {
        let [from, to] = [k, k + 1].map(|k| k as f64 / SLICES as f64);
        let placed = chain.pose(from + (to - from) * 0.5);
        let bounds = DAabb::of_points(local.iter().map(|&corner| placed.transform_point(corner)));
        let (mut t, mut fastest) = (from, 0.0f64);
        while t < to {
            let end = chain.piece_end(t).min(to);
            let bound = chain.velocity(t, end);
            let arm = local.iter().map(|corner| corner.distance(bound.center)).fold(0.0, f64::max);
            let turning = bound.angular.length() + bound.angular_spread;
            fastest = fastest.max(bound.linear.length() + bound.linear_spread + turning * arm);
            t = if end > t { end } else { to };
        }
        let scale = bounds.low.abs().max(bounds.high.abs()).max_element();
        bounds.grown(0.5 * (to - from) * fastest * (1.0 + 1e-9) + 1e-12 * scale)
    };
    (0..SLICES).map(slice).collect()
}

/// One box over the ranges of two joints.
fn over_field(model: &Model, movement: &Movement, part: usize) -> DAabb {
    let ball = ball(model, movement, part);
    let middle =
        Moment { values: [0, 1].map(|k| 0.5 * (movement.axes[k].from + movement.axes[k].to)) };
    let center = movement.displacement(&movement.chains[part], middle).transform_point(ball.center);
    let speeds = speeds(movement, &movement.chains[part], &ball);
    let half = |k: usize| 0.5 * (movement.axes[k].to - movement.axes[k].from).abs();
    let reach = ball.radius + speeds[0] * half(0) + speeds[1] * half(1);
    DAabb::of_points([center]).grown(reach * (1.0 + 1e-9) + 1e-12 * center.abs().max_element())
}

/// A ball around a part where it stands.
pub(super) fn ball(model: &Model, movement: &Movement, part: usize) -> Reach {
    let DAabb { low, high } = model.parts[part].bounds;
    let center = movement.stands[part].transform_point(movement.middle(model, part));
    Reach { center, radius: 0.5 * low.distance(high) }
}

/// How far points of a ball on a chain move at most, per unit of each of the two axes.
pub(super) fn speeds(movement: &Movement, chain: &[usize], ball: &Reach) -> [f64; 2] {
    let ends = [0.0, 1.0].map(|t| movement.moment(t).values);
    let ranged: Vec<(Freedom, [f64; 2], usize, f64)> = chain
        .iter()
        .filter_map(|&index| {
            let step = &movement.steps[index];
            let places = ends.map(|values| step.place(values));
            let interval = [places[0].min(places[1]), places[0].max(places[1])];
            step.ranged().map(|(freedom, axis, factor)| (freedom, interval, axis, factor))
        })
        .collect();
    let steps: Vec<(Freedom, [f64; 2])> = ranged.iter().map(|step| (step.0, step.1)).collect();
    let mut speeds = [0.0; 2];
    for (speed, (_, _, axis, factor)) in Freedom::speeds(&steps, ball).into_iter().zip(&ranged) {
        speeds[*axis] += speed * factor.abs();
    }
    speeds
}
