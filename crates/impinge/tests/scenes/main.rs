//! Many bodies: broad phases and the scene, against brute force.
#![allow(clippy::unwrap_used)]

mod bodies;
mod broad;
mod broad_lists;
mod broad_sequences;
mod contacts;
mod graph;
mod object_volumes;
mod penetration;
mod phases;
mod queries;
mod response_blows;
mod response_mass;
mod response_rest;
mod response_same_bits;
mod response_sleep;
mod same_bits;
mod steps;
mod supported;
#[cfg(feature = "tune")]
mod tuned_supports;
mod worlds;
