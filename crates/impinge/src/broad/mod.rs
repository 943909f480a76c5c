//! Broad phase: pairs of overlapping boxes among many, most of which move.
//!
//! [`Proxies`] holds a box for every body and records which of them changed; a [`BroadPhase`] reads the changes once per step and
//! lists all pairs. Boxes are f32, rounded outwards, in a frame near the bodies: a pair that is not close may be listed, a close pair
//! is never missed.
//!
//! [`DynamicTree`] is the default and the best choice for nearly every scene. The feature `broad-phases` adds sweep-and-prune, grids, a spatial hash and a
//! loose octree.
//!
//! ```
//! use impinge::broad::{Aabb, BroadPhase, BruteForce, PairList, Proxies};
//! let mut proxies = Proxies::default();
//! let a = proxies.insert(Aabb::new([0.0; 3], [1.0; 3]), true);
//! let b = proxies.insert(Aabb::new([0.5; 3], [2.0; 3]), false);
//! let (mut broad, mut pairs) = (BruteForce, PairList::default());
//! broad.update(&proxies, &mut pairs);
//! proxies.clear_changes();
//! assert_eq!(pairs.list(), [[a, b]]);
//! ```

mod brute_force;
mod gather;
mod object_volume;
mod pair_list;
mod proxies;
mod ray;
mod tree;
mod writer;

// Alternatives to the tree, for comparison and for scenes that suit them.
#[cfg(feature = "broad-phases")]
mod adaptive;
#[cfg(feature = "broad-phases")]
mod generations;
#[cfg(feature = "broad-phases")]
mod grid;
#[cfg(feature = "broad-phases")]
mod hashed_cells;
#[cfg(feature = "broad-phases")]
mod hierarchical_grid;
#[cfg(feature = "broad-phases")]
mod lanes;
#[cfg(feature = "broad-phases")]
mod loose_octree;
#[cfg(feature = "broad-phases")]
mod size_sample;
#[cfg(feature = "broad-phases")]
mod sorted_list;
#[cfg(feature = "broad-phases")]
mod spatial_hash;
#[cfg(feature = "broad-phases")]
mod sweep;

pub use brute_force::BruteForce;
pub use impinge_geom::bound::Aabb;
pub use object_volume::{ApexMap, ObjectVolume, Outline};
pub use pair_list::PairList;
pub use proxies::Proxies;
pub use ray::BroadRay;
pub use tree::DynamicTree;
#[cfg(feature = "broad-phases")]
pub use {
    adaptive::AdaptiveBroadPhase, grid::UniformGrid, hierarchical_grid::HierarchicalGrid,
    loose_octree::LooseOctree, spatial_hash::SpatialHash, sweep::SweepAndPrune,
};

/// An algorithm that finds all pairs of overlapping boxes.
///
/// One of the traits that users may implement. After `update`, `pairs` must hold every pair of living proxies whose boxes overlap
/// (touching counts) and of which at least one moves, each once, the smaller index first, in any order; the set must not depend on
/// the number of threads. If the list is full it stops early.
pub trait BroadPhase: Send + Sync {
    /// A word for tables and choices.
    fn name(&self) -> &'static str;

    /// Takes note of [`Proxies::changes`] and replaces what is in `pairs` by all pairs. It is called once between two calls of
    /// [`Proxies::clear_changes`], or else after [`BroadPhase::reset`].
    fn update(&mut self, proxies: &Proxies, pairs: &mut PairList);

    /// Forgets everything: the next update begins from scratch.
    fn reset(&mut self);

    /// The memory that it holds, in bytes.
    fn bytes(&self) -> usize;

    /// Shows `found` all living proxies whose boxes overlap a box, in any order, each once. What was changed since the last update
    /// counts already.
    ///
    /// The default looks at all proxies.
    fn overlapping(&self, proxies: &Proxies, extent: &Aabb, found: &mut dyn FnMut(u32)) {
        for index in proxies.living() {
            if proxies.extent(index).intersects(extent) {
                found(index);
            }
        }
    }

    /// Takes in [`Proxies::changes`] without finding pairs, so that queries need not look at changed boxes one by one. They stay changes
    /// for the next update.
    fn refit(&mut self, proxies: &Proxies) {
        let _ = proxies;
    }

    /// Shows `visit` the living proxies whose boxes a ray may meet, nearer ones first as far as that is cheap, each once. `visit` answers
    /// with the `t` of the nearest hit so far: boxes that begin after it are left out. What was changed since the last update counts
    /// already.
    ///
    /// The default looks at all proxies.
    fn cast_ray(&self, proxies: &Proxies, ray: &BroadRay, visit: &mut dyn FnMut(u32) -> f64) {
        let mut end = ray.end(f64::INFINITY);
        for index in proxies.living() {
            if ray.meets_before(proxies.extent(index), end) {
                end = ray.end(visit(index));
            }
        }
    }
}
