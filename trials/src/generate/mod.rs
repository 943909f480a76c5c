//! Adversarial inputs, each reproducible from a seed.

pub mod convex;
pub mod dirty;
pub mod extremes;
pub mod meshes;
pub mod motion;
pub mod placed;
pub mod triangles;
