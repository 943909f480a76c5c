//! impinge says what touches what, where, when, how deep, and how close the rest is.
//!
//! This crate is the one that users add: it re-exports the geometry kernel as [`geom`] and the hierarchies as [`tree`].
//!
//! ```
//! use impinge::geom::{Pose, Shape};
//!
//! let ball = Shape::sphere(1.0)?;
//! let block = Shape::cuboid([2.0, 2.0, 0.5])?;
//! let above = Pose::from_translation([0.0, 0.0, 3.0])?;
//! assert_eq!(block.bounding_radius() > ball.bounding_radius(), true);
//! assert_eq!(above.translation().z, 3.0);
//! # Ok::<(), impinge::geom::GeometryError>(())
//! ```

pub mod broad;
pub mod contact;
pub mod mesh;
mod mid;
mod narrow;
pub mod response;
pub mod scene;
#[cfg(feature = "tune")]
pub mod tune;
pub mod voxel;

pub use impinge_geom as geom;
pub use impinge_geom::Pose;
pub use impinge_tree as tree;
pub use mesh::Mesh;

/// The README's example, compiled as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
