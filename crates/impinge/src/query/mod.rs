//! The front door: one verb per question, for every kind of geometry.
//!
//! Every verb takes a world pose and a geometry for each body: a [`Shape`], a [`Mesh`](crate::Mesh), or a [`Geometry`], which may be a compound.
//! Answers are in world coordinates and say how far they can be trusted.
//!
//! | question | verb |
//! |---|---|
//! | do they meet? | [`intersects()`] |
//! | separated, touching, penetrating or contained? | [`relation()`] |
//! | how far apart? | [`distance()`] |
//! | how far apart, or how deep? | [`signed_distance()`] |
//! | how deep do the common points lie? | [`penetration()`] |
//! | which way out is shortest? | [`separation()`] |
//! | where do they touch? | [`contacts()`] |
//! | which triangles meet? | [`triangle_pairs()`] |
//! | which point is nearest? | [`closest_point()`], [`closest_points()`], [`PointSeries`] |
//! | is a point inside? | [`contains_point()`], [`contains_points()`] |
//! | how much volume do two solids share? | [`common_volume()`] |
//! | what does a ray hit first? | [`cast_ray()`], [`cast_rays()`] |
//! | when do two moving bodies meet? | [`impact()`] |
//! | how close do two moving bodies come? | [`minimum_distance()`] |
//!
//! Verbs ending in `_with` reuse the memory of a [`Workspace`]; those ending in `_batch` take many poses of one pair and use all threads, with
//! the same bits as one by one. The expert layers below take the pose of B in A's frame and caller-owned scratch:
//! [`geom::pair`](crate::geom::pair) for shapes, [`mesh`](crate::mesh) for meshes of any volume.
//!
//! ```
//! use impinge::{Pose, Shape, query};
//! let (ball, block) = (Shape::sphere(2.0)?, Shape::cuboid([1.0, 1.0, 1.0])?);
//! let above = Pose::from_translation([0.0, 0.0, 5.0])?;
//! assert_eq!(query::distance(&Pose::IDENTITY, &block, &above, &ball).distance, 2.0);
//! # Ok::<(), impinge::geom::GeometryError>(())
//! ```

mod answer;
mod batch;
mod bounds;
mod cast_ray;
mod closest_point;
mod common_volume;
mod contacts;
mod deepest_point;
mod distance;
mod geometry;
mod impact;
mod intersects;
mod minimum_distance;
mod part;
mod penetration;
mod point_series;
mod relation;
mod scaled;
#[cfg(feature = "serde")]
mod serial;
mod signed_distance;
mod triangle_pairs;
mod verb;
mod workspace;

pub use answer::{
    ClosestPoint, Distance, Manifold, ManifoldPoint, PairDistance, PartFeature, RayHit, Relation,
    TrianglePair,
};
pub use cast_ray::{cast_ray, cast_ray_with, cast_rays, cast_rays_with};
pub use closest_point::{
    closest_point, closest_point_with, closest_points, contains_point, contains_point_with,
    contains_points,
};
pub use common_volume::{common_volume, common_volume_with};
pub use contacts::{contacts, contacts_batch, contacts_with};
pub use distance::{distance, distance_batch, distance_with};
pub use geometry::{Child, Geometry, GeometryRef, InvalidGeometry};
pub use impact::{FirstContact, Impact, ImpactSettings, Start, impact, impact_batch, impact_with};
pub use impinge_geom::Shape;
pub use intersects::{intersects, intersects_batch, intersects_with};
pub use minimum_distance::{
    MinimumDistance, minimum_distance, minimum_distance_batch, minimum_distance_with,
};
pub use part::{MeshPart, Part};
pub use penetration::{
    Penetration, Separation, penetration, penetration_among, penetration_batch, penetration_to,
    penetration_with, separation, separation_among, separation_with,
};
pub use point_series::PointSeries;
pub use relation::{relation, relation_batch, relation_with};
pub use signed_distance::{signed_distance, signed_distance_batch, signed_distance_with};
pub use triangle_pairs::{triangle_pairs, triangle_pairs_batch, triangle_pairs_with};
pub use workspace::Workspace;

pub(crate) use batch::batch;
pub(crate) use geometry::Placed;
pub(crate) use part::{Flip, MeshRef, PairQuery, ask};
pub(crate) use relation::relate_meshes;
pub(crate) use workspace::SceneScratch;
