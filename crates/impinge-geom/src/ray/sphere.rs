use super::solid::{Solid, Span};
use crate::shape::Sphere;
use glam::DVec3;

/// The interval in which a line is inside a ball, from its point closest to the centre.
#[inline(always)]
pub(crate) fn inside_ball(
    center: DVec3,
    radius: f64,
    origin: DVec3,
    direction: DVec3,
) -> Option<(f64, f64)> {
    let square = direction.length_squared();
    let from = origin - center;
    let middle = -from.dot(direction) / square;
    let closest = (from + direction * middle).length();
    if closest > radius {
        return None;
    }
    let half = ((radius - closest) * (radius + closest) / square).sqrt();
    Some((middle - half, middle + half))
}

impl Solid for Sphere {
    fn span(&self, origin: DVec3, direction: DVec3) -> Option<Span> {
        inside_ball(DVec3::ZERO, self.radius(), origin, direction).map(|ends| Span::of(0, ends))
    }
}
