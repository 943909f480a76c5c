//! impinge and its peers on the same inputs, side by side.
//!
//! `README.md` says how to run it. What adapters written in Rust need is [`format`] (the input files) and [`serve`]
//! (the line protocol); the rest belongs to the driver in `main.rs`.

pub mod case;
pub mod format;
pub mod generate;
pub mod judge;
pub mod oracle;
pub mod serve;
pub mod system;
pub mod table;
