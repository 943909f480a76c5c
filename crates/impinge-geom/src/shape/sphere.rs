use crate::number::error::{GeometryError, check_size};

/// A ball around the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    radius: f64,
}

impl Sphere {
    /// A ball of this radius; zero gives a point.
    pub fn new(radius: f64) -> Result<Self, GeometryError> {
        Ok(Self { radius: check_size(radius, "radius")? })
    }
    /// The radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}
