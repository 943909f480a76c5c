//! Contacts: manifolds whose points keep their ids from step to step, and begin and end events.

mod cache;

pub(crate) use cache::{ContactCache, child_ids};

use crate::query::{ManifoldPoint, PartFeature};
use impinge_geom::glam::DVec3;

/// A contact point, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Stays the same while the same features are in contact; unique within a scene.
    pub id: u64,
    /// How many steps the contact has existed: 0 in its first.
    pub age: u32,
    /// A point of each surface.
    pub points: [DVec3; 2],
    /// Distance from the first point to the second along the normal: positive is a gap, negative a depth.
    pub distance: f64,
    /// The features in contact.
    pub features: [PartFeature; 2],
}

impl Contact {
    /// A point that was not there before, until it is found that it was.
    fn new(ManifoldPoint { points, distance, features }: ManifoldPoint) -> Self {
        Self { id: 0, age: 0, points, distance, features }
    }
}

/// Contact points with a common normal. The points are those of [`StepReport::contacts`](crate::scene::StepReport::contacts).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactManifold {
    /// Unit vector from the first body towards the second, in the world.
    pub normal: DVec3,
    pub(crate) contacts: [u32; 2],
}
