use super::quadric::inside_cone;
use super::solid::{Solid, Span};
use super::sphere::inside_ball;
use crate::shape::Capsule;
use glam::DVec3;

impl Solid for Capsule {
    /// A capsule is two balls and the cylinder between them, so its interval spans theirs.
    fn span(&self, origin: DVec3, direction: DVec3) -> Option<Span> {
        let (radius, half_height) = (self.radius(), self.half_height());
        let side = inside_cone(origin.truncate(), direction.truncate(), radius, 0.0)?;
        let between = Span::slab(origin.z, direction.z, (-half_height, half_height), [0, 0])
            .and_then(|slab| slab.and(Span::of(0, side)));
        let ball = |z: f64| {
            inside_ball(DVec3::new(0.0, 0.0, z), radius, origin, direction)
                .map(|ends| Span::of(0, ends))
        };
        union([between, ball(-half_height), ball(half_height)])
    }
}

/// The interval of a convex body from those of the parts that cover it.
pub(crate) fn union(parts: [Option<Span>; 3]) -> Option<Span> {
    parts.into_iter().flatten().reduce(|all, part| all.or(Some(part)))
}
