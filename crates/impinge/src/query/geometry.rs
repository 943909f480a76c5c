//! Geometries: a shape, a mesh, or a compound of several with ids of your own.

use super::part::{MeshPart, MeshRef, Part, PartRef};
use super::scaled::scaled_shape;
use crate::mesh::{Mesh, MeshError, Mode};
use impinge_geom::{DAabb, GeometryError, Pose, Shape};
use std::fmt;
use std::sync::Arc;

/// A part of a compound, at its pose.
#[derive(Clone, Debug)]
pub struct Child {
    /// Its id in answers.
    pub id: u32,
    /// Its pose in the frame of the compound.
    pub pose: Pose,
    /// Its shape or mesh.
    pub part: Part,
}

/// A shape, a mesh, or a compound of them. Cloning shares the data.
///
/// ```
/// use impinge::{Geometry, Mesh, Pose, Shape};
/// let ball = Geometry::from(Shape::sphere(1.0)?);
/// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let wedge = Geometry::from(Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?);
/// let hammer = Geometry::compound([
///     (1, Pose::IDENTITY, Shape::capsule(0.1, 1.0)?.into()),
///     (2, Pose::from_translation([0.0, 0.0, 1.0])?, Shape::cuboid([0.5, 0.2, 0.2])?.into()),
/// ])?;
/// assert_eq!([ball, wedge, hammer].map(|geometry| geometry.children().len()), [1, 1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Geometry {
    children: Arc<[Child]>,
    /// The one child is in the geometry's own frame.
    single: bool,
}

impl Geometry {
    /// A shape in its own frame.
    pub fn shape(shape: Shape) -> Self {
        Self::single(Part::Shape(shape))
    }

    /// A mesh in its own frame, as a surface or as a solid.
    pub fn mesh(mesh: impl Into<Arc<Mesh>>, mode: Mode) -> Self {
        Self::single(Part::Mesh(MeshPart::new(mesh.into(), mode)))
    }

    /// Several parts that move together, each with an id that answers use.
    pub fn compound(
        children: impl IntoIterator<Item = (u32, Pose, Part)>,
    ) -> Result<Self, InvalidGeometry> {
        let children: Arc<[Child]> =
            children.into_iter().map(|(id, pose, part)| Child { id, pose, part }).collect();
        if children.is_empty() {
            return Err(InvalidGeometry::NoChildren);
        }
        let mut ids: Vec<u32> = children.iter().map(|child| child.id).collect();
        ids.sort_unstable();
        match ids.windows(2).find(|two| two[0] == two[1]) {
            Some(two) => Err(InvalidGeometry::RepeatedChild(two[0])),
            None => Ok(Self { children, single: false }),
        }
    }

    /// Scales the geometry about its origin. Hulls and meshes are rebuilt from their scaled vertices, so share the result.
    ///
    /// ```
    /// use impinge::{Geometry, Shape};
    /// let large = Geometry::shape(Shape::sphere(1.0)?).scaled(3.0)?;
    /// assert_eq!(large.children()[0].part.bounding_radius(), 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scaled(&self, factor: f64) -> Result<Self, InvalidGeometry> {
        let mut children = Vec::with_capacity(self.children.len());
        for child in self.children.iter() {
            let translation = (child.pose.translation() * factor).to_array();
            let pose = child.pose.with_translation(translation)?;
            let part = child.part.as_ref().fold(
                |shape| Ok::<_, InvalidGeometry>(Part::Shape(scaled_shape(shape, factor)?)),
                |mesh| Ok(Part::Mesh(mesh.baked(factor)?)),
            )?;
            children.push(Child { id: child.id, pose, part });
        }
        Ok(Self { children: children.into(), single: self.single })
    }

    /// The geometry with the scales of its meshes multiplied into their vertices.
    pub(crate) fn unscaled(self) -> Result<Self, InvalidGeometry> {
        let is_scaled = |mesh: MeshRef<'_>| mesh.scale() != 1.0;
        let scaled = |child: &Child| child.part.as_ref().mesh().is_some_and(is_scaled);
        if self.children.iter().any(scaled) { self.scaled(1.0) } else { Ok(self) }
    }

    /// The parts; one, with the id 0, unless it is a compound.
    pub fn children(&self) -> &[Child] {
        &self.children
    }

    /// The mesh, if the geometry is one mesh.
    pub fn as_mesh(&self) -> Option<&MeshPart> {
        match self.children() {
            [child] => child.part.as_mesh(),
            _ => None,
        }
    }

    /// The world pose of a child of a geometry at `pose`.
    #[inline]
    pub fn place(&self, child: &Child, pose: &Pose) -> Pose {
        if self.single { *pose } else { pose.compose(&child.pose) }
    }

    /// The world bounding box of the geometry at `pose`. It includes everything that counts as touching.
    pub fn bounds(&self, pose: &Pose) -> DAabb {
        GeometryRef::from(self).bounds(pose)
    }

    pub(crate) fn is_single(&self) -> bool {
        self.single
    }

    pub(super) fn single(part: Part) -> Self {
        Self { children: Arc::new([Child { id: 0, pose: Pose::IDENTITY, part }]), single: true }
    }
}

impl From<Shape> for Geometry {
    fn from(shape: Shape) -> Self {
        Self::shape(shape)
    }
}

impl From<Mesh> for Geometry {
    /// A solid if the mesh is closed, else a surface.
    fn from(mesh: Mesh) -> Self {
        Arc::new(mesh).into()
    }
}

impl From<Arc<Mesh>> for Geometry {
    /// A solid if the mesh is closed, else a surface.
    fn from(mesh: Arc<Mesh>) -> Self {
        let mode = mesh.natural_mode();
        Self::mesh(mesh, mode)
    }
}

impl From<MeshPart> for Geometry {
    fn from(part: MeshPart) -> Self {
        Self::single(Part::Mesh(part))
    }
}

/// A borrowed geometry: the argument of every query. `&Shape`, `&Mesh` and `&Geometry` convert into it.
#[derive(Clone, Copy, Debug)]
pub struct GeometryRef<'g>(View<'g>);

#[derive(Clone, Copy, Debug)]
enum View<'g> {
    One(PartRef<'g>),
    Many(&'g Geometry),
}

impl<'g> GeometryRef<'g> {
    /// The parts at their places in the world, with their ids.
    pub(crate) fn parts(self, pose: &Pose) -> impl Iterator<Item = Placed<'g>> + Clone + use<'g> {
        let pose = *pose;
        let (one, many) = match self.0 {
            View::One(part) => (Some(Placed { part, pose, id: 0 }), None),
            View::Many(geometry) => (None, Some(geometry)),
        };
        let children = many.into_iter().flat_map(move |geometry| {
            let place = move |child: &'g Child| Placed {
                part: child.part.as_ref(),
                pose: geometry.place(child, &pose),
                id: child.id,
            };
            geometry.children().iter().map(place)
        });
        one.into_iter().chain(children)
    }

    /// A box in the world around the geometry at `pose`. It holds all that counts as touching.
    pub(crate) fn bounds(self, pose: &Pose) -> DAabb {
        self.parts(pose).fold(DAabb::EMPTY, |all, part| all.joined(&part.bounds()))
    }

    /// The one part, if it is no compound.
    pub(crate) fn only_part(self, pose: &Pose) -> Option<Placed<'g>> {
        match self.0 {
            View::One(part) => Some(Placed { part, pose: *pose, id: 0 }),
            View::Many(geometry) => match geometry.children() {
                [child] => Some(Placed {
                    part: child.part.as_ref(),
                    pose: geometry.place(child, pose),
                    id: child.id,
                }),
                _ => None,
            },
        }
    }
}

impl<'g> From<&'g Shape> for GeometryRef<'g> {
    fn from(shape: &'g Shape) -> Self {
        Self(View::One(PartRef::of_shape(shape)))
    }
}

impl<'g> From<&'g Mesh> for GeometryRef<'g> {
    /// A solid if the mesh is closed, else a surface.
    fn from(mesh: &'g Mesh) -> Self {
        Self(View::One(PartRef::of_mesh(mesh, mesh.natural_mode(), 1.0)))
    }
}

impl<'g> From<&'g Arc<Mesh>> for GeometryRef<'g> {
    fn from(mesh: &'g Arc<Mesh>) -> Self {
        mesh.as_ref().into()
    }
}

impl<'g> From<&'g MeshPart> for GeometryRef<'g> {
    fn from(part: &'g MeshPart) -> Self {
        Self(View::One(part.as_ref()))
    }
}

impl<'g> From<&'g Geometry> for GeometryRef<'g> {
    fn from(geometry: &'g Geometry) -> Self {
        Self(View::Many(geometry))
    }
}

/// A part of a geometry at its place in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<'g> {
    pub(crate) part: PartRef<'g>,
    pub(crate) pose: Pose,
    /// The id of the child; 0 if the geometry is no compound.
    pub(crate) id: u32,
}

impl<'g> Placed<'g> {
    pub(crate) fn new(part: PartRef<'g>, pose: &Pose) -> Self {
        Self { part, pose: *pose, id: 0 }
    }

    pub(crate) fn bounds(&self) -> DAabb {
        self.part.bounds(&self.pose)
    }
}

/// Why a geometry was rejected.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InvalidGeometry {
    /// A compound has no children.
    NoChildren,
    /// Two children of a compound have this id.
    RepeatedChild(u32),
    /// A number the kernel does not accept.
    Geometry(GeometryError),
    /// A mesh that cannot be scaled.
    Mesh(MeshError),
}

impl fmt::Display for InvalidGeometry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoChildren => {
                write!(formatter, "the compound is empty; give it at least one child")
            }
            Self::RepeatedChild(id) => {
                write!(formatter, "two children have the id {id}; number them differently")
            }
            Self::Geometry(error) => write!(formatter, "{error}"),
            Self::Mesh(error) => write!(formatter, "{error}"),
        }
    }
}

impl std::error::Error for InvalidGeometry {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Geometry(error) => Some(error),
            Self::Mesh(error) => Some(error),
            _ => None,
        }
    }
}

impl From<GeometryError> for InvalidGeometry {
    fn from(error: GeometryError) -> Self {
        Self::Geometry(error)
    }
}

impl From<MeshError> for InvalidGeometry {
    fn from(error: MeshError) -> Self {
        Self::Mesh(error)
    }
}
