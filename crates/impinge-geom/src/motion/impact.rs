//! When two convex bodies on rigid motions meet first.
//!
//! Conservative advancement (B. Mirtich, 1996) by separating axes (E. Catto, 2013), with certificates. From a time at which the bodies are apart:
//! 1. find the direction between their closest points;
//! 2. follow it to the last time up to which it certainly separates them (`axis`);
//!    A direction that leaves much of the gap, as it does where bodies turn or graze each other, is turned on as it turned since the one before;
//! 3. where it ends within the tolerance, look whether the bodies meet right after: then the interval is proven at both ends; else go on with 1.
//!
//! Where the direction is lost in rounding, as it is within rounding of contact, the step is distance by speed. Steps are bounded: a search that
//! runs out of them answers with a wider interval, and says so.

use super::axis::advance;
use super::moving::{MovingPair, SpinningAxis};
use super::{MovingShape, piece_end};
use crate::pair::{Cache, WarmStart};
use glam::DVec3;

/// How precise an impact is wanted, and how much work it may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The interval of the first contact is at most this wide, in units of time (the motion takes one). At least [`Settings::FINEST`].
    pub tolerance: f64,
    /// How many distance queries a pair of shapes, or how many thousand pairs of volumes a pair of meshes, may take. When they are used up the
    /// interval is as wide as what is left, and not proven.
    pub max_steps: u32,
    /// Bodies that are within this distance count as meeting; zero for contact itself. Not negative.
    pub clearance: f64,
}

impl Settings {
    /// The resolution of time.
    pub const FINEST: f64 = 1e-12;

    /// The clearance that is used: none, if what was asked for is no distance.
    pub fn clearance(&self) -> f64 {
        if self.clearance > 0.0 && self.clearance.is_finite() { self.clearance } else { 0.0 }
    }

    /// The tolerance that is used: what was asked for, or the finest that there is.
    pub fn resolution(&self) -> f64 {
        if self.tolerance >= Self::FINEST { self.tolerance.min(1.0) } else { Self::FINEST }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self { tolerance: 1e-6, max_steps: 1024, clearance: 0.0 }
    }
}

/// What two bodies do on their way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShapeImpact {
    /// They stay apart.
    Free,
    /// They have a common point at the beginning.
    Meeting,
    /// They are apart at first and then meet.
    Meets(ImpactInterval),
}

/// A first contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactInterval {
    /// The bodies are apart up to its lower end.
    pub interval: [f64; 2],
    /// True if they have a common point at the upper end, and the interval is as narrow as was asked for. If not, they came so near that rounding
    /// cannot tell whether they meet, or the steps were used up; then the interval is wide.
    pub proven: bool,
}

/// The first time within a span at which two moving shapes have a common point.
///
/// ```
/// use impinge_geom::motion::{MovingShape, RigidMotion, impact::{self, ShapeImpact}};
/// use impinge_geom::{Pose, Shape, pair};
/// let (wall, ball) = (Shape::cuboid([1.0, 4.0, 4.0])?, Shape::sphere(0.5)?);
/// let flight = RigidMotion::linear(&Pose::from_translation([-5.0, 0.0, 0.0])?, [10.0, 0.0, 0.0])?;
/// let (wall, ball) = (MovingShape::new(&wall, &Pose::IDENTITY), MovingShape::new(&ball, &flight));
/// let found = impact::impact(&wall, &ball, [0.0, 1.0], &Default::default(), &mut pair::Cache::default());
/// let ShapeImpact::Meets(contact) = found else { panic!() };
/// assert!(contact.proven && contact.interval[0] <= 0.35 && 0.35 <= contact.interval[1]);
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn impact(
    a: &MovingShape<'_>,
    b: &MovingShape<'_>,
    [from, to]: [f64; 2],
    settings: &Settings,
    cache: &mut Cache,
) -> ShapeImpact {
    cache.set_warm_start(WarmStart::default());
    let (mut t, mut steps) = (from, settings.max_steps.max(1));
    loop {
        let end = piece_end([a.motion, b.motion], t, to);
        let pair = MovingPair::new(a, b, [t, end], settings.clearance());
        match over_piece(&pair, [t, end], t == from, settings.resolution(), &mut steps, cache) {
            Piece::Free if end >= to => return ShapeImpact::Free,
            Piece::Free => t = end,
            Piece::Meeting if t == from => return ShapeImpact::Meeting,
            // Certified to be apart a moment ago: within rounding.
            Piece::Meeting => {
                return ShapeImpact::Meets(ImpactInterval { interval: [t; 2], proven: true });
            }
            Piece::Meets(interval) => {
                return ShapeImpact::Meets(ImpactInterval { interval, proven: true });
            }
            Piece::Near(interval) => {
                return ShapeImpact::Meets(ImpactInterval { interval, proven: false });
            }
            Piece::OutOfSteps(free) => {
                let last = if pair.meets(to, cache) { to } else { 1.0 };
                let interval = [free, last.max(free)];
                return ShapeImpact::Meets(ImpactInterval { interval, proven: false });
            }
        }
    }
}

/// What was found over a piece.
enum Piece {
    Free,
    /// They meet at its beginning.
    Meeting,
    Meets([f64; 2]),
    /// Too near for rounding to tell.
    Near([f64; 2]),
    /// Free up to a time; of the rest nothing is known.
    OutOfSteps(f64),
}

fn over_piece(
    pair: &MovingPair<'_, '_>,
    [from, end]: [f64; 2],
    first: bool,
    tolerance: f64,
    steps: &mut u32,
    cache: &mut Cache,
) -> Piece {
    let (mut t, mut trail) = (from, Trail::default());
    // The direction of the centres is free; for bodies that pass each other it is all that is needed.
    let mut guess = if first { pair.center_direction(t) } else { None };
    while *steps > 0 {
        let axis = match guess.take() {
            Some(normal) => (normal, 0.0),
            None => {
                *steps -= 1;
                match pair.closest(t, cache) {
                    Some(found) => found,
                    None if t == from => return Piece::Meeting,
                    None => return Piece::Meets([t; 2]),
                }
            }
        };
        let (normal, distance) = axis;
        let mut axis = SpinningAxis::still(normal);
        let gap = if pair.has_axes() { pair.separation(t, &axis) } else { 0.0 };
        if gap > pair.slack() {
            let mut limit = end;
            if let Some(spin) = trail.spin(t, normal, gap).filter(|_| pair.bounded) {
                axis = SpinningAxis { normal, spin, from: t };
                limit = end.min(t + WIDEST_TURN / spin.length());
            }
            trail = Trail { t, normal, gap };
            let bound = pair.gap_bound(&axis, limit);
            let went =
                advance(t, gap, limit, bound, 0.25 * tolerance, |t| pair.separation(t, &axis));
            t = went.free_until;
            if t >= end {
                return Piece::Free;
            }
            if !went.blocked_at.is_some_and(|blocked| blocked - t <= 0.5 * tolerance) {
                continue;
            }
        } else if distance > 0.0 {
            let room = distance - pair.slack();
            if room <= 2.0 * pair.slack() {
                return within_rounding(pair, [t, end], tolerance, cache);
            }
            t += 0.999 * room / pair.closing.speed(pair.arms);
            if t >= end {
                return Piece::Free;
            }
        } else {
            // Only a guess that separated nothing.
            continue;
        }
        let next = (t + 0.75 * tolerance).min(end);
        if pair.meets(next, cache) {
            return Piece::Meets([t, next]);
        }
    }
    Piece::OutOfSteps(t)
}

/// The last direction: how it turned up to the next one is how it will probably go on.
#[derive(Clone, Copy, Default)]
struct Trail {
    t: f64,
    normal: DVec3,
    gap: f64,
}

/// A direction that turns is followed no farther, in radians.
const WIDEST_TURN: f64 = 0.25;

/// Directions that leave more than this share of the gap are worth turning.
const SLOW: f64 = 0.05;

impl Trail {
    /// How the direction turned since; none if it was good enough, or too long ago.
    fn spin(&self, t: f64, normal: DVec3, gap: f64) -> Option<DVec3> {
        let time = t - self.t;
        let known = gap > SLOW * self.gap && time > 1e-9 && normal.dot(self.normal) > 0.9;
        let spin = self.normal.cross(normal) / time;
        (known && spin.is_finite() && spin != DVec3::ZERO).then_some(spin)
    }
}

/// The bodies are as near as rounding can tell: a contact, and a proven one if they have a common point within the tolerance. Bodies without an inside
/// may pass through each other in a moment that no time in f64 names.
fn within_rounding(
    pair: &MovingPair<'_, '_>,
    [t, end]: [f64; 2],
    tolerance: f64,
    cache: &mut Cache,
) -> Piece {
    let next = (t + 0.75 * tolerance).min(end);
    if pair.meets(next, cache) { Piece::Meets([t, next]) } else { Piece::Near([t, next]) }
}
