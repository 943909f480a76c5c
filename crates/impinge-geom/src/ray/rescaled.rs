//! Scenes so small that squares of their coordinates vanish: cast in a larger copy.

use super::{Ray, ShapeHit};
use crate::shape::Shape;

/// 2^-300: below it products of four coordinates begin to lose digits.
const SMALL: f64 = f64::from_bits((1023 - 300) << 52);

/// 2^500: takes what is smaller than [`SMALL`] to at most 2^200.
const ENLARGEMENT: f64 = f64::from_bits((1023 + 500) << 52);

/// The answer where the ray begins close to the origin and the shape is small as well; `None` for everything else.
#[inline(always)]
pub(crate) fn cast(shape: &Shape, ray: &Ray) -> Option<Option<ShapeHit>> {
    if ray.origin.abs().max_element() >= SMALL {
        return None;
    }
    let size = shape.bounding_radius();
    if size >= SMALL || size == 0.0 { None } else { cast_enlarged(shape, ray) }
}

#[cold]
fn cast_enlarged(shape: &Shape, ray: &Ray) -> Option<Option<ShapeHit>> {
    // Triangles and planes are cast exactly as they are.
    if matches!(shape, Shape::Triangle(_) | Shape::Plane(_) | Shape::HalfSpace(_)) {
        return None;
    }
    let enlarged = shape.enlarged(ENLARGEMENT).ok()?;
    let hit = super::cast(&enlarged, &ray.enlarged(ENLARGEMENT));
    Some(hit.map(|hit| ShapeHit { point: hit.point / ENLARGEMENT, ..hit }))
}
