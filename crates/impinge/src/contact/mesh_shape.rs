//! The contacts of a mesh and a shape: every triangle against the shape, with normals that the whole surface has.

use super::gather::Candidate;
use super::normal::{Kind, Skin};
use super::{Contact, Sheet};
use crate::mesh::shape::faces_near;
use crate::narrow::{Tools, of_shape, of_triangle};
use crate::scene::MeshPart;
use impinge_geom::glam::DVec3;
use impinge_geom::{Feature, Pose, Shape, Support as _, pair};

/// Adds the manifolds of a mesh and a shape within the margin; the mesh is the first of the two.
pub(crate) fn mesh_shape(
    part: &MeshPart,
    shape: &Shape,
    (pose_mesh, pose_shape): (&Pose, &Pose),
    margin: f64,
    tools: &mut Tools,
    sheets: &mut Vec<Sheet>,
) {
    let pose = pose_mesh.relative(pose_shape);
    let skin = Skin::new(part);
    let mut faces = std::mem::take(&mut tools.contact.faces);
    faces_near(skin.mesh, shape, &pose, margin, &mut tools.mesh, &mut faces);
    let gathered = &mut tools.contact.gathered;
    gathered.clear();
    for &face in &faces {
        let Ok(triangle) = Shape::triangle(skin.mesh.corners(face).map(|p| p.to_array())) else {
            continue;
        };
        tools.cache.set_warm_start(Default::default());
        let Some(found) = pair::manifold(&triangle, shape, &pose, margin, &mut tools.cache) else {
            continue;
        };
        match skin.judge(face, found.normal) {
            Kind::Face(normal) => each(&found, face, normal, pose_mesh, |c| gathered.add_real(c)),
            Kind::Feature => each(&found, face, found.normal, pose_mesh, |c| gathered.add_real(c)),
            kind @ (Kind::Ghost | Kind::Back) => {
                each(&found, face, found.normal, pose_mesh, |c| gathered.add_ghost(c));
                let Some(flat) = skin.face_normal(face) else { continue };
                let turned = side(&skin, kind, flat, &found, shape, &pose);
                let cache = &mut tools.cache;
                along(&skin, face, turned, shape, &pose, margin, cache, |found, normal| {
                    each(found, face, normal, pose_mesh, |c| {
                        // What is not over the face is the business of another.
                        let local = pose_mesh.map_back(c.contact.points[0]);
                        if skin.is_over(face, flat, local) {
                            gathered.add_along(c);
                        }
                    });
                });
            }
        }
    }
    gathered.finish(sheets);
    tools.contact.faces = faces;
}

/// The side of a face to which a shape is to be pushed: out of a solid, of a surface to where it is for the most part.
fn side(
    skin: &Skin<'_>,
    kind: Kind,
    flat: DVec3,
    found: &pair::Manifold,
    shape: &Shape,
    pose: &Pose,
) -> DVec3 {
    if skin.solid || kind == Kind::Back {
        return flat;
    }
    let cosine = found.normal.dot(flat);
    let on = found.points().first().map_or(DVec3::ZERO, |point| point.on_a);
    let height = (pose.map(shape.split().0.center()) - on).dot(flat);
    let rises = if cosine.abs() > 1e-9 { cosine > 0.0 } else { height >= 0.0 };
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
    mut found: impl FnMut(&pair::Manifold, DVec3),
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
    found: &pair::Manifold,
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
            normal: pose.turn(normal),
            contact: Contact {
                points: [point.on_a, point.on_b].map(|point| pose.map(point)),
                distance: point.distance,
                features: [of_triangle(face, feature), of_shape(point.features[1])],
                ..Contact::NONE
            },
        });
    }
}
