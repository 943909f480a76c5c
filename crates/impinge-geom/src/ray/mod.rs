//! Rays: the first point of a shape's boundary along a half-line.
//!
//! A convex solid meets the ray's line in one interval; the files of the solids give its two ends in closed form. What is hit
//! first is the near end from outside and the far end from inside, and an origin on the boundary is itself the hit. Shapes
//! without such a form (rounded ones, the user's own, bodies as thin as a line, and hulls as thin as a sheet) are traced by Newton's
//! method on the signed distance, which is convex along the ray. Triangles are decided exactly, see [`triangle()`].

mod capsule;
mod cone;
mod crossed;
mod cuboid;
mod cylinder;
mod ellipsoid;
mod hull;
mod plane;
mod precomputed;
mod quadric;
mod rescaled;
mod solid;
mod sphere;
mod tapered_capsule;
mod thin;
mod traced;
mod triangle;

#[cfg(test)]
mod mesh_tests;
#[cfg(test)]
mod tests;

pub use crossed::{CrossedFour, triangle_crossed, triangles_crossed};
pub use precomputed::{Axis, PrecomputedRay};
pub use triangle::{TriangleHit, triangle, triangle_before};

use crate::answer::Feature;
use crate::number::error::{
    GeometryError, check_direction, check_point, power_of_two_near_inverse,
};
use crate::shape::Shape;
use glam::DVec3;

/// A half-line: an origin and a direction of any length but zero.
///
/// ```
/// use impinge_geom::ray::Ray;
/// assert!(Ray::new([0.0; 3], [0.0, 0.0, 0.5]).is_ok());
/// assert!(Ray::new([0.0; 3], [0.0; 3]).is_err());
/// assert!(Ray::new([f64::NAN, 0.0, 0.0], [1.0, 0.0, 0.0]).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(into = "crate::serial::RayData", try_from = "crate::serial::RayData")
)]
pub struct Ray {
    origin: DVec3,
    /// The direction enlarged, if that is needed to bring it to about one, and never made smaller, so that it is exact.
    exact: DVec3,
    /// A power of two that brings the largest coordinate of the direction between 0.5 and 2.
    factor: f64,
    precomputed: PrecomputedRay,
}

impl Ray {
    /// A ray; refuses what is not finite, magnitudes above 2^250 and directions without length.
    pub fn new(
        origin: impl Into<DVec3>,
        direction: impl Into<DVec3>,
    ) -> Result<Self, GeometryError> {
        let origin = check_point(origin.into().to_array(), "origin", None)?;
        let direction = direction.into();
        check_direction(direction.to_array(), "direction")?;
        let factor = power_of_two_near_inverse(direction.abs().max_element());
        let exact = direction * factor.max(1.0);
        Ok(Self { origin, exact, factor, precomputed: PrecomputedRay::new(direction * factor) })
    }

    /// The ray with all lengths scaled by a power of two; t still counts in units of the given direction.
    fn enlarged(&self, enlargement: f64) -> Self {
        // Below that the exact direction would not be finite.
        let factor = (self.factor / enlargement).max(f64::MIN_POSITIVE);
        let exact = self.scaled() / factor.min(1.0);
        Self { origin: self.origin * enlargement, exact, factor, precomputed: self.precomputed }
    }

    /// Where the ray begins.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// The direction as it was given; its length is the unit of [`ShapeHit::t`].
    pub fn direction(&self) -> DVec3 {
        self.exact / self.factor.max(1.0)
    }

    /// The direction times [`Ray::factor`].
    #[inline(always)]
    pub(crate) fn scaled(&self) -> DVec3 {
        self.exact * self.factor.min(1.0)
    }

    /// A power of two that brings the largest coordinate of the direction between 0.5 and 2.
    #[inline(always)]
    pub(crate) fn factor(&self) -> f64 {
        self.factor
    }

    /// The largest coordinate of the exact direction.
    #[inline(always)]
    fn exact_size(&self) -> f64 {
        self.exact.abs().max_element()
    }

    /// The direction in f32.
    #[inline(always)]
    pub fn precomputed(&self) -> &PrecomputedRay {
        &self.precomputed
    }

    /// The value of t for a multiple of the scaled direction; beyond the range of f64 it is the largest number.
    #[inline(always)]
    fn t(&self, multiple: f64) -> f64 {
        (multiple * self.factor).min(f64::MAX)
    }

    /// The point at a multiple of the scaled direction.
    #[inline(always)]
    fn at(&self, multiple: f64) -> DVec3 {
        self.origin + self.scaled() * multiple
    }
}

/// The first point of a boundary along a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ShapeHit {
    /// The hit is at origin + t · direction, t ≥ 0, in units of the direction as it was given.
    pub t: f64,
    /// The point that was hit.
    pub point: DVec3,
    /// The outward unit normal there; of surfaces without an inside, the one against the ray.
    pub normal: DVec3,
    /// The feature that was hit.
    pub feature: Feature,
    /// True if the origin lies inside the solid, so that the ray leaves it here.
    pub inside: bool,
}

/// The first point of the shape's boundary at t ≥ 0. The ray is in the shape's own frame.
///
/// From inside a solid it is where the ray leaves; from a point of the boundary (for curved shapes: within a few roundings of
/// it) it is the origin itself, t = 0. A ray that only grazes hits if the rounded numbers meet. Segments, and other bodies as
/// thin as a line or a point, are hit if the ray passes within 1e-12 of the largest coordinate or size. Triangles are decided
/// exactly. Closed forms take no iterations; tracing takes at most 200 steps.
///
/// ```
/// use impinge_geom::{Shape, ray::{self, Ray}};
/// let ball = Shape::sphere(1.0)?;
/// let hit = ray::cast(&ball, &Ray::new([-5.0, 0.0, 0.0], [2.0, 0.0, 0.0])?).unwrap();
/// assert_eq!((hit.t, hit.point.x, hit.inside), (2.0, -1.0, false));
/// let leaving = ray::cast(&ball, &Ray::new([0.0; 3], [0.0, 0.0, -0.5])?).unwrap();
/// assert_eq!((leaving.t, leaving.normal.z, leaving.inside), (2.0, -1.0, true));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn cast(shape: &Shape, ray: &Ray) -> Option<ShapeHit> {
    if let Some(hit) = rescaled::cast(shape, ray) {
        return hit;
    }
    match shape {
        Shape::Sphere(solid) if solid.radius() > 0.0 => solid::cast(shape, solid, ray),
        Shape::Capsule(solid) if solid.radius() > 0.0 => solid::cast(shape, solid, ray),
        Shape::TaperedCapsule(solid) if solid.bottom().max(solid.top()) > 0.0 => {
            solid::cast(shape, solid, ray)
        }
        Shape::Cuboid(solid) if cuboid::has_area(solid) => solid::cast(shape, solid, ray),
        Shape::Cylinder(solid) if solid.radius() > 0.0 => solid::cast(shape, solid, ray),
        Shape::Cone(solid) if solid.radius() > 0.0 => solid::cast(shape, solid, ray),
        Shape::Ellipsoid(solid) if ellipsoid::has_volume(solid, ray) => {
            solid::cast(shape, solid, ray)
        }
        Shape::Hull(hull) => hull::cast(shape, hull, ray),
        Shape::Triangle(body) => triangle::cast(&body.points(), ray),
        Shape::Plane(body) => plane::cast_plane(body.normal(), body.offset(), ray),
        Shape::HalfSpace(body) => plane::cast_half_space(body.normal(), body.offset(), ray),
        Shape::Rounded(body) => match body.core() {
            Shape::Plane(core) => {
                plane::cast_slab(core.normal(), core.offset(), body.radius(), ray)
            }
            Shape::HalfSpace(core) => {
                plane::cast_half_space(core.normal(), core.offset() + body.radius(), ray)
            }
            _ => traced::cast(shape, ray),
        },
        _ => traced::cast(shape, ray),
    }
}
