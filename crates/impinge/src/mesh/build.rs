//! From vertices and triangles to a mesh with its hierarchy.

use super::{Grouped, LeafFaces, Mesh, MeshError};
use impinge_geom::GeometryError;
use impinge_geom::bound::{Bound, Frame, Hybrid, KindPrices, LANES, Obb, ObbFit};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_geom::number::error::LARGEST;
use impinge_geom::triangle::{BLOCK, TriangleBlock};
use impinge_tree::parallel::{fold, list};
use impinge_tree::{Builder, Geometry, Topology, Tree};

/// How much care a hierarchy is built with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preset {
    /// Built fastest: the Morton curve.
    Fast,
    /// Good queries for a moderate time: areas in bins.
    #[default]
    Balanced,
    /// The tightest oriented volumes: means along principal axes.
    Tight,
}

impl Preset {
    /// The builder that it stands for.
    pub fn builder(self) -> Builder {
        match self {
            Self::Fast => Builder::Morton,
            Self::Balanced => Builder::BinnedArea,
            Self::Tight => Builder::PrincipalMean,
        }
    }
}

/// How a hierarchy is made.
///
/// ```
/// use impinge::{geom::bound::Aabb, mesh::{Hierarchy, Mesh}, tree::Builder};
/// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let narrow = Hierarchy { builder: Builder::Agglomerative, width: 2, ..Hierarchy::default() };
/// let mesh: Mesh<Aabb> = Mesh::with_hierarchy(&corners, &faces, &narrow)?;
/// assert_eq!(mesh.tree().leaf_count(), 1);
/// # Ok::<(), impinge::mesh::MeshError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hierarchy<'w> {
    /// Who groups the triangles.
    pub builder: Builder,
    /// How many children a node has at most, from 2 to 8: tests cost the same for any number, so that eight is fastest, and two
    /// tests the fewest volumes.
    pub width: usize,
    /// Empty, or how often each triangle was touched, for [`Builder::Weighted`].
    pub weights: &'w [f32],
}

impl Default for Hierarchy<'_> {
    /// The default preset, eight abreast.
    fn default() -> Self {
        Preset::default().builder().into()
    }
}

impl From<Builder> for Hierarchy<'_> {
    fn from(builder: Builder) -> Self {
        Self { builder, width: LANES, weights: &[] }
    }
}

impl<B: Bound> Mesh<B> {
    /// A mesh with a hierarchy of the default preset.
    ///
    /// Degenerate, duplicate and non-manifold triangles are accepted and answered for like any others.
    ///
    /// ```
    /// use impinge::mesh::Mesh;
    /// let error = Mesh::<impinge::geom::bound::Obb>::new(&[[0.0; 3]], &[[0, 0, 7]]).unwrap_err();
    /// assert!(error.to_string().starts_with("triangles[0] names vertex 7"));
    /// ```
    pub fn new(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self, MeshError> {
        Self::with_builder(vertices, triangles, Preset::default().builder())
    }

    /// A mesh whose hierarchy is grouped by the given builder.
    pub fn with_builder(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        builder: Builder,
    ) -> Result<Self, MeshError> {
        Self::with_hierarchy(vertices, triangles, &builder.into())
    }

    /// A mesh whose hierarchy is made as is said.
    pub fn with_hierarchy(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        hierarchy: &Hierarchy<'_>,
    ) -> Result<Self, MeshError> {
        Self::with_fit(vertices, triangles, hierarchy, &|topology, geometry| {
            Tree::fit(topology, geometry, hierarchy.width, BLOCK)
        })
    }

    fn with_fit(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        hierarchy: &Hierarchy<'_>,
        fit: &dyn Fn(&Topology, &Geometry<'_>) -> Tree<B>,
    ) -> Result<Self, MeshError> {
        Ok(Grouped::with_weights(vertices, triangles, hierarchy.builder, hierarchy.weights)?
            .finish(fit))
    }
}

impl Mesh<Obb> {
    /// A mesh of oriented boxes whose directions are taken as `fit` says.
    ///
    /// ```
    /// use impinge::{geom::bound::ObbFit, mesh::Mesh, tree::Builder};
    /// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    /// let mesh = Mesh::with_box_fit(&corners, &faces, Builder::PrincipalMean, ObbFit::HullFacets)?;
    /// assert_eq!(mesh.tree().leaf_count(), 1);
    /// # Ok::<(), impinge::mesh::MeshError>(())
    /// ```
    pub fn with_box_fit(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        builder: Builder,
        fit: ObbFit,
    ) -> Result<Self, MeshError> {
        Self::with_fit(vertices, triangles, &builder.into(), &|topology, geometry| {
            Tree::fit_by(topology, geometry, LANES, BLOCK, |points, moments, error| {
                Obb::fit_by(points, moments, fit, error)
            })
        })
    }
}

impl Mesh<Hybrid> {
    /// A mesh whose nodes choose their kind of volume by the given prices.
    ///
    /// ```
    /// use impinge::{geom::bound::{Hybrid, KindPrices}, mesh::{Hierarchy, Mesh}};
    /// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    /// let prices = KindPrices { obb: 1e6, sphere: 1e6, ..KindPrices::default() };
    /// let mesh = Mesh::with_prices(&corners, &faces, &Hierarchy::default(), &prices)?;
    /// assert!(matches!(mesh.tree().root(), Some(Hybrid::Aabb(_))));
    /// # Ok::<(), impinge::mesh::MeshError>(())
    /// ```
    pub fn with_prices(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        hierarchy: &Hierarchy<'_>,
        prices: &KindPrices,
    ) -> Result<Self, MeshError> {
        Self::with_fit(vertices, triangles, hierarchy, &|topology, geometry| {
            Tree::fit_priced(topology, geometry, hierarchy.width, BLOCK, prices)
        })
    }
}

pub(super) fn checked_vertices(vertices: &[[f64; 3]]) -> Result<Vec<DVec3>, MeshError> {
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
    Ok(list(vertices.len(), |index| DVec3::from_array(vertices[index])))
}

pub(super) fn check_triangles(triangles: &[[u32; 3]], vertices: usize) -> Result<(), MeshError> {
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
pub(super) fn frame_of(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Frame {
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

/// The vertices in the frame.
pub(super) fn local_vertices(vertices: &[DVec3], frame: &Frame) -> Vec<Vec3A> {
    list(vertices.len(), |index| frame.local(vertices[index]))
}

/// The corners of the triangles in the order of a hierarchy, whose items are triangles.
pub(super) fn corners_in_order(
    triangles: &[[u32; 3]],
    local: &[Vec3A],
    order: &[u32],
) -> Vec<[Vec3A; 3]> {
    list(order.len(), |place| triangles[order[place] as usize].map(|index| local[index as usize]))
}

/// The indices of the triangles of each leaf, if the volumes are made for rays.
pub(super) fn faces<B: Bound>(tree: &Tree<B>, triangles: &[[u32; 3]]) -> Vec<LeafFaces> {
    let count = if B::FOR_RAYS { tree.leaf_count() } else { 0 };
    list(count, |leaf| LeafFaces::new(tree, leaf as u32, triangles))
}

/// The triangles of each leaf, side by side. `corners` are in the order of the leaves.
pub(super) fn blocks<B: Bound>(tree: &Tree<B>, corners: &[[Vec3A; 3]]) -> Vec<TriangleBlock> {
    list(tree.leaf_count(), |leaf| {
        let places = tree.leaf_places(leaf as u32);
        TriangleBlock::new(corners.get(places).unwrap_or(&[]))
    })
}
