//! Scenes so small that squares of their coordinates vanish: cast in a larger copy.

use super::{Ray, RayHit};
use crate::number::error::GeometryError;
use crate::shape::Shape;
use std::sync::Arc;

/// 2^-300: below it products of four coordinates begin to lose digits.
const SMALL: f64 = f64::from_bits((1023 - 300) << 52);

/// 2^500: takes what is smaller than [`SMALL`] to at most 2^200.
const ENLARGEMENT: f64 = f64::from_bits((1023 + 500) << 52);

/// The answer where the ray begins close to the origin and the shape is small as well; `None` for everything else.
#[inline(always)]
pub(crate) fn cast(shape: &Shape, ray: &Ray) -> Option<Option<RayHit>> {
    if ray.origin.abs().max_element() >= SMALL {
        return None;
    }
    let size = shape.bounding_radius();
    if size >= SMALL || size == 0.0 { None } else { cast_enlarged(shape, ray) }
}

#[cold]
fn cast_enlarged(shape: &Shape, ray: &Ray) -> Option<Option<RayHit>> {
    let enlarged = enlarge(shape)?.ok()?;
    let origin = ray.origin * ENLARGEMENT;
    let ray = Ray { origin, factor: ray.factor / ENLARGEMENT, ..*ray };
    let hit = super::cast(&enlarged, &ray);
    Some(hit.map(|hit| RayHit { point: hit.point / ENLARGEMENT, ..hit }))
}

/// The shape with all lengths multiplied; `None` where that is not possible or not needed.
fn enlarge(shape: &Shape) -> Option<Result<Shape, GeometryError>> {
    let n = |length: f64| length * ENLARGEMENT;
    let v = |p: glam::DVec3| (p * ENLARGEMENT).to_array();
    Some(match shape {
        Shape::Sphere(s) => Shape::sphere(n(s.radius())),
        Shape::Capsule(s) => Shape::capsule(n(s.radius()), n(s.half_height())),
        Shape::TaperedCapsule(s) => {
            Shape::tapered_capsule(n(s.bottom()), n(s.top()), n(s.half_height()))
        }
        Shape::Cuboid(s) => Shape::cuboid(v(s.half())),
        Shape::Cylinder(s) => Shape::cylinder(n(s.radius()), n(s.half_height())),
        Shape::Cone(s) => Shape::cone(n(s.radius()), n(s.half_height())),
        Shape::Ellipsoid(s) => Shape::ellipsoid(v(s.radii())),
        Shape::Segment(s) => Shape::segment(s.points().map(v)),
        Shape::Hull(s) => {
            let points: Vec<_> = s.vertices().iter().copied().map(v).collect();
            crate::hull::Hull::new(&points).map(|hull| Shape::Hull(Arc::new(hull)))
        }
        Shape::Rounded(s) => enlarge(s.core())?.and_then(|core| core.rounded(n(s.radius()))),
        Shape::Triangle(_) | Shape::Plane(_) | Shape::HalfSpace(_) | Shape::Custom(_) => {
            return None;
        }
    })
}
