//! Answers of queries: verdicts, distances, features, and how far each number can be trusted.

use glam::DVec3;

/// Which of the two bodies lies inside the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Inside {
    /// A is a subset of B.
    A,
    /// B is a subset of A.
    B,
}

/// How two bodies relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Verdict {
    /// No common point.
    Separated,
    /// Common points, but only of the boundaries: an arbitrarily small translation in some direction separates the bodies.
    Touching,
    /// The interiors meet.
    Penetrating,
    /// One solid is a subset of the other. Equal bodies answer [`Inside::A`].
    Contained(Inside),
}

impl Verdict {
    /// The verdict with A and B exchanged.
    pub fn flipped(self) -> Self {
        match self {
            Self::Contained(Inside::A) => Self::Contained(Inside::B),
            Self::Contained(Inside::B) => Self::Contained(Inside::A),
            other => other,
        }
    }
}

/// How far a reported number can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Certainty {
    /// Right up to the rounding of f64 arithmetic.
    Exact,
    /// A certified bound; the interval that contains the true value comes with it.
    Bound,
    /// A good approximation without a certificate.
    Estimate,
}

/// The kind of feature a point lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FeatureKind {
    /// A corner.
    Vertex,
    /// An edge.
    Edge,
    /// A flat face.
    Face,
    /// A curved surface, or one without numbered features.
    Surface,
}

/// A feature of a body, by kind and index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Feature {
    /// Vertex, edge, face or surface.
    pub kind: FeatureKind,
    /// The index among the features of this kind.
    pub index: u32,
}

impl Feature {
    /// The feature of a body without numbered features.
    pub const SURFACE: Self = Self { kind: FeatureKind::Surface, index: 0 };

    /// The vertex with this index.
    pub const fn vertex(index: u32) -> Self {
        Self { kind: FeatureKind::Vertex, index }
    }

    /// The edge with this index.
    pub const fn edge(index: u32) -> Self {
        Self { kind: FeatureKind::Edge, index }
    }

    /// The face with this index.
    pub const fn face(index: u32) -> Self {
        Self { kind: FeatureKind::Face, index }
    }
}

/// A signed distance with its witness points. All coordinates are in A's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SignedDistance {
    /// Positive: the gap. Negative: the penetration depth, the length of the shortest translation that separates the bodies.
    pub distance: f64,
    /// The true value lies in `distance ± uncertainty`, up to rounding.
    pub uncertainty: f64,
    /// A point on the surface of A and one on the surface of B, `distance` apart along `normal`.
    pub points: [DVec3; 2],
    /// Unit vector from A towards B: translating B by `-distance * normal` brings the two into contact.
    pub normal: DVec3,
    /// The features the two points lie on.
    pub features: [Feature; 2],
    /// How far `distance` can be trusted.
    pub certainty: Certainty,
}

impl SignedDistance {
    /// The answer seen from the other body, still in A's coordinates.
    pub fn flipped(&self) -> Self {
        Self {
            points: [self.points[1], self.points[0]],
            normal: -self.normal,
            features: [self.features[1], self.features[0]],
            ..*self
        }
    }

    /// The answer with both surfaces moved outwards by the given radii, along the normal.
    pub fn inflated(&self, radius_a: f64, radius_b: f64) -> Self {
        Self {
            distance: self.distance - radius_a - radius_b,
            points: [
                self.points[0] + self.normal * radius_a,
                self.points[1] - self.normal * radius_b,
            ],
            ..*self
        }
    }
}
