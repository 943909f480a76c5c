//! The public behaviour of the crate. Every file is made here; nothing is read that is not in the repository.
#![allow(clippy::unwrap_used)]

mod accepted;
mod cases;
mod damaged;
mod detected;
mod memory;
mod output;
mod polygons;
mod refused;
mod round_trip;
mod sample;
mod scene;
