//! The public behaviour of the crate.

mod brute_force;
mod health;
mod rays;
mod self_intersection;
mod solid_verdict;
mod solids;
mod soup;
mod winding;
