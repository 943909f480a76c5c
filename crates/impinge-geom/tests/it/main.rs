//! The public behaviour of the crate, each file against oracles that share nothing with the code they test.
#![allow(clippy::unwrap_used)]

mod backends;
mod bounds;
mod extremes;
mod extremes_pairs;
mod flush;
mod hull;
mod hull_oracle;
mod hull_support;
mod input;
mod integers;
mod manifold;
mod manifold_sweep;
mod moving;
mod pairs;
mod point_bounds;
mod predicate;
mod random;
mod regressions;
mod scales;
mod solids;
mod triangle;
mod triangle_batch;
mod triangle_intersection;
mod triangle_oracle;
mod triangle_pairs;
mod warm;
