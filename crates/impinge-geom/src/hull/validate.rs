//! Checks a finished hull with exact predicates.

use super::Hull;
use crate::predicate::{are_collinear, orient3d};
use std::fmt;

/// What [`Hull::validate`] found wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HullFault {
    /// The counts do not fit the dimension.
    Dimension,
    /// An index points nowhere.
    Index,
    /// A directed edge does not have exactly one opposite: the surface is not closed.
    NotClosed {
        /// The edge's first vertex.
        from: u32,
        /// The edge's second vertex.
        to: u32,
    },
    /// V − E + F is not 2.
    Euler,
    /// The vertices of a face do not lie in one plane, or its loop does not turn strictly left.
    NotFlat {
        /// The face.
        face: u32,
    },
    /// A vertex is not strictly below the plane of a face that it does not belong to.
    NotConvex {
        /// The face.
        face: u32,
        /// The vertex.
        vertex: u32,
    },
    /// An input point lies outside.
    Outside {
        /// The index of the point.
        point: usize,
    },
}

impl fmt::Display for HullFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dimension => write!(f, "the counts do not fit the dimension"),
            Self::Index => write!(f, "an index points nowhere"),
            Self::NotClosed { from, to } => {
                write!(f, "the edge from vertex {from} to {to} has not exactly one opposite")
            }
            Self::Euler => write!(f, "V - E + F is not 2"),
            Self::NotFlat { face } => write!(f, "face {face} is not a flat, convex polygon"),
            Self::NotConvex { face, vertex } => {
                write!(f, "vertex {vertex} is not strictly below face {face}")
            }
            Self::Outside { point } => write!(f, "input point {point} lies outside"),
        }
    }
}

impl std::error::Error for HullFault {}

impl Hull {
    /// Checks that the hull is closed, convex and consistent, with exact predicates.
    pub fn validate(&self) -> Result<(), HullFault> {
        let (v, e, f) = (self.vertices.len(), self.edges.len(), self.face_count());
        match self.dimension {
            0 if (v, e, f) == (1, 0, 0) => return Ok(()),
            1 if (v, e, f) == (2, 1, 0) && self.vertices[0] != self.vertices[1] => return Ok(()),
            2 if v >= 3 && e == v && f == 2 => {}
            3 if v >= 4 && e >= 6 && f >= 4 => {}
            _ => return Err(HullFault::Dimension),
        }
        if v + f != e + 2 {
            return Err(HullFault::Euler);
        }
        for face in 0..f as u32 {
            self.validate_face(face)?;
        }
        Ok(())
    }

    fn validate_face(&self, face: u32) -> Result<(), HullFault> {
        let corners = self.face(face);
        let vertex = |index: u32| self.vertices[index as usize];
        let [a, b, c, ..] = corners else { return Err(HullFault::Index) };
        let (a, b, c) = (vertex(*a), vertex(*b), vertex(*c));
        if are_collinear(a, b, c) || corners.iter().any(|d| orient3d(a, b, c, vertex(*d)) != 0) {
            return Err(HullFault::NotFlat { face });
        }
        for (index, point) in self.vertices.iter().enumerate() {
            let expected =
                if corners.contains(&(index as u32)) || self.dimension == 2 { 0 } else { 1 };
            if orient3d(a, b, c, *point) != expected {
                return Err(HullFault::NotConvex { face, vertex: index as u32 });
            }
        }
        Ok(())
    }
}
