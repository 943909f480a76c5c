//! What a body is made of: a shape, a mesh, or a compound of several with ids of their own.

use super::SceneError;
use super::scaled::{scaled_mesh, scaled_shape};
use crate::mesh::{Mesh, Mode};
use impinge_geom::glam::DVec3;
use impinge_geom::{Pose, Shape};
use std::sync::Arc;

/// A convex shape or a mesh: what pairs are made of in the end.
#[derive(Clone, Debug)]
pub enum Part {
    /// A shape of the kernel.
    Shape(Shape),
    /// A mesh, shared with others.
    Mesh(MeshPart),
}

/// A mesh, and whether it is a surface or a solid.
#[derive(Clone, Debug)]
pub struct MeshPart {
    mesh: Arc<Mesh>,
    mode: Mode,
    /// A box along the axes that holds all vertices.
    low: DVec3,
    high: DVec3,
}

impl MeshPart {
    /// A mesh that stands for its triangles or for what they enclose.
    pub fn new(mesh: Arc<Mesh>, mode: Mode) -> Self {
        let used = mesh.triangles().iter().flatten();
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for vertex in used.filter_map(|index| mesh.vertices().get(*index as usize)) {
            (low, high) = (low.min(*vertex), high.max(*vertex));
        }
        if low.x > high.x {
            (low, high) = (DVec3::ZERO, DVec3::ZERO);
        }
        Self { mesh, mode, low, high }
    }

    /// The mesh.
    pub fn mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }

    /// Surface or solid.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The corners of the box around all triangles, in the mesh's frame.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        (self.low, self.high)
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
    /// No point is farther from the part's origin; infinite for planes and half-spaces.
    pub fn reach(&self) -> f64 {
        match self {
            Self::Shape(shape) => shape.bounding_radius(),
            Self::Mesh(part) => part.low.abs().max(part.high.abs()).element_sum(),
        }
    }

    fn scaled(&self, factor: f64) -> Result<Self, SceneError> {
        Ok(match self {
            Self::Shape(shape) => Self::Shape(scaled_shape(shape, factor)?),
            Self::Mesh(part) => {
                Self::Mesh(MeshPart::new(scaled_mesh(&part.mesh, factor)?, part.mode))
            }
        })
    }
}

/// A part in its place in a compound.
#[derive(Clone, Debug)]
pub struct Child {
    /// The number by which reports name it.
    pub id: u32,
    /// Where it is in the frame of the body.
    pub pose: Pose,
    /// What it is.
    pub part: Part,
}

/// What a body is made of. Cloning shares the data.
///
/// ```
/// use impinge::{Pose, geom::Shape, mesh::{Mesh, Mode}, scene::Collider};
/// use std::sync::Arc;
/// let ball = Collider::shape(Shape::sphere(1.0)?);
/// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let wedge = Arc::new(Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?);
/// let solid = Collider::mesh(wedge, Mode::Solid);
/// let hammer = Collider::compound([
///     (1, Pose::IDENTITY, Shape::capsule(0.1, 1.0)?.into()),
///     (2, Pose::from_translation([0.0, 0.0, 1.0])?, Shape::cuboid([0.5, 0.2, 0.2])?.into()),
/// ])?;
/// assert_eq!((ball.children().len(), solid.children().len(), hammer.children().len()), (1, 1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Collider {
    children: Arc<[Child]>,
    /// The one child is in the body's own frame.
    single: bool,
}

impl Collider {
    /// A shape in the body's own frame.
    pub fn shape(shape: Shape) -> Self {
        Self::single(Part::Shape(shape))
    }

    /// A mesh in the body's own frame, as a surface or a solid.
    pub fn mesh(mesh: Arc<Mesh>, mode: Mode) -> Self {
        Self::single(Part::Mesh(MeshPart::new(mesh, mode)))
    }

    /// Several parts that move together, with ids that reports name them by.
    pub fn compound(
        children: impl IntoIterator<Item = (u32, Pose, Part)>,
    ) -> Result<Self, SceneError> {
        let children: Arc<[Child]> =
            children.into_iter().map(|(id, pose, part)| Child { id, pose, part }).collect();
        if children.is_empty() {
            return Err(SceneError::NoChildren);
        }
        let mut ids: Vec<u32> = children.iter().map(|child| child.id).collect();
        ids.sort_unstable();
        match ids.windows(2).find(|two| two[0] == two[1]) {
            Some(two) => Err(SceneError::RepeatedChild(two[0])),
            None => Ok(Self { children, single: false }),
        }
    }

    /// The same, enlarged about the body's origin. Hulls and meshes are built anew from their scaled vertices: share the result.
    ///
    /// ```
    /// use impinge::{geom::Shape, scene::{Collider, Part}};
    /// let large = Collider::shape(Shape::sphere(1.0)?).scaled(3.0)?;
    /// assert_eq!(large.children()[0].part.reach(), 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scaled(&self, factor: f64) -> Result<Self, SceneError> {
        let mut children = Vec::with_capacity(self.children.len());
        for child in self.children.iter() {
            let translation = (child.pose.translation() * factor).to_array();
            let pose = child.pose.with_translation(translation)?;
            children.push(Child { id: child.id, pose, part: child.part.scaled(factor)? });
        }
        Ok(Self { children: children.into(), single: self.single })
    }

    /// The parts; one, with the id 0, unless it is a compound.
    pub fn children(&self) -> &[Child] {
        &self.children
    }

    /// Where a child of a body at `pose` is in the world.
    #[inline]
    pub fn place(&self, child: &Child, pose: &Pose) -> Pose {
        if self.single { *pose } else { pose.compose(&child.pose) }
    }

    pub(crate) fn is_single(&self) -> bool {
        self.single
    }

    fn single(part: Part) -> Self {
        Self { children: Arc::new([Child { id: 0, pose: Pose::IDENTITY, part }]), single: true }
    }
}

impl From<Shape> for Collider {
    fn from(shape: Shape) -> Self {
        Self::shape(shape)
    }
}
