use crate::number::error::{GeometryError, check_number};
use glam::DVec3;

/// An ellipsoid around the origin, aligned with the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    radii: DVec3,
}

impl Ellipsoid {
    /// An ellipsoid with these radii; a zero makes it flat.
    pub fn new(radii: [f64; 3]) -> Result<Self, GeometryError> {
        for (index, value) in radii.into_iter().enumerate() {
            check_number(value, "radii", Some(index))?;
            if value < 0.0 {
                return Err(GeometryError::Negative { argument: "radii", value });
            }
        }
        Ok(Self { radii: DVec3::from_array(radii) })
    }
    /// The radii along x, y and z.
    pub fn radii(&self) -> DVec3 {
        self.radii
    }
    /// The radius, if it is a ball.
    pub(crate) fn ball(&self) -> Option<f64> {
        (self.radii.x == self.radii.y && self.radii.y == self.radii.z).then_some(self.radii.x)
    }
}
