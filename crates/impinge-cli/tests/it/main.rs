//! The `impinge` command as its users meet it: text in, text out, an exit code.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod bcf;
mod check;
mod command;
mod corpus;
mod decisions;
mod demo;
mod endurance;
mod exits;
mod families;
mod folder;
mod guide;
mod hostile;
mod impacts;
mod matrix;
mod mesh_refusals;
mod mesh_shapes;
mod meshes;
mod motion;
mod output;
mod queries;
mod refusals;
mod schema;
mod solids;
