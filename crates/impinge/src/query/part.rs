//! The kinds of geometry, and the one place that tells them apart: [`PartRef::fold`] for a question about one part, [`ask`] for
//! a question about two. Everything else, the scene, the checker and the command included, goes through these.

use super::InvalidGeometry;
use super::scaled::{scaled_mesh, scaled_shape};
use crate::mesh::{Mesh, Mode, ScaledPose, checked_scale};
use impinge_geom::glam::DVec3;
use impinge_geom::{GeometryError, Pose, Shape};
use std::borrow::Cow;
use std::sync::Arc;

/// A convex shape or a mesh: the parts of a compound.
#[derive(Clone, Debug)]
pub enum Part {
    /// A shape of the kernel.
    Shape(Shape),
    /// A mesh, shared with others.
    Mesh(MeshPart),
}

/// A shared mesh, as a surface or a solid, at a scale.
#[derive(Clone, Debug)]
pub struct MeshPart {
    mesh: Arc<Mesh>,
    mode: Mode,
    scale: f64,
}

impl MeshPart {
    /// A mesh, as a surface or as a solid.
    pub fn new(mesh: Arc<Mesh>, mode: Mode) -> Self {
        Self { mesh, mode, scale: 1.0 }
    }

    /// Scales the mesh about its origin by a factor from 2^-32 to 2^32, without copying it. Scenes copy it when the body is added.
    pub fn with_scale(self, scale: f64) -> Result<Self, GeometryError> {
        Ok(Self { scale: checked_scale(scale)?, ..self })
    }

    /// Sets the mode: surface or solid.
    pub fn with_mode(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }

    /// The mesh.
    pub fn mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }

    /// Surface or solid.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The scale.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    pub(crate) fn as_ref(&self) -> PartRef<'_> {
        PartRef::of_mesh(&self.mesh, self.mode, self.scale)
    }
}

impl From<Shape> for Part {
    fn from(shape: Shape) -> Self {
        Self::Shape(shape)
    }
}

impl From<MeshPart> for Part {
    fn from(mesh: MeshPart) -> Self {
        Self::Mesh(mesh)
    }
}

impl Part {
    /// The largest distance of a point of the part from its origin; infinite for planes and half-spaces.
    pub fn bounding_radius(&self) -> f64 {
        self.as_ref().fold(Shape::bounding_radius, |mesh| {
            let (low, high) = mesh.bounds();
            low.abs().max(high.abs()).element_sum()
        })
    }

    /// The mesh, if it is one.
    pub fn as_mesh(&self) -> Option<&MeshPart> {
        match self {
            Self::Shape(_) => None,
            Self::Mesh(mesh) => Some(mesh),
        }
    }

    pub(crate) fn as_ref(&self) -> PartRef<'_> {
        match self {
            Self::Shape(shape) => PartRef::of_shape(shape),
            Self::Mesh(mesh) => mesh.as_ref(),
        }
    }
}

/// A borrowed mesh with its mode and scale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeshRef<'g> {
    mesh: &'g Mesh,
    mode: Mode,
    scale: f64,
}

impl<'g> From<&'g MeshPart> for MeshRef<'g> {
    fn from(part: &'g MeshPart) -> Self {
        Self { mesh: &part.mesh, mode: part.mode, scale: part.scale }
    }
}

impl<'g> MeshRef<'g> {
    pub(crate) fn mesh(&self) -> &'g Mesh {
        self.mesh
    }

    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    /// A mesh of its own with the scale and another factor multiplied into the vertices.
    pub(super) fn baked(&self, factor: f64) -> Result<MeshPart, InvalidGeometry> {
        let mesh = scaled_mesh(self.mesh, self.scale * factor)?;
        Ok(MeshPart::new(Arc::new(mesh), self.mode))
    }

    /// The corners of the box around all triangles, scaled, in the part's frame.
    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        let bounds = self.mesh.bounds();
        (bounds.low * self.scale, bounds.high * self.scale)
    }

    /// The pose of another part in the frame of this mesh, with the factor between the two units.
    pub(crate) fn relative(&self, pose: &Pose, other: &Pose, scale: f64) -> ScaledPose {
        ScaledPose::between((pose, self.scale), (other, scale))
    }

    /// A shape of the world in this mesh's own frame; none if its size at the mesh's scale is beyond what the kernel takes.
    pub(crate) fn shape_in_mesh<'s>(
        &self,
        pose: &Pose,
        (shape, pose_shape): (&'s Shape, &Pose),
    ) -> Option<(Cow<'s, Shape>, Pose)> {
        let relative = self.relative(pose, pose_shape, 1.0);
        let shape = match relative.scale {
            1.0 => Cow::Borrowed(shape),
            factor => Cow::Owned(scaled_shape(shape, factor).ok()?),
        };
        Some((shape, relative.pose))
    }

    pub(crate) fn part(self) -> PartRef<'g> {
        PartRef(Kind::Mesh(self))
    }

    /// A point of the mesh in the world.
    pub(crate) fn to_world(self, pose: &Pose, point: DVec3) -> DVec3 {
        pose.transform_point(point * self.scale)
    }

    /// A point of the world in the mesh's own frame.
    pub(crate) fn to_local(self, pose: &Pose, point: DVec3) -> DVec3 {
        let local = pose.inverse_transform_point(point);
        if self.scale == 1.0 { local } else { local / self.scale }
    }
}

/// A borrowed part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartRef<'g>(Kind<'g>);

#[derive(Clone, Copy, Debug)]
enum Kind<'g> {
    Shape(&'g Shape),
    Mesh(MeshRef<'g>),
}

impl<'g> PartRef<'g> {
    pub(crate) fn of_shape(shape: &'g Shape) -> Self {
        Self(Kind::Shape(shape))
    }

    pub(crate) fn of_mesh(mesh: &'g Mesh, mode: Mode, scale: f64) -> Self {
        Self(Kind::Mesh(MeshRef { mesh, mode, scale }))
    }

    /// The mesh, if it is one.
    pub(crate) fn mesh(self) -> Option<MeshRef<'g>> {
        self.fold(|_| None, Some)
    }

    /// The shape, if it is one.
    pub(crate) fn shape(self) -> Option<&'g Shape> {
        self.fold(Some, |_| None)
    }

    /// Answers a question about one part by its kind.
    #[inline]
    pub(crate) fn fold<T>(
        self,
        shape: impl FnOnce(&'g Shape) -> T,
        mesh: impl FnOnce(MeshRef<'g>) -> T,
    ) -> T {
        match self.0 {
            Kind::Shape(part) => shape(part),
            Kind::Mesh(part) => mesh(part),
        }
    }
}

/// A question about two parts in the world, with an answer for each pair of kinds. A mesh and a shape come in this order; [`ask`] swaps
/// the bodies for it, and flips the answer.
pub(crate) trait PairQuery {
    /// What is answered.
    type Answer: Flip;

    fn shapes(self, a: (&Shape, &Pose), b: (&Shape, &Pose)) -> Self::Answer;
    fn mesh_shape(self, mesh: (MeshRef<'_>, &Pose), shape: (&Shape, &Pose)) -> Self::Answer;
    fn meshes(self, a: (MeshRef<'_>, &Pose), b: (MeshRef<'_>, &Pose)) -> Self::Answer;
}

/// An answer that can be seen from the other body.
pub(crate) trait Flip {
    /// The answer with A and B exchanged.
    fn flip(self) -> Self;
}

impl Flip for bool {
    fn flip(self) -> Self {
        self
    }
}

impl<T: Flip> Flip for Option<T> {
    fn flip(self) -> Self {
        self.map(T::flip)
    }
}

/// Asks about two parts: the one dispatch over pairs of kinds.
#[inline]
pub(crate) fn ask<Q: PairQuery>(
    query: Q,
    (a, pose_a): (PartRef<'_>, &Pose),
    (b, pose_b): (PartRef<'_>, &Pose),
) -> Q::Answer {
    match (a.0, b.0) {
        (Kind::Shape(a), Kind::Shape(b)) => query.shapes((a, pose_a), (b, pose_b)),
        (Kind::Mesh(a), Kind::Mesh(b)) => query.meshes((a, pose_a), (b, pose_b)),
        (Kind::Mesh(a), Kind::Shape(b)) => query.mesh_shape((a, pose_a), (b, pose_b)),
        (Kind::Shape(a), Kind::Mesh(b)) => query.mesh_shape((b, pose_b), (a, pose_a)).flip(),
    }
}
