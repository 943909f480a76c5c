//! The closest body to a point.

use super::Filter;
use crate::query::{GeometryRef, PartFeature, Workspace};
use crate::scene::{Body, BodyId, Scene};
use impinge_geom::DAabb;
use impinge_geom::glam::DVec3;

/// The closest body, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClosestHit {
    /// The body.
    pub body: BodyId,
    /// The id of its child; 0 if it is not a compound.
    pub child: u32,
    /// The feature the point lies on.
    pub feature: PartFeature,
    /// The distance; negative inside a solid.
    pub distance: f64,
    /// The closest point of the boundary.
    pub point: DVec3,
}

/// Boxes are looked for a little farther out than the radius: more than rounding takes from it.
const OUTWARD: f64 = 1.0 + 1e-12;

impl Scene {
    /// The closest body to a point, and its closest point; of several equally near, that of the smallest id. `None` if the point is not finite,
    /// or if there is no body.
    ///
    /// ```
    /// use impinge::{Pose, Shape, query::Workspace, scene::{Body, Filter, Scene}};
    /// let mut scene = Scene::default();
    /// for x in [0.0, 10.0] {
    ///     scene.add(Body::moving(Shape::sphere(1.0)?, Pose::from_translation([x, 0.0, 0.0])?))?;
    /// }
    /// let found = scene.closest([6.0, 0.0, 0.0]).unwrap();
    /// assert_eq!((found.body.index(), found.distance, found.point.x), (1, 3.0, 9.0));
    /// assert_eq!(scene.closest([0.5, 0.0, 0.0]).unwrap().distance, -0.5);
    /// let mut workspace = Workspace::default();
    /// assert!(scene.closest_with([6.0, 0.0, 0.0], 2.0, Filter::default(), &mut workspace).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest(&self, point: impl Into<DVec3>) -> Option<ClosestHit> {
        self.closest_with(point, f64::INFINITY, Filter::default(), &mut Workspace::default())
    }

    /// Like [`Scene::closest`], for bodies within `limit` that a filter admits, with the caller's memory.
    pub fn closest_with(
        &self,
        point: impl Into<DVec3>,
        limit: f64,
        filter: Filter,
        workspace: &mut Workspace,
    ) -> Option<ClosestHit> {
        let point = point.into();
        if !point.is_finite() || point.abs().max_element() > super::super::FARTHEST {
            return None;
        }
        let mut best: Option<ClosestHit> = None;
        let mut before: Option<DAabb> = None;
        let mut indices = std::mem::take(&mut workspace.scene.indices);
        let mut radius = self.first_radius(point).min(limit);
        loop {
            let around = DAabb { low: point, high: point }.grown(radius * OUTWARD);
            self.candidates(&around, &mut indices);
            for &index in &indices {
                let seen = before.is_some_and(|before| self.may_meet(index, &before));
                let Some((id, body)) = self.at_index(index).filter(|_| !seen) else { continue };
                if filter.admits(body) {
                    nearer(point, id, body, workspace, &mut best);
                }
            }
            let reached = best.is_some_and(|best| best.distance <= radius);
            if reached || radius >= limit || radius == f64::INFINITY {
                break;
            }
            before = Some(around);
            let all = around.low.cmple(self.bounds.low).all()
                && around.high.cmpge(self.bounds.high).all();
            radius = match best {
                Some(best) => best.distance,
                None if all => f64::INFINITY,
                None => 4.0 * radius,
            };
            radius = radius.min(limit);
        }
        workspace.scene.indices = indices;
        best.filter(|best| best.distance <= limit)
    }

    /// Where to look first: as far as the scene is away, and a small part of its size beyond.
    fn first_radius(&self, point: DVec3) -> f64 {
        let here = DAabb { low: point, high: point };
        let size = (self.bounds.high - self.bounds.low).max_element();
        let first = self.bounds.gap(&here) + size / 64.0;
        if first > 0.0 { first } else { f64::INFINITY }
    }
}

/// Looks whether a body is nearer than the best so far.
fn nearer(
    asked: DVec3,
    id: BodyId,
    body: &Body,
    workspace: &mut Workspace,
    best: &mut Option<ClosestHit>,
) {
    for part in GeometryRef::from(&body.geometry).parts(&body.pose) {
        let found = part.closest_point(asked, workspace);
        let better = best.is_none_or(|best| {
            let tie =
                found.distance == best.distance && (id, found.child) < (best.body, best.child);
            found.distance < best.distance || tie
        });
        if better {
            *best = Some(ClosestHit {
                body: id,
                child: found.child,
                feature: found.feature,
                distance: found.distance,
                point: found.point,
            });
        }
    }
}
