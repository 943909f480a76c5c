//! From the interval in which a line meets a solid to the first hit of a ray.

use super::{Ray, ShapeHit, traced};
use crate::answer::Feature;
use crate::number::tolerance::UNIT_ROUNDOFF;
use crate::point::signed_distance;
use crate::shape::Shape;
use glam::DVec3;

/// One end of an interval on a line: the multiple of the direction, and which part of the boundary is there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub(crate) at: f64,
    pub(crate) part: u32,
}

/// The interval in which a line meets a convex body. Without an end on one side it is infinite there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) enter: End,
    pub(crate) leave: End,
}

impl Span {
    /// The whole line.
    pub(crate) const ALL: Self = Self {
        enter: End { at: f64::NEG_INFINITY, part: 0 },
        leave: End { at: f64::INFINITY, part: 0 },
    };

    /// The interval between two multiples on one part of the boundary.
    pub(crate) fn of(part: u32, (enter, leave): (f64, f64)) -> Self {
        Self { enter: End { at: enter, part }, leave: End { at: leave, part } }
    }

    /// What two intervals share.
    pub(crate) fn and(self, other: Self) -> Option<Self> {
        let enter = if other.enter.at > self.enter.at { other.enter } else { self.enter };
        let leave = if other.leave.at < self.leave.at { other.leave } else { self.leave };
        (enter.at <= leave.at).then_some(Self { enter, leave })
    }

    /// The same interval of a line that begins `start` earlier.
    pub(crate) fn shifted(self, start: f64) -> Self {
        let moved = |end: End| End { at: start + end.at, ..end };
        Self { enter: moved(self.enter), leave: moved(self.leave) }
    }

    /// The smallest interval with both: the union, where the two are parts of one convex body.
    pub(crate) fn or(self, other: Option<Self>) -> Self {
        let Some(other) = other else { return self };
        let enter = if other.enter.at < self.enter.at { other.enter } else { self.enter };
        let leave = if other.leave.at > self.leave.at { other.leave } else { self.leave };
        Self { enter, leave }
    }

    /// The interval in which `origin + s · direction` is between `low` and `high`; the ends carry the two parts.
    #[inline(always)]
    pub(crate) fn slab(
        origin: f64,
        direction: f64,
        (low, high): (f64, f64),
        parts: [u32; 2],
    ) -> Option<Self> {
        if direction == 0.0 {
            return (low <= origin && origin <= high).then_some(Self::ALL);
        }
        let to_low = End { at: (low - origin) / direction, part: parts[0] };
        let to_high = End { at: (high - origin) / direction, part: parts[1] };
        let (enter, leave) = if direction > 0.0 { (to_low, to_high) } else { (to_high, to_low) };
        Some(Self { enter, leave })
    }
}

/// A bounded convex body with a closed form for its interval on a line.
pub(crate) trait Solid {
    /// The interval in which the line `origin + s · direction` meets the body.
    fn span(&self, origin: DVec3, direction: DVec3) -> Option<Span>;

    /// The normal and the feature at a point of the named part, where they follow from the part alone.
    fn part(&self, _part: u32) -> Option<(DVec3, Feature)> {
        None
    }
}

/// Lines are moved to their point closest to the shape's origin if they begin farther away than this many times its size:
/// the squares of far coordinates would drown those of the shape.
const FAR: f64 = 8.0;

/// An origin within this many roundings of the largest number is on the boundary.
const ON_BOUNDARY: f64 = 8.0 * UNIT_ROUNDOFF;

/// Ends of the interval farther than this times the scale from the origin need no look at the distance from there.
const CLEARLY_AWAY: f64 = 1e-9;

/// Newton steps are not taken where the ray meets the surface at a smaller sine than about this.
pub(crate) const GRAZING: f64 = 0.1;

/// The first hit of a ray with a solid.
#[inline]
pub(crate) fn cast(shape: &Shape, solid: &impl Solid, ray: &Ray) -> Option<ShapeHit> {
    let size = shape.bounding_radius();
    let (origin, direction) = (ray.origin, ray.scaled());
    let away = origin.abs().max_element();
    let (shift, span) = if away > FAR * size {
        let shift = -origin.dot(direction) / direction.length_squared();
        let closest = origin + direction * shift;
        // Past the ball around the shape the line misses it, whatever rounding makes of the interval.
        if closest.abs().max_element() > size + ON_BOUNDARY * away {
            return None;
        }
        (shift, solid.span(closest, direction))
    } else {
        (0.0, solid.span(origin, direction))
    };
    let scale = away.max(size);
    let clear = scale * CLEARLY_AWAY;
    if let Some(span) = span {
        if shift + span.enter.at > clear {
            return Some(hit(shape, solid, ray, shift + span.enter.at, span.enter.part, false));
        }
        if shift + span.leave.at < -clear {
            return None;
        }
    } else if away > 2.0 * size {
        return None;
    }
    // The origin is inside, or close to the boundary.
    let here = signed_distance(shape, origin);
    if here.distance.abs() <= ON_BOUNDARY * scale {
        return Some(at_origin(ray, here.normal, here.feature));
    }
    let inside = here.distance < 0.0;
    match span {
        Some(Span { leave, .. }) if inside && shift + leave.at >= 0.0 => {
            Some(hit(shape, solid, ray, shift + leave.at, leave.part, true))
        }
        Some(Span { enter, .. }) if !inside && shift + enter.at >= 0.0 => {
            Some(hit(shape, solid, ray, shift + enter.at, enter.part, false))
        }
        // From inside there is a way out, whatever rounding has made of the interval.
        _ if inside => traced::cast(shape, ray),
        _ => None,
    }
}

/// The hit of a ray that begins on the boundary.
pub(crate) fn at_origin(ray: &Ray, normal: DVec3, feature: Feature) -> ShapeHit {
    ShapeHit { t: 0.0, point: ray.origin, normal, feature, inside: false }
}

fn hit(shape: &Shape, solid: &impl Solid, ray: &Ray, at: f64, part: u32, inside: bool) -> ShapeHit {
    let point = ray.at(at);
    if let Some((normal, feature)) = solid.part(part) {
        return ShapeHit { t: ray.t(at), point, normal, feature, inside };
    }
    // The normal comes from the distance, and so does one Newton step that takes the last roundings off.
    let there = signed_distance(shape, point);
    let slope = there.normal.dot(ray.scaled());
    let better = at - there.distance / slope;
    let at = if slope.abs() > GRAZING && better >= 0.0 { better } else { at };
    ShapeHit {
        t: ray.t(at),
        point: ray.at(at),
        normal: there.normal,
        feature: there.feature,
        inside,
    }
}
