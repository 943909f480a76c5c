//! Two meshes.

use super::mesh_shape::inside;
use super::{Answer, Found, Tools, of_triangle};
use crate::contact;
use crate::mesh::{self, MeshDistance, MeshVerdict, Mode, Relative, Scratch, Winding};
use crate::scene::{MeshPart, PairDistance, Settings};
use impinge_geom::glam::DVec3;
use impinge_geom::{Method, Pose, Verdict};

/// How two meshes stand to each other.
pub(super) fn decide(
    (a, pose_a): (&MeshPart, &Pose),
    (b, pose_b): (&MeshPart, &Pose),
    margin: f64,
    settings: &Settings,
    tools: &mut Tools,
    found: &mut Found,
) {
    let b_in_a = Relative::from(pose_a.relative(pose_b));
    let parted = &mut found.parted;
    if settings.support_tables && parted.is_apart(a.mesh(), b.mesh(), &b_in_a, margin) {
        found.glanced = true;
        return;
    }
    let scratch = &mut tools.mesh;
    let decided = match (a.mode(), b.mode()) {
        (first, second) if first == second => {
            mesh::verdict(a.mesh(), b.mesh(), &b_in_a, first, scratch)
        }
        (Mode::Solid, _) => surface_in_solid([a, b], 0, &b_in_a, scratch),
        (Mode::Surface, _) => surface_in_solid([a, b], 1, &b_in_a, scratch),
    };
    let meets = decided.verdict != Verdict::Separated;
    let told =
        meets || (margin != 0.0 && mesh::within(a.mesh(), b.mesh(), &b_in_a, margin, scratch));
    parted.note(told);
    if !told {
        return;
    }
    let mut measured = None;
    if settings.contacts || (settings.distances && meets) {
        // The depth of what meets has nothing to do with the margin, and is an estimate.
        let (margin, most) =
            if settings.contacts { (margin, usize::MAX) } else { (0.0, DEPTH_SAMPLES) };
        contact::meshes((a, pose_a), (b, pose_b), margin, most, tools, &mut found.sheets);
        measured = contact::deepest(&found.sheets);
    }
    if settings.distances && (!meets || measured.is_none()) {
        let gap = mesh::distance(a.mesh(), b.mesh(), &b_in_a, &mut tools.mesh);
        let gap = in_world(&gap, pose_a);
        measured = Some(if meets { inside(gap) } else { gap });
    }
    if !settings.contacts {
        found.sheets.clear();
    }
    let distance = measured.filter(|_| settings.distances);
    found.answer = Some(Answer { verdict: decided.verdict, method: decided.method, distance });
}

/// From so many pairs of triangles a depth is estimated.
const DEPTH_SAMPLES: usize = 2048;

/// A surface and a solid: they penetrate where triangles cross, and where a vertex of the surface is inside. Vertices tell it all
/// where nothing touches; where something does, a part of a triangle could be inside that has no vertex there, and the answer is an
/// estimate. A surface has no inside, so nothing is contained.
fn surface_in_solid(
    parts: [&MeshPart; 2],
    solid: usize,
    b_in_a: &Relative,
    scratch: &mut Scratch,
) -> MeshVerdict {
    let [a, b] = parts;
    let (solid, surface, pose) =
        if solid == 0 { (a, b, b_in_a.pose) } else { (b, a, b_in_a.pose.inverse()) };
    let plain = mesh::verdict(a.mesh(), b.mesh(), b_in_a, Mode::Surface, scratch);
    if plain.verdict == Verdict::Penetrating {
        return plain;
    }
    let (low, high) = solid.bounds();
    let mesh = surface.mesh();
    let inside = mesh.used_vertices().any(|vertex| {
        let point = pose.map(vertex);
        let near = point.cmpge(low).all() && point.cmple(high).all();
        near && match mesh::winding(solid.mesh(), point, scratch) {
            Winding::Surface(_) => false,
            winding => winding.is_inside(),
        }
    });
    let sure = solid.mesh().is_closed() && (inside || plain.verdict == Verdict::Separated);
    let method = if sure { Method::Exact } else { Method::Estimate };
    MeshVerdict { verdict: if inside { Verdict::Penetrating } else { plain.verdict }, method }
}

fn in_world(gap: &MeshDistance, pose: &Pose) -> PairDistance {
    let normal = (gap.points[1] - gap.points[0]).normalize_or(DVec3::Z);
    let feature = |side: usize| of_triangle(gap.triangles[side], gap.features[side]);
    PairDistance {
        distance: gap.distance,
        uncertainty: 0.0,
        points: gap.points.map(|point| pose.map(point)),
        normal: pose.turn(normal),
        features: [feature(0), feature(1)],
        method: Method::Exact,
    }
}
