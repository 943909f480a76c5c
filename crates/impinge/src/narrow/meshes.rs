//! Two meshes.

use super::answer::Answer;
use super::{PairResult, manifold};
use crate::mesh::{self, ScaledPose};
use crate::query::{MeshRef, PairDistance, Workspace, relate_meshes};
use crate::scene::SceneSettings;
use impinge_geom::{Pose, Verdict};

/// How two meshes relate.
pub(super) fn decide(
    (a, pose_a): (MeshRef<'_>, &Pose),
    (b, pose_b): (MeshRef<'_>, &Pose),
    margin: f64,
    settings: &SceneSettings,
    workspace: &mut Workspace,
    found: &mut PairResult,
) {
    let b_in_a = ScaledPose::from(pose_a.relative(pose_b));
    let axis_cache = &mut found.axis_cache;
    if settings.support_tables {
        let has_tables = a.mesh().has_support_table() && b.mesh().has_support_table();
        found.missed_table = axis_cache.is_due() && !has_tables;
        if axis_cache.is_apart(a.mesh(), b.mesh(), &b_in_a, margin) {
            found.glanced = true;
            return;
        }
    }
    let scratch = &mut workspace.mesh;
    let decided = relate_meshes((a, pose_a), (b, pose_b), scratch);
    let meets = decided.verdict != Verdict::Separated;
    let told =
        meets || (margin != 0.0 && mesh::within(a.mesh(), b.mesh(), &b_in_a, margin, scratch));
    axis_cache.note(told);
    if !told {
        return;
    }
    let mut measured = None;
    if settings.contacts || (settings.distances && meets) {
        // The depth of what meets has nothing to do with the margin, and is an estimate.
        let (margin, most) =
            if settings.contacts { (margin, usize::MAX) } else { (0.0, DEPTH_SAMPLES) };
        manifold::meshes((a, pose_a), (b, pose_b), margin, most, workspace, &mut found.manifolds);
        measured = manifold::deepest(&found.manifolds);
    }
    if settings.distances && (!meets || measured.is_none()) {
        let gap = mesh::distance(a.mesh(), b.mesh(), &b_in_a, &mut workspace.mesh);
        let gap = PairDistance::of_meshes(&gap, a, pose_a);
        measured = Some(if meets { gap.inside() } else { gap });
    }
    if !settings.contacts {
        found.manifolds.clear();
    }
    let distance = measured.filter(|_| settings.distances);
    found.answer =
        Some(Answer { verdict: decided.verdict, certainty: decided.certainty, distance });
}

/// The number of triangle pairs a depth is estimated from.
const DEPTH_SAMPLES: usize = 2048;
