//! Two supporting faces meet: the corners of their overlap, lifted to both.

use super::face::{Corner, Spot, Supporting};
use super::patch::Patch;
use super::reduce::{Choosable, choose};
use super::shadow::{Mark, Side, clip_polygon, clip_segment};
use super::{ContactPoint, LocalManifold};
use crate::answer::SignedDistance;
use crate::number::error::power_of_two_near_inverse;
use crate::number::tolerance::{
    CONTACT_SLACK, CONTACT_TIE, CURVED_CONTACT_TIE, PARALLEL_LINES, REPLACED_CONTACT,
};
use crate::pose::Pose;
use crate::shape::Core;
use glam::DVec3;

/// Memory for the faces and the polygons cut from them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    corners: [Vec<Corner>; 2],
    subject: Vec<Mark>,
    spare: Vec<Mark>,
    reference: Vec<[f64; 2]>,
    candidates: Vec<Candidate>,
}

/// A point that may become a contact point.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// Seen along the normal.
    place: [f64; 2],
    /// Where it lies on the two faces; `None` for the points of the signed distance.
    spots: Option<[Spot; 2]>,
    on: [DVec3; 2],
    distance: f64,
}

impl Choosable for Candidate {
    #[inline(always)]
    fn place(&self) -> [f64; 2] {
        self.place
    }
    #[inline(always)]
    fn distance(&self) -> f64 {
        self.distance
    }
}

/// The two faces, and the plane across the normal in which they are clipped.
struct Contact<'a, 'c> {
    patches: [Patch<'a>; 2],
    corners: [&'c [Corner]; 2],
    normal: DVec3,
    /// A point of the plane, and unit vectors along it.
    origin: DVec3,
    plane: [DVec3; 2],
    /// Lengths in the plane are multiplied by this power of two, so that areas are ordinary numbers.
    factor: f64,
    inverse: f64,
    /// Heights within this are equal, and so are places in the plane within this times the factor.
    tie: f64,
}

/// Sizes from 2^-100 to 2^100 need no factor.
pub(super) const ORDINARY: std::ops::Range<f64> =
    f64::from_bits((1023 - 100) << 52)..f64::from_bits((1023 + 100) << 52);

/// Fills the manifold, which knows its normal, with the contact of two faces or lines, at most one of them unbounded; false if they
/// do not hold the points of the signed distance.
#[inline]
pub(super) fn between(
    bodies: &[(Core<'_>, f64); 2],
    supporting: &[Supporting; 2],
    pose: &Pose,
    margin: f64,
    found: &SignedDistance,
    scratch: &mut Scratch,
    manifold: &mut LocalManifold,
) -> bool {
    let normal = manifold.normal;
    let Scratch { corners, subject, spare, reference, candidates } = scratch;
    let [corners_a, corners_b] = corners;
    let patches = [
        Patch::new(&bodies[0], &supporting[0], normal, None, corners_a),
        Patch::new(&bodies[1], &supporting[1], normal, Some(pose), corners_b),
    ];
    let contact = Contact::new(patches, [corners_a, corners_b], normal, found.points[0]);
    candidates.clear();
    let [of_a, of_b] = &contact.patches;
    match (of_a.is_line(), of_b.is_line()) {
        (true, true) => contact.lines(candidates),
        (true, false) => contact.line_on_face(0, reference, candidates),
        (false, true) => contact.line_on_face(1, reference, candidates),
        (false, false) if of_a.is_unbounded() => contact.all_corners(1, candidates),
        (false, false) if of_b.is_unbounded() => contact.all_corners(0, candidates),
        (false, false) => contact.faces(subject, spare, reference, candidates),
    }
    let curved = bodies.iter().any(|(core, _)| has_curved_side(core));
    contact.finish(margin, found, curved, candidates, manifold)
}

/// True for the bodies whose lines and faces follow from a normal that may be rough.
fn has_curved_side(core: &Core<'_>) -> bool {
    matches!(core, Core::Cylinder(_) | Core::Cone(_) | Core::TaperedCapsule(_))
}

impl<'a, 'c> Contact<'a, 'c> {
    #[inline(always)]
    fn new(
        patches: [Patch<'a>; 2],
        corners: [&'c [Corner]; 2],
        normal: DVec3,
        origin: DVec3,
    ) -> Self {
        let reach = corners[0].iter().chain(corners[1]);
        let scale = reach.fold(origin.abs(), |most, c| most.max(c.point.abs())).max_element();
        let factor = if ORDINARY.contains(&scale) {
            1.0
        } else {
            power_of_two_near_inverse(scale.max(f64::MIN_POSITIVE))
        };
        let (x, y) = normal.any_orthonormal_pair();
        let (inverse, tie) = (1.0 / factor, CONTACT_TIE * scale);
        Self { patches, corners, normal, origin, plane: [x, y], factor, inverse, tie }
    }

    /// A point seen along the normal.
    #[inline(always)]
    fn place(&self, point: DVec3) -> [f64; 2] {
        self.plane.map(|axis| (point - self.origin).dot(axis) * self.factor)
    }

    /// The point of the plane at a place.
    #[inline(always)]
    fn point(&self, place: [f64; 2]) -> DVec3 {
        let [x, y] = place.map(|value| value * self.inverse);
        self.origin + self.plane[0] * x + self.plane[1] * y
    }

    /// Lifts a place to both surfaces; corners keep their coordinates.
    #[inline]
    fn candidate(&self, place: [f64; 2], spots: [Spot; 2]) -> Candidate {
        let corner = |body: usize| match spots[body] {
            Spot::Corner(k) => {
                self.corners[body].get(k as usize).map(|corner| (body, corner.point))
            }
            _ => None,
        };
        let (exact, point) = match corner(1).or_else(|| corner(0)) {
            Some((body, point)) => (Some(body), point),
            None => (None, self.point(place)),
        };
        let on = [0, 1].map(|body| {
            if exact == Some(body) {
                self.patches[body].corner_surface(point, self.tie)
            } else {
                self.patches[body].surface(point, self.tie)
            }
        });
        let distance = (on[1] - on[0]).dot(self.normal);
        Candidate { place, spots: Some(spots), on, distance }
    }

    /// The other body is unbounded: all corners are over it.
    fn all_corners(&self, body: usize, candidates: &mut Vec<Candidate>) {
        for (k, corner) in self.corners[body].iter().enumerate() {
            let mut spots = [Spot::Inside; 2];
            spots[body] = Spot::Corner(k as u32);
            candidates.push(self.candidate(self.place(corner.point), spots));
        }
    }

    /// Face against face: the corners of the overlap.
    #[inline]
    fn faces(
        &self,
        subject: &mut Vec<Mark>,
        spare: &mut Vec<Mark>,
        reference: &mut Vec<[f64; 2]>,
        candidates: &mut Vec<Candidate>,
    ) {
        reference.clear();
        reference.extend(self.corners[0].iter().map(|corner| self.place(corner.point)));
        subject.clear();
        subject.extend(self.corners[1].iter().enumerate().map(|(k, corner)| {
            let [x, y] = self.place(corner.point);
            Mark { x, y, side: Side::Subject(k as u32) }
        }));
        clip_polygon(subject, spare, reference, CONTACT_SLACK * self.tie * self.factor);
        let Some(mut before) = subject.last().map(|mark| mark.side) else { return };
        for mark in subject.iter() {
            let spots = match (before, mark.side) {
                (Side::Subject(_), Side::Subject(k)) => [Spot::Inside, Spot::Corner(k)],
                (Side::Reference(j), Side::Reference(k)) => {
                    let next = (j as usize + 1) % reference.len().max(1) == k as usize;
                    [if next { Spot::Corner(k) } else { Spot::Edge(k) }, Spot::Inside]
                }
                (Side::Subject(i), Side::Reference(j)) | (Side::Reference(j), Side::Subject(i)) => {
                    [Spot::Edge(j), Spot::Edge(i)]
                }
            };
            candidates.push(self.candidate([mark.x, mark.y], spots));
            before = mark.side;
        }
    }

    /// A line of one body against a face of the other: the two ends of the part over the face.
    fn line_on_face(
        &self,
        line: usize,
        reference: &mut Vec<[f64; 2]>,
        candidates: &mut Vec<Candidate>,
    ) {
        if self.patches[1 - line].is_unbounded() {
            return self.all_corners(line, candidates);
        }
        let [first, second] = self.corners[line] else { return };
        let ends = [self.place(first.point), self.place(second.point)];
        reference.clear();
        reference.extend(self.corners[1 - line].iter().map(|corner| self.place(corner.point)));
        let slack = CONTACT_SLACK * self.tie * self.factor;
        let Some(cuts) = clip_segment(ends, reference, slack) else { return };
        for (t, side) in cuts {
            let mut spots = [Spot::Inside; 2];
            let mut place = [0, 1].map(|k| ends[0][k] + (ends[1][k] - ends[0][k]) * t);
            match side {
                Some(side) => spots[1 - line] = Spot::Edge(side),
                None => {
                    let end = usize::from(t > 0.5);
                    place = ends[end];
                    spots[line] = Spot::Corner(end as u32);
                }
            }
            candidates.push(self.candidate(place, spots));
        }
    }

    /// Line against line: the ends of the part they share, if they are parallel and one above the other.
    fn lines(&self, candidates: &mut Vec<Candidate>) {
        let ([p0, p1], [q0, q1]) = (self.corners[0], self.corners[1]) else { return };
        let [p0, p1, q0, q1] = [p0, p1, q0, q1].map(|corner| self.place(corner.point));
        let minus = |p: [f64; 2], q: [f64; 2]| [p[0] - q[0], p[1] - q[1]];
        let dot = |p: [f64; 2], q: [f64; 2]| p[0] * q[0] + p[1] * q[1];
        let cross = |p: [f64; 2], q: [f64; 2]| p[0] * q[1] - p[1] * q[0];
        let (along, other) = (minus(p1, p0), minus(q1, q0));
        let (square, turn) = (dot(along, along), cross(along, other));
        if square == 0.0
            || turn * turn > PARALLEL_LINES * PARALLEL_LINES * square * dot(other, other)
        {
            return;
        }
        // The ends of B by their parameters on A's line.
        let at = [q0, q1].map(|q| dot(minus(q, p0), along) / square);
        let ((low, low_end), (high, high_end)) =
            if at[0] <= at[1] { ((at[0], 0), (at[1], 1)) } else { ((at[1], 1), (at[0], 0)) };
        let shared = [low.max(0.0), high.min(1.0)];
        if shared[0] > shared[1] {
            return;
        }
        // How far the lines are apart in the middle of the part they share.
        let middle = (shared[0] + shared[1]) / 2.0;
        let span = at[1] - at[0];
        let share = if span != 0.0 { (middle - at[0]) / span } else { 0.5 };
        let on_b = [q0[0] + other[0] * share, q0[1] + other[1] * share];
        let length = square.sqrt();
        let apart = cross(along, minus(on_b, p0)).abs() / length;
        if apart > PARALLEL_LINES * (shared[1] - shared[0]) * length + self.tie * self.factor {
            return;
        }
        // Ends one above the other are named both: otherwise rounding would choose.
        let close = self.tie * self.factor / length;
        let (ends_a, ends_b) = ([p0, p1], [q0, q1]);
        let end = |beyond: f64, end_a: usize, end_b: usize| {
            let corners = [Spot::Corner(end_a as u32), Spot::Corner(end_b as u32)];
            if beyond.abs() <= close {
                self.candidate(ends_b[end_b], corners)
            } else if beyond > 0.0 {
                self.candidate(ends_a[end_a], [corners[0], Spot::Inside])
            } else {
                self.candidate(ends_b[end_b], [Spot::Inside, corners[1]])
            }
        };
        candidates.extend([end(-low, 0, low_end), end(high - 1.0, 1, high_end)]);
    }

    /// Leaves out what is too far or doubled, sees that the points of the signed distance are there, and chooses four.
    #[inline]
    fn finish(
        &self,
        margin: f64,
        found: &SignedDistance,
        curved: bool,
        candidates: &mut Vec<Candidate>,
        manifold: &mut LocalManifold,
    ) -> bool {
        self.drop_doubles(margin.max(found.distance) + self.tie, candidates);
        let least = candidates.iter().map(|c| c.distance).fold(f64::INFINITY, f64::min);
        let rough = if curved { self.tie * (CURVED_CONTACT_TIE / CONTACT_TIE) } else { self.tie };
        let holds = least <= found.distance + rough + found.uncertainty;
        if !holds {
            self.add_closest(found, candidates);
        }
        let (chosen, count) = choose(candidates, self.tie);
        manifold.count = 0;
        for candidate in chosen.iter().take(count).filter_map(|index| candidates.get(*index)) {
            let point = self.contact_point(candidate, found);
            // Only where corners almost coincide can two points have the same features.
            if manifold.points().iter().all(|other| other.features != point.features) {
                manifold.points[manifold.count as usize & 3] = point;
                manifold.count += 1;
            }
        }
        let deepest = &mut manifold.points[0];
        if (deepest.distance - found.distance).abs() <= self.tie {
            deepest.distance = found.distance;
        }
        holds
    }

    /// Keeps what is no farther than the limit and at a place of its own; neighbours are next to each other in the list.
    #[inline]
    fn drop_doubles(&self, limit: f64, candidates: &mut Vec<Candidate>) {
        let near = self.tie * self.factor;
        let apart = |p: [f64; 2], q: [f64; 2]| (p[0] - q[0]).abs().max((p[1] - q[1]).abs()) > near;
        let mut kept: usize = 0;
        for k in 0..candidates.len() {
            let candidate = candidates[k];
            let fresh = kept == 0
                || apart(candidates[kept - 1].place, candidate.place)
                    && apart(candidates[0].place, candidate.place);
            if candidate.distance <= limit && fresh {
                candidates[kept] = candidate;
                kept += 1;
            }
        }
        candidates.truncate(kept);
    }

    /// Adds the points of the signed distance, in the place of a candidate that is much closer to them than the others are.
    #[cold]
    fn add_closest(&self, found: &SignedDistance, candidates: &mut Vec<Candidate>) {
        let place = self.place(found.points[0]);
        let apart =
            |c: &Candidate| (c.place[0] - place[0]).abs().max((c.place[1] - place[1]).abs());
        let farthest = candidates.iter().map(apart).fold(0.0, f64::max);
        candidates.retain(|c| apart(c) > REPLACED_CONTACT * farthest);
        let (on, distance) = (found.points, found.distance);
        candidates.push(Candidate { place, spots: None, on, distance });
    }

    #[inline]
    fn contact_point(&self, candidate: &Candidate, found: &SignedDistance) -> ContactPoint {
        let [on_a, on_b] = candidate.on;
        let features = match candidate.spots {
            Some(spots) => [0, 1].map(|k| self.patches[k].name(self.corners[k], spots[k])),
            None => found.features,
        };
        ContactPoint { on_a, on_b, distance: candidate.distance, features }
    }
}
