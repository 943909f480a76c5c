use super::cylinder::{cap, inside_cylinder};
use super::quadric::inside_cone;
use super::solid::{Solid, Span};
use crate::answer::Feature;
use crate::number::length::length_and_unit;
use crate::shape::Cone;
use glam::DVec3;

/// Lines that rise by less than this share of their length never leave the heights, and flatter cones are discs: 2^-200.
const LEVEL: f64 = f64::from_bits((1023 - 200) << 52);

/// Lines that begin within this many times the half height keep their own origin.
const TALL: f64 = 16.0;

/// Part 0 is the base, 2 the mantle.
const MANTLE: u32 = 2;

impl Solid for Cone {
    fn span(&self, origin: DVec3, direction: DVec3) -> Option<Span> {
        let (radius, half_height) = (self.radius(), self.half_height());
        let (_, across) = length_and_unit(DVec3::new(2.0 * half_height, radius, 0.0))?;
        let (cosine, sine) = (across.x, across.y);
        if cosine <= LEVEL {
            // A disc, up to less than any rounding.
            return inside_cylinder(radius, half_height, origin, direction);
        }
        let heights = (-half_height, half_height);
        let slab = Span::slab(origin.z, direction.z, heights, [0, MANTLE])?;
        // A flat cone is seen from where the line comes between the heights, which would drown in a larger z.
        let is_level = direction.z.abs() <= LEVEL * direction.abs().max_element();
        let (start, slab, origin) = if is_level || origin.z.abs() <= TALL * half_height {
            (0.0, slab, origin)
        } else {
            let z = if direction.z > 0.0 { -half_height } else { half_height };
            let (start, origin) = (slab.enter.at, (origin + direction * slab.enter.at).with_z(z));
            (start, Span::slab(z, direction.z, heights, [0, MANTLE])?, origin)
        };
        // Under the mantle: cosine · reach ≤ sine · (half height − z).
        let (enter, leave) = inside_cone(
            origin.truncate() * cosine,
            direction.truncate() * cosine,
            sine * (half_height - origin.z),
            -sine * direction.z,
        )?;
        // The way through the cone may be shorter than the rounding of where it begins.
        slab.and(Span::of(MANTLE, (enter, leave))).map(|span| span.shifted(start))
    }

    fn part(&self, part: u32) -> Option<(DVec3, Feature)> {
        cap(part)
    }
}
