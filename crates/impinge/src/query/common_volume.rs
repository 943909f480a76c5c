//! How much volume do two solids share?

use super::{MeshPart, Workspace};
use crate::mesh::{self, CommonVolume};
use impinge_geom::Pose;

/// The volume that two closed meshes share, estimated with a grid of `resolution`² rays; `None` if one is open.
///
/// ```
/// use impinge::query::{self, MeshPart};
/// use impinge::{Mesh, Pose, mesh::Mode};
/// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let wedge = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// let wedge = MeshPart::new(wedge.into(), Mode::Solid);
/// let found = query::common_volume(&Pose::IDENTITY, &wedge, &Pose::IDENTITY, &wedge, 64).unwrap();
/// assert!((found.volume - 1.0 / 6.0).abs() < 2e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn common_volume(
    pose_a: &Pose,
    a: &MeshPart,
    pose_b: &Pose,
    b: &MeshPart,
    resolution: u32,
) -> Option<CommonVolume> {
    common_volume_with(pose_a, a, pose_b, b, resolution, &mut Workspace::default())
}

/// Like [`common_volume`], with the caller's memory.
pub fn common_volume_with(
    pose_a: &Pose,
    a: &MeshPart,
    pose_b: &Pose,
    b: &MeshPart,
    resolution: u32,
    workspace: &mut Workspace,
) -> Option<CommonVolume> {
    let b_in_a = mesh::ScaledPose::between((pose_a, a.scale()), (pose_b, b.scale()));
    let found = mesh::common_volume(a.mesh(), b.mesh(), &b_in_a, resolution, &mut workspace.mesh)?;
    let unit = a.scale().powi(3);
    Some(CommonVolume { volume: found.volume * unit, spread: found.spread * unit, ..found })
}
