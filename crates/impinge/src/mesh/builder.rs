//! The steps from vertices and triangles to a mesh: they are validated, given a frame, grouped by a builder, fitted with volumes, and laid out in blocks.

use super::{LeafFaces, Mesh, MeshError};
use impinge_geom::GeometryError;
use impinge_geom::bound::{Bound, Frame};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_geom::number::error::LARGEST;
use impinge_geom::triangle::{BLOCK, TriangleBlock};
use impinge_tree::build::build_triangles;
use impinge_tree::parallel::{fold, list};
use impinge_tree::{Builder, ItemGeometry, Surface, Topology, Tree};

/// Triangles grouped by a builder, to be fitted with several volumes and widths: grouping is often the slower part.
///
/// ```
/// use impinge::{geom::bound::{Aabb, Obb}, mesh::{MeshBuilder, Mesh}, tree::Builder};
/// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let grouped = MeshBuilder::new(&corners, &faces, Builder::Agglomerative)?;
/// let boxes: Mesh<Aabb> = grouped.mesh(8);
/// let turned: Mesh<Obb> = grouped.mesh(2);
/// assert_eq!(boxes.tree().order(), turned.tree().order());
/// # Ok::<(), impinge::mesh::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeshBuilder {
    framed: Framed,
    /// The corners of the triangles in the frame, in the order of the topology.
    corners: Vec<[Vec3A; 3]>,
    topology: Topology,
}

impl MeshBuilder {
    /// Groups triangles; rejects what [`Mesh::new`] rejects.
    pub fn new(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        builder: Builder,
    ) -> Result<Self, MeshError> {
        Self::with_weights(vertices, triangles, builder, &[])
    }

    /// Like [`MeshBuilder::new`], with weights for [`Builder::Weighted`]: how often each triangle was touched, or empty.
    pub fn with_weights(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        builder: Builder,
        weights: &[f32],
    ) -> Result<Self, MeshError> {
        let framed = Framed::new(vertices, triangles)?;
        let local = framed.local_vertices();
        let corners_of = |face: usize| triangles[face].map(|index| local[index as usize]);
        let topology = build_triangles(triangles.len(), corners_of, weights, builder, BLOCK);
        let corners = framed.corners(&local, topology.order());
        Ok(Self { framed, corners, topology })
    }

    /// Builds a mesh from these groups, with up to `width` children per node, from 2 to 8.
    pub fn mesh<B: Bound>(&self, width: usize) -> Mesh<B> {
        self.clone().finish(&|topology, geometry| Tree::fit(topology, geometry, width, BLOCK))
    }

    /// A mesh of these groups, which are given up.
    pub(super) fn finish<B: Bound>(
        self,
        fit: &dyn Fn(&Topology, &ItemGeometry<'_>) -> Tree<B>,
    ) -> Mesh<B> {
        let tree = fit(&self.topology, &self.framed.geometry(&self.corners));
        self.framed.into_mesh(tree, &self.corners)
    }
}

/// Vertices and triangles that make a mesh, and the frame of those vertices that triangles use.
#[derive(Clone, Debug)]
pub(super) struct Framed {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    frame: Frame,
}

impl Framed {
    pub(super) fn new(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self, MeshError> {
        check_vertices(vertices)?;
        check_triangles(triangles, vertices.len())?;
        let vertices = list(vertices.len(), |index| DVec3::from_array(vertices[index]));
        let triangles = list(triangles.len(), |face| triangles[face]);
        let frame = frame_of(&vertices, &triangles);
        Ok(Self { vertices, triangles, frame })
    }

    /// The vertices in the frame.
    pub(super) fn local_vertices(&self) -> Vec<Vec3A> {
        list(self.vertices.len(), |index| self.frame.local(self.vertices[index]))
    }

    /// The corners of the triangles in the order of a hierarchy, whose items are triangles.
    pub(super) fn corners(&self, local: &[Vec3A], order: &[u32]) -> Vec<[Vec3A; 3]> {
        list(order.len(), |place| {
            self.triangles[order[place] as usize].map(|index| local[index as usize])
        })
    }

    /// What volumes are fitted to. `corners` are in the order of the leaves.
    pub(super) fn geometry<'g>(&'g self, corners: &'g [[Vec3A; 3]]) -> ItemGeometry<'g> {
        let (points, surface) = (corners.as_flattened(), Surface::Triangles);
        ItemGeometry { frame: &self.frame, points, points_per_item: 3, surface }
    }

    /// The mesh with a hierarchy over these triangles, whose leaves become blocks. `corners` are in the order of the leaves.
    pub(super) fn into_mesh<B: Bound>(self, tree: Tree<B>, corners: &[[Vec3A; 3]]) -> Mesh<B> {
        let Self { vertices, triangles, .. } = self;
        let blocks = blocks(&tree, corners);
        let faces = faces(&tree, &triangles);
        Mesh { vertices, triangles, tree, blocks, faces, lazy: Default::default() }
    }
}

fn check_vertices(vertices: &[[f64; 3]]) -> Result<(), MeshError> {
    let argument = "vertices";
    for (index, vertex) in vertices.iter().enumerate() {
        for &value in vertex {
            let index = Some(index);
            if !value.is_finite() {
                return Err(GeometryError::NotFinite { argument, index }.into());
            }
            if value.abs() > LARGEST {
                return Err(GeometryError::TooLarge { argument, index, value }.into());
            }
        }
    }
    Ok(())
}

fn check_triangles(triangles: &[[u32; 3]], vertices: usize) -> Result<(), MeshError> {
    if triangles.is_empty() {
        return Err(MeshError::NoTriangles);
    }
    if triangles.len() > u32::MAX as usize {
        return Err(MeshError::TooManyTriangles { count: triangles.len() });
    }
    for (face, indices) in triangles.iter().enumerate() {
        if let Some(&index) = indices.iter().find(|index| **index as usize >= vertices) {
            return Err(MeshError::IndexOutOfRange { face, index, vertices });
        }
    }
    Ok(())
}

/// The frame of the vertices that triangles use.
fn frame_of(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Frame {
    let each = |part: &[[u32; 3]]| {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &index in part.as_flattened() {
            let vertex = vertices[index as usize];
            (low, high) = (low.min(vertex), high.max(vertex));
        }
        (low, high)
    };
    let (low, high) = fold(triangles, &each, &|a, b| (a.0.min(b.0), a.1.max(b.1)));
    Frame::new(low, high)
}

/// The triangles of each leaf, side by side. `corners` are in the order of the leaves.
fn blocks<B: Bound>(tree: &Tree<B>, corners: &[[Vec3A; 3]]) -> Vec<TriangleBlock> {
    list(tree.leaf_count(), |leaf| {
        let places = tree.leaf_places(leaf as u32);
        TriangleBlock::new(corners.get(places).unwrap_or(&[]))
    })
}

/// The indices of the triangles of each leaf, if the volumes are made for rays.
fn faces<B: Bound>(tree: &Tree<B>, triangles: &[[u32; 3]]) -> Vec<LeafFaces> {
    let count = if B::FOR_RAYS { tree.leaf_count() } else { 0 };
    list(count, |leaf| LeafFaces::new(tree, leaf as u32, triangles))
}
