//! A shape on its way.

use super::{Closing, Motion, Reach};
use crate::number::tolerance::TOUCHING;
use crate::pair::{self, Cache};
use crate::pose::Pose;
use crate::shape::{Core, Shape};
use crate::support::Support as _;
use glam::DVec3;

/// A shape that a motion carries.
#[derive(Clone, Copy)]
pub struct MovingShape<'a> {
    pub(super) shape: &'a Shape,
    pub(super) motion: &'a dyn Motion,
    /// Where the shape is in the body that moves; at its origin if none.
    local: Option<Pose>,
}

impl<'a> MovingShape<'a> {
    /// A shape whose frame is the body's.
    pub fn new(shape: &'a Shape, motion: &'a dyn Motion) -> Self {
        Self { shape, motion, local: None }
    }

    /// A shape at a place in the body.
    pub fn placed(shape: &'a Shape, local: &Pose, motion: &'a dyn Motion) -> Self {
        Self { shape, motion, local: (*local != Pose::IDENTITY).then_some(*local) }
    }

    /// Where the shape is in the world at a time.
    #[inline]
    pub fn pose(&self, t: f64) -> Pose {
        let pose = self.motion.pose(t);
        self.local.map_or(pose, |local| pose.compose(&local))
    }

    /// A ball around the core, in the frame of the body.
    fn reach(&self, core: &Core<'_>) -> Reach {
        if matches!(core, Core::Plane(_) | Core::HalfSpace(_)) {
            return Reach { center: DVec3::ZERO, radius: f64::INFINITY };
        }
        let center = core.center();
        let center = self.local.map_or(center, |local| local.transform_point(center));
        Reach { center, radius: core.radius() }
    }
}

/// Two moving shapes: cores and radii, and what bounds their motion over a piece.
pub(super) struct MovingPair<'p, 'a> {
    pub(super) a: &'p MovingShape<'a>,
    pub(super) b: &'p MovingShape<'a>,
    cores: [(Core<'a>, f64); 2],
    pub(super) closing: Closing,
    pub(super) arms: [f64; 2],
    reaches: [Reach; 2],
    /// What rounding and the band of touching may take from a separation.
    slack: f64,
    /// Bodies nearer than this count as meeting.
    clearance: f64,
    /// True if supports exist in all directions.
    pub(super) bounded: bool,
}

impl<'p, 'a> MovingPair<'p, 'a> {
    /// The pair over a piece of time.
    pub(super) fn new(
        a: &'p MovingShape<'a>,
        b: &'p MovingShape<'a>,
        [from, end]: [f64; 2],
        clearance: f64,
    ) -> Self {
        let cores = [a.shape.split(), b.shape.split()];
        let reaches = [a.reach(&cores[0].0), b.reach(&cores[1].0)];
        let (pose_a, pose_b) = (a.motion.pose(from), b.motion.pose(from));
        let (velocity_a, velocity_b) = (a.motion.velocity(from, end), b.motion.velocity(from, end));
        let closing = Closing::new((&velocity_a, &pose_a), (&velocity_b, &pose_b));
        let arms = [closing.turns[0].arm(&reaches[0]), closing.turns[1].arm(&reaches[1])];
        let bounded = reaches.iter().all(|reach| reach.radius.is_finite());
        let mut pair = Self { a, b, cores, closing, arms, reaches, slack: 0.0, clearance, bounded };
        pair.bound_unbounded(&pose_a, &pose_b, end - from);
        let exact = clearance == 0.0
            && cores.iter().all(|(core, radius)| *radius == 0.0 && core.is_polytope());
        let unit = if exact { 32.0 * f64::EPSILON } else { 4.0 * TOUCHING };
        pair.slack = unit * pair.scale(&pose_a, &pose_b, end - from);
        pair
    }

    /// A plane that turns sweeps past the other body as fast as that is far from its centre: that is the arm that counts.
    fn bound_unbounded(&mut self, pose_a: &Pose, pose_b: &Pose, span: f64) {
        let poses = [pose_a, pose_b];
        let way = self.closing.velocity().length() * span;
        for side in 0..2 {
            let (one, other) = (side, 1 - side);
            if self.arms[one].is_infinite() && self.reaches[other].radius.is_finite() {
                let center = poses[one].transform_point(self.closing.turns[one].center());
                let place = poses[other].transform_point(self.reaches[other].center);
                let moving = self.closing.turns[other].center();
                let swing = 2.0 * (self.reaches[other].center - moving).length();
                let arm = place.distance(center) + way + swing + self.reaches[other].radius;
                self.arms[one] = arm * (1.0 + 1e-12);
            }
        }
    }

    /// The largest coordinate or size that takes part on the way.
    fn scale(&self, pose_a: &Pose, pose_b: &Pose, span: f64) -> f64 {
        let size = |reach: &Reach| {
            if reach.radius.is_finite() { reach.radius + reach.center.length() } else { 0.0 }
        };
        let radii = self.cores[0].1 + self.cores[1].1 + self.clearance;
        let offsets = self.cores.iter().map(|(core, _)| match core {
            Core::Plane(core) => core.offset().abs(),
            Core::HalfSpace(core) => core.offset().abs(),
            _ => 0.0,
        });
        let places = pose_a.translation().abs().max(pose_b.translation().abs()).max_element();
        let way = self.closing.velocity().length() * span;
        places
            + way
            + radii
            + size(&self.reaches[0])
            + size(&self.reaches[1])
            + offsets.sum::<f64>()
    }

    /// What rounding and the band of touching may take from a separation.
    pub(super) fn slack(&self) -> f64 {
        self.slack
    }

    /// The poses of both at a time.
    #[inline]
    pub(super) fn poses(&self, t: f64) -> (Pose, Pose) {
        (self.a.pose(t), self.b.pose(t))
    }

    /// How far the unit vector separates B from A at a time, less what rounding may take.
    #[inline]
    pub(super) fn separation(&self, t: f64, normal: DVec3) -> f64 {
        let (pose_a, pose_b) = self.poses(t);
        let far_a = self.cores[0].0.support(pose_a.inverse_rotate(normal)).point;
        let far_b = self.cores[1].0.support(pose_b.inverse_rotate(-normal)).point;
        let way = pose_b.transform_point(far_b) - pose_a.transform_point(far_a);
        normal.dot(way) - (self.cores[0].1 + self.cores[1].1) - self.clearance - self.slack
    }

    /// True if the bodies have a common point at a time, or are within the clearance.
    pub(super) fn meets(&self, t: f64, cache: &mut Cache) -> bool {
        let (pose_a, pose_b) = self.poses(t);
        let b_in_a = pose_a.relative(&pose_b);
        if self.clearance == 0.0 {
            return pair::overlap(self.a.shape, self.b.shape, &b_in_a, cache);
        }
        pair::distance(self.a.shape, self.b.shape, &b_in_a, cache).distance <= self.clearance
    }

    /// The direction between the closest points in the world, and the distance beyond the clearance; none if the bodies meet.
    pub(super) fn closest(&self, t: f64, cache: &mut Cache) -> Option<(DVec3, f64)> {
        let (pose_a, pose_b) = self.poses(t);
        let b_in_a = pose_a.relative(&pose_b);
        let found = pair::distance(self.a.shape, self.b.shape, &b_in_a, cache);
        let normal = pose_a.rotate(found.normal);
        let room = found.distance - self.clearance;
        let sure = room > 2.0 * self.slack || self.separation(t, normal) > 0.0;
        let apart = room > 0.0 && (sure || !self.meets(t, cache));
        apart.then(|| (normal, (room - found.uncertainty).max(f64::MIN_POSITIVE)))
    }

    /// The direction from A's middle to B's, where both have one.
    pub(super) fn center_direction(&self, t: f64) -> Option<DVec3> {
        if !self.bounded {
            return None;
        }
        let place = |shape: &MovingShape<'_>, reach: &Reach| {
            shape.motion.pose(t).transform_point(reach.center)
        };
        (place(self.b, &self.reaches[1]) - place(self.a, &self.reaches[0])).try_normalize()
    }

    /// True if a direction that separates can be followed: bodies with supports, and planes that do not turn.
    pub(super) fn has_axes(&self) -> bool {
        let fixed = |side: usize| {
            self.reaches[side].radius.is_finite() || self.closing.turns[side].is_still()
        };
        fixed(0) && fixed(1)
    }
}
