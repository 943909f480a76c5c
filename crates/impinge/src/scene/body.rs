//! Bodies of a scene and their ids.

use crate::query::Geometry;
use impinge_geom::{DAabb, Pose};
use std::fmt;

/// The id of a body in its scene: an index that is reused after a removal, and a generation. An id never refers to
/// another body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

impl BodyId {
    /// The index: small, and unique among living bodies.
    pub fn index(&self) -> u32 {
        self.index
    }

    /// The generation: how many bodies used the index before.
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

/// A body: geometry, pose, whether it moves, and what it collides with.
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
    /// The geometry.
    pub geometry: Geometry,
    /// The pose in the world.
    pub pose: Pose,
    /// Two fixed bodies are never tested by a step. A fixed body may still be given another pose.
    pub moves: bool,
    /// The groups the body belongs to, one bit each; by default the lowest.
    pub groups: u32,
    /// The groups it is tested with; by default all. Both bodies of a pair must admit the other.
    pub mask: u32,
    /// A number of your own by which [rules](super::Rules) refer to kinds of bodies; by default 0.
    pub key: u32,
}

impl Body {
    /// A moving body.
    pub fn moving(geometry: impl Into<Geometry>, pose: Pose) -> Self {
        Self { geometry: geometry.into(), pose, moves: true, groups: 1, mask: u32::MAX, key: 0 }
    }

    /// A fixed body.
    pub fn fixed(geometry: impl Into<Geometry>, pose: Pose) -> Self {
        Self { moves: false, ..Self::moving(geometry, pose) }
    }

    /// Sets the groups.
    pub fn with_groups(self, groups: u32) -> Self {
        Self { groups, ..self }
    }

    /// Sets the mask: the groups it is tested with.
    pub fn with_mask(self, mask: u32) -> Self {
        Self { mask, ..self }
    }

    /// Sets the key.
    pub fn with_key(self, key: u32) -> Self {
        Self { key, ..self }
    }

    /// The bounding box in the world.
    pub fn bounds(&self) -> DAabb {
        self.geometry.bounds(&self.pose)
    }

    /// True if the groups and masks of two bodies admit each other.
    #[inline]
    pub fn admits(&self, other: &Self) -> bool {
        self.groups & other.mask != 0 && other.groups & self.mask != 0
    }
}
