//! impinge and its peers on the same inputs, side by side.
//!
//! `README.md` says how to run it. What adapters written in Rust need is [`serve`] (the line protocol) and the input files,
//! [`convex::format`] or [`mesh::scene`]; the rest belongs to the driver in `main.rs`.

pub mod bytes;
pub mod convex;
pub mod drive;
pub mod mesh;
pub mod options;
pub mod random;
pub mod serve;
pub mod system;
pub mod table;
