//! How poses, shapes and rays are serialised (feature `serde`): by the numbers that construct them, so that what is read is checked as
//! anything else that is constructed.

use crate::number::error::GeometryError;
use crate::pose::Pose;
use crate::ray::Ray;
use crate::shape::Shape;
use glam::DVec3;
use serde::ser::Error as _;
use serde::{Deserialize, Serialize, Serializer};

/// The rows of the rotation, and the translation.
#[derive(Serialize, Deserialize)]
pub(crate) struct PoseData {
    rows: [[f64; 3]; 3],
    translation: [f64; 3],
}

impl From<Pose> for PoseData {
    fn from(pose: Pose) -> Self {
        let rows = pose.rotation().transpose().to_cols_array_2d();
        Self { rows, translation: pose.translation().to_array() }
    }
}

impl TryFrom<PoseData> for Pose {
    type Error = GeometryError;

    fn try_from(data: PoseData) -> Result<Self, GeometryError> {
        Self::from_rows(data.rows, data.translation)
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct RayData {
    origin: [f64; 3],
    direction: [f64; 3],
}

impl From<Ray> for RayData {
    fn from(ray: Ray) -> Self {
        Self { origin: ray.origin().to_array(), direction: ray.direction().to_array() }
    }
}

impl TryFrom<RayData> for Ray {
    type Error = GeometryError;

    fn try_from(data: RayData) -> Result<Self, GeometryError> {
        Self::new(data.origin, data.direction)
    }
}

/// A shape by the arguments of its constructor. Shapes of the user's own have none.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ShapeData {
    Sphere { radius: f64 },
    Capsule { radius: f64, half_height: f64 },
    TaperedCapsule { radii: [f64; 2], half_height: f64 },
    Cuboid { half: DVec3 },
    Cylinder { radius: f64, half_height: f64 },
    Cone { radius: f64, half_height: f64 },
    Ellipsoid { radii: DVec3 },
    Segment { points: [DVec3; 2] },
    Triangle { points: [DVec3; 3] },
    Plane { normal: DVec3, offset: f64 },
    HalfSpace { normal: DVec3, offset: f64 },
    Hull { points: Vec<DVec3> },
    Rounded { core: Box<ShapeData>, radius: f64 },
}

impl ShapeData {
    fn new(shape: &Shape) -> Option<Self> {
        Some(match shape {
            Shape::Sphere(shape) => Self::Sphere { radius: shape.radius() },
            Shape::Capsule(shape) => {
                Self::Capsule { radius: shape.radius(), half_height: shape.half_height() }
            }
            Shape::TaperedCapsule(shape) => {
                let radii = [shape.bottom(), shape.top()];
                Self::TaperedCapsule { radii, half_height: shape.half_height() }
            }
            Shape::Cuboid(shape) => Self::Cuboid { half: shape.half() },
            Shape::Cylinder(shape) => {
                Self::Cylinder { radius: shape.radius(), half_height: shape.half_height() }
            }
            Shape::Cone(shape) => {
                Self::Cone { radius: shape.radius(), half_height: shape.half_height() }
            }
            Shape::Ellipsoid(shape) => Self::Ellipsoid { radii: shape.radii() },
            Shape::Segment(shape) => Self::Segment { points: shape.points() },
            Shape::Triangle(shape) => Self::Triangle { points: shape.points() },
            Shape::Plane(shape) => Self::Plane { normal: shape.normal(), offset: shape.offset() },
            Shape::HalfSpace(shape) => {
                Self::HalfSpace { normal: shape.normal(), offset: shape.offset() }
            }
            Shape::Hull(hull) => Self::Hull { points: hull.vertices().to_vec() },
            Shape::Custom(_) => return None,
            Shape::Rounded(shape) => {
                Self::Rounded { core: Box::new(Self::new(shape.core())?), radius: shape.radius() }
            }
        })
    }
}

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let data = ShapeData::new(self);
        let data = data.ok_or_else(|| S::Error::custom("a custom shape cannot be serialised"))?;
        data.serialize(serializer)
    }
}

impl TryFrom<ShapeData> for Shape {
    type Error = GeometryError;

    fn try_from(data: ShapeData) -> Result<Self, GeometryError> {
        match data {
            ShapeData::Sphere { radius } => Self::sphere(radius),
            ShapeData::Capsule { radius, half_height } => Self::capsule(radius, half_height),
            ShapeData::TaperedCapsule { radii: [bottom, top], half_height } => {
                Self::tapered_capsule(bottom, top, half_height)
            }
            ShapeData::Cuboid { half } => Self::cuboid(half),
            ShapeData::Cylinder { radius, half_height } => Self::cylinder(radius, half_height),
            ShapeData::Cone { radius, half_height } => Self::cone(radius, half_height),
            ShapeData::Ellipsoid { radii } => Self::ellipsoid(radii),
            ShapeData::Segment { points } => Self::segment(points),
            ShapeData::Triangle { points } => Self::triangle(points),
            ShapeData::Plane { normal, offset } => Self::plane(normal, offset),
            ShapeData::HalfSpace { normal, offset } => Self::half_space(normal, offset),
            ShapeData::Hull { points } => Self::hull(&points),
            ShapeData::Rounded { core, radius } => Self::try_from(*core)?.rounded(radius),
        }
    }
}
