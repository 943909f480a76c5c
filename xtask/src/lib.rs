//! The project's own commands, as a library so that their parts can be tested.
#![allow(clippy::print_stdout, reason = "printing is what these commands are for")]

pub mod browser;
pub mod chart;
pub mod endure;
pub mod forward;
pub mod licence;
pub mod links;
pub mod metadata;
pub mod package;
pub mod python;
pub mod readme;
pub mod scalar;
pub mod system;
pub mod test;
pub mod words;
