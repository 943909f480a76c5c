//! Where parts touch: manifolds whose points keep their ids from step to step, and normals that know a mesh's neighbouring triangles.

mod gather;
mod memory;
mod mesh_shape;
mod meshes;
mod normal;

pub(crate) use memory::{Memory, child_ids};
pub(crate) use mesh_shape::mesh_shape;
pub(crate) use meshes::meshes;

use crate::narrow::of_shape;
use crate::scene::{PairDistance, PartFeature};
use impinge_geom::glam::DVec3;
use impinge_geom::{Feature, Method, Pose, pair};

/// A contact point. Coordinates are those of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The same number as long as the same features are in contact; no two contacts of a scene ever have the same.
    pub id: u64,
    /// For how many steps it has been there: 0 in its first.
    pub age: u32,
    /// A point of each surface.
    pub points: [DVec3; 2],
    /// How far the second point is from the first along the normal: positive is a gap, negative a depth.
    pub distance: f64,
    /// What meets there.
    pub features: [PartFeature; 2],
}

impl Contact {
    const NONE: Self = Self {
        id: 0,
        age: 0,
        points: [DVec3::ZERO; 2],
        distance: 0.0,
        features: [PartFeature { triangle: None, feature: Feature::SURFACE }; 2],
    };
}

/// Contact points with one normal. The points are those of [`StepReport::contacts`](crate::scene::StepReport::contacts).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manifold {
    /// Unit vector from the first body towards the second, in the world.
    pub normal: DVec3,
    pub(crate) contacts: [u32; 2],
}

/// A manifold before its points have ids.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sheet {
    pub(crate) normal: DVec3,
    contacts: [Contact; 4],
    count: usize,
}

impl Sheet {
    fn new(normal: DVec3) -> Self {
        Self { normal, contacts: [Contact::NONE; 4], count: 0 }
    }

    fn push(&mut self, contact: Contact) {
        if let Some(place) = self.contacts.get_mut(self.count) {
            *place = contact;
            self.count += 1;
        }
    }

    /// The points, the deepest first.
    pub(crate) fn contacts(&self) -> &[Contact] {
        self.contacts.get(..self.count).unwrap_or_default()
    }

    /// The manifold of two shapes, from A's frame.
    pub(crate) fn of_shapes(manifold: &pair::Manifold, pose_a: &Pose) -> Self {
        let mut sheet = Self::new(pose_a.turn(manifold.normal));
        for point in manifold.points() {
            sheet.push(Contact {
                points: [point.on_a, point.on_b].map(|point| pose_a.map(point)),
                distance: point.distance,
                features: point.features.map(of_shape),
                ..Contact::NONE
            });
        }
        sheet
    }

    /// The same seen from the other part.
    pub(crate) fn flip(&mut self) {
        self.normal = -self.normal;
        for contact in self.contacts.iter_mut().take(self.count) {
            contact.points.reverse();
            contact.features.reverse();
        }
    }
}

/// The deepest point of all: an estimate of the depth.
pub(crate) fn deepest(sheets: &[Sheet]) -> Option<PairDistance> {
    let all = sheets.iter().flat_map(|sheet| sheet.contacts().iter().map(|c| (sheet.normal, c)));
    let (normal, contact) = all.min_by(|(_, a), (_, b)| a.distance.total_cmp(&b.distance))?;
    Some(PairDistance {
        distance: contact.distance.min(0.0),
        uncertainty: 0.0,
        points: contact.points,
        normal,
        features: contact.features,
        method: Method::Estimate,
    })
}

/// Memory for the contacts of meshes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    faces: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    gathered: gather::Gathered,
}
