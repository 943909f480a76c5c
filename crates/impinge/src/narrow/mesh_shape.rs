//! A mesh and a convex shape.

use super::{Answer, Found, Tools, of_shape, of_triangle};
use crate::contact;
use crate::mesh::shape::{ShapeDistance, distance, verdict};
use crate::scene::{MeshPart, PairDistance, Settings};
use impinge_geom::{Method, Pose, Shape, Verdict};

/// How a mesh and a shape stand to each other.
pub(super) fn decide(
    (part, pose_mesh): (&MeshPart, &Pose),
    (shape, pose_shape): (&Shape, &Pose),
    margin: f64,
    settings: &Settings,
    tools: &mut Tools,
    found: &mut Found,
) {
    let pose = pose_mesh.relative(pose_shape);
    let mesh = part.mesh();
    let decided = verdict(mesh, shape, &pose, part.mode(), &mut tools.mesh);
    let mut measured = None;
    if decided.verdict == Verdict::Separated {
        if margin == 0.0 {
            return;
        }
        let gap = distance(mesh, shape, &pose, &mut tools.mesh);
        if gap.distance > margin {
            return;
        }
        measured = Some(in_world(&gap, pose_mesh));
    }
    let meets = decided.verdict != Verdict::Separated;
    if settings.contacts || (settings.distances && meets) {
        let places = (pose_mesh, pose_shape);
        // The depth of what meets has nothing to do with the margin.
        let margin = if settings.contacts { margin } else { 0.0 };
        contact::mesh_shape(part, shape, places, margin, tools, &mut found.sheets);
    }
    if settings.distances && meets {
        measured = contact::deepest(&found.sheets).or_else(|| {
            let gap = distance(mesh, shape, &pose, &mut tools.mesh);
            Some(inside(in_world(&gap, pose_mesh)))
        });
    }
    if !settings.contacts {
        found.sheets.clear();
    }
    let distance = measured.filter(|_| settings.distances);
    found.answer = Some(Answer { verdict: decided.verdict, method: decided.method, distance });
}

/// The distance of the surfaces where one is inside the other: the depth is at least that.
pub(super) fn inside(gap: PairDistance) -> PairDistance {
    let (distance, normal) = (-gap.distance, -gap.normal);
    PairDistance { distance, normal, method: Method::Estimate, ..gap }
}

fn in_world(gap: &ShapeDistance, pose: &Pose) -> PairDistance {
    let normal = (gap.points[1] - gap.points[0]).normalize_or(impinge_geom::glam::DVec3::Z);
    PairDistance {
        distance: gap.distance,
        uncertainty: gap.uncertainty,
        points: gap.points.map(|point| pose.map(point)),
        normal: pose.turn(normal),
        features: [of_triangle(gap.triangle, gap.features[0]), of_shape(gap.features[1])],
        method: gap.method,
    }
}
