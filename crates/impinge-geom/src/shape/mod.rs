//! Shapes as data: convex bodies, planes and half-spaces, each in its own frame.
//!
//! Every shape is a *core* swept by a ball: a sphere is a point with a radius, a capsule a segment with a radius, and any shape
//! can be [rounded](Shape::rounded). [`Shape::split`] takes the two apart; pair tests work on cores and add the radii at the end.

mod cone;
mod cuboid;
mod custom;
mod cylinder;
mod ellipsoid;
mod enlarged;
mod plane;
mod segment;
mod sphere;
mod tapered_capsule;
mod triangle;

pub use crate::hull::Hull;
pub use cone::Cone;
pub use cuboid::Cuboid;
pub use custom::Custom;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use plane::{HalfSpace, Plane};
pub use segment::{Capsule, Segment};
pub use sphere::Sphere;
pub use tapered_capsule::TaperedCapsule;
pub use triangle::Triangle;

use crate::number::error::{GeometryError, check_size, safe_length};
use crate::support::Support;
use glam::DVec3;
use std::sync::Arc;

/// A shape in its own frame. Create it with the functions below, which reject NaN and infinities.
///
/// ```
/// use impinge_geom::Shape;
/// let shapes = [
///     Shape::sphere(1.0)?,
///     Shape::cuboid([1.0, 2.0, 3.0])?,
///     Shape::hull(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?,
///     Shape::cylinder(1.0, 2.0)?.rounded(0.1)?,
/// ];
/// assert!(shapes.iter().all(|shape| shape.bounding_radius() < 10.0));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::serial::ShapeData"))]
pub enum Shape {
    /// A ball around the origin.
    Sphere(Sphere),
    /// A segment along z swept by a ball.
    Capsule(Capsule),
    /// The hull of two balls on the z axis.
    TaperedCapsule(TaperedCapsule),
    /// A box around the origin, aligned with the axes.
    Cuboid(Cuboid),
    /// A cylinder along z around the origin.
    Cylinder(Cylinder),
    /// A cone along z, apex up, the origin at half height.
    Cone(Cone),
    /// An ellipsoid around the origin, aligned with the axes.
    Ellipsoid(Ellipsoid),
    /// The segment between two points.
    Segment(Segment),
    /// The triangle of three points.
    Triangle(Triangle),
    /// The plane n·x = d: a surface with two sides.
    Plane(Plane),
    /// The half-space n·x ≤ d.
    HalfSpace(HalfSpace),
    /// The convex hull of points.
    Hull(Arc<Hull>),
    /// A user-defined convex shape, given by its support function.
    Custom(Custom),
    /// Any of the above swept by a ball.
    Rounded(Rounded),
}

/// A shape swept by a ball.
#[derive(Clone, Debug)]
pub struct Rounded {
    core: Box<Shape>,
    radius: f64,
}

impl Rounded {
    /// The shape that is swept. Never itself a sphere, a capsule or a rounded shape: their radii are merged.
    pub fn core(&self) -> &Shape {
        &self.core
    }
    /// The radius of the ball.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

/// A shape without its radius. Borrowed from the [`Shape`].
#[derive(Clone, Copy, Debug)]
pub enum Core<'a> {
    /// The origin: the core of a sphere.
    Point,
    /// A segment: also the core of a capsule.
    Segment(Segment),
    /// A triangle.
    Triangle(&'a Triangle),
    /// A box.
    Cuboid(&'a Cuboid),
    /// A cylinder.
    Cylinder(&'a Cylinder),
    /// A cone.
    Cone(&'a Cone),
    /// An ellipsoid.
    Ellipsoid(&'a Ellipsoid),
    /// A tapered capsule.
    TaperedCapsule(&'a TaperedCapsule),
    /// A convex hull.
    Hull(&'a Hull),
    /// A user-defined shape.
    Custom(&'a Custom),
    /// A plane.
    Plane(&'a Plane),
    /// A half-space.
    HalfSpace(&'a HalfSpace),
}

impl Shape {
    /// A ball around the origin.
    pub fn sphere(radius: f64) -> Result<Self, GeometryError> {
        Sphere::new(radius).map(Self::Sphere)
    }
    /// A capsule along z: the segment from `-half_height` to `half_height`, swept by a ball of the radius.
    pub fn capsule(radius: f64, half_height: f64) -> Result<Self, GeometryError> {
        Capsule::new(radius, half_height).map(Self::Capsule)
    }
    /// The hull of a ball of `bottom` radius at `-half_height` and one of `top` radius at `half_height` on the z axis.
    pub fn tapered_capsule(bottom: f64, top: f64, half_height: f64) -> Result<Self, GeometryError> {
        TaperedCapsule::new(bottom, top, half_height).map(Self::TaperedCapsule)
    }
    /// A box around the origin with these half extents.
    pub fn cuboid(half: impl Into<DVec3>) -> Result<Self, GeometryError> {
        Cuboid::new(half.into().to_array()).map(Self::Cuboid)
    }
    /// A cylinder along z around the origin.
    pub fn cylinder(radius: f64, half_height: f64) -> Result<Self, GeometryError> {
        Cylinder::new(radius, half_height).map(Self::Cylinder)
    }
    /// A cone along z, base at `-half_height`, apex at `half_height`.
    pub fn cone(radius: f64, half_height: f64) -> Result<Self, GeometryError> {
        Cone::new(radius, half_height).map(Self::Cone)
    }
    /// An ellipsoid around the origin with these radii along x, y and z.
    pub fn ellipsoid(radii: impl Into<DVec3>) -> Result<Self, GeometryError> {
        Ellipsoid::new(radii.into().to_array()).map(Self::Ellipsoid)
    }
    /// The segment between two points.
    pub fn segment(points: [impl Into<DVec3>; 2]) -> Result<Self, GeometryError> {
        Segment::new(points.map(|point| point.into().to_array())).map(Self::Segment)
    }
    /// The triangle of three points, possibly degenerate.
    pub fn triangle(points: [impl Into<DVec3>; 3]) -> Result<Self, GeometryError> {
        Triangle::new(points.map(|point| point.into().to_array())).map(Self::Triangle)
    }
    /// The plane n·x = d. The normal is normalised and the offset scaled with it.
    pub fn plane(normal: impl Into<DVec3>, offset: f64) -> Result<Self, GeometryError> {
        Plane::new(normal.into().to_array(), offset).map(Self::Plane)
    }
    /// The half-space n·x ≤ d. The normal is normalised and the offset scaled with it.
    pub fn half_space(normal: impl Into<DVec3>, offset: f64) -> Result<Self, GeometryError> {
        HalfSpace::new(normal.into().to_array(), offset).map(Self::HalfSpace)
    }
    /// The convex hull of one or more points.
    pub fn hull(points: &[impl Into<DVec3> + Copy]) -> Result<Self, GeometryError> {
        let points: Vec<[f64; 3]> = points.iter().map(|&point| point.into().to_array()).collect();
        Hull::new(&points).map(|hull| Self::Hull(Arc::new(hull)))
    }
    /// A user-defined convex shape, given by its support function.
    pub fn custom(support: Arc<dyn Support + Send + Sync>) -> Result<Self, GeometryError> {
        Custom::new(support).map(Self::Custom)
    }
    /// Sweeps this shape by a ball of the given radius.
    ///
    /// ```
    /// use impinge_geom::Shape;
    /// let rounded = Shape::cuboid([1.0, 1.0, 1.0])?.rounded(0.25)?;
    /// assert_eq!(rounded.split().1, 0.25);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn rounded(self, radius: f64) -> Result<Self, GeometryError> {
        let radius = check_size(radius, "radius")?;
        Ok(match self {
            Self::Sphere(sphere) => Self::Sphere(Sphere::new(sphere.radius() + radius)?),
            Self::Capsule(capsule) => {
                Self::Capsule(Capsule::new(capsule.radius() + radius, capsule.half_height())?)
            }
            Self::Rounded(Rounded { core, radius: inner }) => {
                Self::Rounded(Rounded { core, radius: check_size(inner + radius, "radius")? })
            }
            core => Self::Rounded(Rounded { core: Box::new(core), radius }),
        })
    }

    /// The core and the radius it is swept by, in simplest form: that of a cylinder with radius zero is a segment.
    pub fn split(&self) -> (Core<'_>, f64) {
        match self {
            Self::Sphere(shape) => (Core::Point, shape.radius()),
            Self::Capsule(shape) => (Core::Segment(shape.core()), shape.radius()),
            // With equal ends it is a capsule, with one ball in the other a ball.
            Self::TaperedCapsule(shape) if shape.bottom() == shape.top() => {
                (Core::Segment(Segment::upright(shape.half_height())), shape.top())
            }
            Self::TaperedCapsule(shape) => match shape.ball() {
                Some((z, radius)) => (Core::Segment(Segment::point_at(z)), radius),
                None => (Core::TaperedCapsule(shape), 0.0),
            },
            Self::Cuboid(shape) => (Core::Cuboid(shape), 0.0),
            // Without a radius only the axis is left.
            Self::Cylinder(shape) if shape.radius() == 0.0 => {
                (Core::Segment(Segment::upright(shape.half_height())), 0.0)
            }
            Self::Cylinder(shape) => (Core::Cylinder(shape), 0.0),
            Self::Cone(shape) if shape.radius() == 0.0 => {
                (Core::Segment(Segment::upright(shape.half_height())), 0.0)
            }
            Self::Cone(shape) => (Core::Cone(shape), 0.0),
            Self::Ellipsoid(shape) => match shape.ball() {
                Some(radius) => (Core::Point, radius),
                None => (Core::Ellipsoid(shape), 0.0),
            },
            Self::Segment(shape) => (Core::Segment(*shape), 0.0),
            Self::Triangle(shape) => (Core::Triangle(shape), 0.0),
            Self::Plane(shape) => (Core::Plane(shape), 0.0),
            Self::HalfSpace(shape) => (Core::HalfSpace(shape), 0.0),
            Self::Hull(shape) => (Core::Hull(shape), 0.0),
            Self::Custom(shape) => (Core::Custom(shape), 0.0),
            Self::Rounded(shape) => {
                let (core, inner) = shape.core.split();
                (core, inner + shape.radius)
            }
        }
    }

    /// The radius of a ball around the shape's origin that contains it; infinite for planes and half-spaces.
    pub fn bounding_radius(&self) -> f64 {
        let (core, radius) = self.split();
        core.bounding_radius() + radius
    }
}

impl Core<'_> {
    /// True for convex hulls of finitely many points.
    pub fn is_polytope(&self) -> bool {
        matches!(
            self,
            Self::Point | Self::Segment(_) | Self::Triangle(_) | Self::Cuboid(_) | Self::Hull(_)
        )
    }

    /// Fills the list with the corners of a polytope; false, and empty, for every other core.
    pub(crate) fn corners(&self, corners: &mut Vec<DVec3>) -> bool {
        corners.clear();
        match self {
            Self::Point => corners.push(DVec3::ZERO),
            Self::Segment(core) => corners.extend(core.points()),
            Self::Triangle(core) => corners.extend(core.points()),
            Self::Cuboid(core) => corners.extend(core.vertices()),
            Self::Hull(core) => corners.extend(core.vertices()),
            _ => return false,
        }
        true
    }

    /// The radius of a ball around the frame's origin that contains the core; infinite for planes and half-spaces.
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Self::Point => 0.0,
            Self::Segment(core) => farthest(&core.points()),
            Self::Triangle(core) => farthest(&core.points()),
            Self::Cuboid(core) => safe_length(core.half()),
            Self::Cylinder(core) => safe_length(DVec3::new(core.radius(), 0.0, core.half_height())),
            Self::Cone(core) => safe_length(DVec3::new(core.radius(), 0.0, core.half_height())),
            Self::Ellipsoid(core) => core.radii().max_element(),
            Self::TaperedCapsule(core) => core.half_height() + core.bottom().max(core.top()),
            Self::Hull(core) => core.bounding_radius(),
            Self::Custom(core) => core.bounding_radius(),
            Self::Plane(_) | Self::HalfSpace(_) => f64::INFINITY,
        }
    }
}

/// The largest distance of the points from the origin.
fn farthest(points: &[DVec3]) -> f64 {
    points.iter().map(|p| safe_length(*p)).fold(0.0, f64::max)
}
