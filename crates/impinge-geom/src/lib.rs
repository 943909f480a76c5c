//! The geometry kernel of impinge: pure functions on values.
//!
//! Shapes, poses, exact predicates, pair tests, rays and bounding volumes; no hierarchies, scenes or files.
//!
//! ```
//! use impinge_geom::{Pose, Shape};
//!
//! let capsule = Shape::capsule(0.5, 1.0)?;
//! let pose = Pose::from_translation([0.0, 3.0, 0.0])?;
//! assert_eq!(pose.transform_point(glam::DVec3::ZERO).y, 3.0);
//! assert!(capsule.bounding_radius() >= 1.5);
//! # Ok::<(), impinge_geom::GeometryError>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod aabb;
pub mod answer;
pub mod bound;
mod contained;
pub(crate) mod convex;
pub mod hull;
pub mod motion;
pub mod moving;
pub mod number;
pub mod pair;
pub mod piece;
pub mod point;
pub mod pose;
pub mod predicate;
pub mod ray;
pub mod segment;
#[cfg(feature = "serde")]
mod serial;
pub mod shape;
pub mod simd;
pub mod support;
pub mod support_plane;
#[cfg(test)]
mod testing;
pub mod triangle;

pub use aabb::DAabb;
pub use answer::{Certainty, Feature, FeatureKind, Inside, SignedDistance, Verdict};
pub use glam;
pub use number::error::GeometryError;
pub use pose::Pose;
pub use shape::Shape;
pub use support::{Support, SupportPoint};
