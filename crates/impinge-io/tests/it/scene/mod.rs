//! Scenes: files with many parts.

mod gltf;
