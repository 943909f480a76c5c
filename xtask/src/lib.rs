//! The project's own commands, as a library so that their parts can be tested.
#![allow(clippy::print_stdout, reason = "printing is what these commands are for")]

pub mod browser;
pub mod generate;
pub mod instructions;
pub mod licence;
pub mod measure;
pub mod metadata;
pub mod oracle;
pub mod package;
pub mod readme;
pub mod soak;
pub mod system;
pub mod test;
