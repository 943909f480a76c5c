use super::quadric::inside_cone;
use super::solid::{Solid, Span};
use crate::answer::Feature;
use crate::shape::Cylinder;
use glam::DVec3;

/// Parts 0 and 1 are the caps, 2 is the side.
const SIDE: u32 = 2;

/// The caps of bodies along z.
pub(crate) fn cap(part: u32) -> Option<(DVec3, Feature)> {
    match part {
        0 => Some((DVec3::NEG_Z, Feature::face(0))),
        1 => Some((DVec3::Z, Feature::face(1))),
        _ => None,
    }
}

/// The interval in which a line is inside a cylinder about z.
pub(crate) fn inside_cylinder(
    radius: f64,
    half_height: f64,
    origin: DVec3,
    direction: DVec3,
) -> Option<Span> {
    let side = inside_cone(origin.truncate(), direction.truncate(), radius, 0.0)?;
    let slab = Span::slab(origin.z, direction.z, (-half_height, half_height), [0, 1])?;
    slab.and(Span::of(SIDE, side))
}

impl Solid for Cylinder {
    fn span(&self, origin: DVec3, direction: DVec3) -> Option<Span> {
        inside_cylinder(self.radius(), self.half_height(), origin, direction)
    }

    fn part(&self, part: u32) -> Option<(DVec3, Feature)> {
        cap(part)
    }
}
