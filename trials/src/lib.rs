//! Long trials, which `cargo xtask soak` and `cargo xtask instructions` start.
#![allow(clippy::print_stdout, reason = "printing is what these commands are for")]

pub mod generate;
pub mod instructions;
pub mod oracle;
pub mod soak;
