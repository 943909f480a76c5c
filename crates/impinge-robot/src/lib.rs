#![doc = include_str!("../README.md")]
//!
//! # Where to start
//!
//! [`KinematicTree`] holds links and joints; [`Freedom`] is how a joint moves. A [`JointPath`] runs through key frames, and
//! [`KinematicTree::motion`] gives the motion of a link along it: a [`Chain`], a [`Motion`](impinge::Motion) with bounds on velocity and acceleration.
//! Two links below the same joints are better followed relative to each other: see [`Chain::new`]. [`KinematicTree::speeds`] bounds how fast a
//! link can be over intervals of its joints.

mod adjacency;
mod chain;
mod error;
mod freedom;
mod path;
mod reach;
mod tree;

pub use chain::Chain;
pub use error::TreeError;
pub use freedom::Freedom;
pub use path::JointPath;
pub use tree::{Joint, KinematicTree, Mimic};
