//! The way of a fast body through a step: pieces of constant velocity, which the sweep certifies and along which the body is moved, so that the two are one.
//!
//! A body turns about an axis that turns itself, unless it is round or turns about a principal axis. Then it goes in pieces of a small angle from orientation to orientation. A piece
//! is a rotation about a fixed axis by the full angle, however large: the rule by which other bodies turn falls short of it, by a fifth in a step of two radians.

use super::motion::BodyState;
use impinge_geom::Pose;
use impinge_geom::glam::DVec3;
use impinge_geom::motion::{Motion, RigidMotion};

/// A piece turns by no more than this, in radians, if the axis turns.
const PIECE: f64 = 1.0 / 16.0;

/// The orientation at the end of a piece is found in steps of this angle, and in so many at most.
const STEP: f64 = 1.0 / 128.0;
const MOST_STEPS: f64 = 64.0;

/// The most pieces of a substep: what turns faster goes in larger ones, and at last about the axis that it has.
const MOST_PIECES: f64 = 256.0;

/// The axis keeps its direction if the angular momentum is parallel to it, up to this sine.
const STEADY: f64 = 1e-9;

/// Where a fast body went since the step began.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail {
    /// How long each piece takes, and the piece.
    pub(super) pieces: Vec<(f64, RigidMotion)>,
    /// Where its centre of mass is at the end of the last piece.
    end: DVec3,
}

impl Trail {
    /// Begins anew from a place.
    pub(super) fn begin(&mut self, center: DVec3) {
        self.pieces.clear();
        self.end = center;
    }
}

impl BodyState {
    /// Goes on for a time, piece by piece. What a solver has moved it before belongs to the way.
    pub(super) fn follow(&mut self, way: DVec3, time: f64) {
        let axis_turns = self.axis_turns();
        let count = if axis_turns { self.pieces(time) } else { 1 };
        let (share, span) = (1.0 / f64::from(count), time / f64::from(count));
        let way = (self.position + way - self.trail.end) * share;
        self.position = self.trail.end;
        for _ in 0..count {
            let piece = self.piece(way, span, axis_turns);
            self.position += way;
            // What is not finite is stopped at the end of the step.
            let Some(piece) = piece else { continue };
            self.trail.pieces.push((span, piece));
            if piece.angle() != 0.0 {
                self.set_rotation(piece.pose(1.0).rotation());
            }
        }
        self.trail.end = self.position;
    }

    /// The next piece.
    fn piece(&self, way: DVec3, span: f64, axis_turns: bool) -> Option<RigidMotion> {
        let start = self.pose().ok()?;
        let steps = (self.spin.length() * span / STEP).ceil().max(1.0);
        let turn = if axis_turns && steps <= MOST_STEPS {
            let q = self.orientation_after(span, steps as u32);
            let end = Pose::new([q.w, q.x, q.y, q.z], start.translation().to_array()).ok()?;
            RigidMotion::between(&start, &end).velocity(0.0, 1.0).angular
        } else {
            self.spin * span
        };
        RigidMotion::turning(&start, self.local_center(), way, turn).ok()
    }

    fn axis_turns(&self) -> bool {
        let (spin, momentum) = (self.spin, self.angular_momentum);
        spin.cross(momentum).length() > STEADY * spin.length() * momentum.length()
    }

    /// How many pieces a time takes.
    fn pieces(&self, time: f64) -> u32 {
        let count = (self.spin.length() * time / PIECE).ceil();
        if count.is_finite() { count.clamp(1.0, MOST_PIECES) as u32 } else { 1 }
    }

    /// Puts the body back to where it was on its way. The angular momentum is kept: what turns it is the contact, in the next step.
    pub(super) fn put_back(&mut self, pose: &Pose) {
        self.position = pose.transform_point(self.local_center());
        self.set_rotation(pose.rotation());
    }
}
