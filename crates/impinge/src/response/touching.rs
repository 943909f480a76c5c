//! Pairs of the sweep that begin a step in contact.
//!
//! The solver has seen to their velocities, so that they mostly part, slide or stay; but a long body that turns may still swing through a wall that it touches. Two rules:
//! - as soon as they are apart, their next contact is certified like any other;
//! - until then the centre of mass of a fast body does not pass the other's surface, which is certified too, and the two go no deeper than the margin, or than they are. The depth is
//!   looked at in samples. Surfaces have none: there the first half of the rule is all.

use crate::query::{self, Geometry, ImpactSettings, Start, Workspace};
use impinge_geom::motion::{Motion, VelocityBound};
use impinge_geom::{Pose, Shape};

/// A body of a pair, and its centre of mass if it is fast.
#[derive(Clone, Copy)]
pub(super) struct Mover<'a> {
    pub(super) way: &'a dyn Motion,
    pub(super) geometry: &'a Geometry,
    pub(super) center: Option<&'a Pose>,
}

/// What is thrown about may turn thousands of times a second. A search that runs out of steps stops the body early, where it is certified free.
pub(super) const SEARCH: ImpactSettings =
    ImpactSettings { tolerance: 1e-6, max_steps: 64, clearance: 0.0 };

/// The first samples come soon, in this many powers of four; then as many at equal steps.
const SOON: i32 = 6;
const EQUAL: u32 = 32;

/// A sample that is too deep is followed back to when it became so, in halves.
const HALVINGS: u32 = 8;

/// What is left of a way from a time on.
struct Rest<'a> {
    way: &'a dyn Motion,
    from: f64,
}

impl Rest<'_> {
    fn at(&self, t: f64) -> f64 {
        (self.from + (1.0 - self.from) * t).min(1.0)
    }
}

impl Motion for Rest<'_> {
    fn pose(&self, t: f64) -> Pose {
        self.way.pose(self.at(t))
    }

    fn velocity(&self, from: f64, to: f64) -> VelocityBound {
        let left = 1.0 - self.from;
        let bound = self.way.velocity(self.at(from), self.at(to));
        VelocityBound {
            linear: bound.linear * left,
            linear_spread: bound.linear_spread * left,
            angular: bound.angular * left,
            angular_spread: bound.angular_spread * left,
            linear_acceleration: bound.linear_acceleration * left * left,
            angular_acceleration: bound.angular_acceleration * left * left,
            ..bound
        }
    }

    fn piece_end(&self, t: f64) -> f64 {
        let end = self.way.piece_end(self.at(t));
        // Rounding must not lose the end of a piece.
        let mapped = (end - self.from) / (1.0 - self.from);
        if end >= 1.0 { 1.0 } else { mapped.max(t.next_up()) }
    }
}

/// Until when two bodies that begin in contact may go on; none if through the whole step.
pub(super) fn until(pair: [Mover<'_>; 2], margin: f64, workspace: &mut Workspace) -> Option<f64> {
    let [a, b] = pair;
    let centers = [center_meets(a, b, workspace), center_meets(b, a, workspace)];
    let passing = centers.into_iter().flatten().reduce(f64::min);
    let deeper = while_touching(pair, passing.unwrap_or(1.0), margin, workspace);
    passing.into_iter().chain(deeper).reduce(f64::min)
}

/// When the centre of mass of a fast body meets the other's surface.
fn center_meets(fast: Mover<'_>, other: Mover<'_>, workspace: &mut Workspace) -> Option<f64> {
    let point = Shape::sphere(0.0).ok()?;
    let center = Geometry::compound([(0, (*fast.center?), point.into())]).ok()?;
    let found =
        query::impact_with(fast.way, &center, other.way, other.geometry, &SEARCH, workspace);
    found.first.filter(|_| found.start == Start::Free).map(|first| first.interval[0])
}

/// Follows the pair in samples up to a time: to when it becomes too deep, or to its next contact if it parts.
fn while_touching(
    pair: [Mover<'_>; 2],
    end: f64,
    margin: f64,
    workspace: &mut Workspace,
) -> Option<f64> {
    let distance = |t: f64, workspace: &mut Workspace| {
        let [a, b] = pair;
        let (one, two) = (a.way.pose(t), b.way.pose(t));
        query::signed_distance_with(&one, a.geometry, &two, b.geometry, workspace).distance
    };
    let deepest = distance(0.0, workspace).min(-margin);
    let soon = (0..SOON).map(|k| 0.25f64.powi(SOON - k) / f64::from(EQUAL));
    let equal = (1..=EQUAL).map(|k| f64::from(k) / f64::from(EQUAL));
    let mut before = 0.0;
    for t in soon.chain(equal).take_while(|t| *t <= end) {
        let now = distance(t, workspace);
        if now > 0.0 {
            return next_contact(pair, t, workspace);
        }
        if now < deepest {
            let (mut low, mut high) = (before, t);
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                let side = if distance(middle, workspace) < deepest { &mut high } else { &mut low };
                *side = middle;
            }
            return Some(low);
        }
        before = t;
    }
    None
}

/// When bodies that are apart at a time meet after it.
fn next_contact([a, b]: [Mover<'_>; 2], from: f64, workspace: &mut Workspace) -> Option<f64> {
    let rests = [a.way, b.way].map(|way| Rest { way, from });
    let [one, two] = &rests;
    let found = query::impact_with(one, a.geometry, two, b.geometry, &SEARCH, workspace);
    found.first.map(|first| one.at(first.interval[0]))
}
