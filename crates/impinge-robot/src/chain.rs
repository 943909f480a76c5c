//! Composed motions: a body at the end of a chain of joints.
//!
//! Each step displaces everything below it by a line and a constant turn over a piece of time. With T the displacement of its parent, the
//! step turns the body with the angular velocity R w about the point g = T c, whose velocity in T is u. So a point p of the body has the velocity
//! Σ T u + (R w) × (p − g). Its derivative has three terms per step, of which only the lengths are used: what hangs on T turns with at most the sum W of
//! the rates above it, and p and g part at most as fast as the steps below allow:
//!
//! |p̈| ≤ Σ W⁻ |u| + W⁻ |w| ρ + |w| (W ρ + S), where W⁻ is without the step's own rate, ρ ≥ |p − g|, and S = Σ below |u| + |w| ρ; and |ω̇| ≤ Σ W⁻ |w|.
//!
//! A piece in which one step moves, or all turn about parallel axes, has a steady angular velocity; one in which several turn is cut so short that the spread of
//! velocities stays small beside the velocities. This is what P. Schwarzer, M. Saha and J.-C. Latombe ("Adaptive dynamic collision checking for single and multiple
//! articulated robots in complex environments", 2005) do with lengths of paths; knowing velocities and accelerations, directions of escape count too.

use impinge::geom::glam::DVec3;
use impinge::geom::motion::VelocityBound;
use impinge::{Motion, MotionPath, Pose};
use std::sync::Arc;

/// A body at the end of a chain of steps.
#[derive(Clone, Debug)]
pub struct Chain {
    steps: Vec<Arc<MotionPath>>,
    pieces: Vec<Piece>,
}

/// A span of time in which every step is one line and one turn.
#[derive(Clone, Debug)]
struct Piece {
    end: f64,
    /// The steps that move, each with the combined displacement of the resting steps before it.
    moving: Vec<(Pose, usize)>,
    /// From the last of them to the body.
    last: Pose,
    bound: VelocityBound,
}

/// The greatest turn within a piece, in radians, where several steps move.
const WIDEST_TURN: f64 = 0.35;

/// The largest number of pieces: beyond it pieces are longer and bounds wider.
const MOST_PIECES: f64 = 20_000.0;

/// Covers the rounding of the bounds themselves.
const ROUNDING: f64 = 1.0 + 1e-9;

impl Chain {
    /// A body at `pose`, displaced by steps, outermost first. `center` is a point of the body, in its own frame: the middle of its geometry
    /// makes the bounds tight.
    ///
    /// Two bodies whose chains begin with the same steps meet exactly when they do without them: omit those steps for both, and work in
    /// the frame of the last common step.
    pub fn new(steps: &[Arc<MotionPath>], pose: &Pose, center: impl Into<DVec3>) -> Self {
        let center = center.into();
        let mut chain = Self { steps: steps.to_vec(), pieces: Vec::new() };
        let mut ends: Vec<f64> =
            steps.iter().flat_map(|step| step.pieces().iter().map(|piece| piece.0)).collect();
        ends.push(1.0);
        ends.sort_unstable_by(f64::total_cmp);
        ends.dedup();
        let mut from = 0.0;
        for end in ends {
            if end <= from {
                continue;
            }
            let links: Vec<Link> = steps.iter().map(|step| Link::of(step, from, end)).collect();
            let count = cuts(&links, end - from);
            for k in 0..count {
                let share = f64::from(k + 1) / f64::from(count);
                let to = if k + 1 == count { end } else { from + (end - from) * share };
                let start = chain.pieces.last().map_or(0.0, |piece| piece.end);
                if to > start {
                    chain.pieces.push(chain.piece([start, to], &links, pose, center));
                }
            }
            from = end;
        }
        chain
    }

    /// How many pieces it has: a query that takes them one by one spreads its work over them.
    pub fn piece_count(&self) -> usize {
        self.pieces.len()
    }

    fn piece(&self, [from, end]: [f64; 2], links: &[Link], pose: &Pose, center: DVec3) -> Piece {
        let (mut moving, mut still) = (Vec::new(), Pose::IDENTITY);
        for (index, (step, link)) in self.steps.iter().zip(links).enumerate() {
            if link.moves() {
                moving.push((std::mem::replace(&mut still, Pose::IDENTITY), index));
            } else {
                still = join(&still, &step.pose(from + (end - from) * 0.5));
            }
        }
        let last = join(&still, pose);
        let mut piece = Piece { end, moving, last, bound: VelocityBound::STILL };
        let active: Vec<&Link> = piece.moving.iter().map(|&(_, index)| &links[index]).collect();
        piece.bound = self.bound(&piece, &active, [from, end], center);
        piece
    }

    /// The pose in a piece.
    fn pose_in(&self, piece: &Piece, t: f64) -> Pose {
        let outer = piece.moving.iter().fold(Pose::IDENTITY, |outer, (before, index)| {
            join(&join(&outer, before), &self.steps[*index].pose(t))
        });
        join(&outer, &piece.last)
    }

    /// See the top of the file.
    fn bound(
        &self,
        piece: &Piece,
        active: &[&Link],
        [from, end]: [f64; 2],
        center: DVec3,
    ) -> VelocityBound {
        let Some(first) = active.first() else { return VelocityBound::STILL };
        let (middle, span) = (from + (end - from) * 0.5, end - from);
        // Velocities at the middle, in the world: of each step its u, its w and its g.
        let mut outer = Pose::IDENTITY;
        let mut at_middle = Vec::with_capacity(active.len());
        for ((before, index), link) in piece.moving.iter().zip(active) {
            outer = join(&outer, before);
            let (linear, angular) = (outer.rotate(link.linear), outer.rotate(link.angular));
            outer = join(&outer, &self.steps[*index].pose(middle));
            at_middle.push(Placed { linear, angular, place: outer.transform_point(link.center) });
        }
        let pose = join(&outer, &piece.last);
        if active.len() == 1 {
            // The point about which it turns stays where it is in the body.
            let Placed { linear, angular, place } = at_middle[0];
            let center = if first.angular == DVec3::ZERO {
                center
            } else {
                pose.inverse_transform_point(place)
            };
            return VelocityBound { center, linear, angular, ..VelocityBound::STILL };
        }
        let point = pose.transform_point(center);
        let linear: DVec3 = at_middle
            .iter()
            .map(|placed| placed.linear + placed.angular.cross(point - placed.place))
            .sum();
        let angular: DVec3 = at_middle.iter().map(|placed| placed.angular).sum();
        let arms = arms(active, &at_middle, point, span);
        let [mut acceleration, mut angular_acceleration] = [0.0; 2];
        // Of the steps below: how fast p and g may part.
        let mut parting = 0.0;
        for (k, link) in active.iter().enumerate().rev() {
            let above: f64 = active[..k].iter().map(|link| link.rate).sum();
            let with = above + link.rate;
            acceleration += above * link.speed
                + above * link.rate * arms[k]
                + link.rate * (with * arms[k] + parting);
            parting += link.speed + link.rate * arms[k];
            angular_acceleration += above * link.rate;
        }
        if are_parallel(&at_middle) {
            angular_acceleration = 0.0;
        }
        let [acceleration, angular_acceleration] =
            [acceleration, angular_acceleration].map(|bound| bound * ROUNDING);
        VelocityBound {
            center,
            linear,
            linear_spread: 0.5 * span * acceleration * ROUNDING,
            angular,
            angular_spread: 0.5 * span * angular_acceleration * ROUNDING,
            linear_acceleration: acceleration,
            angular_acceleration,
        }
    }

    fn piece_at(&self, t: f64) -> &Piece {
        let index = self.pieces.partition_point(|piece| piece.end <= t);
        &self.pieces[index.min(self.pieces.len() - 1)]
    }
}

impl Motion for Chain {
    fn pose(&self, t: f64) -> Pose {
        self.pose_in(self.piece_at(t), t)
    }

    fn velocity(&self, from: f64, to: f64) -> VelocityBound {
        // The middle is in the piece, whichever way its ends were rounded.
        self.piece_at(from + (to - from) * 0.5).bound
    }

    fn piece_end(&self, t: f64) -> f64 {
        let index = self.pieces.partition_point(|piece| piece.end <= t);
        self.pieces.get(index).map_or(1.0, |piece| piece.end)
    }
}

/// A step over a piece of time, in its parent's frame.
#[derive(Clone, Copy, Debug)]
struct Link {
    center: DVec3,
    linear: DVec3,
    angular: DVec3,
    /// The length of `linear`.
    speed: f64,
    /// The length of `angular`.
    rate: f64,
    /// Where the centre is at both ends.
    ends: [DVec3; 2],
}

impl Link {
    fn of(step: &MotionPath, from: f64, end: f64) -> Self {
        let VelocityBound { center, linear, angular, .. } = step.velocity(from, end);
        // Looked up from within the piece, whichever way its ends were rounded.
        let middle = step.pose(from + (end - from) * 0.5).transform_point(center);
        let way = linear * (0.5 * (end - from));
        let ends = [middle - way, middle + way];
        Self { center, linear, angular, speed: linear.length(), rate: angular.length(), ends }
    }

    fn moves(&self) -> bool {
        self.speed > 0.0 || self.rate > 0.0
    }
}

/// A step in the world at a moment.
#[derive(Clone, Copy, Debug)]
struct Placed {
    linear: DVec3,
    angular: DVec3,
    place: DVec3,
}

/// For each step the greatest distance of the point from its centre: that at the middle and what the steps below it can add, or the lengths of all bars between them.
fn arms(active: &[&Link], at_middle: &[Placed], point: DVec3, span: f64) -> Vec<f64> {
    let count = active.len();
    let mut arms = vec![0.0; count];
    let (mut parting, mut bars) = (0.0, 0.0);
    for k in (0..count).rev() {
        bars += if k + 1 < count {
            // Where nothing but turns lies between, this is the length of a bar.
            let next = at_middle[k + 1].place;
            let way = 0.5 * active[k + 1].ends[0].distance(active[k + 1].ends[1]);
            at_middle[k].place.distance(next) + way
        } else {
            at_middle[k].place.distance(point)
        };
        let near = at_middle[k].place.distance(point) + 0.5 * span * parting;
        arms[k] = near.min(bars) * ROUNDING;
        parting += active[k].speed + active[k].rate * arms[k];
    }
    arms
}

/// True if all turns have one axis: each then leaves those of the others as they are.
fn are_parallel(steps: &[Placed]) -> bool {
    let mut turns = steps.iter().map(|step| step.angular).filter(|turn| *turn != DVec3::ZERO);
    let Some(first) = turns.next() else { return true };
    turns.all(|turn| turn.cross(first) == DVec3::ZERO)
}

/// The number of pieces that a span is cut into.
fn cuts(links: &[Link], span: f64) -> u32 {
    let moving = links.iter().filter(|link| link.moves()).count();
    let turning: f64 = links.iter().map(|link| link.rate).sum();
    if moving < 2 || turning == 0.0 {
        return 1;
    }
    (turning * span / WIDEST_TURN).clamp(1.0, MOST_PIECES).ceil() as u32
}

fn join(outer: &Pose, inner: &Pose) -> Pose {
    if *outer == Pose::IDENTITY {
        *inner
    } else if *inner == Pose::IDENTITY {
        *outer
    } else {
        outer.compose(inner)
    }
}
