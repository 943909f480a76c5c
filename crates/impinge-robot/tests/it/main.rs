//! What the crate promises, against formulas and samples written apart.

mod bounds;
mod trees;
