//! The contacts of a mesh and a shape: every triangle against the shape, with normals that the whole surface has.

use super::UnmatchedManifold;
use super::gather::Candidate;
use super::normal::{Kind, Skin};
use crate::mesh::shape::faces_near;
use crate::query::{ManifoldPoint, MeshRef, PartFeature, Workspace};
use impinge_geom::glam::DVec3;
use impinge_geom::number::tolerance::SIDEWAYS;
use impinge_geom::{Feature, Pose, Shape, Support as _, pair};

/// Adds the manifolds of a mesh and a shape within the margin; the mesh is the first of the two.
pub(in crate::narrow) fn mesh_shape(
    part: MeshRef<'_>,
    shape: &Shape,
    (pose_mesh, pose_shape): (&Pose, &Pose),
    margin: f64,
    workspace: &mut Workspace,
    manifolds: &mut Vec<UnmatchedManifold>,
) {
    let pose = pose_mesh.relative(pose_shape);
    let skin = Skin::new(part);
    let mut faces = std::mem::take(&mut workspace.manifold.faces);
    faces_near(skin.mesh, shape, &pose, margin, &mut workspace.mesh, &mut faces);
    let gathered = &mut workspace.manifold.gathered;
    gathered.clear();
    for &face in &faces {
        let Ok(triangle) = Shape::triangle(skin.mesh.corners(face).map(|p| p.to_array())) else {
            continue;
        };
        workspace.cache.set_warm_start(Default::default());
        let Some(found) = pair::manifold(&triangle, shape, &pose, margin, &mut workspace.cache)
        else {
            continue;
        };
        match skin.judge(face, found.normal) {
            Kind::Face(normal) => each(&found, face, normal, pose_mesh, |c| gathered.add_real(c)),
            Kind::Feature => each(&found, face, found.normal, pose_mesh, |c| gathered.add_real(c)),
            kind @ (Kind::Ghost | Kind::Back) => {
                each(&found, face, found.normal, pose_mesh, |c| gathered.add_ghost(c));
                let Some(flat) = skin.face_normal(face) else { continue };
                let turned = side(&skin, kind, flat, &found, shape, &pose);
                let cache = &mut workspace.cache;
                along(&skin, face, turned, shape, &pose, margin, cache, |found, normal| {
                    each(found, face, normal, pose_mesh, |c| {
                        // What is not over the face is the business of another.
                        let local = pose_mesh.inverse_transform_point(c.point.points[0]);
                        if skin.is_over(face, flat, local) {
                            gathered.add_along(c);
                        }
                    });
                });
            }
        }
    }
    gathered.finish(manifolds);
    workspace.manifold.faces = faces;
}

/// The side of a face to which a shape is to be pushed: out of a solid, of a surface to where it is for the most part.
fn side(
    skin: &Skin<'_>,
    kind: Kind,
    flat: DVec3,
    found: &pair::LocalManifold,
    shape: &Shape,
    pose: &Pose,
) -> DVec3 {
    if skin.solid || kind == Kind::Back {
        return flat;
    }
    let cosine = found.normal.dot(flat);
    let on = found.points().first().map_or(DVec3::ZERO, |point| point.on_a);
    let height = (pose.transform_point(shape.split().0.center()) - on).dot(flat);
    let rises = if cosine.abs() > SIDEWAYS { cosine > 0.0 } else { height >= 0.0 };
    if rises { flat } else { -flat }
}

/// The contact of the shape with the plane of a face, along a given side of it.
#[expect(clippy::too_many_arguments, reason = "two bodies, a direction and where it goes")]
fn along(
    skin: &Skin<'_>,
    face: u32,
    normal: DVec3,
    shape: &Shape,
    pose: &Pose,
    margin: f64,
    cache: &mut pair::Cache,
    mut found: impl FnMut(&pair::LocalManifold, DVec3),
) {
    let offset = normal.dot(skin.mesh.corners(face)[0]);
    let Ok(plane) = Shape::half_space(normal.to_array(), offset) else { return };
    cache.set_warm_start(Default::default());
    if let Some(manifold) = pair::manifold(&plane, shape, pose, margin, cache) {
        found(&manifold, normal);
    }
}

/// Every point of a manifold, in the world.
fn each(
    found: &pair::LocalManifold,
    face: u32,
    normal: DVec3,
    pose: &Pose,
    mut add: impl FnMut(Candidate),
) {
    for point in found.points() {
        let feature = match point.features[0] {
            // A half-space has no other.
            Feature { kind: impinge_geom::FeatureKind::Surface, .. } => Feature::face(0),
            feature => feature,
        };
        add(Candidate {
            normal: pose.rotate(normal),
            point: ManifoldPoint {
                points: [point.on_a, point.on_b].map(|point| pose.transform_point(point)),
                distance: point.distance,
                features: [
                    PartFeature::of_triangle(face, feature),
                    PartFeature::of_shape(point.features[1]),
                ],
            },
        });
    }
}
