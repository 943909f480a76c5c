//! The first body hit by a ray, through the broad phase's own ray query.

use super::Filter;
use crate::broad::BroadRay;
use crate::query::{GeometryRef, PartFeature, RayHit, Workspace, batch};
use crate::scene::{Body, BodyId, Scene};
use impinge_geom::DAabb;
use impinge_geom::glam::DVec3;
use impinge_geom::ray::Ray;

/// A ray hit in a scene, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SceneHit {
    /// The body.
    pub body: BodyId,
    /// The id of its child; 0 if it is not a compound.
    pub child: u32,
    /// The feature hit.
    pub feature: PartFeature,
    /// The hit is at origin + t · direction, with the direction as given.
    pub t: f64,
    /// The point hit.
    pub point: DVec3,
    /// The outward unit normal there; on surfaces without an inside, the one facing the ray.
    pub normal: DVec3,
    /// True if the ray leaves a solid here.
    pub inside: bool,
}

/// Boxes with finite sides are this close to the origin of the boxes, or rays look at all bodies.
const FARTHEST: f64 = (1u64 << 60) as f64;

impl Scene {
    /// The first hit of a ray, in world coordinates; of several at the same t, that of the smallest id.
    ///
    /// ```
    /// use impinge::geom::{Shape, ray::Ray};
    /// use impinge::{Pose, scene::{Body, Scene}};
    /// let mut scene = Scene::default();
    /// scene.add(Body::fixed(Shape::half_space([0.0, 0.0, 1.0], 0.0)?, Pose::IDENTITY))?;
    /// let ball = Body::moving(Shape::sphere(1.0)?, Pose::from_translation([5.0, 0.0, 2.0])?);
    /// let ball = scene.add(ball)?;
    /// let hit = scene.cast_ray(&Ray::new([5.0, 0.0, 9.0], [0.0, 0.0, -1.0])?).unwrap();
    /// assert_eq!((hit.body, hit.t, hit.point.z), (ball, 6.0, 3.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cast_ray(&self, ray: &Ray) -> Option<SceneHit> {
        self.cast_ray_with(ray, Filter::default(), &mut Workspace::default())
    }

    /// Like [`Scene::cast_ray`], for the bodies that a filter admits, with the caller's memory.
    pub fn cast_ray_with(
        &self,
        ray: &Ray,
        filter: Filter,
        workspace: &mut Workspace,
    ) -> Option<SceneHit> {
        let mut best: Option<SceneHit> = None;
        let mut visit = |index: u32| {
            if let Some((id, body)) = self.at_index(index).filter(|(_, body)| filter.admits(body)) {
                hit_body(ray, id, body, workspace, &mut best);
            }
            best.map_or(f64::INFINITY, |best| best.t)
        };
        let origin = self.origin.unwrap_or_default();
        let [low, high] = [self.bounds.low - origin, self.bounds.high - origin];
        let near = low.abs().max(high.abs()).max_element() <= FARTHEST;
        match BroadRay::new(ray, origin).filter(|_| near || self.bounds == DAabb::EMPTY) {
            Some(local) => self.broad.cast_ray(&self.proxies, &local, &mut visit),
            None => self.proxies.living().for_each(|index| {
                visit(index);
            }),
        }
        best
    }

    /// Like [`Scene::cast_ray`], for many rays on all threads, in their order.
    pub fn cast_rays(&self, rays: &[Ray], filter: Filter) -> Vec<Option<SceneHit>> {
        batch(rays, |ray, workspace| self.cast_ray_with(ray, filter, workspace))
    }
}

/// Looks whether a body is hit before the best so far.
fn hit_body(
    ray: &Ray,
    id: BodyId,
    body: &Body,
    workspace: &mut Workspace,
    best: &mut Option<SceneHit>,
) {
    for part in GeometryRef::from(&body.geometry).parts(&body.pose) {
        let Some(hit) = part.cast_ray(ray, workspace) else { continue };
        let better = best.is_none_or(|best| {
            hit.t < best.t || (hit.t == best.t && (id, hit.child) < (best.body, best.child))
        });
        if better {
            let RayHit { child, t, point, normal, feature, inside } = hit;
            *best = Some(SceneHit { body: id, child, feature, t, point, normal, inside });
        }
    }
}
