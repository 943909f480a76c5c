use crate::number::error::{GeometryError, check_direction, check_number};
use glam::DVec3;

/// A unit normal and an offset from any normal and offset.
fn normalised(normal: [f64; 3], offset: f64) -> Result<(DVec3, f64), GeometryError> {
    let (unit, length) = check_direction(normal, "normal")?;
    check_number(offset, "offset", None)?;
    Ok((unit, check_number(offset / length, "offset / |normal|", None)?))
}

/// The plane n·x = d: a surface with two sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    normal: DVec3,
    offset: f64,
}

impl Plane {
    /// The plane n·x = d, normalised.
    pub fn new(normal: [f64; 3], offset: f64) -> Result<Self, GeometryError> {
        normalised(normal, offset).map(|(normal, offset)| Self { normal, offset })
    }
    /// The unit normal.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }
    /// The same normal, to the last bit, with another offset.
    pub(crate) fn with_offset(&self, offset: f64) -> Result<Self, GeometryError> {
        Ok(Self { normal: self.normal, offset: check_number(offset, "offset", None)? })
    }
    /// The distance of the plane from the origin along the normal.
    pub fn offset(&self) -> f64 {
        self.offset
    }
}

/// The half-space n·x ≤ d: a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    normal: DVec3,
    offset: f64,
}

impl HalfSpace {
    /// The half-space n·x ≤ d, normalised.
    pub fn new(normal: [f64; 3], offset: f64) -> Result<Self, GeometryError> {
        normalised(normal, offset).map(|(normal, offset)| Self { normal, offset })
    }
    /// The unit normal, pointing out of the half-space.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }
    /// The same normal, to the last bit, with another offset.
    pub(crate) fn with_offset(&self, offset: f64) -> Result<Self, GeometryError> {
        Ok(Self { normal: self.normal, offset: check_number(offset, "offset", None)? })
    }
    /// The distance of the boundary from the origin along the normal.
    pub fn offset(&self) -> f64 {
        self.offset
    }
}
