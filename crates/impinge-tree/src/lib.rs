//! Bounding volume hierarchies: build → fit → (refit) → traverse.
//!
//! A builder sees [`Items`] and makes a [`Topology`], a binary grouping. [`Tree::fit`] fills it with any
//! [`Bound`](impinge_geom::bound::Bound) and packs it eight children per node. Traversals know neither the volume nor the items.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod build;
mod bytes;
mod cost;
pub mod curve;
mod fill;
mod fit;
mod item;
mod level;
pub mod parallel;
pub mod probe;
mod refit;
pub mod topology;
pub mod traverse;
pub mod tree;
mod validate;

pub use build::{Builder, Covering, LazyTree, Measure, build};
pub use bytes::{LoadError, LoadFault};
pub use cost::Cost;
pub use fit::{ItemGeometry, Surface};
pub use item::Items;
pub use probe::{Counts, Probe};
pub use topology::Topology;
pub use tree::Tree;
pub use validate::TreeFault;
