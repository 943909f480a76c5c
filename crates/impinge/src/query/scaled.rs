//! Shapes and meshes enlarged about their origins.

use super::InvalidGeometry;
use crate::mesh::Mesh;
use impinge_geom::glam::DVec3;
use impinge_geom::shape::Custom;
use impinge_geom::{GeometryError, Shape, Support, SupportPoint};
use std::sync::Arc;

/// A shape enlarged about its origin.
pub(super) fn scaled_shape(shape: &Shape, factor: f64) -> Result<Shape, GeometryError> {
    let factor = check(factor)?;
    let points = |points: &[DVec3]| -> Vec<[f64; 3]> {
        points.iter().map(|point| (*point * factor).to_array()).collect()
    };
    let by = |value: f64| value * factor;
    match shape {
        Shape::Sphere(shape) => Shape::sphere(by(shape.radius())),
        Shape::Capsule(shape) => Shape::capsule(by(shape.radius()), by(shape.half_height())),
        Shape::TaperedCapsule(shape) => {
            Shape::tapered_capsule(by(shape.bottom()), by(shape.top()), by(shape.half_height()))
        }
        Shape::Cuboid(shape) => Shape::cuboid((shape.half() * factor).to_array()),
        Shape::Cylinder(shape) => Shape::cylinder(by(shape.radius()), by(shape.half_height())),
        Shape::Cone(shape) => Shape::cone(by(shape.radius()), by(shape.half_height())),
        Shape::Ellipsoid(shape) => Shape::ellipsoid((shape.radii() * factor).to_array()),
        Shape::Segment(shape) => Shape::segment(shape.points().map(|p| (p * factor).to_array())),
        Shape::Triangle(shape) => Shape::triangle(shape.points().map(|p| (p * factor).to_array())),
        Shape::Plane(shape) => Shape::plane(shape.normal().to_array(), by(shape.offset())),
        Shape::HalfSpace(shape) => Shape::half_space(shape.normal().to_array(), by(shape.offset())),
        Shape::Hull(hull) => Shape::hull(&points(hull.vertices())),
        Shape::Custom(shape) => Shape::custom(Arc::new(Scaled { shape: shape.clone(), factor })),
        Shape::Rounded(shape) => scaled_shape(shape.core(), factor)?.rounded(by(shape.radius())),
    }
}

/// A mesh with every vertex multiplied: the coordinates that an instance with this scale has, too.
pub(super) fn scaled_mesh(mesh: &Mesh, factor: f64) -> Result<Mesh, InvalidGeometry> {
    let factor = check(factor)?;
    let scaled = |vertex: &DVec3| (*vertex * factor).to_array();
    let vertices: Vec<[f64; 3]> = mesh.vertices().iter().map(scaled).collect();
    Ok(Mesh::new(&vertices, mesh.triangles())?)
}

/// Accepts finite, positive factors.
pub(super) fn check(factor: f64) -> Result<f64, GeometryError> {
    let argument = "scale";
    if !factor.is_finite() {
        Err(GeometryError::NotFinite { argument, index: None })
    } else if factor <= 0.0 {
        Err(GeometryError::Negative { argument, value: factor })
    } else {
        Ok(factor)
    }
}

/// A shape of the user's own, enlarged.
struct Scaled {
    shape: Custom,
    factor: f64,
}

impl Support for Scaled {
    fn support(&self, direction: DVec3) -> SupportPoint {
        let found = self.shape.support(direction);
        SupportPoint { point: found.point * self.factor, ..found }
    }

    fn center(&self) -> DVec3 {
        self.shape.center() * self.factor
    }

    fn radius(&self) -> f64 {
        self.shape.radius() * self.factor
    }
}
