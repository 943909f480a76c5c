use super::cylinder::{cap, inside_cylinder};
use super::quadric::inside_cone;
use super::solid::{Solid, Span};
use crate::answer::Feature;
use crate::number::length::length_and_unit;
use crate::shape::Cone;
use glam::DVec3;

/// Part 0 is the base, 2 the mantle.
const MANTLE: u32 = 2;

impl Solid for Cone {
    fn span(&self, origin: DVec3, direction: DVec3) -> Option<Span> {
        let (radius, half_height) = (self.radius(), self.half_height());
        let (_, across) = length_and_unit(DVec3::new(2.0 * half_height, radius, 0.0))?;
        let (cosine, sine) = (across.x, across.y);
        if cosine == 0.0 {
            // A disc.
            return inside_cylinder(radius, 0.0, origin, direction);
        }
        // Under the mantle: cosine · reach ≤ sine · (half height − z).
        let mantle = inside_cone(
            origin.truncate() * cosine,
            direction.truncate() * cosine,
            sine * (half_height - origin.z),
            -sine * direction.z,
        )?;
        let heights = (-half_height, half_height);
        let slab = Span::slab(origin.z, direction.z, heights, [0, MANTLE])?;
        slab.and(Span::of(MANTLE, mantle))
    }

    fn part(&self, part: u32) -> Option<(DVec3, Feature)> {
        cap(part)
    }
}
