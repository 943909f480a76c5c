//! Convex hulls.

use crate::number::error::{GeometryError, check_point};
use crate::support::{Support, SupportPoint};
use glam::DVec3;

/// The convex hull of points.
#[derive(Clone, Debug)]
pub struct Hull {
    vertices: Vec<DVec3>,
    center: DVec3,
    radius: f64,
}

impl Hull {
    /// The hull of one or more points.
    pub fn new(points: &[[f64; 3]]) -> Result<Self, GeometryError> {
        if points.is_empty() {
            return Err(GeometryError::Empty { argument: "points" });
        }
        let vertices = points
            .iter()
            .enumerate()
            .map(|(index, point)| check_point(*point, "points", Some(index)))
            .collect::<Result<Vec<_>, _>>()?;
        let center = vertices.iter().map(|v| *v / vertices.len() as f64).sum::<DVec3>();
        let radius = vertices.iter().map(|v| v.distance(center)).fold(0.0, f64::max);
        Ok(Self { vertices, center, radius })
    }

    /// The corners of the hull.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The radius of a ball around the origin that contains the hull.
    pub fn bounding_radius(&self) -> f64 {
        self.center.length() + self.radius
    }
}

impl Support for Hull {
    fn support(&self, direction: DVec3) -> SupportPoint {
        let mut best = SupportPoint { point: self.vertices[0], vertex: 0 };
        for (index, point) in self.vertices.iter().enumerate() {
            if direction.dot(*point) > direction.dot(best.point) {
                best = SupportPoint { point: *point, vertex: index as u32 };
            }
        }
        best
    }
    fn center(&self) -> DVec3 {
        self.center
    }
    fn radius(&self) -> f64 {
        self.radius
    }
}
