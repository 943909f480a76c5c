//! The names of features in answers.

use impinge::geom::{Feature, FeatureKind};
use impinge::query::PartFeature;
use impinge::{Geometry, Mesh};
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
    /// A feature of a body. One of a triangle is numbered as the mesh numbers it: its vertices, its triangles, and three edges to each
    /// triangle.
    pub(crate) fn of(geometry: &Geometry, PartFeature { triangle, feature }: PartFeature) -> Self {
        match (geometry.as_mesh(), triangle) {
            (Some(part), Some(triangle)) => Self::of_triangle(part.mesh(), triangle, feature),
            _ => feature.into(),
        }
    }

    fn of_triangle(mesh: &Mesh, triangle: u32, feature: Feature) -> Self {
        let (face, within) = (u64::from(triangle), u64::from(feature.index));
        let corners = mesh.triangles().get(triangle as usize).copied().unwrap_or_default();
        match feature.kind {
            FeatureKind::Vertex => {
                let vertex = corners.get(feature.index as usize).copied().unwrap_or_default();
                Feature::vertex(vertex).into()
            }
            FeatureKind::Edge => Self { kind: "edge", index: 3 * face + within },
            FeatureKind::Face | FeatureKind::Surface => Feature::face(triangle).into(),
        }
    }

    /// A whole triangle of a mesh, or the feature of a shape.
    pub(crate) fn whole(PartFeature { triangle, feature }: PartFeature) -> Self {
        triangle.map_or(feature, Feature::face).into()
    }
}
