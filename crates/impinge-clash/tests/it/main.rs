//! Clash tests on small assemblies of boxes, whose overlaps and gaps are known.
#![allow(clippy::unwrap_used)]

mod bcf;
mod bcf_client;
mod boxes;
mod decisions;
mod exact;
mod flush;
mod kinds;
mod measures;
mod motion;
mod picture;
mod selection;
mod story;
