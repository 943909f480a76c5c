//! impinge and its peers on the same inputs, side by side.
//!
//! `README.md` says how to run it. What adapters written in Rust need is [`serve`] (the line protocol) and the input files,
//! [`convex::format`], [`mesh::scene`], [`broad::record`], [`n_body::record`], [`motion::format`] or [`scene_rays::record`]; the rest belongs to the driver in `main.rs`.

pub mod broad;
pub mod bytes;
pub mod clash;
pub mod convex;
pub mod drive;
pub mod mesh;
pub mod motion;
pub mod n_body;
pub mod options;
pub mod random;
pub mod scene_rays;
pub mod serve;
pub mod system;
pub mod table;
