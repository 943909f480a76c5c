//! Support planes against exact geometry. The tests that are run by default are small; those marked to be ignored have the counts in
//! full: `cargo test --release -p impinge-geom --test support_plane -- --ignored --nocapture`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod bodies;
mod efficiency;
mod exact;
mod grazing;
mod kernels;
mod literal;
mod separated;
mod tables;
