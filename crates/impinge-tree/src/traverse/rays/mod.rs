//! Many rays through a tree at a time.
//!
//! A single ray waits: for memory, and for the outcome of each test before the next can begin. Here thirty-two of them are under way. In a tree
//! that fits into the caches near the processor they go in a `packet`, in a larger one they take `interleaved`. Each visits what it would visit alone, and in rows now
//! and then something behind its end.

mod interleaved;
mod packet;

use super::ray_stack::RayStackStorage;
use crate::Tree;
use impinge_geom::bound::{Bound, LocalRay};
use impinge_geom::simd::{Simd, dispatch_wide};

/// Number of rays in flight: enough that some are always at nodes, and no more than fit into the nearest cache.
pub const SLOTS: usize = 32;

/// Handles the leaves that rays reach. Rays in flight are identified by their slots, below [`SLOTS`].
///
/// The functions run inside the traversal's dispatched function: implementations mark them, and all they call with lanes,
/// `#[inline(always)]`.
pub trait VisitRays {
    /// The next ray, which gets the slot; none if all are under way or done.
    fn next<S: Simd>(&mut self, simd: S, slot: usize) -> Option<&LocalRay>;

    /// Looks at a leaf that the ray may meet before its end.
    fn look<S: Simd>(&mut self, simd: S, slot: usize, leaf: u32);

    /// Takes up what was seen of that leaf. Gives the end, which may be nearer now.
    fn leaf<S: Simd>(&mut self, simd: S, slot: usize, leaf: u32) -> f32;

    /// A leaf that will be visited: time to fetch what it holds.
    fn prefetch<S: Simd>(&self, simd: S, leaf: u32);

    /// All leaves along the ray were visited.
    fn done<S: Simd>(&mut self, simd: S, slot: usize);

    /// All rays are done.
    fn end<S: Simd>(&mut self, simd: S);
}

/// The nodes that rays still have to visit. Keep it between queries, so that they do not allocate.
#[derive(Clone, Debug, Default)]
pub struct RayStacks {
    pub(super) stacks: RayStackStorage,
}

/// Traces the rays that the visitor hands out through the tree.
///
/// `LARGE` if it is larger than the caches near the processor. What is visited is the same.
pub fn rays<B: Bound, const LARGE: bool>(
    tree: &Tree<B>,
    stacks: &mut RayStacks,
    visitor: &mut impl VisitRays,
) {
    if LARGE {
        dispatch_wide(interleaved::InterleavedKernel { tree, stacks, visitor });
    } else {
        dispatch_wide(packet::PacketKernel { tree, stacks, visitor });
    }
}
