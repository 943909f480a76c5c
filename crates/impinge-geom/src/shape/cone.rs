use crate::number::error::{GeometryError, check_size};

/// A cone along z: base at `-half_height`, apex at `half_height`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    radius: f64,
    half_height: f64,
}

impl Cone {
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
