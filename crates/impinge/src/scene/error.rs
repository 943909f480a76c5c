//! Errors of a scene.

use super::BodyId;
use crate::query::InvalidGeometry;
use impinge_geom::GeometryError;
use std::fmt;

/// Why a scene rejected something. Nothing was changed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SceneError {
    /// This scene never issued that id.
    Unknown(BodyId),
    /// The body was removed.
    Removed(BodyId),
    /// The body would extend beyond 2^200 from the origin.
    TooFar {
        /// How far it would reach.
        reach: f64,
    },
    /// A margin is negative, infinite or not a number.
    Margin(f64),
    /// A compound has no children.
    NoChildren,
    /// Two children of a compound have this id.
    RepeatedChild(u32),
    /// A component of a scene graph that does not exist, or no longer does.
    NoComponent {
        /// The number of the component.
        index: u32,
    },
    /// A value the geometry kernel does not accept.
    Geometry(GeometryError),
    /// A mesh that cannot be scaled as requested, and why.
    Mesh(String),
}

impl fmt::Display for SceneError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(id) => {
                write!(
                    formatter,
                    "{id} does not belong to this scene; use the ids that `add` returned"
                )
            }
            Self::Removed(id) => write!(formatter, "{id} was removed; forget its id"),
            Self::TooFar { reach } => write!(
                formatter,
                "the body reaches to {reach:e}, farther than 2^200; choose a larger unit of length"
            ),
            Self::Margin(value) => {
                write!(
                    formatter,
                    "a margin of {value} is not a distance; give a finite one of at least 0"
                )
            }
            Self::NoChildren => {
                write!(formatter, "the compound is empty; give it at least one child")
            }
            Self::RepeatedChild(id) => {
                write!(formatter, "two children have the id {id}; number them differently")
            }
            Self::NoComponent { index } => {
                write!(formatter, "component {index} is not in the graph; use the ids that it gave")
            }
            Self::Geometry(error) => write!(formatter, "{error}"),
            Self::Mesh(reason) => write!(formatter, "{reason}"),
        }
    }
}

impl std::error::Error for SceneError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Geometry(error) => Some(error),
            _ => None,
        }
    }
}

impl From<GeometryError> for SceneError {
    fn from(error: GeometryError) -> Self {
        Self::Geometry(error)
    }
}

impl From<InvalidGeometry> for SceneError {
    fn from(error: InvalidGeometry) -> Self {
        match error {
            InvalidGeometry::NoChildren => Self::NoChildren,
            InvalidGeometry::RepeatedChild(id) => Self::RepeatedChild(id),
            InvalidGeometry::Geometry(error) => Self::Geometry(error),
            InvalidGeometry::Mesh(error) => Self::Mesh(error.to_string()),
        }
    }
}
