//! Errors of mesh construction.

use impinge_geom::GeometryError;
use std::fmt;

/// Why vertices and triangles do not make a mesh, with the face or vertex at fault.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MeshError {
    /// There is no triangle.
    NoTriangles,
    /// A triangle refers to a vertex that does not exist.
    IndexOutOfRange {
        /// The triangle.
        face: usize,
        /// The vertex that it names.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// More triangles than 32-bit indices can number.
    TooManyTriangles {
        /// How many were given.
        count: usize,
    },
    /// A coordinate is not finite, or too large.
    Vertex(GeometryError),
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTriangles => write!(f, "the mesh has no triangles: give at least one"),
            Self::IndexOutOfRange { face, index, vertices } => write!(
                f,
                "triangles[{face}] refers to vertex {index}, but there are {vertices} vertices, counted from 0"
            ),
            Self::TooManyTriangles { count } => {
                write!(f, "{count} triangles: at most 2^32 − 1 are supported, split the mesh")
            }
            Self::Vertex(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MeshError {}

impl From<GeometryError> for MeshError {
    fn from(error: GeometryError) -> Self {
        Self::Vertex(error)
    }
}
