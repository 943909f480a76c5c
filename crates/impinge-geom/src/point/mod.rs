//! Point queries: the signed distance of a point from a shape, its closest point, and whether it lies inside.
//!
//! One file per shape, each a closed form in the shape's own frame. For a convex solid with support function h the signed
//! distance of p is the largest n·p − h(n) over all unit vectors n, inside and outside alike, so it is convex and continuous
//! through the boundary, and sweeping the solid by a ball of radius r lowers it by r. Bodies without an interior (segments,
//! triangles, flat boxes, discs) have distances of zero and more.

mod cone;
mod cuboid;
mod custom;
mod cylinder;
mod ellipsoid;
mod hull;
mod plane;
mod segment;
mod sphere;
mod tapered_capsule;
mod triangle;

#[cfg(test)]
mod tests;

pub(crate) use hull::height_above_faces;
use hull::hull_contains;
pub(crate) use segment::segment_contains;
pub(crate) use triangle::triangle_contains;

use crate::answer::{Certainty, Feature, FeatureKind};
use crate::shape::{Core, Shape};
use glam::DVec3;

/// How far a point is from a shape, with the evidence. All coordinates are in the shape's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointDistance {
    /// Positive outside, zero on the boundary, negative inside: minus the distance to the boundary.
    pub distance: f64,
    /// The closest point of the boundary, or of the shape where it has no interior.
    pub point: DVec3,
    /// Unit vector out of the shape: the gradient of the distance, `asked − distance · normal = point`. Where the gradient
    /// jumps (on edges, at centres of symmetry) it is one of the outward normals at `point`.
    pub normal: DVec3,
    /// The feature on which `point` lies.
    pub feature: Feature,
    /// How far `distance` can be trusted.
    pub certainty: Certainty,
    /// The true distance lies in `distance ± uncertainty`, up to rounding.
    pub uncertainty: f64,
}

impl PointDistance {
    /// An answer that is right up to rounding.
    #[inline(always)]
    fn exact(distance: f64, point: DVec3, normal: DVec3, feature: Feature) -> Self {
        Self { distance, point, normal, feature, certainty: Certainty::Exact, uncertainty: 0.0 }
    }

    /// The answer for the shape swept by a ball: flat faces stay faces, corners and edges become curved surfaces.
    #[inline(always)]
    pub fn inflated(&self, radius: f64) -> Self {
        if radius == 0.0 {
            return *self;
        }
        Self {
            distance: self.distance - radius,
            point: self.point + self.normal * radius,
            feature: match self.feature.kind {
                FeatureKind::Face => self.feature,
                _ => Feature::SURFACE,
            },
            ..*self
        }
    }
}

/// The signed distance of a point from a shape, with the closest point, the normal there and the feature it lies on.
///
/// The point is in the shape's own frame, finite, with coordinates up to 2^250. The error of closed forms is a few
/// roundings of the largest coordinate or size; shapes known by their support function alone answer with
/// [`Certainty::Bound`] and the width of the interval.
///
/// ```
/// use impinge_geom::{Shape, glam::DVec3, point};
/// let cuboid = Shape::cuboid([1.0, 2.0, 3.0])?;
/// let outside = point::signed_distance(&cuboid, DVec3::new(4.0, 6.0, 0.0));
/// assert_eq!((outside.distance, outside.point), (5.0, DVec3::new(1.0, 2.0, 0.0)));
/// let inside = point::signed_distance(&cuboid, DVec3::new(0.75, 0.0, 0.0));
/// assert_eq!((inside.distance, inside.normal), (-0.25, DVec3::X));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn signed_distance(shape: &Shape, p: DVec3) -> PointDistance {
    let (core, radius) = shape.split();
    core_signed_distance(&core, p).inflated(radius)
}

/// The signed distance of a point from a shape's core: the shape without the radius by which it is swept.
///
/// ```
/// use impinge_geom::{Shape, glam::DVec3, point};
/// let capsule = Shape::capsule(0.5, 1.0)?;
/// let (core, radius) = capsule.split();
/// assert_eq!((point::core_signed_distance(&core, DVec3::new(2.0, 0.0, 0.5)).distance, radius), (2.0, 0.5));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[inline]
pub fn core_signed_distance(core: &Core<'_>, p: DVec3) -> PointDistance {
    match core {
        Core::Point => sphere::point_distance(p),
        Core::Segment(core) => segment::point_distance(&core.points(), p),
        Core::Triangle(core) => triangle::point_distance(&core.points(), p),
        Core::Cuboid(core) => cuboid::point_distance(core.half(), p),
        Core::Cylinder(core) => cylinder::point_distance(core.radius(), core.half_height(), p),
        Core::Cone(core) => cone::point_distance(core.radius(), core.half_height(), p),
        Core::Ellipsoid(core) => ellipsoid::point_distance(core.radii(), p),
        Core::TaperedCapsule(core) => tapered_capsule::point_distance(core, p),
        Core::Hull(core) => hull::point_distance(core, p),
        Core::Custom(core) => custom::point_distance(core, p),
        Core::Plane(core) => plane::plane_distance(core, p),
        Core::HalfSpace(core) => plane::half_space_distance(core, p),
    }
}

/// The closest point of a solid or surface: the point itself where it lies inside.
///
/// ```
/// use impinge_geom::{Shape, glam::DVec3, point};
/// let ball = Shape::sphere(2.0)?;
/// assert_eq!(point::closest_point(&ball, DVec3::new(0.0, 5.0, 0.0)), DVec3::new(0.0, 2.0, 0.0));
/// assert_eq!(point::closest_point(&ball, DVec3::X), DVec3::X);
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn closest_point(shape: &Shape, p: DVec3) -> DVec3 {
    let answer = signed_distance(shape, p);
    if answer.distance <= 0.0 { p } else { answer.point }
}

/// True if the point belongs to the shape; boundaries belong to it.
///
/// Decided exactly for boxes, hulls, segments and triangles, by the sign of the rounded distance for the others.
///
/// ```
/// use impinge_geom::{Shape, glam::DVec3, point};
/// let cuboid = Shape::cuboid([1.0, 2.0, 3.0])?;
/// assert!(point::contains(&cuboid, DVec3::new(1.0, 2.0, -3.0)));
/// assert!(!point::contains(&cuboid, DVec3::new(1.0 + f64::EPSILON, 0.0, 0.0)));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn contains(shape: &Shape, p: DVec3) -> bool {
    match shape {
        Shape::Segment(segment) => segment_contains(&segment.points(), p),
        Shape::Triangle(triangle) => triangle_contains(&triangle.points(), p),
        Shape::Hull(hull) => hull_contains(hull, p),
        Shape::Cuboid(cuboid) => p.abs().cmple(cuboid.half()).all(),
        _ => signed_distance(shape, p).distance <= 0.0,
    }
}
