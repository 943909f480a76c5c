//! Many bodies: broad phases and the scene, against brute force.

mod broad;
mod broad_sequences;
