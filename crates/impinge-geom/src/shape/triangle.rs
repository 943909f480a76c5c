use crate::number::error::{GeometryError, check_point};
use glam::DVec3;

/// A triangle, possibly degenerate to a segment or a point. Edge `i` runs from vertex `i` to vertex `i + 1 (mod 3)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    points: [DVec3; 3],
}

impl Triangle {
    /// The triangle of three points.
    pub fn new(points: [[f64; 3]; 3]) -> Result<Self, GeometryError> {
        Ok(Self {
            points: [
                check_point(points[0], "triangle", Some(0))?,
                check_point(points[1], "triangle", Some(1))?,
                check_point(points[2], "triangle", Some(2))?,
            ],
        })
    }
    /// The three corners.
    #[inline]
    pub fn points(&self) -> [DVec3; 3] {
        self.points
    }
    /// The triangle in another frame.
    #[inline]
    pub fn mapped(&self, pose: &crate::Pose) -> Self {
        Self { points: self.points.map(|p| pose.transform_point(p)) }
    }
}
