//! Which bodies are close enough to look at: pairs of overlapping boxes among many, most of which move.
//!
//! [`Proxies`] holds a box for every body and remembers which of them changed; a [`BroadPhase`] is told of it once per step and
//! gives all pairs. Boxes are in f32, rounded outwards, in a frame near the bodies: a pair may be given that is not close, a close
//! pair is never left out.
//!
//! ```
//! use impinge::broad::{BroadPhase, BruteForce, Extent, Pairs, Proxies};
//! let mut proxies = Proxies::default();
//! let a = proxies.insert(Extent::new([0.0; 3], [1.0; 3])?, true);
//! let b = proxies.insert(Extent::new([0.5; 3], [2.0; 3])?, false);
//! let (mut broad, mut pairs) = (BruteForce, Pairs::default());
//! broad.update(&proxies, &mut pairs);
//! proxies.clear_changes();
//! assert_eq!(pairs.list(), [[a, b]]);
//! # Ok::<(), impinge::broad::BroadError>(())
//! ```

mod brute_force;
mod chooser;
mod extent;
mod gather;
mod generations;
mod grid;
mod hashed_cells;
mod hierarchical_grid;
mod lanes;
mod loose_octree;
mod object_volume;
mod pairs;
mod proxies;
mod size_sample;
mod sorted_list;
mod spatial_hash;
mod sweep;
mod tree;
mod writer;

pub use brute_force::BruteForce;
pub use chooser::Chooser;
pub use extent::{BroadError, Extent};
pub use grid::UniformGrid;
pub use hierarchical_grid::HierarchicalGrid;
pub use loose_octree::LooseOctree;
pub use object_volume::{ApexMap, ObjectVolume, Outline};
pub use pairs::Pairs;
pub use proxies::Proxies;
pub use spatial_hash::SpatialHash;
pub use sweep::SweepAndPrune;
pub use tree::DynamicTree;

/// A way to find all pairs of overlapping boxes.
///
/// One of the traits that users may implement. What is asked of an implementation: after `update`, `pairs` holds every pair of
/// living proxies whose boxes overlap (touching counts) and of which at least one moves, each once, the smaller index first, in any
/// order; the set must not depend on the number of threads. If the list is full it stops early.
pub trait BroadPhase: Send + Sync {
    /// A word for tables and choices.
    fn name(&self) -> &'static str;

    /// Takes note of [`Proxies::changes`] and replaces what is in `pairs` by all pairs. It is called once between two calls of
    /// [`Proxies::clear_changes`], or else after [`BroadPhase::reset`].
    fn update(&mut self, proxies: &Proxies, pairs: &mut Pairs);

    /// Forgets everything: the next update begins from scratch.
    fn reset(&mut self);

    /// The memory that it holds, in bytes.
    fn bytes(&self) -> usize;

    /// Shows `found` all living proxies whose boxes overlap a box, in any order, each once. What was changed since the last update
    /// counts already.
    ///
    /// The default looks at all proxies.
    fn overlapping(&self, proxies: &Proxies, extent: &Extent, found: &mut dyn FnMut(u32)) {
        for index in proxies.living() {
            if proxies.extent(index).overlaps(extent) {
                found(index);
            }
        }
    }
}
