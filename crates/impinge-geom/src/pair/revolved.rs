//! Two solids of revolution with parallel axes: cylinders, cones, tapered capsules, segments, ellipsoids with two equal radii.
//!
//! Such pairs are common (a peg in a hole) and the worst case of EPA, because no face of A − B is closest: a whole ring is. But
//! A − B is a solid of revolution too. With n = (c, s), s along the axis and c ≥ 0 across it, towards B's axis, its support
//! function is H(n) = h_A(c, s) + h_B(c, ∓s) − s·z − c·δ, where z and δ are the offsets of the centres along and across the axis,
//! and the signed distance is −min H: a problem in one variable.
//!
//! As a function of s every part of H is linear between breakpoints (ends, balls, s·z), or a multiple of c = √(1 − s²) (rims, δ),
//! or an ellipse √(a² + (b² − a²)s²). Where all multiples are positive and all ellipses oblate, H is concave between the
//! breakpoints, so its minimum is at one of them: a closed form. Otherwise the convex parts are bounded from below by their
//! tangents and the intervals are halved until the bounds meet.
//!
//! Axes that are parallel only up to a small angle are taken as parallel; a turn by an angle moves no support value by more than
//! the angle times the body's radius, and by that the interval is widened.

use crate::answer::{Feature, SignedDistance};
use crate::number::error::power_of_two_near_inverse;
use crate::number::length::{length_and_unit, perpendicular};
use crate::number::tolerance::{REVOLVED, REVOLVED_EDGE, UNIT_ROUNDOFF};
use crate::pose::Pose;
use crate::shape::Core;
use glam::DVec3;

/// Upper bound of the intervals looked at. Only prolate ellipsoids and offset axes need more than the breakpoints.
const MAX_STEPS: usize = 16384;

/// The lowest direction by rounded heights is within this angle of the lowest one: the root of the rounding, with something to spare.
const POLISHED: f64 = 1e-7;

/// Bounds closer than this, in units of the scale, are not told apart, by the number of steps already spent: where the height
/// is all but constant, refining it everywhere is pointless.
const ACCEPTED: [f64; 3] = [8.0 * UNIT_ROUNDOFF, 1e-12, 1e-8];

/// The half of a body's section through its axis, in the frame of its centre.
#[derive(Clone, Copy, Debug)]
enum Profile {
    /// Radius and half height; also a segment.
    Cylinder(f64, f64),
    Cone(f64, f64),
    /// Radius at the bottom, at the top, and half height.
    Tapered(f64, f64, f64),
    /// Radius across and along the axis.
    Ellipse(f64, f64),
}

/// A direction in the plane of the axis: across and along it.
#[derive(Clone, Copy, Debug)]
struct Direction {
    c: f64,
    s: f64,
}

impl Direction {
    fn new(c: f64, s: f64) -> Self {
        let length = (c * c + s * s).sqrt();
        Self { c: c / length, s: s / length }
    }

    /// Turned towards the axis by a small angle.
    fn turned(self, angle: f64) -> Self {
        Self::new(self.c - self.s * angle, self.s + self.c * angle)
    }

    fn between(self, other: Self) -> Self {
        Self::new(self.c + other.c, self.s + other.s)
    }
}

impl Profile {
    fn scaled(self, f: f64) -> Self {
        match self {
            Self::Cylinder(r, h) => Self::Cylinder(r * f, h * f),
            Self::Cone(r, h) => Self::Cone(r * f, h * f),
            Self::Tapered(bottom, top, h) => Self::Tapered(bottom * f, top * f, h * f),
            Self::Ellipse(a, b) => Self::Ellipse(a * f, b * f),
        }
    }

    /// The radius of a ball around the centre that contains the body, or a little more.
    fn radius(self) -> f64 {
        match self {
            Self::Cylinder(r, h) | Self::Cone(r, h) => r + h,
            Self::Tapered(bottom, top, h) => bottom.max(top) + h,
            Self::Ellipse(a, b) => a.max(b),
        }
    }

    /// The farthest point of the section, which the axis cuts in half.
    fn support(self, n: Direction) -> (f64, f64) {
        match self {
            Self::Cylinder(r, h) => (r.copysign(n.c), h.copysign(n.s)),
            Self::Cone(r, h) => {
                let rim = r.copysign(n.c);
                if 2.0 * h * n.s >= rim * n.c { (0.0, h) } else { (rim, -h) }
            }
            Self::Tapered(bottom, top, h) => {
                if top + h * n.s >= bottom - h * n.s {
                    (top * n.c, top * n.s + h)
                } else {
                    (bottom * n.c, bottom * n.s - h)
                }
            }
            Self::Ellipse(a, b) => {
                let (x, y) = (a * n.c, b * n.s);
                let length = (x * x + y * y).sqrt();
                if length > 0.0 { (a * (x / length), b * (y / length)) } else { (0.0, 0.0) }
            }
        }
    }

    fn height(self, n: Direction) -> f64 {
        let (across, along) = self.support(n);
        match self {
            // Without the rounding of the unit vector.
            Self::Tapered(bottom, top, h) => (bottom - h * n.s).max(top + h * n.s),
            _ => across * n.c + along * n.s,
        }
    }

    /// Where the support function has a kink, other than on the axis and across it.
    fn kink(self) -> Option<Direction> {
        match self {
            Self::Cone(r, h) if r + h > 0.0 => Some(Direction::new(2.0 * h, r)),
            Self::Tapered(bottom, top, h) if (bottom - top).abs() < 2.0 * h => {
                let s = (bottom - top) / (2.0 * h);
                Some(Direction { c: ((1.0 - s) * (1.0 + s)).sqrt(), s })
            }
            _ => None,
        }
    }

    /// The support function at `n`, of the piece to which `middle` belongs, without its multiple of c, which comes second; the
    /// convex parts by their tangents at `middle`.
    fn below(self, n: Direction, middle: Direction) -> (f64, f64) {
        match self {
            Self::Cylinder(r, h) => (h.copysign(middle.s) * n.s, r),
            Self::Cone(r, h) if 2.0 * h * middle.s >= r * middle.c => (h * n.s, 0.0),
            Self::Cone(r, h) => (-h * n.s, r),
            Self::Tapered(bottom, top, h) => {
                let of_top = top + h * middle.s >= bottom - h * middle.s;
                (if of_top { top + h * n.s } else { bottom - h * n.s }, 0.0)
            }
            // A disc, up to rounding.
            Self::Ellipse(a, b) if b <= UNIT_ROUNDOFF * a => (0.0, a),
            Self::Ellipse(a, b) if b <= a => (self.height(n), 0.0),
            Self::Ellipse(a, b) => {
                let along = middle.s * n.s;
                let height = self.height(middle);
                (
                    if height > 0.0 {
                        (a * a * (1.0 - along) + b * b * along) / height
                    } else {
                        0.0
                    },
                    0.0,
                )
            }
        }
    }
}

/// A core as a body of revolution in its own frame.
struct Revolved {
    profile: Profile,
    center: DVec3,
    /// `None`: every line through the centre.
    axis: Option<DVec3>,
    /// How far the body is from being one of revolution.
    slack: f64,
}

impl Revolved {
    fn of(core: &Core<'_>) -> Option<Self> {
        let upright =
            |profile| Self { profile, center: DVec3::ZERO, axis: Some(DVec3::Z), slack: 0.0 };
        Some(match core {
            Core::Cylinder(core) => upright(Profile::Cylinder(core.radius(), core.half_height())),
            Core::Cone(core) => upright(Profile::Cone(core.radius(), core.half_height())),
            Core::TaperedCapsule(core) => {
                upright(Profile::Tapered(core.bottom(), core.top(), core.half_height()))
            }
            Core::Segment(core) => {
                let [p, q] = core.points();
                let along = length_and_unit(q - p);
                let length = along.map_or(0.0, |(length, _)| length);
                Self {
                    profile: Profile::Cylinder(0.0, 0.5 * length),
                    center: p + (q - p) * 0.5,
                    axis: along.map(|(_, unit)| unit),
                    slack: 0.0,
                }
            }
            Core::Ellipsoid(core) => return Self::of_ellipsoid(core.radii()),
            _ => return None,
        })
    }

    fn of_ellipsoid(radii: DVec3) -> Option<Self> {
        let r = radii.to_array();
        let apart = |k: usize| (r[(k + 1) % 3] - r[(k + 2) % 3]).abs();
        let along = (0..3).min_by(|i, j| apart(*i).total_cmp(&apart(*j)))?;
        let across = r[(along + 1) % 3].max(r[(along + 2) % 3]);
        let slack = apart(along);
        if slack > REVOLVED * radii.max_element() {
            return None;
        }
        let is_ball = r[0] == r[1] && r[1] == r[2];
        Some(Self {
            profile: Profile::Ellipse(across, r[along]),
            center: DVec3::ZERO,
            axis: (!is_ball).then_some(DVec3::AXES[along]),
            slack,
        })
    }
}

/// The function whose minimum is asked for; lengths are scaled to about one.
struct Height {
    a: Profile,
    b: Profile,
    /// B's axis points against A's.
    reversed: bool,
    /// From A's centre to B's, along the axis and across it.
    along: f64,
    across: f64,
}

impl Height {
    /// The direction in B's section that is against `n`.
    fn against(&self, n: Direction) -> Direction {
        Direction { c: n.c, s: if self.reversed { n.s } else { -n.s } }
    }

    fn at(&self, n: Direction) -> f64 {
        self.a.height(n) + self.b.height(self.against(n)) - n.s * self.along - n.c * self.across
    }

    /// A lower bound between two directions on one piece.
    fn below(&self, ends: [Direction; 2]) -> f64 {
        let middle = ends[0].between(ends[1]);
        let at = |n: Direction| {
            let (rest_a, rim_a) = self.a.below(n, middle);
            let (rest_b, rim_b) = self.b.below(self.against(n), self.against(middle));
            let rim = rim_a + rim_b - self.across;
            let c = if rim >= 0.0 { n.c } else { (1.0 - middle.s * n.s) / middle.c };
            rest_a + rest_b - n.s * self.along + rim * c
        };
        at(ends[0]).min(at(ends[1]))
    }

    /// The two ends of the segment of A's section farthest along `n`, and of B's against it.
    fn supports(&self, n: Direction) -> [[(f64, f64); 2]; 2] {
        let sides = [n.turned(-REVOLVED_EDGE), n.turned(REVOLVED_EDGE)];
        let of_b = |n: Direction| {
            let (across, along) = self.b.support(self.against(n));
            (self.across - across, self.along + if self.reversed { -along } else { along })
        };
        [sides.map(|n| self.a.support(n)), sides.map(of_b)]
    }

    /// The derivative of the height as the direction turns towards the axis.
    fn slope(&self, n: Direction) -> f64 {
        let (x, y) = self.a.support(n);
        let (u, v) = self.b.support(self.against(n));
        let v = if self.reversed { -v } else { v };
        // The farthest point of A − B.
        let (x, y) = (x + u - self.across, y - v - self.along);
        n.c * y - n.s * x
    }

    /// The breakpoints in order, from against the axis to along it.
    fn breakpoints(&self) -> ([Direction; 5], usize) {
        let fixed = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0)].map(|(c, s)| Direction { c, s });
        let kink = self.b.kink().map(|n| self.against(n));
        let mut list = [fixed[2]; 5];
        let mut count = 0;
        for n in fixed.into_iter().chain(self.a.kink()).chain(kink) {
            list[count] = n;
            count += 1;
        }
        list[..count].sort_by(|p, q| p.s.total_cmp(&q.s));
        (list, count)
    }

    /// The lowest direction, its height, and a lower bound of all heights.
    fn lowest(&self) -> (Direction, f64, f64) {
        let (list, count) = self.breakpoints();
        let mut best = (list[0], f64::INFINITY);
        let offer = |n: Direction, best: &mut (Direction, f64)| {
            let height = self.at(n);
            if height < best.1 {
                *best = (n, height);
            }
        };
        list[..count].iter().for_each(|n| offer(*n, &mut best));
        // Intervals still to be looked at; halving ends by rounding long before the list is full.
        let mut open = [[list[0]; 2]; 96];
        let mut left = 0;
        for pair in list[..count].windows(2) {
            if let [p, q] = *pair {
                open[left] = [p, q];
                left += 1;
            }
        }
        let mut lower = f64::INFINITY;
        let mut steps = 0;
        while left > 0 {
            left -= 1;
            let [p, q] = open[left];
            let below = self.below([p, q]);
            if below >= best.1 - accepted(steps) {
                lower = below.min(lower);
                continue;
            }
            steps += 1;
            let middle = p.between(q);
            let angle = q.s * p.c - p.s * q.c;
            if steps > MAX_STEPS || left + 2 > open.len() || angle <= f64::EPSILON {
                lower = below.min(lower);
                continue;
            }
            offer(middle, &mut best);
            open[left] = [p, middle];
            open[left + 1] = [middle, q];
            left += 2;
        }
        let n = self.polished(best.0);
        let height = self.at(n);
        let best = if height <= best.1 + accepted(0) { (n, height) } else { best };
        // Differences within rounding are none.
        let gap = (best.1 - lower).max(0.0);
        (best.0, best.1, if gap <= accepted(0) { best.1 } else { best.1 - gap })
    }

    /// The zero of the slope next to a direction that is lowest up to rounding of the heights: the heights are flat there, the
    /// slope is not, and the points of contact depend on it.
    fn polished(&self, n: Direction) -> Direction {
        let (mut low, mut high) = (n.turned(-POLISHED), n.turned(POLISHED));
        if !(self.slope(low) < 0.0 && self.slope(high) > 0.0) {
            return n;
        }
        for _ in 0..40 {
            let middle = low.between(high);
            if self.slope(middle) < 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        low.between(high)
    }
}

/// Which of the [accepted differences](ACCEPTED) holds after a number of steps.
fn accepted(step: usize) -> f64 {
    match step {
        0..1000 => ACCEPTED[0],
        1000..4000 => ACCEPTED[1],
        _ => ACCEPTED[2],
    }
}

/// The signed distance of two bodies of revolution with parallel axes; `None` for every other pair.
pub(super) fn signed_distance(a: &Core<'_>, b: &Core<'_>, pose: &Pose) -> Option<SignedDistance> {
    let (first, second) = (Revolved::of(a)?, Revolved::of(b)?);
    let turned = second.axis.map(|axis| pose.rotate(axis));
    let axis = first.axis.or(turned).unwrap_or(DVec3::Z);
    let other = turned.unwrap_or(axis);
    let slant = axis.cross(other).length();
    if slant > REVOLVED {
        return None;
    }
    let offset = pose.transform_point(second.center) - first.center;
    let scale = first.profile.radius() + second.profile.radius() + offset.abs().element_sum();
    if scale == 0.0 {
        return None;
    }
    let factor = power_of_two_near_inverse(scale);
    let along = offset.dot(axis);
    let across = length_and_unit(offset - axis * along);
    let outwards = across.map_or_else(|| perpendicular(axis), |(_, unit)| unit);
    let height = Height {
        a: first.profile.scaled(factor),
        b: second.profile.scaled(factor),
        reversed: axis.dot(other) < 0.0,
        along: along * factor,
        across: across.map_or(0.0, |(length, _)| length) * factor,
    };
    let (n, upper, lower) = height.lowest();
    let points = contact(&height, n);
    let place = |(across, along): (f64, f64)| {
        first.center + outwards * (across / factor) + axis * (along / factor)
    };
    let slack = first.slack + second.slack + slant * second.profile.radius();
    let uncertainty = slack + (upper - lower) / factor;
    Some(SignedDistance {
        distance: -upper / factor,
        uncertainty,
        points: points.map(place),
        normal: outwards * n.c + axis * n.s,
        features: [Feature::SURFACE; 2],
        certainty: super::convex_convex::certainty(uncertainty, scale),
    })
}

/// The points of the two sections that come together when B moves out along `n`.
fn contact(height: &Height, n: Direction) -> [(f64, f64); 2] {
    let supports = height.supports(n);
    let tangential = |(across, along): (f64, f64)| n.c * along - n.s * across;
    let [[a0, a1], [b0, b1]] = supports.map(|ends| {
        let [p, q] = ends.map(tangential);
        [p.min(q), p.max(q)]
    });
    let common = 0.5 * (a0.max(b0) + a1.min(b1));
    supports.map(|[p, q]| {
        let (from, to) = (tangential(p), tangential(q));
        let share = if to == from { 0.5 } else { ((common - from) / (to - from)).clamp(0.0, 1.0) };
        (p.0 + (q.0 - p.0) * share, p.1 + (q.1 - p.1) * share)
    })
}
