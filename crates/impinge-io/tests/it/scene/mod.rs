//! Scenes: files with many parts.

mod damaged;
pub(crate) mod gltf;
mod memory;
mod robot;
