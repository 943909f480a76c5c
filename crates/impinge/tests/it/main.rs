//! The public behaviour of the crate.

mod brute_force;
mod soup;
