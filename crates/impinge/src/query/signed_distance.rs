//! How far apart, or how deep?

use super::batch::batch;
use super::distance::{least, mesh_shape_surface, mesh_surfaces};
use super::geometry::{GeometryRef, Placed};
use super::part::{MeshPart, MeshRef, PairQuery, PartRef, ask};
use super::relation::between;
use super::verb::pair_verb;
use super::{Distance, PairDistance, PartFeature, Workspace, relation};
use crate::mesh::{self, Mode, Penetration};
use impinge_geom::glam::DVec3;
use impinge_geom::triangle::TriangleVerdict;
use impinge_geom::{Certainty, Feature, Pose, Shape, Verdict, pair};

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
        ask(Signed { workspace, met: None }, (a.part, &a.pose), (b.part, &b.pose))
    })
}

/// Like [`signed_distance_with`] for two meshes that are known to penetrate, by a caller who has all their triangles that meet, in ascending order: as
/// [`triangle_pairs`](super::triangle_pairs()) gives them.
pub fn signed_distance_among(
    pose_a: &Pose,
    a: &MeshPart,
    pose_b: &Pose,
    b: &MeshPart,
    met: &[[u32; 2]],
    workspace: &mut Workspace,
) -> Distance {
    let pair = Signed { workspace, met: Some(met) }.meshes((a.into(), pose_a), (b.into(), pose_b));
    Distance { children: [0; 2], pair }
}

/// The signed distance of two parts.
pub(super) struct Signed<'w> {
    pub(super) workspace: &'w mut Workspace,
    /// The triangles of two meshes that meet, if they are known.
    pub(super) met: Option<&'w [[u32; 2]]>,
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
        let both = a.0.mode() == Mode::Solid && b.0.mode() == Mode::Solid;
        let mode = if both { Mode::Solid } else { Mode::Surface };
        let b_in_a = a.0.relative(a.1, b.1, b.0.scale());
        let mut own = Vec::new();
        let (met, meets, certainty) = match self.met {
            Some(met) => (met, true, Certainty::Exact),
            None => {
                let relation = relation::relate_meshes(a, b, &mut workspace.mesh);
                if matches!(relation.verdict, Verdict::Separated | Verdict::Touching) {
                    return mesh_surfaces(a, b, workspace).at_best(relation.certainty);
                }
                let mut found = Vec::new();
                mesh::pairs(a.0.mesh(), b.0.mesh(), &b_in_a, &mut workspace.mesh, &mut found);
                // A surface inside a solid crosses nothing: it has no way out that does not cross the boundary.
                let crosses = found.iter().any(|pair| pair.2 == TriangleVerdict::Crossing);
                own.extend(found.iter().map(|(a, b, _)| [*a, *b]));
                (own.as_slice(), both || crosses, relation.certainty)
            }
        };
        let scratch = &mut workspace.mesh;
        let found = meets
            .then(|| mesh::penetration_among(a.0.mesh(), b.0.mesh(), &b_in_a, mode, met, scratch));
        match found.flatten() {
            Some(depth) => {
                let features =
                    depth.triangles.map(|face| PartFeature::of_triangle(face, Feature::face(0)));
                separated_by(&depth, features, a.0, a.1).at_best(certainty)
            }
            None => mesh_surfaces(a, b, workspace).inside(),
        }
    }
}

/// A translation that separates, found in the frame of a mesh, as a distance in the world.
fn separated_by(
    depth: &Penetration,
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
