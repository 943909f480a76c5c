//! Meshes whose hierarchy was built before and kept as bytes.

use super::builder::Framed;
use super::{Mesh, MeshError};
use impinge_geom::bound::Bound;
use impinge_geom::triangle::BLOCK;
use impinge_tree::{LoadError, Tree, TreeFault};
use std::fmt;

/// Why a saved hierarchy does not serve for a mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SavedError {
    /// The vertices and triangles make no mesh.
    Mesh(MeshError),
    /// The bytes are not a hierarchy of this volume.
    Load(LoadError),
    /// The hierarchy is that of another mesh: its frame, its number of triangles, or a volume does not fit.
    OtherMesh(TreeFault),
    /// A leaf holds more triangles than a leaf of a mesh may.
    LeafTooLarge {
        /// The leaf.
        leaf: u32,
    },
}

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mesh(error) => error.fmt(f),
            Self::Load(error) => write!(f, "the saved tree: {error}"),
            Self::OtherMesh(fault) => write!(f, "the saved tree is that of another mesh: {fault}"),
            Self::LeafTooLarge { leaf } => {
                write!(f, "leaf {leaf} of the saved tree holds more than {BLOCK} triangles")
            }
        }
    }
}

impl std::error::Error for SavedError {}

impl<B: Bound> Mesh<B> {
    /// The hierarchy as bytes, for [`Mesh::from_tree_bytes`].
    pub fn tree_bytes(&self) -> Vec<u8> {
        self.tree.save()
    }

    /// The mesh with a hierarchy that was saved by [`Mesh::tree_bytes`] of a mesh with the same vertices and triangles.
    ///
    /// Nothing is believed: that the hierarchy fits the triangles is checked, so that answers are those of [`Mesh::new`].
    ///
    /// ```
    /// use impinge::mesh::Mesh;
    /// let (corners, faces) = ([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]]);
    /// let mesh: Mesh = Mesh::new(&corners, &faces)?;
    /// let again: Mesh = Mesh::from_tree_bytes(&corners, &faces, &mesh.tree_bytes())?;
    /// assert_eq!(mesh.tree(), again.tree());
    /// let moved = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 3.0, 0.0]];
    /// assert!(Mesh::<impinge::geom::bound::Obb>::from_tree_bytes(&moved, &faces, &mesh.tree_bytes()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_tree_bytes(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        bytes: &[u8],
    ) -> Result<Self, SavedError> {
        let framed = Framed::new(vertices, triangles).map_err(SavedError::Mesh)?;
        let tree: Tree<B> = Tree::load(bytes).map_err(SavedError::Load)?;
        let leaves = 0..tree.leaf_count() as u32;
        if let Some(leaf) = leaves.into_iter().find(|&leaf| tree.leaf(leaf).len() > BLOCK) {
            return Err(SavedError::LeafTooLarge { leaf });
        }
        if tree.order().len() != triangles.len() {
            return Err(SavedError::OtherMesh(TreeFault::OtherGeometry));
        }
        let corners = framed.corners(&framed.local_vertices(), tree.order());
        tree.validate(&framed.geometry(&corners)).map_err(SavedError::OtherMesh)?;
        Ok(framed.into_mesh(tree, &corners))
    }
}
