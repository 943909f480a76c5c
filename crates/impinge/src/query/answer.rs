//! The answers of the queries, in world coordinates.

use super::part::Flip;
use impinge_geom::glam::DVec3;
use impinge_geom::triangle::TriangleVerdict;
use impinge_geom::{Certainty, Feature, Verdict};

/// How two geometries relate, and how far that can be trusted.
pub use crate::mesh::Relation;

impl Flip for Relation {
    fn flip(self) -> Self {
        Self { verdict: self.verdict.flipped(), ..self }
    }
}

impl Relation {
    /// The relation of what an exact test decided.
    pub(crate) fn exact(verdict: Verdict) -> Self {
        Self { verdict, certainty: Certainty::Exact }
    }
}

/// A feature of a part: of a shape, or of a triangle of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartFeature {
    /// The triangle, if the part is a mesh.
    pub triangle: Option<u32>,
    /// The vertex, edge, face or surface of the shape or of that triangle.
    pub feature: Feature,
}

impl PartFeature {
    /// A feature of a shape.
    pub(crate) fn of_shape(feature: Feature) -> Self {
        Self { triangle: None, feature }
    }

    /// A feature of a triangle.
    pub(crate) fn of_triangle(triangle: u32, feature: Feature) -> Self {
        Self { triangle: Some(triangle), feature }
    }
}

/// The distance between two geometries, or how deep they penetrate, with its witness points.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PairDistance {
    /// Positive: the gap. Negative: the penetration depth.
    pub distance: f64,
    /// The true value is within this of `distance`, up to rounding; meaningless for an estimate.
    pub uncertainty: f64,
    /// The witness points: one on each surface, `distance` apart.
    pub points: [DVec3; 2],
    /// Unit vector from the first body towards the second.
    pub normal: DVec3,
    /// Where the points lie.
    pub features: [PartFeature; 2],
    /// How far `distance` can be trusted.
    pub certainty: Certainty,
}

impl Flip for PairDistance {
    fn flip(mut self) -> Self {
        self.points.reverse();
        self.features.reverse();
        Self { normal: -self.normal, ..self }
    }
}

/// A distance between two geometries, and the children it is between.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Distance {
    /// The ids of the children; 0 for geometries that are not compounds.
    pub children: [u32; 2],
    /// The distance and its witness points.
    pub pair: PairDistance,
}

impl std::ops::Deref for Distance {
    type Target = PairDistance;

    fn deref(&self) -> &PairDistance {
        &self.pair
    }
}

/// Two triangles that meet. A shape counts as one part without triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TrianglePair {
    /// The ids of the children; 0 for geometries that are not compounds.
    pub children: [u32; 2],
    /// The triangles; `None` for a shape.
    pub triangles: [Option<u32>; 2],
    /// Touching, or crossing where the interiors meet. Exact, up to the tolerance of curved shapes.
    pub verdict: TriangleVerdict,
}

impl Flip for Vec<TrianglePair> {
    fn flip(mut self) -> Self {
        self.iter_mut().for_each(|pair| pair.triangles.reverse());
        self
    }
}

/// Contact points with a common normal.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Manifold {
    /// The ids of the children; 0 for geometries that are not compounds.
    pub children: [u32; 2],
    /// Unit vector from the first body towards the second.
    pub normal: DVec3,
    /// Up to four contact points, the deepest first.
    pub points: Vec<ManifoldPoint>,
}

/// A contact point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ManifoldPoint {
    /// A point of each surface.
    pub points: [DVec3; 2],
    /// Distance from the first point to the second along the normal: positive is a gap, negative a depth.
    pub distance: f64,
    /// The features in contact.
    pub features: [PartFeature; 2],
}

/// The closest point of a geometry to a given point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClosestPoint {
    /// The id of the child; 0 if the geometry is not a compound.
    pub child: u32,
    /// The distance; negative inside a solid.
    pub distance: f64,
    /// The closest point of the boundary.
    pub point: DVec3,
    /// Where it lies.
    pub feature: PartFeature,
}

/// A ray hit on a geometry.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RayHit {
    /// The id of the child; 0 if the geometry is not a compound.
    pub child: u32,
    /// The hit is at origin + t · direction, with the direction as given.
    pub t: f64,
    /// The point hit.
    pub point: DVec3,
    /// The outward unit normal there; on surfaces without an inside, the one facing the ray.
    pub normal: DVec3,
    /// The feature hit.
    pub feature: PartFeature,
    /// True if the ray leaves a solid here.
    pub inside: bool,
}
