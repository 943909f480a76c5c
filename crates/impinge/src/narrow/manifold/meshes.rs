//! The contacts of two meshes: every pair of triangles within the margin, with normals that both surfaces have.

use super::UnmatchedManifold;
use super::gather::Candidate;
use super::normal::{Kind, Skin};
use crate::mesh::{ScaledPose, pairs_within};
use crate::query::{ManifoldPoint, MeshRef, PartFeature, Workspace};
use impinge_geom::glam::DVec3;
use impinge_geom::pair::{self, Cache, LocalManifold};
use impinge_geom::{Pose, Shape};

/// Adds the manifolds of two meshes within the margin, from a limited number of triangle pairs, evenly spaced.
pub(in crate::narrow) fn meshes(
    (a, pose_a): (MeshRef<'_>, &Pose),
    (b, pose_b): (MeshRef<'_>, &Pose),
    margin: f64,
    most: usize,
    workspace: &mut Workspace,
    manifolds: &mut Vec<UnmatchedManifold>,
) {
    let pose = pose_a.relative(pose_b);
    let skins = [Skin::new(a), Skin::new(b)];
    let mut pairs = std::mem::take(&mut workspace.manifold.pairs);
    let scratch = &mut workspace.mesh;
    pairs_within(a.mesh(), b.mesh(), &ScaledPose::from(pose), margin, scratch, &mut pairs);
    let (gathered, cache) = (&mut workspace.manifold.gathered, &mut workspace.cache);
    gathered.clear();
    for &faces in pairs.iter().step_by(pairs.len().div_ceil(most.max(1)).max(1)) {
        let two = Two { skins, faces, pose };
        let Some((found, normal)) = two.manifold(margin, cache) else { continue };
        match normal {
            Some(normal) => each(&found, faces, normal, pose_a, |c| gathered.add_real(c)),
            None => {
                each(&found, faces, found.normal, pose_a, |c| gathered.add_ghost(c));
                two.along(margin, cache, |point, normal| {
                    gathered.add_along(candidate(point, faces, normal, pose_a));
                });
            }
        }
    }
    gathered.finish(manifolds);
    workspace.manifold.pairs = pairs;
}

/// Two triangles near each other.
struct Two<'m> {
    skins: [Skin<'m>; 2],
    faces: [u32; 2],
    /// Of B in A.
    pose: Pose,
}

impl Two<'_> {
    fn shape(&self, side: usize) -> Option<Shape> {
        let corners = self.skins[side].mesh.corners(self.faces[side]);
        Shape::triangle(corners.map(|p| p.to_array())).ok()
    }

    /// The contact of the two triangles alone, and its normal if both surfaces can have it.
    fn manifold(&self, margin: f64, cache: &mut Cache) -> Option<(LocalManifold, Option<DVec3>)> {
        cache.set_warm_start(Default::default());
        let found = pair::manifold(&self.shape(0)?, &self.shape(1)?, &self.pose, margin, cache)?;
        let of_a = self.skins[0].judge(self.faces[0], found.normal);
        let of_b = self.skins[1].judge(self.faces[1], self.pose.inverse_rotate(-found.normal));
        let normal = match (of_a, of_b) {
            (Kind::Ghost | Kind::Back, _) | (_, Kind::Ghost | Kind::Back) => None,
            (Kind::Face(normal), _) => Some(normal),
            (Kind::Feature, Kind::Face(normal)) => Some(-self.pose.rotate(normal)),
            (Kind::Feature, Kind::Feature) => Some(found.normal),
        };
        Some((found, normal))
    }

    /// Corners of either triangle that are over the other one, along its normal; the points are in A's frame.
    fn along(
        &self,
        margin: f64,
        cache: &mut Cache,
        mut add: impl FnMut(&pair::ContactPoint, DVec3),
    ) {
        for side in [0, 1] {
            let (skin, face) = (&self.skins[side], self.faces[side]);
            let Some(flat) = skin.face_normal(face) else { continue };
            let offset = flat.dot(skin.mesh.corners(face)[0]);
            let Ok(plane) = Shape::half_space(flat.to_array(), offset) else { continue };
            let Some(other) = self.shape(1 - side) else { continue };
            let pose = if side == 0 { self.pose } else { self.pose.inverse() };
            cache.set_warm_start(Default::default());
            let Some(found) = pair::manifold(&plane, &other, &pose, margin, cache) else {
                continue;
            };
            for point in found.points().iter().filter(|p| skin.is_over(face, flat, p.on_a)) {
                if side == 0 {
                    add(point, flat);
                } else {
                    add(&self.turned(point), -self.pose.rotate(flat));
                }
            }
        }
    }

    /// A contact point of B's plane with A's triangle, in A's frame.
    fn turned(&self, point: &pair::ContactPoint) -> pair::ContactPoint {
        let [of_b, of_a] = point.features;
        pair::ContactPoint {
            on_a: self.pose.transform_point(point.on_b),
            on_b: self.pose.transform_point(point.on_a),
            distance: point.distance,
            features: [of_a, of_b],
        }
    }
}

fn each(
    found: &LocalManifold,
    faces: [u32; 2],
    normal: DVec3,
    pose: &Pose,
    mut add: impl FnMut(Candidate),
) {
    found.points().iter().for_each(|point| add(candidate(point, faces, normal, pose)));
}

/// A contact point in A's frame, in the world.
fn candidate(point: &pair::ContactPoint, faces: [u32; 2], normal: DVec3, pose: &Pose) -> Candidate {
    let [of_a, of_b] = point.features;
    Candidate {
        normal: pose.rotate(normal),
        point: ManifoldPoint {
            points: [point.on_a, point.on_b].map(|point| pose.transform_point(point)),
            distance: point.distance,
            features: [
                PartFeature::of_triangle(faces[0], of_a),
                PartFeature::of_triangle(faces[1], of_b),
            ],
        },
    }
}
