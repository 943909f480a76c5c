use crate::number::error::{GeometryError, check_size};

/// A cylinder along z around the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    radius: f64,
    half_height: f64,
}

impl Cylinder {
    /// The radius at the base and half the height.
    pub fn new(radius: f64, half_height: f64) -> Result<Self, GeometryError> {
        Ok(Self {
            radius: check_size(radius, "radius")?,
            half_height: check_size(half_height, "half_height")?,
        })
    }
    /// The radius at the base.
    pub fn radius(&self) -> f64 {
        self.radius
    }
    /// Half the height.
    pub fn half_height(&self) -> f64 {
        self.half_height
    }
}
