//! Meshes whose volume is chosen at run time.

use super::Choice;
use crate::mesh::{self, Mesh, MeshBuilder, MeshDistance, MeshError, MeshHit, ScaledPose, Scratch};
use crate::mesh::{SupportKind, SupportLevels, Supported};
use impinge_geom::bound::{Aabb, Bound, Hybrid, Obb, ObbRss, Rss, Sphere};
use impinge_geom::ray::Ray;
use impinge_geom::triangle::TriangleVerdict;
use impinge_tree::traverse::{Order, Policy};
use impinge_tree::{Builder, Probe};
use std::fmt;

/// The volumes to choose from: those that were fastest for some body, question and poses. The others never were, and
/// each would cost the time to compile all queries for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Volume {
    /// Oriented boxes.
    #[default]
    Obb,
    /// Rectangle swept spheres.
    Rss,
    /// Oriented boxes for overlap and rectangle swept spheres for distance.
    ObbRss,
    /// Axis-aligned boxes.
    Aabb,
    /// Spheres.
    Sphere,
    /// Oriented boxes, axis-aligned boxes or spheres, whichever is expected to cost least in each node.
    Hybrid,
}

impl Volume {
    /// All of them; of equally fast ones, the first is chosen.
    pub const ALL: [Self; 6] =
        [Self::Obb, Self::Rss, Self::ObbRss, Self::Aabb, Self::Sphere, Self::Hybrid];

    /// The name in tables and saved text.
    ///
    /// ```
    /// assert_eq!(impinge::tune::Volume::Obb.name(), "OBB");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Obb => Obb::NAME,
            Self::Rss => Rss::NAME,
            Self::ObbRss => ObbRss::NAME,
            Self::Aabb => Aabb::NAME,
            Self::Sphere => Sphere::NAME,
            Self::Hybrid => Hybrid::NAME,
        }
    }
}

impl fmt::Display for Volume {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A body as vertices and triangles.
#[derive(Clone, Copy, Debug)]
pub struct Triangles<'t> {
    /// The vertices.
    pub vertices: &'t [[f64; 3]],
    /// Three vertex indices per triangle.
    pub triangles: &'t [[u32; 3]],
}

impl Triangles<'_> {
    /// Groups them by a builder.
    pub(super) fn grouped(&self, builder: Builder) -> Result<MeshBuilder, MeshError> {
        MeshBuilder::new(self.vertices, self.triangles, builder)
    }
}

/// Two meshes have different volumes: their hierarchies cannot be tested against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VolumesDiffer {
    /// The volume of A.
    pub a: Volume,
    /// The volume of B.
    pub b: Volume,
}

impl fmt::Display for VolumesDiffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { a, b } = self;
        write!(f, "A has volumes of kind {a}, B of kind {b}: make both meshes from one choice")
    }
}

impl std::error::Error for VolumesDiffer {}

/// A mesh with one of the [volumes](Volume). Queries about two need the same volume in both.
#[derive(Clone, Debug)]
pub enum AnyMesh {
    /// Of oriented boxes.
    Obb(Mesh<Obb>),
    /// Of swept rectangles.
    Rss(Mesh<Rss>),
    /// Of oriented boxes with swept rectangles.
    ObbRss(Mesh<ObbRss>),
    /// Of boxes along the axes.
    Aabb(Mesh<Aabb>),
    /// Of spheres.
    Sphere(Mesh<Sphere>),
    /// Of several kinds.
    Hybrid(Mesh<Hybrid>),
}

/// The one `match` over a mesh.
macro_rules! with_mesh {
    ($any:expr, $mesh:ident => $body:expr) => {
        match $any {
            AnyMesh::Obb($mesh) => $body,
            AnyMesh::Rss($mesh) => $body,
            AnyMesh::ObbRss($mesh) => $body,
            AnyMesh::Aabb($mesh) => $body,
            AnyMesh::Sphere($mesh) => $body,
            AnyMesh::Hybrid($mesh) => $body,
        }
    };
}
pub(super) use with_mesh;

/// The same over two of one kind.
macro_rules! with_pair {
    ($a:expr, $b:expr, ($x:ident, $y:ident) => $body:expr) => {
        match ($a, $b) {
            (AnyMesh::Obb($x), AnyMesh::Obb($y)) => Ok($body),
            (AnyMesh::Rss($x), AnyMesh::Rss($y)) => Ok($body),
            (AnyMesh::ObbRss($x), AnyMesh::ObbRss($y)) => Ok($body),
            (AnyMesh::Aabb($x), AnyMesh::Aabb($y)) => Ok($body),
            (AnyMesh::Sphere($x), AnyMesh::Sphere($y)) => Ok($body),
            (AnyMesh::Hybrid($x), AnyMesh::Hybrid($y)) => Ok($body),
            (a, b) => Err(VolumesDiffer { a: a.volume(), b: b.volume() }),
        }
    };
}

impl AnyMesh {
    /// Builds the chosen mesh.
    pub fn new(body: Triangles<'_>, choice: &Choice) -> Result<Self, MeshError> {
        let best = choice.best();
        Ok(Self::fitted(&body.grouped(best.builder)?, best.volume, best.width))
    }

    /// Fits a volume to grouped triangles.
    ///
    /// ```
    /// use impinge::{mesh::MeshBuilder, tree::Builder, tune::{AnyMesh, Volume}};
    /// let grouped = MeshBuilder::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]], Builder::Morton)?;
    /// assert_eq!(AnyMesh::fitted(&grouped, Volume::Rss, 8).volume(), Volume::Rss);
    /// # Ok::<(), impinge::mesh::MeshError>(())
    /// ```
    pub fn fitted(grouped: &MeshBuilder, volume: Volume, width: usize) -> Self {
        match volume {
            Volume::Obb => Self::Obb(grouped.mesh(width)),
            Volume::Rss => Self::Rss(grouped.mesh(width)),
            Volume::ObbRss => Self::ObbRss(grouped.mesh(width)),
            Volume::Aabb => Self::Aabb(grouped.mesh(width)),
            Volume::Sphere => Self::Sphere(grouped.mesh(width)),
            Volume::Hybrid => Self::Hybrid(grouped.mesh(width)),
        }
    }

    /// Its volume.
    pub fn volume(&self) -> Volume {
        match self {
            Self::Obb(_) => Volume::Obb,
            Self::Rss(_) => Volume::Rss,
            Self::ObbRss(_) => Volume::ObbRss,
            Self::Aabb(_) => Volume::Aabb,
            Self::Sphere(_) => Volume::Sphere,
            Self::Hybrid(_) => Volume::Hybrid,
        }
    }

    /// Number of volumes in the hierarchy: Nu, if the body deforms between queries.
    pub fn volume_count(&self) -> usize {
        // The first node holds the root; every other node, and every leaf, is in one lane.
        with_mesh!(self, mesh => mesh.tree().node_count().saturating_sub(1) + mesh.tree().leaf_count())
    }

    /// Memory used beyond vertices and indices, in bytes.
    pub fn bytes(&self) -> usize {
        with_mesh!(self, mesh => mesh.bytes())
    }

    /// True if any triangle of this meets any of B: [`mesh::overlap_with`].
    pub fn overlap(
        &self,
        b: &Self,
        b_in_a: &ScaledPose,
        scratch: &mut Scratch,
        probe: &mut impl Probe,
    ) -> Result<bool, VolumesDiffer> {
        let policy = Policy::default();
        with_pair!(self, b, (x, y) => mesh::overlap_with(x, y, b_in_a, policy, scratch, probe))
    }

    /// Builds support tables for the first levels, as many as [were chosen](Choice::supports).
    pub fn support_levels(&self, levels: usize) -> SupportLevels {
        with_mesh!(self, mesh => SupportLevels::new(mesh, levels, SupportKind::default()))
    }

    /// Like [`AnyMesh::overlap`], with the support tables of both: [`mesh::overlap_supported`].
    ///
    /// ```
    /// use impinge::{Pose, mesh::{MeshBuilder, Scratch}, tree::Builder, tune::{AnyMesh, Volume}};
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let grouped = MeshBuilder::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], Builder::Morton)?;
    /// let mesh = AnyMesh::fitted(&grouped, Volume::Obb, 8);
    /// let tables = mesh.support_levels(1);
    /// let place = Pose::from_translation([1.7; 3])?.into();
    /// assert!(!mesh.overlap_supported(&tables, &mesh, &tables, &place, &mut Scratch::default(), &mut ())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_supported(
        &self,
        own: &SupportLevels,
        b: &Self,
        its: &SupportLevels,
        b_in_a: &ScaledPose,
        scratch: &mut Scratch,
        probe: &mut impl Probe,
    ) -> Result<bool, VolumesDiffer> {
        let policy = Policy::default();
        with_pair!(self, b, (x, y) => {
            let (x, y) = (Supported { mesh: x, support: own }, Supported { mesh: y, support: its });
            mesh::overlap_supported(x, y, b_in_a, policy, scratch, probe)
        })
    }

    /// Fills `found` with the pairs of triangles that meet: [`mesh::pairs_with`].
    pub fn pairs(
        &self,
        b: &Self,
        b_in_a: &ScaledPose,
        scratch: &mut Scratch,
        found: &mut Vec<(u32, u32, TriangleVerdict)>,
        probe: &mut impl Probe,
    ) -> Result<(), VolumesDiffer> {
        let policy = Policy::default();
        with_pair!(self, b, (x, y) => mesh::pairs_with(x, y, b_in_a, policy, scratch, found, probe))
    }

    /// The distance from this mesh to B as surfaces: [`mesh::distance_with`].
    pub fn distance(
        &self,
        b: &Self,
        b_in_a: &ScaledPose,
        scratch: &mut Scratch,
        probe: &mut impl Probe,
    ) -> Result<MeshDistance, VolumesDiffer> {
        let order = Order::default();
        with_pair!(self, b, (x, y) => mesh::distance_with(x, y, b_in_a, order, scratch, probe))
    }

    /// True if the distance is at most `tolerance`: [`mesh::within_with`].
    pub fn within(
        &self,
        b: &Self,
        b_in_a: &ScaledPose,
        tolerance: f64,
        scratch: &mut Scratch,
        probe: &mut impl Probe,
    ) -> Result<bool, VolumesDiffer> {
        with_pair!(self, b, (x, y) => mesh::within_with(x, y, b_in_a, tolerance, scratch, probe))
    }

    /// The first triangle along a ray: [`Mesh::cast_ray_with`].
    pub fn ray(&self, ray: &Ray, scratch: &mut Scratch, probe: &mut impl Probe) -> Option<MeshHit> {
        with_mesh!(self, mesh => mesh.cast_ray_with(ray, scratch, probe))
    }
}
