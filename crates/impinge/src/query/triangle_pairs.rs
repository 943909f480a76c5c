//! Which triangles meet?

use super::batch::batch;
use super::geometry::GeometryRef;
use super::part::{MeshRef, PairQuery, ask};
use super::verb::pair_verb;
use super::{TrianglePair, Workspace};
use crate::mesh;
use impinge_geom::triangle::TriangleVerdict;
use impinge_geom::{Pose, Shape, Verdict, pair};

pair_verb! {
    /// All pairs of triangles that meet, by children, then by triangles. A shape counts as one part without triangles; as solids or not, only
    /// surfaces of meshes have triangles.
    ///
    /// ```
    /// use impinge::{Mesh, Pose, query};
    /// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let wedge = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let at_its_corner = Pose::from_translation([1.0, 0.0, 0.0])?;
    /// let found = query::triangle_pairs(&Pose::IDENTITY, &wedge, &at_its_corner, &wedge);
    /// assert!(found.iter().any(|pair| pair.triangles == [Some(3), Some(2)]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    triangle_pairs, triangle_pairs_with, triangle_pairs_batch -> Vec<TrianglePair>
}

fn ask_both(
    pose_a: &Pose,
    a: GeometryRef<'_>,
    pose_b: &Pose,
    b: GeometryRef<'_>,
    workspace: &mut Workspace,
) -> Vec<TrianglePair> {
    let mut all = Vec::new();
    let several = a.only_part(pose_a).is_none() || b.only_part(pose_b).is_none();
    for one in a.parts(pose_a) {
        let bounds = several.then(|| one.bounds());
        for two in b.parts(pose_b) {
            if bounds.is_some_and(|bounds| !bounds.overlaps(&two.bounds())) {
                continue;
            }
            let query = Triangles { workspace };
            let found = ask(query, (one.part, &one.pose), (two.part, &two.pose));
            let children = [one.id, two.id];
            all.extend(found.into_iter().map(|pair| TrianglePair { children, ..pair }));
        }
    }
    all
}

struct Triangles<'w> {
    workspace: &'w mut Workspace,
}

fn of_verdict(verdict: Verdict) -> TriangleVerdict {
    match verdict {
        Verdict::Separated => TriangleVerdict::Separated,
        Verdict::Touching => TriangleVerdict::Touching,
        Verdict::Penetrating | Verdict::Contained(_) => TriangleVerdict::Crossing,
    }
}

impl PairQuery for Triangles<'_> {
    type Answer = Vec<TrianglePair>;

    fn shapes(
        self,
        (a, pose_a): (&Shape, &Pose),
        (b, pose_b): (&Shape, &Pose),
    ) -> Vec<TrianglePair> {
        let cache = self.workspace.fresh_cache();
        match of_verdict(pair::verdict(a, b, &pose_a.relative(pose_b), cache)) {
            TriangleVerdict::Separated => Vec::new(),
            verdict => vec![TrianglePair { children: [0; 2], triangles: [None; 2], verdict }],
        }
    }

    fn mesh_shape(self, mesh: (MeshRef<'_>, &Pose), shape: (&Shape, &Pose)) -> Vec<TrianglePair> {
        let mut found = Vec::new();
        if let Some((scaled, pose)) = mesh.0.shape_in_mesh(mesh.1, shape) {
            let scratch = &mut self.workspace.mesh;
            mesh::shape::triangles(mesh.0.mesh(), &scaled, &pose, scratch, &mut found);
        }
        let pair = |(face, verdict): (u32, Verdict)| TrianglePair {
            children: [0; 2],
            triangles: [Some(face), None],
            verdict: of_verdict(verdict),
        };
        found.into_iter().map(pair).collect()
    }

    fn meshes(self, a: (MeshRef<'_>, &Pose), b: (MeshRef<'_>, &Pose)) -> Vec<TrianglePair> {
        let b_in_a = a.0.relative(a.1, b.1, b.0.scale());
        let mut found = Vec::new();
        let scratch = &mut self.workspace.mesh;
        mesh::pairs(a.0.mesh(), b.0.mesh(), &b_in_a, scratch, &mut found);
        let pair = |(i, j, verdict)| TrianglePair {
            children: [0; 2],
            triangles: [Some(i), Some(j)],
            verdict,
        };
        found.into_iter().map(pair).collect()
    }
}
