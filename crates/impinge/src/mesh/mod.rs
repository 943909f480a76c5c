//! Triangle meshes: as they are given, with a hierarchy over them.

mod adjacency;
mod boundary;
mod budget;
mod build;
mod closest;
mod column;
mod common_volume;
mod contacts;
mod distance;
mod error;
mod facts;
mod first_hit;
mod grouped;
mod health;
mod instance;
mod many_rays;
mod pairs;
pub mod parting;
mod penetration;
mod ray;
mod relative;
mod roles;
mod saved;
mod scratch;
mod self_intersection;
pub mod shape;
mod supported;
mod topology;
mod verdict;
mod winding;
mod within;

pub use budget::{DistanceBracket, distance_in_budget, overlap_in_budget};
pub use build::{Hierarchy, Preset};
pub use closest::ClosestPoint;
pub use common_volume::common_volume;
pub use contacts::{Contact, contacts};
pub use distance::{MeshDistance, distance, distance_with};
pub use error::MeshError;
pub use grouped::Grouped;
pub use health::{EdgeReport, Health};
pub use instance::Instance;
pub use pairs::{overlap, overlap_with, pairs, pairs_with};
pub use penetration::{Penetration, penetration, penetration_among};
pub use ray::MeshHit;
pub use relative::Relative;
pub use saved::SavedError;
pub use scratch::Scratch;
pub use self_intersection::self_intersections;
pub use supported::{
    Parted, SupportKind, SupportLevels, SupportMapping, SupportVolume, Supported,
    overlap_supported, pairs_supported,
};
pub use verdict::{MeshVerdict, Mode, verdict};
pub use winding::{Winding, generalised_winding, winding};
pub use within::{pairs_within, within, within_with};

pub(crate) use adjacency::Adjacency;

use facts::Facts;
use first_hit::LeafFaces;
use impinge_geom::bound::{Bound, Obb};
use impinge_geom::glam::DVec3;
use impinge_geom::triangle::TriangleBlock;
use impinge_tree::Tree;

/// Triangles with a hierarchy of volumes `B` over them. Vertices and triangles stay as they were given.
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
    facts: Facts,
}

impl<B: Bound> Mesh<B> {
    /// The vertices as they were given.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The triangles as they were given: three indices of vertices each.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The hierarchy.
    pub fn tree(&self) -> &Tree<B> {
        &self.tree
    }

    /// The memory held beyond vertices and indices, in bytes.
    pub fn bytes(&self) -> usize {
        self.tree.bytes()
            + size_of::<TriangleBlock>() * self.blocks.len()
            + size_of::<LeafFaces>() * self.faces.len()
    }

    /// The corners of a triangle; those of the first one if there is no such triangle.
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
