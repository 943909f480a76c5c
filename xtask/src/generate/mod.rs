//! Adversarial inputs, each reproducible from a seed.

pub mod random;
pub mod triangles;
