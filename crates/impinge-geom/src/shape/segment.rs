use crate::number::error::{GeometryError, check_point, check_size};
use glam::DVec3;

/// The segment between two points, which may coincide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    points: [DVec3; 2],
}

impl Segment {
    /// Without length, on the z axis.
    pub(crate) fn point_at(z: f64) -> Self {
        Self { points: [DVec3::new(0.0, 0.0, z); 2] }
    }
    /// Along z around the origin.
    #[inline]
    pub(crate) fn upright(half_height: f64) -> Self {
        let end = DVec3::new(0.0, 0.0, half_height);
        Self { points: [-end, end] }
    }
    /// The segment between two points.
    pub fn new(points: [[f64; 3]; 2]) -> Result<Self, GeometryError> {
        Ok(Self {
            points: [
                check_point(points[0], "segment", Some(0))?,
                check_point(points[1], "segment", Some(1))?,
            ],
        })
    }
    /// The two ends: vertices 0 and 1.
    pub fn points(&self) -> [DVec3; 2] {
        self.points
    }
}

/// A segment along z swept by a ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    radius: f64,
    half_height: f64,
}

impl Capsule {
    /// The segment from `-half_height` to `half_height` on the z axis, swept by a ball of this radius.
    pub fn new(radius: f64, half_height: f64) -> Result<Self, GeometryError> {
        Ok(Self {
            radius: check_size(radius, "radius")?,
            half_height: check_size(half_height, "half_height")?,
        })
    }
    /// The radius of the ball.
    pub fn radius(&self) -> f64 {
        self.radius
    }
    /// Half the length of the segment.
    pub fn half_height(&self) -> f64 {
        self.half_height
    }
    /// The segment.
    #[inline]
    pub fn core(&self) -> Segment {
        Segment::upright(self.half_height)
    }
}
