//! A ray and anything with a signed distance.
//!
//! The signed distance f of a convex body is convex along the ray, and its slope is the normal times the direction. Newton's
//! method on a convex function never passes the root it comes from outside to, so every step from the origin is a safe
//! advancement, at least as long as the distance itself (which sphere tracing would take; J. Hart, "Sphere Tracing", 1996), and
//! a slope that is not negative proves a miss. From inside, the way out is found backwards from beyond the body.
//!
//! Steps converge quadratically; for a ray that touches the body tangentially they halve the distance. At most
//! [`LARGEST_STEP_COUNT`] are taken.

use super::solid::{GRAZING, at_origin};
use super::{Ray, ShapeHit};
use crate::number::error::safe_length;
use crate::number::tolerance::{UNIT_ROUNDOFF, touching_band};
use crate::point::{PointDistance, signed_distance};
use crate::shape::Shape;

/// The most steps taken along one ray.
const LARGEST_STEP_COUNT: usize = 200;

/// A point within this many roundings of the largest number is on the boundary of a solid.
const ON_BOUNDARY: f64 = 16.0 * UNIT_ROUNDOFF;

/// The first hit of a ray with a bounded convex body. Bodies without an inside are hit within [`touching_band`].
pub(crate) fn cast(shape: &Shape, ray: &Ray) -> Option<ShapeHit> {
    let size = shape.bounding_radius();
    let away = safe_length(ray.origin);
    let scale = size.max(away);
    let here = signed_distance(shape, ray.origin);
    let solid = shape.split().1 > 0.0 || has_inside(shape);
    let band = if solid { ON_BOUNDARY * scale } else { touching_band(scale) };
    if here.distance.abs() <= band.max(here.uncertainty) {
        return Some(at_origin(ray, facing(here, ray, solid), here.feature));
    }
    if here.distance < 0.0 {
        return way_out(shape, ray, (away + size) / ray.scaled().length(), band);
    }
    let end = (away + size) / ray.scaled().length();
    let mut at = 0.0;
    let mut there = here;
    for _ in 0..LARGEST_STEP_COUNT {
        let slope = there.normal.dot(ray.scaled());
        if slope >= 0.0 {
            return None;
        }
        let next = at - there.distance / slope;
        if next > end {
            return None;
        }
        there = signed_distance(shape, ray.at(next));
        if there.distance <= band.max(there.uncertainty) || next <= at {
            return Some(hit(shape, ray, next, there, solid, false));
        }
        at = next;
    }
    Some(hit(shape, ray, at, there, solid, false))
}

/// Where a ray from inside leaves, searched from a point beyond the body.
fn way_out(shape: &Shape, ray: &Ray, beyond: f64, band: f64) -> Option<ShapeHit> {
    let mut at = beyond;
    let mut there = signed_distance(shape, ray.at(at));
    for _ in 0..LARGEST_STEP_COUNT {
        let slope = there.normal.dot(ray.scaled());
        if there.distance <= band || slope <= 0.0 {
            break;
        }
        // Up to rounding the origin may be on the boundary, or before it.
        let next = (at - there.distance / slope).max(0.0);
        if next >= at || next.is_nan() {
            break;
        }
        at = next;
        there = signed_distance(shape, ray.at(at));
    }
    Some(hit(shape, ray, at, there, true, true))
}

/// The hit at a multiple of the direction where the distance is known; one more step where the ray is not grazing.
fn hit(
    shape: &Shape,
    ray: &Ray,
    at: f64,
    there: PointDistance,
    solid: bool,
    inside: bool,
) -> ShapeHit {
    let slope = there.normal.dot(ray.scaled());
    let better = at - there.distance / slope;
    let polish = solid && slope.abs() > GRAZING && better >= 0.0;
    let at = if polish { better } else { at };
    let there = if polish { signed_distance(shape, ray.at(at)) } else { there };
    ShapeHit {
        t: ray.t(at),
        point: ray.at(at),
        normal: facing(there, ray, solid),
        feature: there.feature,
        inside,
    }
}

/// The outward normal; of bodies without an inside, the one against the ray.
fn facing(there: PointDistance, ray: &Ray, solid: bool) -> glam::DVec3 {
    let away = !solid && there.normal.dot(ray.scaled()) > 0.0;
    if away { -there.normal } else { there.normal }
}

/// False for bodies that are all boundary.
fn has_inside(shape: &Shape) -> bool {
    match shape {
        Shape::Sphere(solid) => solid.radius() > 0.0,
        Shape::Capsule(solid) => solid.radius() > 0.0,
        Shape::TaperedCapsule(solid) => solid.bottom().max(solid.top()) > 0.0,
        Shape::Cuboid(solid) => solid.half().min_element() > 0.0,
        Shape::Cylinder(solid) => solid.radius().min(solid.half_height()) > 0.0,
        Shape::Cone(solid) => solid.radius().min(solid.half_height()) > 0.0,
        Shape::Ellipsoid(solid) => solid.radii().min_element() > 0.0,
        Shape::Hull(solid) => solid.dimension() == 3,
        Shape::Segment(_) | Shape::Triangle(_) | Shape::Plane(_) => false,
        Shape::HalfSpace(_) | Shape::Custom(_) | Shape::Rounded(_) => true,
    }
}
