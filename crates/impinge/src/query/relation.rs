//! Separated, touching, penetrating or contained?

use super::batch::batch;
use super::geometry::{GeometryRef, Placed};
use super::part::{MeshRef, PairQuery, ask};
use super::verb::pair_verb;
use super::{Relation, Workspace};
use crate::mesh::{self, Mode, Scratch, Winding};
use impinge_geom::{Certainty, Inside, Pose, Shape, Verdict, pair};

pair_verb! {
    /// How two geometries relate: separated, touching, penetrating, or one contained in the other.
    ///
    /// Exact for polytopes and closed meshes; where a curved shape takes part touching has the kernel's tolerance. An estimate for open
    /// meshes as solids, and for compounds whose children together might contain the other geometry.
    ///
    /// ```
    /// use impinge::geom::{Inside, Verdict};
    /// use impinge::{Pose, Shape, query};
    /// let (ball, block) = (Shape::sphere(1.0)?, Shape::cuboid([5.0; 3])?);
    /// let ask = |x: f64| -> Result<Verdict, impinge::geom::GeometryError> {
    ///     Ok(query::relation(&Pose::from_translation([x, 0.0, 0.0])?, &ball, &Pose::IDENTITY, &block).verdict)
    /// };
    /// assert_eq!([ask(0.0)?, ask(5.0)?], [Verdict::Contained(Inside::A), Verdict::Penetrating]);
    /// assert_eq!([ask(6.0)?, ask(7.0)?], [Verdict::Touching, Verdict::Separated]);
    /// # Ok::<(), impinge::geom::GeometryError>(())
    /// ```
    relation, relation_with, relation_batch -> Relation
}

fn ask_both(
    pose_a: &Pose,
    a: GeometryRef<'_>,
    pose_b: &Pose,
    b: GeometryRef<'_>,
    workspace: &mut Workspace,
) -> Relation {
    match (a.only_part(pose_a), b.only_part(pose_b)) {
        (Some(a), Some(b)) => between(&a, &b, workspace),
        _ => {
            let (a, b): (Vec<_>, Vec<_>) = (a.parts(pose_a).collect(), b.parts(pose_b).collect());
            unions(&a, &b, workspace)
        }
    }
}

/// How two parts relate.
pub(super) fn between(a: &Placed<'_>, b: &Placed<'_>, workspace: &mut Workspace) -> Relation {
    ask(Relate { workspace }, (a.part, &a.pose), (b.part, &b.pose))
}

struct Relate<'w> {
    workspace: &'w mut Workspace,
}

impl PairQuery for Relate<'_> {
    type Answer = Relation;

    fn shapes(self, (a, pose_a): (&Shape, &Pose), (b, pose_b): (&Shape, &Pose)) -> Relation {
        let cache = self.workspace.fresh_cache();
        Relation::exact(pair::verdict(a, b, &pose_a.relative(pose_b), cache))
    }

    fn mesh_shape(self, mesh: (MeshRef<'_>, &Pose), shape: (&Shape, &Pose)) -> Relation {
        match mesh.0.shape_in_mesh(mesh.1, shape) {
            Some((scaled, pose)) => {
                let scratch = &mut self.workspace.mesh;
                mesh::shape::verdict(mesh.0.mesh(), &scaled, &pose, mesh.0.mode(), scratch)
            }
            None => Relation { verdict: Verdict::Separated, certainty: Certainty::Estimate },
        }
    }

    fn meshes(self, a: (MeshRef<'_>, &Pose), b: (MeshRef<'_>, &Pose)) -> Relation {
        relate_meshes(a, b, &mut self.workspace.mesh)
    }
}

/// How two meshes relate, each a surface or a solid.
pub(crate) fn relate_meshes(
    (a, pose_a): (MeshRef<'_>, &Pose),
    (b, pose_b): (MeshRef<'_>, &Pose),
    scratch: &mut Scratch,
) -> Relation {
    let b_in_a = a.relative(pose_a, pose_b, b.scale());
    if a.mode() == b.mode() {
        return mesh::verdict(a.mesh(), b.mesh(), &b_in_a, a.mode(), scratch);
    }
    let plain = mesh::verdict(a.mesh(), b.mesh(), &b_in_a, Mode::Surface, scratch);
    if plain.verdict == Verdict::Penetrating {
        return plain;
    }
    let (solid, surface) = match a.mode() {
        Mode::Solid => ((a, pose_a), (b, pose_b)),
        Mode::Surface => ((b, pose_b), (a, pose_a)),
    };
    surface_in_solid(solid, surface, plain.verdict, scratch)
}

/// A surface and a solid whose triangles do not cross: they penetrate where a vertex of the surface is inside. Vertices tell it all where
/// nothing touches; where something does, a part of a triangle could be inside that has no vertex there, and the answer is an
/// estimate. A surface has no inside, so nothing is contained.
fn surface_in_solid(
    (solid, pose_solid): (MeshRef<'_>, &Pose),
    (surface, pose_surface): (MeshRef<'_>, &Pose),
    plain: Verdict,
    scratch: &mut Scratch,
) -> Relation {
    let in_solid = solid.relative(pose_solid, pose_surface, surface.scale());
    let bounds = solid.mesh().bounds();
    let inside = surface.mesh().used_vertices().any(|vertex| {
        let point = in_solid.transform_point(vertex);
        bounds.contains(point)
            && match mesh::winding(solid.mesh(), point, scratch) {
                Winding::Surface(_) => false,
                winding => winding.is_inside(),
            }
    });
    let sure = solid.mesh().is_closed() && (inside || plain == Verdict::Separated);
    let certainty = if sure { Certainty::Exact } else { Certainty::Estimate };
    Relation { verdict: if inside { Verdict::Penetrating } else { plain }, certainty }
}

/// How two unions of parts relate. A union is contained if each of its parts is contained in a part of the other; it might also be
/// contained in several of them together, which is not decided: then the answer is an estimate.
fn unions(a: &[Placed<'_>], b: &[Placed<'_>], workspace: &mut Workspace) -> Relation {
    let boxes_b: Vec<_> = b.iter().map(Placed::bounds).collect();
    let (mut touches, mut enters, mut certainty) = (false, false, Certainty::Exact);
    // What each part is to the other union: held by one part of it, and whether some of it could lie in several.
    let mut held = [vec![false; a.len()], vec![false; b.len()]];
    let mut divided = [vec![false; a.len()], vec![false; b.len()]];
    for (i, one) in a.iter().enumerate() {
        let bounds = one.bounds();
        for (j, two) in b.iter().enumerate() {
            if !bounds.overlaps(&boxes_b[j]) {
                continue;
            }
            let found = between(one, two, workspace);
            certainty = certainty.max(found.certainty);
            match found.verdict {
                Verdict::Separated => {}
                Verdict::Touching => touches = true,
                Verdict::Penetrating => {
                    enters = true;
                    (divided[0][i], divided[1][j]) = (true, true);
                }
                Verdict::Contained(inside) => {
                    enters = true;
                    match inside {
                        Inside::A => (held[0][i], divided[1][j]) = (true, true),
                        Inside::B => (divided[0][i], held[1][j]) = (true, true),
                    }
                }
            }
        }
    }
    let all = |side: usize| held[side].iter().all(|held| *held);
    let maybe =
        |side: usize| held[side].iter().zip(&divided[side]).all(|(held, part)| *held || *part);
    let verdict = match (enters, touches) {
        (true, _) if all(0) => Verdict::Contained(Inside::A),
        (true, _) if all(1) => Verdict::Contained(Inside::B),
        (true, _) => Verdict::Penetrating,
        (false, true) => Verdict::Touching,
        (false, false) => Verdict::Separated,
    };
    // One part is not in several parts together if the other union has only one.
    let together = (maybe(0) && b.len() > 1) || (maybe(1) && a.len() > 1);
    let undecided = verdict == Verdict::Penetrating && together;
    Relation { verdict, certainty: if undecided { Certainty::Estimate } else { certainty } }
}
