//! Traversals: one loop per order; the question is a visitor.

mod advance;
mod breadth_first;
mod nearest;
mod pairs;
mod point;
mod ray;
mod ray_stack;
mod rays;
mod volume;

pub use advance::{Advance, OpenedPair, TimeQueue, advance};
pub use breadth_first::{
    BreadthFirst, Front, Progress, Remaining, distance_in_budget, overlap_in_budget,
};
pub use nearest::{Nearest, Order, Queue, nearest};
pub use pairs::{PairTraversal, Stack, pairs};
pub use point::{PointStack, point};
pub use ray::{RayStack, ray, ray_on};
pub use rays::{RayStacks, SLOTS, VisitRays, rays};
pub use volume::{Places, volume, volume_nearest};

use impinge_geom::simd::Simd;
use std::ops::ControlFlow;

/// Handles the leaves, or pairs of leaves, that a traversal reaches.
///
/// `leaves` runs inside the traversal's dispatched function: implementations mark it, and all it calls with lanes,
/// `#[inline(always)]`.
pub trait Visit {
    /// True if pairs that overlap most should come first.
    const ORDERED: bool = false;
    /// True if [`Visit::cull`] is to be asked.
    const SELECTIVE: bool = false;

    /// Two places whose volumes overlap: true if what is below them is apart all the same, false if that is not certain, `None` if nothing
    /// more is known there. Asked in tree against tree, depth first, where [`Visit::SELECTIVE`] is set.
    #[inline(always)]
    fn cull(&mut self, _place_a: u32, _place_b: u32) -> Option<bool> {
        None
    }

    /// Two leaves that may meet, or may be near enough. `Break` ends the traversal.
    fn leaf_pair<S: Simd>(&mut self, simd: S, a: u32, b: u32) -> ControlFlow<()>;

    /// A leaf that will probably be visited: time to fetch what it holds.
    #[inline(always)]
    fn prefetch<S: Simd>(&self, _simd: S, _leaf: u32) {}

    /// For traversals by distance: pairs of volumes further apart than this are skipped, in units of A's frame.
    fn max_distance(&self) -> f32 {
        f32::INFINITY
    }
}

/// Which of two volumes to open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// The larger one.
    #[default]
    LargerFirst,
    /// The one that was not opened last.
    Alternate,
    /// Both at once: all children against all children.
    Both,
}

impl Policy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::LargerFirst, Self::Alternate, Self::Both];
}
