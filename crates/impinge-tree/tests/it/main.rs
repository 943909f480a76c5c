//! The public behaviour of the crate.

mod breadth_first;
mod builders;
mod bytes;
mod cloud;
mod lazy;
mod same_bits;
mod structure;
