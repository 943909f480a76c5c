//! What does a ray hit first?

use super::geometry::{GeometryRef, Placed};
use super::part::MeshRef;
use super::{PartFeature, RayHit, Workspace};
use crate::mesh::{MeshHit, Mode, Scratch};
use impinge_geom::glam::DVec3;
use impinge_geom::ray::{self, Ray};
use impinge_geom::{Pose, Shape};

/// The first hit of a ray, in world coordinates; of several at the same t, that of the first child.
///
/// ```
/// use impinge::{Pose, Shape, geom::ray::Ray, query};
/// let ball = Shape::sphere(1.0)?;
/// let down = Ray::new([5.0, 0.0, 9.0], [0.0, 0.0, -1.0])?;
/// let hit = query::cast_ray(&Pose::from_translation([5.0, 0.0, 2.0])?, &ball, &down).unwrap();
/// assert_eq!((hit.t, hit.point.z, hit.normal.z), (6.0, 3.0, 1.0));
/// # Ok::<(), impinge::geom::GeometryError>(())
/// ```
pub fn cast_ray<'g>(
    pose: &Pose,
    geometry: impl Into<GeometryRef<'g>>,
    ray: &Ray,
) -> Option<RayHit> {
    cast_ray_with(pose, geometry, ray, &mut Workspace::default())
}

/// Like [`cast_ray`], with the caller's memory.
pub fn cast_ray_with<'g>(
    pose: &Pose,
    geometry: impl Into<GeometryRef<'g>>,
    ray: &Ray,
    workspace: &mut Workspace,
) -> Option<RayHit> {
    let mut best: Option<RayHit> = None;
    for part in geometry.into().parts(pose) {
        let hit = part.cast_ray(ray, workspace);
        if let Some(hit) = hit.filter(|hit| best.is_none_or(|best| hit.t < best.t)) {
            best = Some(hit);
        }
    }
    best
}

/// The first hit of each of many rays: the answers of [`cast_ray`], faster than one by one where a mesh is hit.
///
/// ```
/// use impinge::{Mesh, Pose, geom::ray::Ray, query};
/// let mesh = Mesh::new(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
/// let rays = [Ray::new([0.25, 0.25, 3.0], [0.0, 0.0, -1.0])?, Ray::new([2.0, 2.0, 3.0], [0.0, 0.0, -1.0])?];
/// let found = query::cast_rays(&Pose::IDENTITY, &mesh, &rays);
/// assert_eq!((found[0].map(|hit| hit.t), found[1]), (Some(3.0), None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_rays<'g>(
    pose: &Pose,
    geometry: impl Into<GeometryRef<'g>>,
    rays: &[Ray],
) -> Vec<Option<RayHit>> {
    cast_rays_with(pose, geometry, rays, &mut Workspace::default())
}

/// Like [`cast_rays`], with the caller's memory.
pub fn cast_rays_with<'g>(
    pose: &Pose,
    geometry: impl Into<GeometryRef<'g>>,
    rays: &[Ray],
    workspace: &mut Workspace,
) -> Vec<Option<RayHit>> {
    let mut best: Vec<Option<RayHit>> = vec![None; rays.len()];
    for part in geometry.into().parts(pose) {
        let hits = match part.part.mesh() {
            Some(mesh) => part.cast_rays_at_mesh(mesh, rays, workspace),
            None => rays.iter().map(|ray| part.cast_ray(ray, workspace)).collect(),
        };
        for (best, hit) in best.iter_mut().zip(hits) {
            if let Some(hit) = hit.filter(|hit| best.is_none_or(|best: RayHit| hit.t < best.t)) {
                *best = Some(hit);
            }
        }
    }
    best
}

impl Placed<'_> {
    /// The first boundary of one part along a ray.
    pub(crate) fn cast_ray(&self, ray: &Ray, workspace: &mut Workspace) -> Option<RayHit> {
        let local = self.local_ray(ray)?;
        self.part.fold(
            |shape| self.at_shape(shape, &local),
            |mesh| self.at_mesh(mesh, &local, &mut workspace.mesh),
        )
    }

    /// The ray in the frame of the part. The direction is scaled with the origin, so that t stays the same.
    fn local_ray(&self, ray: &Ray) -> Option<Ray> {
        let scale = self.part.fold(|_| 1.0, |mesh| mesh.scale());
        let mut origin = self.pose.inverse_transform_point(ray.origin());
        let mut direction = self.pose.inverse_rotate(ray.direction());
        if scale != 1.0 {
            (origin, direction) = (origin / scale, direction / scale);
        }
        Ray::new(origin.to_array(), direction.to_array()).ok()
    }

    fn at_shape(&self, shape: &Shape, local: &Ray) -> Option<RayHit> {
        ray::cast(shape, local).map(|hit| RayHit {
            child: self.id,
            t: hit.t,
            point: self.pose.transform_point(hit.point),
            normal: self.pose.rotate(hit.normal),
            feature: PartFeature::of_shape(hit.feature),
            inside: hit.inside,
        })
    }

    fn at_mesh(&self, mesh: MeshRef<'_>, local: &Ray, scratch: &mut Scratch) -> Option<RayHit> {
        mesh.mesh().cast_ray(local, scratch).map(|found| self.mesh_hit(mesh, local, &found))
    }

    fn cast_rays_at_mesh(
        &self,
        mesh: MeshRef<'_>,
        rays: &[Ray],
        workspace: &mut Workspace,
    ) -> Vec<Option<RayHit>> {
        let local: Vec<Option<Ray>> = rays.iter().map(|ray| self.local_ray(ray)).collect();
        let cast: Vec<Ray> = local.iter().copied().flatten().collect();
        let mut hits = Vec::new();
        mesh.mesh().cast_rays(&cast, &mut workspace.mesh, &mut hits);
        let mut hits = hits.into_iter();
        let hit = |ray: Option<Ray>| {
            let ray = ray?;
            hits.next().flatten().map(|found| self.mesh_hit(mesh, &ray, &found))
        };
        local.into_iter().map(hit).collect()
    }

    fn mesh_hit(&self, mesh: MeshRef<'_>, local: &Ray, found: &MeshHit) -> RayHit {
        let [a, b, c] = mesh.mesh().corners(found.triangle);
        let along = local.direction();
        let flat = (b - a).cross(c - a).normalize_or(-along.normalize_or(DVec3::Z));
        let solid = mesh.mode() == Mode::Solid && mesh.mesh().is_closed();
        let against = if flat.dot(along) > 0.0 { -flat } else { flat };
        RayHit {
            child: self.id,
            t: found.hit.t,
            point: mesh.to_world(&self.pose, found.hit.point),
            normal: self.pose.rotate(if solid { flat } else { against }),
            feature: PartFeature::of_triangle(found.triangle, found.hit.feature),
            inside: solid && flat.dot(along) > 0.0,
        }
    }
}
