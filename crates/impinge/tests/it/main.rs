//! The public behaviour of the crate.

mod brute_force;
mod rays;
mod soup;
