//! Scenes: files with many parts.

pub(crate) mod gltf;
