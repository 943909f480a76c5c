use super::capsule::union;
use super::quadric::inside_cone;
use super::solid::{Solid, Span};
use super::sphere::inside_ball;
use crate::shape::TaperedCapsule;
use glam::DVec3;

impl Solid for TaperedCapsule {
    /// Two balls, and the piece of a cone between the circles in which it touches them.
    fn span(&self, origin: DVec3, direction: DVec3) -> Option<Span> {
        let (bottom, top, half_height) = (self.bottom(), self.top(), self.half_height());
        let ball = |z: f64, radius: f64| {
            inside_ball(DVec3::new(0.0, 0.0, z), radius, origin, direction)
                .map(|ends| Span::of(0, ends))
        };
        let length = 2.0 * half_height;
        if bottom - top >= length {
            return ball(-half_height, bottom);
        }
        if top - bottom >= length {
            return ball(half_height, top);
        }
        let sine = (bottom - top) / length;
        let cosine = ((1.0 - sine) * (1.0 + sine)).sqrt();
        // Under the mantle: cosine · reach ≤ bottom − sine · (z + half height).
        let mantle = inside_cone(
            origin.truncate() * cosine,
            direction.truncate() * cosine,
            bottom - sine * (origin.z + half_height),
            -sine * direction.z,
        );
        let circles = (bottom * sine - half_height, top * sine + half_height);
        let between = Span::slab(origin.z, direction.z, circles, [0, 0])
            .and_then(|slab| slab.and(Span::of(0, mantle?)));
        union([between, ball(-half_height, bottom), ball(half_height, top)])
    }
}
