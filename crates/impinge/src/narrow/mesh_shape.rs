//! A mesh and a convex shape.

use super::answer::Answer;
use super::{PairResult, manifold};
use crate::mesh::shape::{distance, verdict};
use crate::query::{MeshRef, PairDistance, Workspace};
use crate::scene::SceneSettings;
use impinge_geom::{Pose, Shape, Verdict};

/// How a mesh and a shape relate.
pub(super) fn decide(
    (part, pose_mesh): (MeshRef<'_>, &Pose),
    (shape, pose_shape): (&Shape, &Pose),
    margin: f64,
    settings: &SceneSettings,
    workspace: &mut Workspace,
    found: &mut PairResult,
) {
    let pose = pose_mesh.relative(pose_shape);
    let mesh = part.mesh();
    let decided = verdict(mesh, shape, &pose, part.mode(), &mut workspace.mesh);
    let mut measured = None;
    if decided.verdict == Verdict::Separated {
        if margin == 0.0 {
            return;
        }
        let gap = distance(mesh, shape, &pose, &mut workspace.mesh);
        if gap.distance > margin {
            return;
        }
        measured = Some(PairDistance::of_mesh_shape(&gap, part, pose_mesh));
    }
    let meets = decided.verdict != Verdict::Separated;
    if settings.contacts || (settings.distances && meets) {
        let places = (pose_mesh, pose_shape);
        // The depth of what meets has nothing to do with the margin.
        let margin = if settings.contacts { margin } else { 0.0 };
        manifold::mesh_shape(part, shape, places, margin, workspace, &mut found.manifolds);
    }
    if settings.distances && meets {
        measured = manifold::deepest(&found.manifolds).or_else(|| {
            let gap = distance(mesh, shape, &pose, &mut workspace.mesh);
            Some(PairDistance::of_mesh_shape(&gap, part, pose_mesh).inside())
        });
    }
    if !settings.contacts {
        found.manifolds.clear();
    }
    let distance = measured.filter(|_| settings.distances);
    found.answer =
        Some(Answer { verdict: decided.verdict, certainty: decided.certainty, distance });
}
