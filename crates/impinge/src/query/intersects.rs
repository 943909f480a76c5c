//! Do they meet?

use super::batch::batch;
use super::geometry::{GeometryRef, Placed};
use super::part::{MeshRef, PairQuery, ask};
use super::verb::pair_verb;
use super::{Workspace, relation};
use crate::mesh::{self, Mode};
use impinge_geom::{Pose, Shape, Verdict, pair};

pair_verb! {
    /// True if two geometries have a common point; of solids the inside counts.
    ///
    /// ```
    /// use impinge::{Pose, Shape, query};
    /// let (ball, block) = (Shape::sphere(1.0)?, Shape::cuboid([5.0; 3])?);
    /// assert!(query::intersects(&Pose::IDENTITY, &ball, &Pose::IDENTITY, &block));
    /// assert!(!query::intersects(&Pose::IDENTITY, &ball, &Pose::from_translation([6.5, 0.0, 0.0])?, &block));
    /// # Ok::<(), impinge::geom::GeometryError>(())
    /// ```
    intersects, intersects_with, intersects_batch -> bool
}

fn ask_both(
    pose_a: &Pose,
    a: GeometryRef<'_>,
    pose_b: &Pose,
    b: GeometryRef<'_>,
    workspace: &mut Workspace,
) -> bool {
    let mut meets = |a: &Placed<'_>, b: &Placed<'_>| {
        let query = Intersects { workspace: &mut *workspace };
        ask(query, (a.part, &a.pose), (b.part, &b.pose))
    };
    if let (Some(a), Some(b)) = (a.only_part(pose_a), b.only_part(pose_b)) {
        return meets(&a, &b);
    }
    a.parts(pose_a).any(|one| {
        let bounds = one.bounds();
        b.parts(pose_b).any(|two| bounds.overlaps(&two.bounds()) && meets(&one, &two))
    })
}

struct Intersects<'w> {
    workspace: &'w mut Workspace,
}

impl PairQuery for Intersects<'_> {
    type Answer = bool;

    fn shapes(self, (a, pose_a): (&Shape, &Pose), (b, pose_b): (&Shape, &Pose)) -> bool {
        pair::overlap(a, b, &pose_a.relative(pose_b), self.workspace.fresh_cache())
    }

    fn mesh_shape(self, mesh: (MeshRef<'_>, &Pose), shape: (&Shape, &Pose)) -> bool {
        let Some((scaled, pose)) = mesh.0.shape_in_mesh(mesh.1, shape) else { return false };
        let scratch = &mut self.workspace.mesh;
        mesh::shape::overlap(mesh.0.mesh(), &scaled, &pose, scratch)
            || (mesh.0.mode() == Mode::Solid
                && mesh::shape::verdict(mesh.0.mesh(), &scaled, &pose, Mode::Solid, scratch)
                    .verdict
                    != Verdict::Separated)
    }

    fn meshes(self, a: (MeshRef<'_>, &Pose), b: (MeshRef<'_>, &Pose)) -> bool {
        let b_in_a = a.0.relative(a.1, b.1, b.0.scale());
        let scratch = &mut self.workspace.mesh;
        let solid = a.0.mode() == Mode::Solid || b.0.mode() == Mode::Solid;
        mesh::overlap(a.0.mesh(), b.0.mesh(), &b_in_a, scratch)
            || (solid && relation::relate_meshes(a, b, scratch).verdict != Verdict::Separated)
    }
}
