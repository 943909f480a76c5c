//! Larger copies of shapes whose coordinates are so small that products of them vanish.

use super::Shape;
use crate::number::error::GeometryError;
use crate::support::{Support, SupportPoint};
use glam::DVec3;
use std::sync::Arc;

/// A shape of the user's own with all lengths multiplied.
struct Enlarged {
    shape: Arc<dyn Support + Send + Sync>,
    factor: f64,
}

impl Support for Enlarged {
    fn support(&self, direction: DVec3) -> SupportPoint {
        let answer = self.shape.support(direction);
        SupportPoint { point: answer.point * self.factor, ..answer }
    }
    fn center(&self) -> DVec3 {
        self.shape.center() * self.factor
    }
    fn radius(&self) -> f64 {
        self.shape.radius() * self.factor
    }
}

impl Shape {
    /// The shape with all lengths multiplied by a power of two above one, which is exact; an error where that makes it too large.
    #[cold]
    pub(crate) fn enlarged(&self, factor: f64) -> Result<Self, GeometryError> {
        let n = |length: f64| length * factor;
        let v = |p: DVec3| (p * factor).to_array();
        match self {
            Self::Sphere(s) => Self::sphere(n(s.radius())),
            Self::Capsule(s) => Self::capsule(n(s.radius()), n(s.half_height())),
            Self::TaperedCapsule(s) => {
                Self::tapered_capsule(n(s.bottom()), n(s.top()), n(s.half_height()))
            }
            Self::Cuboid(s) => Self::cuboid(v(s.half())),
            Self::Cylinder(s) => Self::cylinder(n(s.radius()), n(s.half_height())),
            Self::Cone(s) => Self::cone(n(s.radius()), n(s.half_height())),
            Self::Ellipsoid(s) => Self::ellipsoid(v(s.radii())),
            Self::Segment(s) => Self::segment(s.points().map(v)),
            Self::Triangle(s) => Self::triangle(s.points().map(v)),
            Self::Plane(s) => s.with_offset(n(s.offset())).map(Self::Plane),
            Self::HalfSpace(s) => s.with_offset(n(s.offset())).map(Self::HalfSpace),
            Self::Hull(s) => {
                let points: Vec<_> = s.vertices().iter().copied().map(v).collect();
                Self::hull(&points)
            }
            Self::Custom(s) => Self::custom(Arc::new(Enlarged { shape: s.shared(), factor })),
            Self::Rounded(s) => s.core().enlarged(factor)?.rounded(n(s.radius())),
        }
    }
}
