//! Planes and half-spaces against anything: the support function along the normal.
//!
//! Directions within 1e-12 of each other count as parallel: normals are rounded when they are normalised and turned.

use crate::answer::{Certainty, Feature, SignedDistance};
use crate::number::tolerance::PARALLEL;
use crate::pose::Pose;
use crate::shape::Core;
use crate::support::{Support, SupportPoint};
use glam::DVec3;

/// True if two unit vectors lie along one line.
pub(crate) fn is_parallel(a: DVec3, b: DVec3) -> bool {
    a.cross(b).length() <= PARALLEL
}

/// A plane or half-space in A's frame.
#[derive(Clone, Copy)]
struct Flat {
    normal: DVec3,
    offset: f64,
    /// A plane: both sides are outside.
    two_sided: bool,
}

impl Flat {
    fn of(core: &Core<'_>) -> Option<Self> {
        match core {
            Core::Plane(core) => {
                Some(Self { normal: core.normal(), offset: core.offset(), two_sided: true })
            }
            Core::HalfSpace(core) => {
                Some(Self { normal: core.normal(), offset: core.offset(), two_sided: false })
            }
            _ => None,
        }
    }

    fn mapped(&self, pose: &Pose) -> Self {
        let normal = pose.rotate(self.normal);
        Self { normal, offset: self.offset + normal.dot(pose.translation()), ..*self }
    }

    /// The signed distance of a bounded core, posed in the flat body's frame.
    fn against(&self, core: &Core<'_>, pose: &Pose) -> SignedDistance {
        let lowest = core.support(pose.inverse_rotate(-self.normal));
        let low_point = pose.transform_point(lowest.point);
        let low = self.normal.dot(low_point) - self.offset;
        let answer =
            |height: f64, distance: f64, normal: DVec3, on_core: DVec3, id: u32| SignedDistance {
                distance,
                uncertainty: 0.0,
                points: [on_core - self.normal * height, on_core],
                normal,
                features: [Feature::face(0), vertex(id)],
                certainty: Certainty::Exact,
            };
        let above = answer(low, low, self.normal, low_point, lowest.vertex);
        if !self.two_sided || low >= 0.0 {
            return above;
        }
        let highest = core.support(pose.inverse_rotate(self.normal));
        let high_point = pose.transform_point(highest.point);
        let high = self.normal.dot(high_point) - self.offset;
        // Below the plane the gap is −high; across it, the shorter way out counts.
        if high < -low {
            answer(high, -high, -self.normal, high_point, highest.vertex)
        } else {
            above
        }
    }

    /// A point of a bounded core, posed in this body's frame, that lies in this body, which it is known to meet.
    fn entered(&self, core: &Core<'_>, pose: &Pose) -> DVec3 {
        let low_point = pose.transform_point(core.support(pose.inverse_rotate(-self.normal)).point);
        if !self.two_sided {
            return low_point;
        }
        let high_point = pose.transform_point(core.support(pose.inverse_rotate(self.normal)).point);
        let low = self.offset - self.normal.dot(low_point);
        let high = self.normal.dot(high_point) - self.offset;
        let share = if low + high > 0.0 { low / (low + high) } else { 0.0 };
        low_point + (high_point - low_point) * share.clamp(0.0, 1.0)
    }

    /// The signed distance of two flat bodies in one frame; `None` where no translation parts them.
    fn against_flat(&self, other: &Self) -> Option<SignedDistance> {
        if !is_parallel(self.normal, other.normal) {
            return None;
        }
        let same = self.normal.dot(other.normal) > 0.0;
        // The other boundary, along this normal.
        let place = if same { other.offset } else { -other.offset };
        let gap = place - self.offset;
        let (distance, normal) = match (self.two_sided, other.two_sided) {
            (true, true) if gap >= 0.0 => (gap, self.normal),
            (true, true) => (-gap, -self.normal),
            (false, true) => (gap, self.normal),
            (true, false) if same => (-gap, -self.normal),
            (true, false) => (gap, self.normal),
            (false, false) if same => return None,
            (false, false) => (gap, self.normal),
        };
        Some(SignedDistance {
            distance,
            uncertainty: 0.0,
            points: [self.normal * self.offset, self.normal * place],
            normal,
            features: [Feature::face(0); 2],
            certainty: Certainty::Exact,
        })
    }
}

fn vertex(id: u32) -> Feature {
    if id == SupportPoint::CURVED { Feature::SURFACE } else { Feature::vertex(id) }
}

/// At least one of the cores is a plane or a half-space.
pub(super) fn signed_distance(a: &Core<'_>, b: &Core<'_>, pose: &Pose) -> Option<SignedDistance> {
    match (Flat::of(a), Flat::of(b)) {
        (Some(a), Some(b)) => a.against_flat(&b.mapped(pose)),
        (Some(flat), None) => Some(flat.against(b, pose)),
        (None, Some(flat)) => {
            // In A's frame B is the flat body and A stands where it is.
            Some(flat.mapped(pose).against(a, &Pose::IDENTITY).flipped())
        }
        (None, None) => None,
    }
}

/// A point of both bodies, at least one of them flat, that are known to meet.
pub(super) fn common_point(a: &Core<'_>, b: &Core<'_>, pose: &Pose) -> SignedDistance {
    let (point, normal) = match (Flat::of(a), Flat::of(b)) {
        (Some(a), Some(b)) => meeting(&a, &b.mapped(pose)),
        (Some(flat), None) => (flat.entered(b, pose), flat.normal),
        (None, Some(flat)) => {
            let flat = flat.mapped(pose);
            (flat.entered(a, &Pose::IDENTITY), -flat.normal)
        }
        (None, None) => (DVec3::ZERO, DVec3::Z),
    };
    SignedDistance {
        distance: 0.0,
        uncertainty: 0.0,
        points: [point; 2],
        normal,
        features: [Feature::face(0); 2],
        certainty: Certainty::Exact,
    }
}

/// A point on both boundaries, or, where they are parallel, on the boundary that lies in the other body.
fn meeting(a: &Flat, b: &Flat) -> (DVec3, DVec3) {
    let along = a.normal.dot(b.normal);
    let square = a.normal.cross(b.normal).length_squared();
    if square <= PARALLEL * PARALLEL {
        let place = if along > 0.0 { b.offset } else { -b.offset };
        let own = a.two_sided || !b.two_sided && along > 0.0 && a.offset <= place;
        return (a.normal * if own { a.offset } else { place }, a.normal);
    }
    let x = (a.offset - b.offset * along) / square;
    let y = (b.offset - a.offset * along) / square;
    (a.normal * x + b.normal * y, a.normal)
}

/// True if the heights of corners above the flat body come without rounding: a polytope against an axis-parallel plane.
pub(crate) fn is_exact(a: &Core<'_>, b: &Core<'_>, pose: &Pose, radius: f64) -> bool {
    let upright = |flat: Flat| flat.normal.abs().max_element() == 1.0;
    radius == 0.0
        && match (Flat::of(a), Flat::of(b)) {
            (Some(a), Some(b)) => upright(a) && upright(b.mapped(pose)),
            (Some(flat), None) => upright(flat) && b.is_polytope(),
            (None, Some(flat)) => upright(flat.mapped(pose)) && a.is_polytope(),
            (None, None) => false,
        }
}
