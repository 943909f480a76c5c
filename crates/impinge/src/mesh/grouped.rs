//! Triangles that are grouped, but have no volumes yet.

use super::build::{
    blocks, check_triangles, checked_vertices, corners_in_order, faces, frame_of, local_vertices,
};
use super::{Mesh, MeshError};
use impinge_geom::bound::{Bound, Frame};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_geom::triangle::BLOCK;
use impinge_tree::build::build_triangles;
use impinge_tree::parallel::list;
use impinge_tree::{Builder, Geometry, Surface, Topology, Tree};

/// Triangles grouped by a builder, for meshes of several volumes and widths: grouping them is often the longer part.
///
/// ```
/// use impinge::{geom::bound::{Aabb, Obb}, mesh::{Grouped, Mesh}, tree::Builder};
/// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let grouped = Grouped::new(&corners, &faces, Builder::Agglomerative)?;
/// let boxes: Mesh<Aabb> = grouped.mesh(8);
/// let turned: Mesh<Obb> = grouped.mesh(2);
/// assert_eq!(boxes.tree().order(), turned.tree().order());
/// # Ok::<(), impinge::mesh::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Grouped {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    frame: Frame,
    /// The corners of the triangles in the frame, in the order of the topology.
    corners: Vec<[Vec3A; 3]>,
    topology: Topology,
}

impl Grouped {
    /// Groups triangles; refuses what [`Mesh::new`] refuses.
    pub fn new(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        builder: Builder,
    ) -> Result<Self, MeshError> {
        Self::with_weights(vertices, triangles, builder, &[])
    }

    /// The same; `weights` are empty, or how often each triangle was touched, for [`Builder::Weighted`].
    pub fn with_weights(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        builder: Builder,
        weights: &[f32],
    ) -> Result<Self, MeshError> {
        let vertices = checked_vertices(vertices)?;
        check_triangles(triangles, vertices.len())?;
        let frame = frame_of(&vertices, triangles);
        let local = local_vertices(&vertices, &frame);
        let corners_of = |face: usize| triangles[face].map(|index| local[index as usize]);
        let topology = build_triangles(triangles.len(), corners_of, weights, builder, BLOCK);
        let corners = corners_in_order(triangles, &local, topology.order());
        let triangles = list(triangles.len(), |face| triangles[face]);
        Ok(Self { vertices, triangles, frame, corners, topology })
    }

    /// A mesh of these groups, with up to `width` children to a node, from 2 to 8.
    pub fn mesh<B: Bound>(&self, width: usize) -> Mesh<B> {
        self.clone().finish(&|topology, geometry| Tree::fit(topology, geometry, width, BLOCK))
    }

    /// A mesh of these groups, which are given up.
    pub(super) fn finish<B: Bound>(
        self,
        fit: &dyn Fn(&Topology, &Geometry<'_>) -> Tree<B>,
    ) -> Mesh<B> {
        let Self { vertices, triangles, frame, corners, topology } = self;
        let (points, surface) = (corners.as_flattened(), Surface::Triangles);
        let tree = fit(&topology, &Geometry { frame: &frame, points, points_per_item: 3, surface });
        let blocks = blocks(&tree, &corners);
        let faces = faces(&tree, &triangles);
        Mesh { vertices, triangles, tree, blocks, faces, facts: Default::default() }
    }
}
