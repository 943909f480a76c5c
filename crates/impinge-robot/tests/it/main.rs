//! What the crate promises, against formulas and samples written apart.
#![allow(clippy::unwrap_used)]

mod bounds;
mod trees;
