//! Exact, fast collision and distance queries for 3D shapes and meshes: what touches what, where, how deep, and how close the rest is.
//!
//! Start with [`query`]: one verb per question, for shapes, meshes and compounds of them, each at a world pose. [`scene`] holds many
//! bodies and finds what meets from step to step; [`response`] moves them. Beneath lie the expert layers: [`mesh`] (BVHs of any
//! volume, relative poses, the caller's scratch), [`geom`] (the kernel) and [`tree`] (hierarchies).
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
//! Features: `parallel` (default), `tune` (choose volume and builder by measured cost), `serde`, `mint`.

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

/// The README's example, compiled as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// The examples of the comparison with parry and coal, compiled as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/front-door.md")]
pub struct FrontDoor;
