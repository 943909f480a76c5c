//! Where bodies touch: manifolds whose points keep their ids from step to step, and what began and ended.

mod cache;

pub(crate) use cache::{ContactCache, child_ids};

use crate::query::{ManifoldPoint, PartFeature};
use impinge_geom::glam::DVec3;

/// A contact point. Coordinates are those of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The same number as long as the same features are in contact; no two contacts of a scene ever have the same.
    pub id: u64,
    /// For how many steps it has been there: 0 in its first.
    pub age: u32,
    /// A point of each surface.
    pub points: [DVec3; 2],
    /// How far the second point is from the first along the normal: positive is a gap, negative a depth.
    pub distance: f64,
    /// What meets there.
    pub features: [PartFeature; 2],
}

impl Contact {
    /// A point that was not there before, until it is found that it was.
    fn new(ManifoldPoint { points, distance, features }: ManifoldPoint) -> Self {
        Self { id: 0, age: 0, points, distance, features }
    }
}

/// Contact points with one normal. The points are those of [`StepReport::contacts`](crate::scene::StepReport::contacts).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactManifold {
    /// Unit vector from the first body towards the second, in the world.
    pub normal: DVec3,
    pub(crate) contacts: [u32; 2],
}
