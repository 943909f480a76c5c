//! Clash tests on small assemblies of boxes, whose overlaps and gaps are known.
#![allow(clippy::unwrap_used)]

mod boxes;
mod kinds;
mod selection;
mod story;
