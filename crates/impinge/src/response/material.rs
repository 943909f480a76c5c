//! Materials.

use super::ResponseError;
use super::error::{from_zero, positive};

/// The material of a body.
///
/// ```
/// use impinge::response::Material;
/// let rubber = Material { density: 1100.0, friction: 0.9, restitution: 0.8 };
/// let ice = Material { density: 917.0, friction: 0.04, restitution: 0.1 };
/// assert!((rubber.friction_with(&ice) - 0.19).abs() < 0.01);
/// assert_eq!(rubber.restitution_with(&ice), 0.8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Density: mass per unit of volume; above zero.
    pub density: f64,
    /// Coulomb friction coefficient; zero or more.
    pub friction: f64,
    /// Coefficient of restitution, from 0 (no bounce) to 1 (no loss).
    pub restitution: f64,
}

impl Default for Material {
    /// As heavy as water, in kilograms and metres, with friction 0.5, and it does not bounce.
    fn default() -> Self {
        Self { density: 1000.0, friction: 0.5, restitution: 0.0 }
    }
}

impl Material {
    /// The friction coefficient of two materials: their geometric mean.
    pub fn friction_with(&self, other: &Self) -> f64 {
        (self.friction * other.friction).sqrt()
    }

    /// The restitution of two materials: the larger of the two.
    pub fn restitution_with(&self, other: &Self) -> f64 {
        self.restitution.max(other.restitution)
    }

    pub(super) fn check(&self) -> Result<(), ResponseError> {
        positive("density", self.density)?;
        from_zero("friction", self.friction)?;
        if (0.0..=1.0).contains(&self.restitution) {
            return Ok(());
        }
        let cure = "give a share from 0 (no bounce) to 1 (no loss)";
        Err(ResponseError::Value { name: "restitution", value: self.restitution, cure })
    }
}
