//! Constructors of meshes and the settings of their BVHs; the steps are in [`builder`](super::builder).

use super::builder::MeshBuilder;
use super::{Mesh, MeshError};
use impinge_geom::bound::{Bound, Family, Hybrid, KindPrices, LANES, Obb, ObbFit};
use impinge_geom::glam::DVec3;
use impinge_geom::triangle::BLOCK;
use impinge_tree::{Builder, ItemGeometry, Topology, Tree};

/// Quality preset of a BVH build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preset {
    /// Fastest build: Morton order.
    Fast,
    /// Good queries for a moderate build time: binned SAH.
    #[default]
    Balanced,
    /// Tightest oriented volumes: splits at the mean along principal axes.
    Tight,
}

impl Preset {
    /// The builder of this preset.
    pub fn builder(self) -> Builder {
        match self {
            Self::Fast => Builder::Morton,
            Self::Balanced => Builder::BinnedSah,
            Self::Tight => Builder::PrincipalMean,
        }
    }
}

/// Settings of a BVH.
///
/// ```
/// use impinge::{geom::bound::Aabb, mesh::{BvhSettings, Mesh}, tree::Builder};
/// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let narrow = BvhSettings { builder: Builder::Agglomerative, width: 2, ..BvhSettings::default() };
/// let mesh: Mesh<Aabb> = Mesh::with_bvh(&corners, &faces, &narrow)?;
/// assert_eq!(mesh.tree().leaf_count(), 1);
/// # Ok::<(), impinge::mesh::MeshError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BvhSettings<'w> {
    /// The builder that groups the triangles.
    pub builder: Builder,
    /// Maximal number of children per node, from 2 to 8. A test costs the same for any number, so eight is fastest and two tests the fewest
    /// volumes.
    pub width: usize,
    /// Empty, or how often each triangle was touched, for [`Builder::Weighted`].
    pub weights: &'w [f32],
}

impl Default for BvhSettings<'_> {
    /// The default preset, eight abreast.
    fn default() -> Self {
        Preset::default().builder().into()
    }
}

impl From<Builder> for BvhSettings<'_> {
    fn from(builder: Builder) -> Self {
        Self { builder, width: LANES, weights: &[] }
    }
}

impl<B: Bound> Mesh<B> {
    /// Builds a mesh with another bounding volume than the default, by the default preset.
    ///
    /// ```
    /// use impinge::{geom::bound::Aabb, mesh::Mesh};
    /// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let mesh = Mesh::<Aabb>::with_volume(&corners, &[[0, 1, 2]])?;
    /// assert_eq!(mesh.triangles().len(), 1);
    /// # Ok::<(), impinge::mesh::MeshError>(())
    /// ```
    pub fn with_volume(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self, MeshError> {
        Self::with_builder(vertices, triangles, Preset::default().builder())
    }

    /// Builds a mesh with the given builder.
    pub fn with_builder(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        builder: Builder,
    ) -> Result<Self, MeshError> {
        Self::with_bvh(vertices, triangles, &builder.into())
    }

    /// Builds a mesh with the given BVH settings.
    pub fn with_bvh(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        settings: &BvhSettings<'_>,
    ) -> Result<Self, MeshError> {
        Self::with_fit(vertices, triangles, settings, &|topology, geometry| {
            Tree::fit(topology, geometry, settings.width, BLOCK)
        })
    }

    fn with_fit(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        settings: &BvhSettings<'_>,
        fit: &dyn Fn(&Topology, &ItemGeometry<'_>) -> Tree<B>,
    ) -> Result<Self, MeshError> {
        Ok(MeshBuilder::with_weights(vertices, triangles, settings.builder, settings.weights)?
            .finish(fit))
    }
}

impl Mesh<Obb> {
    /// Builds a mesh with a BVH of oriented boxes: the default, and right for almost everything.
    ///
    /// Degenerate, duplicate and non-manifold triangles are accepted and take part in every answer.
    ///
    /// ```
    /// use impinge::mesh::Mesh;
    /// let error = Mesh::new(&[[0.0; 3]], &[[0, 0, 7]]).unwrap_err();
    /// assert!(error.to_string().starts_with("triangles[0] refers to vertex 7"));
    /// ```
    pub fn new(
        vertices: &[impl Into<DVec3> + Copy],
        triangles: &[[u32; 3]],
    ) -> Result<Self, MeshError> {
        let vertices: Vec<[f64; 3]> = vertices.iter().map(|&v| v.into().to_array()).collect();
        Self::of_arrays(&vertices, triangles)
    }

    /// Compiled here once, not in every crate that builds a mesh.
    fn of_arrays(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self, MeshError> {
        Self::with_volume(vertices, triangles)
    }

    /// Builds a mesh of oriented boxes whose axes are chosen by `fit`.
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
    /// Builds a mesh whose nodes choose their kind of volume by the given prices.
    ///
    /// ```
    /// use impinge::{geom::bound::{Hybrid, KindPrices}, mesh::{BvhSettings, Mesh}};
    /// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    /// let prices = KindPrices { obb: 1e6, sphere: 1e6, ..KindPrices::default() };
    /// let mesh = Mesh::with_prices(&corners, &faces, &BvhSettings::default(), &prices)?;
    /// assert!(matches!(mesh.tree().root(), Some(Hybrid::Aabb(_))));
    /// # Ok::<(), impinge::mesh::MeshError>(())
    /// ```
    pub fn with_prices(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        settings: &BvhSettings<'_>,
        prices: &KindPrices,
    ) -> Result<Self, MeshError> {
        Self::with_fit(vertices, triangles, settings, &|topology, geometry| {
            let choose = |family: &Family<'_, Hybrid>| prices.choose(family);
            Tree::fit_chosen(topology, geometry, settings.width, BLOCK, choose)
        })
    }
}
