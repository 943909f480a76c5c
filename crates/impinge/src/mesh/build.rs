//! From vertices and triangles to a mesh with its hierarchy.

use super::{Mesh, MeshError};
use impinge_geom::bound::{Aabb, Bound, Frame, Moments};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_geom::number::error::LARGEST;
use impinge_geom::{GeometryError, triangle};
use impinge_tree::{Builder, Geometry, Items, Topology, Tree, build};

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
        let vertices = checked_vertices(vertices)?;
        check_triangles(triangles, vertices.len())?;
        let frame = frame_of(&vertices, triangles);
        let corners: Vec<[Vec3A; 3]> = triangles
            .iter()
            .map(|face| face.map(|index| frame.local(vertices[index as usize])))
            .collect();
        let items = Items {
            boxes: corners.iter().map(|corners| Aabb::of_points(corners)).collect(),
            moments: Vec::new(),
        };
        let topology = build(&items, builder, triangle::BLOCK);
        drop(items);
        let points: Vec<Vec3A> =
            topology.order.iter().flat_map(|&item| corners[item as usize]).collect();
        drop(corners);
        let tree = fit(&topology, &frame, &points);
        let blocks = blocks(&tree, &points);
        Ok(Self {
            vertices,
            triangles: triangles.to_vec(),
            tree,
            blocks,
            facts: Default::default(),
        })
    }
}

fn checked_vertices(vertices: &[[f64; 3]]) -> Result<Vec<DVec3>, MeshError> {
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
    Ok(vertices.iter().map(|&vertex| DVec3::from_array(vertex)).collect())
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
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for face in triangles {
        for &index in face {
            let vertex = vertices[index as usize];
            (low, high) = (low.min(vertex), high.max(vertex));
        }
    }
    Frame::new(low, high)
}

fn fit<B: Bound>(topology: &Topology, frame: &Frame, points: &[Vec3A]) -> Tree<B> {
    let moments: Vec<Moments> = points
        .chunks_exact(3)
        .map(|t| Moments::of_triangle(t[0].as_dvec3(), t[1].as_dvec3(), t[2].as_dvec3()))
        .collect();
    let geometry = Geometry { frame, points, points_per_item: 3, moments: &moments };
    Tree::fit(topology, &geometry, 8, triangle::BLOCK)
}

/// The triangles of each leaf, side by side. `points` are in the order of the leaves.
fn blocks<B: Bound>(tree: &Tree<B>, points: &[Vec3A]) -> Vec<triangle::TriangleBlock> {
    let mut rest = points;
    (0..tree.leaf_count() as u32)
        .map(|leaf| {
            let count = 3 * tree.leaf(leaf).len();
            let (own, after) = rest.split_at(count.min(rest.len()));
            rest = after;
            let triangles: Vec<_> = own.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
            triangle::TriangleBlock::new(&triangles)
        })
        .collect()
}
