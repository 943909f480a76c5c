//! The names of features in answers.

use impinge::Mesh;
use impinge::geom::{Feature, FeatureKind};
use serde::Serialize;

/// A feature as it is printed.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct FeatureName {
    kind: &'static str,
    /// Wider than the library's: there are three edges to a triangle.
    index: u64,
}

impl From<Feature> for FeatureName {
    fn from(feature: Feature) -> Self {
        let kind = match feature.kind {
            FeatureKind::Vertex => "vertex",
            FeatureKind::Edge => "edge",
            FeatureKind::Face => "face",
            FeatureKind::Surface => "surface",
        };
        Self { kind, index: u64::from(feature.index) }
    }
}

impl FeatureName {
    /// A feature of one triangle of a mesh, by the numbers of the mesh: its vertices, its triangles, and three edges to each
    /// triangle.
    pub(crate) fn of_triangle(mesh: &Mesh, triangle: u32, feature: Feature) -> Self {
        let (triangle, within) = (u64::from(triangle), u64::from(feature.index));
        let corners = mesh.triangles().get(triangle as usize).copied().unwrap_or_default();
        match feature.kind {
            FeatureKind::Vertex => {
                let vertex = corners.get(feature.index as usize).copied().unwrap_or_default();
                Feature::vertex(vertex).into()
            }
            FeatureKind::Edge => Self { kind: "edge", index: 3 * triangle + within },
            FeatureKind::Face | FeatureKind::Surface => Self { kind: "face", index: triangle },
        }
    }

    /// A whole triangle of a mesh.
    pub(crate) fn face(triangle: u32) -> Self {
        Feature::face(triangle).into()
    }
}
