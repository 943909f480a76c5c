//! Meshes with a BVH that was built earlier and saved as bytes.

use super::builder::Framed;
use super::{Mesh, MeshError};
use impinge_geom::bound::Bound;
use impinge_geom::triangle::BLOCK;
use impinge_tree::{LoadError, Tree, TreeFault};
use std::fmt;

/// Why a saved BVH does not fit a mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SavedError {
    /// The vertices and triangles do not make a mesh.
    Mesh(MeshError),
    /// The bytes are not a BVH of this volume.
    Load(LoadError),
    /// The BVH belongs to another mesh: its frame, its number of triangles or a volume does not fit.
    OtherMesh(TreeFault),
    /// A leaf holds more triangles than is allowed.
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
            Self::OtherMesh(fault) => write!(f, "the saved tree belongs to another mesh: {fault}"),
            Self::LeafTooLarge { leaf } => {
                write!(f, "leaf {leaf} of the saved tree holds more than {BLOCK} triangles")
            }
        }
    }
}

impl std::error::Error for SavedError {}

impl<B: Bound> Mesh<B> {
    /// Saves the BVH as bytes, for [`Mesh::from_tree_bytes`].
    pub fn tree_bytes(&self) -> Vec<u8> {
        self.tree.save()
    }

    /// Loads a mesh with a BVH saved by [`Mesh::tree_bytes`] from a mesh with the same vertices and triangles.
    ///
    /// The bytes are not trusted: that the BVH fits the triangles is checked, so answers are those of [`Mesh::new`].
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
