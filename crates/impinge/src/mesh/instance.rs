//! One mesh, many placements.

use super::{Mesh, MeshDistance, Mode, Relation, ScaledPose, Scratch, TriangleContact};
use super::{contacts, distance, overlap, verdict};
use impinge_geom::bound::{Bound, Obb};
use impinge_geom::glam::DVec3;
use impinge_geom::{GeometryError, Pose};
use std::sync::Arc;

/// A mesh placed in the world: scaled about its own origin, then moved. The mesh itself may be shared.
///
/// ```
/// use impinge::{Pose, mesh::{Instance, Mesh, Scratch}};
/// use std::sync::Arc;
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let mesh: Arc<Mesh> = Arc::new(Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?);
/// let large = Instance::new(mesh.clone(), Pose::IDENTITY, 2.0)?;
/// let small = Instance::new(mesh, Pose::from_translation([5.0, 0.0, 0.0])?, 0.5)?;
/// let distance = large.distance(&small, &mut Scratch::default());
/// assert_eq!((distance.distance, distance.points[0].x, distance.points[1].x), (3.0, 2.0, 5.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Instance<B: Bound = Obb> {
    mesh: Arc<Mesh<B>>,
    pose: Pose,
    scale: f64,
}

/// 2^32: scales are between one over this and this, so that coordinates seen from another instance stay within 2^250.
const LARGEST_SCALE: f64 = (1u64 << 32) as f64;

/// 2^200: no coordinate in the world is larger.
const LARGEST_PLACE: f64 = f64::from_bits((1023 + 200) << 52);

/// Accepts scales from 2^-32 to 2^32.
pub(crate) fn checked_scale(scale: f64) -> Result<f64, GeometryError> {
    let argument = "scale";
    if !scale.is_finite() {
        Err(GeometryError::NotFinite { argument, index: None })
    } else if scale <= 0.0 {
        Err(GeometryError::Negative { argument, value: scale })
    } else if !(1.0 / LARGEST_SCALE..=LARGEST_SCALE).contains(&scale) {
        Err(GeometryError::TooLarge { argument, index: None, value: scale })
    } else {
        Ok(scale)
    }
}

impl<B: Bound> Instance<B> {
    /// Places a mesh. The scale must be between 2^-32 and 2^32, world coordinates at most 2^200.
    pub fn new(mesh: Arc<Mesh<B>>, pose: Pose, scale: f64) -> Result<Self, GeometryError> {
        let scale = checked_scale(scale)?;
        let frame = mesh.tree.frame();
        let reach = frame.center().abs().max_element() + frame.extent() / frame.factor();
        let farthest = pose.translation().abs().max_element().max(reach * scale);
        if farthest > LARGEST_PLACE {
            return Err(GeometryError::TooLarge { argument: "scale", index: None, value: scale });
        }
        Ok(Self { mesh, pose, scale })
    }

    /// The mesh.
    pub fn mesh(&self) -> &Arc<Mesh<B>> {
        &self.mesh
    }

    /// Its pose in the world.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Its scale.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The pose of another instance in the frame of this mesh, in which all answers are given.
    pub fn relative(&self, other: &Self) -> ScaledPose {
        ScaledPose::between((&self.pose, self.scale), (&other.pose, other.scale))
    }

    /// Transforms a point of the mesh to the world.
    pub fn to_world(&self, point: DVec3) -> DVec3 {
        self.pose.transform_point(point * self.scale)
    }

    /// True if the surfaces meet.
    pub fn overlap(&self, other: &Self, scratch: &mut Scratch) -> bool {
        overlap(&self.mesh, &other.mesh, &self.relative(other), scratch)
    }

    /// How the two relate: separated, touching, penetrating or contained.
    pub fn verdict(&self, other: &Self, mode: Mode, scratch: &mut Scratch) -> Relation {
        verdict(&self.mesh, &other.mesh, &self.relative(other), mode, scratch)
    }

    /// The distance of the surfaces, in world units and coordinates.
    pub fn distance(&self, other: &Self, scratch: &mut Scratch) -> MeshDistance {
        let found = distance(&self.mesh, &other.mesh, &self.relative(other), scratch);
        MeshDistance {
            distance: found.distance * self.scale,
            points: found.points.map(|point| self.to_world(point)),
            ..found
        }
    }

    /// All pairs of triangles that meet; common points are in this mesh's frame ([`Instance::to_world`] converts them).
    pub fn contacts(&self, other: &Self, scratch: &mut Scratch, found: &mut Vec<TriangleContact>) {
        contacts(&self.mesh, &other.mesh, &self.relative(other), scratch, found);
    }
}
