//! Queries about a scene at any time, also between steps: they see every change at once and change nothing.
//!
//! The broad phase lists the bodies that a box may meet; these are tested one by one. Of equally good answers, the one with the
//! smallest ids is returned.

mod closest;
mod groups;
mod near;
mod overlap;
mod ray;

pub use closest::ClosestHit;
pub use groups::GroupDistance;
pub use overlap::Overlap;
pub use ray::SceneHit;

use super::{Body, BodyId, Scene};
use impinge_geom::DAabb;

/// Which bodies a query considers, as if the query were a body with these groups and this mask.
///
/// ```
/// use impinge::{Pose, geom::Shape, scene::{Body, Filter}};
/// let ball = Body::moving(Shape::sphere(1.0)?, Pose::IDENTITY).with_groups(0b10);
/// assert!(Filter::default().admits(&ball));
/// assert!(!Filter { mask: 0b01, ..Filter::default() }.admits(&ball));
/// # Ok::<(), impinge::geom::GeometryError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// Only bodies whose mask has one of these groups.
    pub groups: u32,
    /// Only bodies of these groups.
    pub mask: u32,
}

impl Default for Filter {
    /// All bodies, except those with an empty mask or no group.
    fn default() -> Self {
        Self { groups: u32::MAX, mask: u32::MAX }
    }
}

impl Filter {
    /// True if the query considers this body.
    pub fn admits(&self, body: &Body) -> bool {
        self.groups & body.mask != 0 && body.groups & self.mask != 0
    }
}

impl Scene {
    /// Fills the list with the indices of all bodies whose boxes may meet this one, ascending.
    fn candidates(&self, bounds: &DAabb, indices: &mut Vec<u32>) {
        indices.clear();
        let extent = bounds.to_f32(self.origin.unwrap_or_default());
        self.broad.overlapping(&self.proxies, &extent, &mut |index| indices.push(index));
        indices.sort_unstable();
    }

    /// The body at an index.
    fn at_index(&self, index: u32) -> Option<(BodyId, &Body)> {
        let slot = self.slots.get(index as usize)?;
        let id = BodyId { index, generation: slot.generation };
        slot.body.as_ref().map(|body| (id, body))
    }

    /// True if the box of a body may meet this one, as the broad phase sees them.
    fn may_meet(&self, index: u32, bounds: &DAabb) -> bool {
        let other = bounds.to_f32(self.origin.unwrap_or_default());
        self.proxies.extents().get(index as usize).is_some_and(|own| own.intersects(&other))
    }
}
