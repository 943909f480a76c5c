//! Where two parts touch: points by normal, from the triangles of meshes with normals that the whole surface has. They have no ids yet: those are the
//! business of the contact phase.

mod gather;
mod mesh_shape;
mod meshes;
mod normal;

pub(super) use mesh_shape::mesh_shape;
pub(super) use meshes::meshes;

use crate::query::{ManifoldPoint, PairDistance, PartFeature};
use impinge_geom::glam::DVec3;
use impinge_geom::{Certainty, Feature, Pose, pair};

impl ManifoldPoint {
    const NONE: Self = Self {
        points: [DVec3::ZERO; 2],
        distance: 0.0,
        features: [PartFeature { triangle: None, feature: Feature::SURFACE }; 2],
    };
}

/// Up to four points with one normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnmatchedManifold {
    pub(crate) normal: DVec3,
    points: [ManifoldPoint; 4],
    count: usize,
}

impl UnmatchedManifold {
    fn new(normal: DVec3) -> Self {
        Self { normal, points: [ManifoldPoint::NONE; 4], count: 0 }
    }

    fn push(&mut self, point: ManifoldPoint) {
        if let Some(place) = self.points.get_mut(self.count) {
            *place = point;
            self.count += 1;
        }
    }

    /// The points, the deepest first.
    pub(crate) fn points(&self) -> &[ManifoldPoint] {
        self.points.get(..self.count).unwrap_or_default()
    }

    /// The manifold of two shapes, from A's frame.
    pub(super) fn of_shapes(manifold: &pair::LocalManifold, pose_a: &Pose) -> Self {
        let mut unmatched = Self::new(pose_a.rotate(manifold.normal));
        for point in manifold.points() {
            unmatched.push(ManifoldPoint {
                points: [point.on_a, point.on_b].map(|point| pose_a.transform_point(point)),
                distance: point.distance,
                features: point.features.map(PartFeature::of_shape),
            });
        }
        unmatched
    }

    /// The same seen from the other part.
    pub(super) fn flip(&mut self) {
        self.normal = -self.normal;
        for point in self.points.iter_mut().take(self.count) {
            point.points.reverse();
            point.features.reverse();
        }
    }
}

/// The deepest point of all: an estimate of the depth.
pub(super) fn deepest(manifolds: &[UnmatchedManifold]) -> Option<PairDistance> {
    let all = manifolds
        .iter()
        .flat_map(|unmatched| unmatched.points().iter().map(|p| (unmatched.normal, p)));
    let (normal, point) = all.min_by(|(_, a), (_, b)| a.distance.total_cmp(&b.distance))?;
    Some(PairDistance {
        distance: point.distance.min(0.0),
        uncertainty: 0.0,
        points: point.points,
        normal,
        features: point.features,
        certainty: Certainty::Estimate,
    })
}

/// Memory for the contacts of meshes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    faces: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    gathered: gather::Gathered,
}
