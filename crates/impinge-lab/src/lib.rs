//! The lab: figures and claims of the literature on collision detection, measured again.
//!
//! Every [`Experiment`] asks what one figure or claim asks, on models that are generated or read from a folder, and gives a [`Finding`]:
//! tables, charts in the form of the figure with the published values beside ours, and for each claim whether it holds.
//! The program `impinge-lab` runs them; [`Experiment::run`] does so from Rust:
//!
//! ```no_run
//! use impinge_lab::{Session, Size, experiment};
//! let experiment = experiment::find("spm-memory")?;
//! let finding = experiment.run(&mut Session::new(Size::Quick, 1))?;
//! for claim in &finding.claims {
//!     println!("{}: {}", claim.statement, claim.verdict);
//! }
//! # Ok::<(), impinge_lab::LabError>(())
//! ```
//!
//! Counts are exact and the same in every run with the same seed; times are compared within one run only.

pub mod chart;
mod clock;
mod error;
pub mod experiment;
pub mod falling;
mod file;
mod finding;
mod folder;
pub mod interrupt;
mod machine;
mod model;
mod page;
mod picture;
pub mod random;
mod session;
pub mod setting;
pub mod stability;
pub mod store;
mod table;
mod timing;

pub use error::LabError;
pub use experiment::{Experiment, ModelUse};
pub use finding::{Claim, Document, Finding, Picture, Verdict};
pub use folder::ModelFolder;
pub use machine::{Machine, today};
pub use model::{Model, ModelShape};
pub use page::page;
pub use random::Random;
pub use session::{Progress, Session, Size};
pub use table::{Cell, Column, Table, fields};
