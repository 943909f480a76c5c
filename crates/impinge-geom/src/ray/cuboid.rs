use super::solid::{Solid, Span};
use crate::answer::Feature;
use crate::shape::Cuboid;
use glam::DVec3;

/// True unless the box is as thin as a line or a point.
pub(crate) fn has_area(cuboid: &Cuboid) -> bool {
    cuboid.half().cmpgt(DVec3::ZERO).bitmask().count_ones() >= 2
}

impl Solid for Cuboid {
    /// Three slabs (T. Kay and J. Kajiya, "Ray Tracing Complex Scenes", 1986). Parts are the faces.
    #[inline]
    fn span(&self, origin: DVec3, direction: DVec3) -> Option<Span> {
        let half = self.half();
        let mut span = Span::slab(origin.x, direction.x, (-half.x, half.x), [0, 1])?;
        span = span.and(Span::slab(origin.y, direction.y, (-half.y, half.y), [2, 3])?)?;
        span.and(Span::slab(origin.z, direction.z, (-half.z, half.z), [4, 5])?)
    }

    fn part(&self, part: u32) -> Option<(DVec3, Feature)> {
        let axis = *DVec3::AXES.get(part as usize / 2)?;
        Some((if part % 2 == 1 { axis } else { -axis }, Feature::face(part)))
    }
}
