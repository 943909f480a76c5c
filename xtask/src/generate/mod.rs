//! Adversarial inputs, each reproducible from a seed.

pub mod convex;
pub mod meshes;
pub mod random;
pub mod triangles;
