//! What a scene is told of a body, and the id by which it is known from then on.

use crate::query::Geometry;
use impinge_geom::{DAabb, Pose};
use std::fmt;

/// The name of a body in its scene: an index that is used again after a removal, and how often it was. An id that was given never names
/// another body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

impl BodyId {
    /// The index: small, and never that of two bodies at once.
    pub fn index(&self) -> u32 {
        self.index
    }

    /// How many bodies had the index before.
    pub fn generation(&self) -> u32 {
        self.generation
    }
}

impl fmt::Display for BodyId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "body {}", self.index)?;
        if self.generation > 0 {
            write!(formatter, " (its {}. reuse)", self.generation)
        } else {
            Ok(())
        }
    }
}

/// A body: what it is made of, where it is, whether it moves, and with whom it is tested.
///
/// ```
/// use impinge::{Pose, geom::Shape, query::Geometry, scene::Body};
/// let ball = Geometry::shape(Shape::sphere(1.0)?);
/// let body = Body::moving(ball, Pose::IDENTITY).with_groups(0b01).with_mask(0b10).with_key(7);
/// assert!(body.moves && body.key == 7);
/// # Ok::<(), impinge::geom::GeometryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Body {
    /// What it is made of.
    pub geometry: Geometry,
    /// Where it is in the world.
    pub pose: Pose,
    /// Two bodies that do not move are never tested by a step. One that does not move may still be given another pose.
    pub moves: bool,
    /// The groups that it belongs to, a bit each; at first the lowest.
    pub groups: u32,
    /// The groups that it is tested with; at first all. Both of two bodies must admit the other.
    pub mask: u32,
    /// A number of the user's own, by which [rules](super::Rules) name kinds of bodies; at first 0.
    pub key: u32,
}

impl Body {
    /// A body that moves.
    pub fn moving(geometry: impl Into<Geometry>, pose: Pose) -> Self {
        Self { geometry: geometry.into(), pose, moves: true, groups: 1, mask: u32::MAX, key: 0 }
    }

    /// A body that does not move.
    pub fn fixed(geometry: impl Into<Geometry>, pose: Pose) -> Self {
        Self { moves: false, ..Self::moving(geometry, pose) }
    }

    /// The same, in these groups.
    pub fn with_groups(self, groups: u32) -> Self {
        Self { groups, ..self }
    }

    /// The same, tested with these groups only.
    pub fn with_mask(self, mask: u32) -> Self {
        Self { mask, ..self }
    }

    /// The same, with this key.
    pub fn with_key(self, key: u32) -> Self {
        Self { key, ..self }
    }

    /// A box around it in the world.
    pub fn bounds(&self) -> DAabb {
        self.geometry.bounds(&self.pose)
    }

    /// True if the groups and masks of two bodies admit each other.
    #[inline]
    pub fn admits(&self, other: &Self) -> bool {
        self.groups & other.mask != 0 && other.groups & self.mask != 0
    }
}
