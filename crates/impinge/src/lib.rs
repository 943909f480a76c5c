//! Exact, fast collision and distance queries for 3D shapes, meshes and scenes.
//!
//! Start with [`query`]: one verb per question, for shapes, meshes and compounds, each at a world pose. [`scene`] tracks contacts of many moving
//! bodies, [`response`] simulates them. The expert layers are [`mesh`] (BVHs of any volume, relative poses, caller-owned scratch), [`geom`] (the
//! kernel) and [`tree`] (hierarchies).
//!
//! ```
//! use impinge::{Mesh, Pose, Shape, query};
//! let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
//! let wedge = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
//! let ball = Shape::sphere(0.5)?;
//! let beside = Pose::from_translation([2.0, 0.0, 0.0])?;
//! assert_eq!(query::distance(&beside, &ball, &Pose::IDENTITY, &wedge).distance, 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Features: `parallel` (default), `broad-phases` (alternatives to the default tree), `tune` (choose volume and builder by measured cost), `serde`, `mint`.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod broad;
pub mod contact;
pub mod mesh;
mod mid;
mod narrow;
pub mod query;
pub mod response;
pub mod scene;
#[cfg(feature = "tune")]
pub mod tune;
pub mod voxel;

pub use impinge_geom as geom;
pub use impinge_geom::motion::{Motion, MotionPath, RigidMotion};
pub use impinge_geom::{Pose, Shape};
pub use impinge_tree as tree;
pub use mesh::Mesh;
pub use query::Geometry;

/// The README's example, compiled as a test. The guide's code is compiled in `docs/guide`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
