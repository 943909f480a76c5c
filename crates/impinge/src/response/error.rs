//! Errors of a simulation.

use crate::scene::SceneError;
use impinge_geom::GeometryError;
use std::fmt;

/// Why a simulation rejected something. Nothing was changed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ResponseError {
    /// A number that a simulation cannot work with.
    Value {
        /// The name of the number.
        name: &'static str,
        /// What was given.
        value: f64,
        /// What would do.
        cure: &'static str,
    },
    /// A moving body has neither mass nor a volume to compute it from.
    NoMass,
    /// An impossible inertia tensor: it must be symmetric, with positive principal moments, none larger than the sum of the other two.
    Inertia,
    /// The scene rejected it.
    Scene(SceneError),
}

impl fmt::Display for ResponseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { name, value, cure } => write!(formatter, "{name} is {value}: {cure}"),
            Self::NoMass => write!(
                formatter,
                "the body has no volume, so its mass is unknown; add it with its mass properties, or as a fixed body"
            ),
            Self::Inertia => write!(
                formatter,
                "no body has that inertia; give a symmetric matrix with positive principal moments, the largest at most the sum of the others"
            ),
            Self::Scene(error) => write!(formatter, "{error}"),
        }
    }
}

impl std::error::Error for ResponseError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Scene(error) => Some(error),
            _ => None,
        }
    }
}

impl From<SceneError> for ResponseError {
    fn from(error: SceneError) -> Self {
        Self::Scene(error)
    }
}

impl From<GeometryError> for ResponseError {
    fn from(error: GeometryError) -> Self {
        Self::Scene(SceneError::Geometry(error))
    }
}

/// Accepts finite numbers of magnitudes up to 1e30: products of a few of them do not overflow.
pub(super) fn finite(name: &'static str, value: f64) -> Result<f64, ResponseError> {
    if value.abs() <= LARGEST {
        Ok(value)
    } else {
        Err(ResponseError::Value { name, value, cure: "give a finite number up to 1e30" })
    }
}

/// Accepts numbers above zero, from 1e-30 to 1e30.
pub(super) fn positive(name: &'static str, value: f64) -> Result<f64, ResponseError> {
    if (1.0 / LARGEST..=LARGEST).contains(&value) {
        Ok(value)
    } else {
        Err(ResponseError::Value {
            name,
            value,
            cure: "give a number above zero, from 1e-30 to 1e30",
        })
    }
}

/// Accepts zero and what is above.
pub(super) fn from_zero(name: &'static str, value: f64) -> Result<f64, ResponseError> {
    if (0.0..=LARGEST).contains(&value) {
        Ok(value)
    } else {
        Err(ResponseError::Value { name, value, cure: "give zero or a positive number up to 1e30" })
    }
}

/// What is larger is refused.
const LARGEST: f64 = 1e30;
