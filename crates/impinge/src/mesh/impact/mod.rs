//! When a moving mesh first meets another mesh, or a shape. Meshes count as surfaces: who begins outside a solid enters it through its surface.
//!
//! `meshes` advances two hierarchies, `shape` one; both end in the kernel's own [`motion::impact`](impinge_geom::motion::impact) of two convex bodies, so that what
//! is certified there is certified here.

mod balls;
mod meshes;
mod shape;

pub use meshes::mesh_impact;
pub use shape::shape_impact;

pub(super) use balls::Balls;

use super::Mesh;
use impinge_geom::Pose;
use impinge_geom::bound::{Bound, Obb};
use impinge_geom::glam::DVec3;
use impinge_geom::motion::impact::ImpactInterval;
use impinge_geom::motion::{Motion, MovingShape};
use impinge_geom::shape::Shape;

/// A mesh that a motion carries.
#[derive(Clone, Copy)]
pub struct MovingMesh<'a, B: Bound = Obb> {
    mesh: &'a Mesh<B>,
    scale: f64,
    /// Where the mesh is in the body that moves.
    local: Pose,
    motion: &'a dyn Motion,
}

/// When a mesh first meets something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeshImpact {
    /// Not at all.
    Free,
    /// At the beginning.
    Meeting,
    /// Later: the time, and the triangles that meet, of A and of B; 0 for a shape.
    Meets(ImpactInterval, [u32; 2]),
}

impl<'a, B: Bound> MovingMesh<'a, B> {
    /// A mesh at a place in a body, scaled about its own origin.
    pub fn new(mesh: &'a Mesh<B>, scale: f64, local: &Pose, motion: &'a dyn Motion) -> Self {
        Self { mesh, scale, local: *local, motion }
    }

    /// Where the mesh is in the world at a time.
    fn pose(&self, t: f64) -> Pose {
        let pose = self.motion.pose(t);
        if self.local == Pose::IDENTITY { pose } else { pose.compose(&self.local) }
    }

    /// A triangle as a shape of the kernel, which takes all that a mesh takes.
    fn triangle(&self, face: u32) -> Option<Shape> {
        let scaled = |corner: DVec3| (corner * self.scale).to_array();
        Shape::triangle(self.mesh.corners(face).map(scaled)).ok()
    }

    /// A shape of the mesh's frame on the mesh's way.
    fn carry<'s>(&self, shape: &'s Shape) -> MovingShape<'s>
    where
        'a: 's,
    {
        MovingShape::placed(shape, &self.local, self.motion)
    }
}

/// The earlier of two contacts; of equal ones the first.
fn keep_earlier(
    found: &mut Option<(ImpactInterval, [u32; 2])>,
    contact: ImpactInterval,
    faces: [u32; 2],
) {
    let start = |contact: &ImpactInterval| contact.interval[0];
    let better = found.as_ref().is_none_or(|(best, seen)| {
        start(&contact) < start(best) || (start(&contact) == start(best) && faces < *seen)
    });
    if better {
        *found = Some((contact, faces));
    }
}
