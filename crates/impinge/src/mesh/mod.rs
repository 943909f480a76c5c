//! Triangle meshes with bounding volume hierarchies.

mod adjacency;
mod border;
mod boundary;
mod budget;
mod build;
mod builder;
mod cells;
mod closest;
mod column;
mod common_volume;
mod contacts;
mod convex_host;
mod distance;
mod error;
mod exit;
mod fast_winding;
mod first_hit;
mod health;
mod hub;
pub mod impact;
mod instance;
mod joined;
mod lazy;
mod local_penetration;
mod many_rays;
mod mesh_pair;
mod pairs;
mod parted;
mod penetration;
pub mod penetration_search;
mod ray;
mod saved;
mod scaled_pose;
mod scratch;
mod self_intersection;
pub mod shape;
mod shape_penetration;
mod star;
mod supported;
mod topology;
mod verdict;
mod winding;
mod within;

pub use budget::{DistanceBracket, distance_in_budget, overlap_in_budget};
pub use build::{BvhSettings, Preset};
pub use builder::MeshBuilder;
pub use closest::MeshClosestPoint;
pub use common_volume::{CommonVolume, common_volume};
pub use contacts::{TriangleContact, contacts};
pub use distance::{MeshDistance, distance, distance_with};
pub use error::MeshError;
pub use health::{EdgeReport, Health};
pub use instance::Instance;
pub use local_penetration::{Accuracy, LocalPenetration, SurfaceDepth, local_penetration};
pub use pairs::{overlap, overlap_with, pairs, pairs_with};
pub use penetration::{MeshSeparation, penetration, penetration_among};
pub use ray::MeshHit;
pub use saved::SavedError;
pub use scaled_pose::ScaledPose;
pub use scratch::Scratch;
pub use self_intersection::self_intersections;
pub use supported::{
    SeparatingAxisCache, SupportKind, SupportLevels, SupportMapping, SupportVolume, Supported,
    overlap_supported, pairs_supported,
};
pub use verdict::{Mode, Relation, verdict};
pub use winding::{Winding, generalised_winding, winding};
pub use within::{pairs_within, within, within_with};

pub(crate) use adjacency::Adjacency;
pub(crate) use instance::checked_scale;
pub(crate) use local_penetration::local_penetration_among;
pub(crate) use penetration::separation_among;

use first_hit::LeafFaces;
use impinge_geom::bound::{Bound, Obb};
use impinge_geom::glam::DVec3;
use impinge_geom::triangle::TriangleBlock;
use impinge_tree::Tree;
use lazy::LazyData;

/// Triangles with a BVH of volumes `B`. Vertices and triangles are stored as given.
///
/// ```
/// use impinge::{Pose, mesh::{self, Mesh, Scratch}};
/// let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let mesh: Mesh = Mesh::new(&corners, &faces)?;
/// let mut scratch = Scratch::default();
/// let beside = Pose::from_translation([1.5, 0.0, 0.0])?;
/// assert!(!mesh::overlap(&mesh, &mesh, &beside.into(), &mut scratch));
/// assert_eq!(mesh::distance(&mesh, &mesh, &beside.into(), &mut scratch).distance, 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mesh<B: Bound = Obb> {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    tree: Tree<B>,
    /// One block per leaf of the tree, in the tree's frame.
    blocks: Vec<TriangleBlock>,
    /// One per leaf, for volumes that are made for rays; else empty.
    faces: Vec<LeafFaces>,
    lazy: LazyData,
}

impl<B: Bound> Mesh<B> {
    /// The vertices, as given.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The triangles, as given: three vertex indices each.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The BVH.
    pub fn tree(&self) -> &Tree<B> {
        &self.tree
    }

    /// Memory used beyond vertices and indices, in bytes.
    pub fn bytes(&self) -> usize {
        self.tree.bytes()
            + size_of::<TriangleBlock>() * self.blocks.len()
            + size_of::<LeafFaces>() * self.faces.len()
    }

    /// The corners of a triangle; three times the first vertex if there is no such triangle.
    #[inline(always)]
    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        let indices = self.triangles.get(triangle as usize).copied().unwrap_or_default();
        [self.vertex(indices[0]), self.vertex(indices[1]), self.vertex(indices[2])]
    }

    #[inline(always)]
    fn vertex(&self, index: u32) -> DVec3 {
        self.vertices.get(index as usize).copied().unwrap_or_default()
    }
}
