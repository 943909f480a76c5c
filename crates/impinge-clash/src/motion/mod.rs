//! Parts that move: what meets on the way, when, and how close the rest comes.
//!
//! A [`MotionFile`] says what moves and how. [`Model::set_motion`](crate::Model::set_motion) gives it to a model, as a [`Movement`], and
//! [`check`](crate::check()) then follows every pair of parts that moves relative to each other. Nothing is sampled to decide: a pair is
//! free because [`query::impact`](impinge::query::impact) certifies it, or every configuration of two joints is within a ball that is.
//!
//! | file | holds |
//! |---|---|
//! | `file`, `quantity` | the TOML file, angles and times |
//! | `movement`, `resolve` | what moves in a model, and by which steps; finding it by name |
//! | `near` | which pairs can come near on the way |
//! | `shell` | simple bodies around parts, which dismiss most pairs |
//! | `sweep` | a pair over time, or over the range of one joint |
//! | `field` | a pair over the ranges of two joints |
//! | `encounter` | what is reported about a pair |

mod encounter;
mod field;
mod file;
mod movement;
pub(crate) mod near;
mod quantity;
mod resolve;
mod shell;
mod sweep;
mod words;

pub use encounter::{Deepest, Encounter, Least, Meeting, Moment, Shares, Start, Tally};
pub use file::{MotionError, MotionFile};
pub use movement::{JointRange, Movement};

pub(crate) use movement::Step;

pub(crate) use sweep::{Encountered, Followed, follow};
