//! Spheres as builders use them: rounded, for comparing, not for containing.

use crate::build::agglomerative::Shape;
use crate::build::reference::{Bounds, Reference};
use impinge_geom::glam::Vec3A;

/// A sphere and what is in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ball {
    pub(super) center: Vec3A,
    pub(super) radius: f32,
}

impl Ball {
    /// Around a box.
    pub(super) fn around(bounds: &Bounds) -> Self {
        Self { center: bounds.center(), radius: bounds.edges().as_vec3a().length() * 0.5 }
    }

    /// About the smallest around both.
    pub(super) fn joined(&self, other: &Self) -> Self {
        let (way, [small, large]) = if self.radius <= other.radius {
            (other.center - self.center, [self, other])
        } else {
            (self.center - other.center, [other, self])
        };
        let distance = way.length();
        if distance + small.radius <= large.radius {
            return *large;
        }
        let radius = 0.5 * (distance + small.radius + large.radius);
        // From the larger one's centre towards the smaller one's.
        Self { center: large.center - way * ((radius - large.radius) / distance), radius }
    }
}

impl Shape for Ball {
    fn join(&mut self, other: &Self) {
        *self = self.joined(other);
    }

    fn size(&self) -> f32 {
        self.radius
    }
}

/// The centre of an item's box.
pub(super) fn middle(reference: &Reference) -> Vec3A {
    Vec3A::from_vec4(reference.center()) * 0.5
}
