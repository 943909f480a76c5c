//! A supporting face placed in A's frame, ready to be met by the other one.

use super::face::{Corner, Spot, Supporting};
use crate::answer::Feature;
use crate::number::length::length_and_unit;
use crate::pose::Pose;
use crate::shape::Core;
use crate::support::Support;
use glam::DVec3;

/// The supporting face of one body; its corners are kept beside it, in the caller's memory.
pub(super) struct Patch<'a> {
    core: &'a Core<'a>,
    supporting: &'a Supporting,
    /// Out of the body along the contact normal.
    out: DVec3,
    /// The outward normal of the face or line.
    normal: DVec3,
    /// A point of the face, or the first end of the line.
    base: DVec3,
    /// From the first end of the line to the second.
    along: DVec3,
    /// `(p - base)·across` is the parameter along the line of what lies above or below `p`.
    across: DVec3,
    /// The radii by which the two ends of a line, or any point of a face, are swept.
    radii: [f64; 2],
    /// How far the swept face reaches along `out`.
    top: f64,
}

impl<'a> Patch<'a> {
    /// Places the supporting face of a core, and fills the list with its corners, counter-clockwise about the contact normal.
    #[inline(always)]
    pub(super) fn new(
        (core, radius): &'a (Core<'a>, f64),
        supporting: &'a Supporting,
        normal: DVec3,
        b_in_a: Option<&Pose>,
        corners: &mut Vec<Corner>,
    ) -> Self {
        let radius = *radius;
        supporting.corners(core, corners);
        let mut out = normal;
        if let Some(pose) = b_in_a {
            corners.iter_mut().for_each(|corner| corner.point = pose.transform_point(corner.point));
            // Seen from inside B the corners turn the other way.
            corners.reverse();
            out = -normal;
        }
        let turn = |v: DVec3| b_in_a.map_or(v, |pose| pose.rotate(v));
        let mut patch = Self {
            core,
            supporting,
            out,
            normal: out,
            base: corners.first().map_or(DVec3::ZERO, |corner| corner.point),
            along: DVec3::ZERO,
            across: DVec3::ZERO,
            radii: [radius; 2],
            top: f64::NEG_INFINITY,
        };
        match supporting {
            Supporting::Point => {}
            Supporting::Line(line) => patch.set_line(turn(line.normal), line.radii, corners),
            Supporting::Face { normal, .. } => patch.normal = turn(*normal),
            Supporting::Unbounded { normal } => {
                let offset = match core {
                    Core::Plane(core) => core.normal() * core.offset(),
                    Core::HalfSpace(core) => core.normal() * core.offset(),
                    _ => DVec3::ZERO,
                };
                patch.normal = turn(*normal);
                patch.base = b_in_a.map_or(offset, |pose| pose.transform_point(offset));
                patch.top = patch.base.dot(out) + radius;
            }
        }
        if radius > 0.0 && matches!(core, Core::Cylinder(_) | Core::Cone(_)) {
            // A rim reaches farther than the octagon in it.
            let local = b_in_a.map_or(out, |pose| pose.inverse_rotate(out));
            let farthest = core.support(local).point;
            patch.top =
                b_in_a.map_or(farthest, |pose| pose.transform_point(farthest)).dot(out) + radius;
        } else if radius > 0.0 || patch.along != DVec3::ZERO {
            for (corner, end) in corners.iter().zip([0, 1].into_iter().chain(std::iter::repeat(0)))
            {
                patch.top = patch.top.max(corner.point.dot(out) + patch.radii[end]);
            }
        }
        patch
    }

    /// The two corners are the ends; those of B come in reverse.
    fn set_line(&mut self, normal: DVec3, radii: [f64; 2], corners: &[Corner]) {
        let [first, second] = corners else { return };
        self.normal = normal;
        self.along = second.point - first.point;
        let level = self.along - self.out * self.along.dot(self.out);
        // The line is almost level, so only a line without length has no inverse.
        self.across = match length_and_unit(level) {
            Some((length, unit)) if length >= f64::MIN_POSITIVE => unit / length,
            _ => DVec3::ZERO,
        };
        let reversed = matches!(self.supporting, Supporting::Line(line) if line.ids[0] != first.id);
        let radii = if reversed { [radii[1], radii[0]] } else { radii };
        self.radii = [self.radii[0] + radii[0], self.radii[1] + radii[1]];
    }

    #[inline]
    pub(super) fn is_line(&self) -> bool {
        matches!(self.supporting, Supporting::Line(_))
    }

    /// True for planes and half-spaces, which have no corners.
    #[inline]
    pub(super) fn is_unbounded(&self) -> bool {
        matches!(self.supporting, Supporting::Unbounded { .. })
    }

    /// The point of the core's face above or below `p`, and the radius there.
    #[inline]
    fn lift(&self, p: DVec3) -> (DVec3, f64) {
        if self.is_line() {
            let t = (p - self.base).dot(self.across).clamp(0.0, 1.0);
            let radius = self.radii[0] + (self.radii[1] - self.radii[0]) * t;
            return (self.base + self.along * t, radius);
        }
        let rise = (self.base - p).dot(self.normal) / self.out.dot(self.normal);
        (p + self.out * rise, self.radii[0])
    }

    /// The point of the swept surface above or below `p`; `tie` is the rounding of heights.
    ///
    /// What reaches farthest along the contact normal is swept along it, the rest along the face's own normal: both are on the
    /// surface, and the deepest point is among them.
    #[inline]
    pub(super) fn surface(&self, p: DVec3, tie: f64) -> DVec3 {
        let (point, radius) = self.lift(p);
        if radius == 0.0 {
            return point;
        }
        let farthest = self.top - (point.dot(self.out) + radius) <= tie;
        point + if farthest { self.out } else { self.normal } * radius
    }

    /// The surface point at a corner, which keeps its coordinates if the shape is not rounded.
    #[inline]
    pub(super) fn corner_surface(&self, corner: DVec3, tie: f64) -> DVec3 {
        if self.radii == [0.0; 2] { corner } else { self.surface(corner, tie) }
    }

    pub(super) fn name(&self, corners: &[Corner], spot: Spot) -> Feature {
        self.supporting.name(self.core, corners, spot)
    }
}
