//! How far apart, or how deep?

use super::batch::batch;
use super::distance::{least, mesh_shape_surface, mesh_surfaces};
use super::geometry::{GeometryRef, Placed};
use super::part::{MeshRef, PairQuery, PartRef, ask};
use super::relation::between;
use super::verb::pair_verb;
use super::{Distance, PairDistance, PartFeature, Workspace, relation};
use crate::mesh::{self, MeshSeparation, Mode};
use impinge_geom::glam::DVec3;
use impinge_geom::triangle::TriangleVerdict;
use impinge_geom::{Feature, Pose, Shape, Verdict, pair};

pair_verb! {
    /// The distance between two geometries, or, negative, how deep they penetrate: the length of a translation that separates them.
    ///
    /// The depth of shapes is the shortest translation. Where a mesh takes part it is a bound: moving B by `-distance · normal` separates
    /// the two, and perhaps a shorter way does. Negative infinity where no translation separates them, as for two crossing planes. Of
    /// compounds the deepest pair of parts counts.
    ///
    /// ```
    /// use impinge::{Pose, Shape, query};
    /// let (ball, block) = (Shape::sphere(2.0)?, Shape::cuboid([1.0; 3])?);
    /// let lower = Pose::from_translation([0.0, 0.0, 2.5])?;
    /// assert_eq!(query::signed_distance(&Pose::IDENTITY, &block, &lower, &ball).distance, -0.5);
    /// # Ok::<(), impinge::geom::GeometryError>(())
    /// ```
    signed_distance, signed_distance_with, signed_distance_batch -> Distance
}

fn ask_both(
    pose_a: &Pose,
    a: GeometryRef<'_>,
    pose_b: &Pose,
    b: GeometryRef<'_>,
    workspace: &mut Workspace,
) -> Distance {
    least(pose_a, a, pose_b, b, workspace, |a, b, workspace| {
        ask(Signed { workspace }, (a.part, &a.pose), (b.part, &b.pose))
    })
}

/// The signed distance of two parts.
pub(super) struct Signed<'w> {
    pub(super) workspace: &'w mut Workspace,
}

impl PairQuery for Signed<'_> {
    type Answer = PairDistance;

    fn shapes(self, (a, pose_a): (&Shape, &Pose), (b, pose_b): (&Shape, &Pose)) -> PairDistance {
        let (pose, cache) = (pose_a.relative(pose_b), self.workspace.fresh_cache());
        match pair::signed_distance(a, b, &pose, cache) {
            Some(found) => PairDistance::of_shapes(&found, pose_a),
            None => {
                let common = PairDistance::of_shapes(&pair::distance(a, b, &pose, cache), pose_a);
                PairDistance { distance: f64::NEG_INFINITY, ..common }
            }
        }
    }

    fn mesh_shape(self, mesh: (MeshRef<'_>, &Pose), shape: (&Shape, &Pose)) -> PairDistance {
        let workspace = self.workspace;
        let part = PartRef::of_shape(shape.0);
        let relation =
            between(&Placed::new(mesh.0.part(), mesh.1), &Placed::new(part, shape.1), workspace);
        let surface = mesh_shape_surface(mesh, shape, workspace);
        match relation.verdict {
            Verdict::Separated | Verdict::Touching => {
                surface.unwrap_or(PairDistance::FAR).at_best(relation.certainty)
            }
            Verdict::Penetrating | Verdict::Contained(_) => {
                let depth = mesh.0.shape_in_mesh(mesh.1, shape).and_then(|(scaled, pose)| {
                    let (mode, scratch) = (mesh.0.mode(), &mut workspace.mesh);
                    mesh::shape::penetration(mesh.0.mesh(), &scaled, &pose, mode, scratch)
                });
                match depth {
                    Some(depth) => {
                        let feature = PartFeature::of_shape(Feature::SURFACE);
                        let face = PartFeature::of_triangle(depth.triangles[0], Feature::face(0));
                        separated_by(&depth, [face, feature], mesh.0, mesh.1)
                            .at_best(relation.certainty)
                    }
                    None => surface.unwrap_or(PairDistance::FAR).inside(),
                }
            }
        }
    }

    fn meshes(self, a: (MeshRef<'_>, &Pose), b: (MeshRef<'_>, &Pose)) -> PairDistance {
        let workspace = self.workspace;
        let relation = relation::relate_meshes(a, b, &mut workspace.mesh);
        if matches!(relation.verdict, Verdict::Separated | Verdict::Touching) {
            return mesh_surfaces(a, b, workspace).at_best(relation.certainty);
        }
        let b_in_a = a.0.relative(a.1, b.1, b.0.scale());
        let both = a.0.mode() == Mode::Solid && b.0.mode() == Mode::Solid;
        let mode = if both { Mode::Solid } else { Mode::Surface };
        let scratch = &mut workspace.mesh;
        let mut met = Vec::new();
        mesh::pairs(a.0.mesh(), b.0.mesh(), &b_in_a, scratch, &mut met);
        // A surface inside a solid crosses nothing: it has no way out that does not cross the boundary.
        let crosses = |pair: &(u32, u32, TriangleVerdict)| pair.2 == TriangleVerdict::Crossing;
        let meets = mode == Mode::Solid || met.iter().any(crosses);
        let met: Vec<[u32; 2]> = met.into_iter().map(|(a, b, _)| [a, b]).collect();
        let found = meets
            .then(|| mesh::penetration_among(a.0.mesh(), b.0.mesh(), &b_in_a, mode, &met, scratch));
        match found.flatten() {
            Some(depth) => {
                let features =
                    depth.triangles.map(|face| PartFeature::of_triangle(face, Feature::face(0)));
                separated_by(&depth, features, a.0, a.1).at_best(relation.certainty)
            }
            None => mesh_surfaces(a, b, workspace).inside(),
        }
    }
}

/// A translation that separates, found in the frame of a mesh, as a distance in the world.
fn separated_by(
    depth: &MeshSeparation,
    features: [PartFeature; 2],
    mesh: MeshRef<'_>,
    pose: &Pose,
) -> PairDistance {
    PairDistance {
        distance: -depth.depth * mesh.scale(),
        uncertainty: 0.0,
        points: depth.points.map(|point| mesh.to_world(pose, point)),
        normal: pose.rotate(depth.translation.normalize_or(DVec3::Z)),
        features,
        certainty: depth.certainty,
    }
}
