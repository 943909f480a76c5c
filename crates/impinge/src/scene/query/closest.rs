//! The body nearest to a point.

use super::{Filter, QueryScratch};
use crate::mesh::{self, Mode, Winding};
use crate::scene::{Body, BodyId, Part, PartFeature, Scene, WorldBox};
use impinge_geom::glam::DVec3;
use impinge_geom::point;

/// The nearest body. Coordinates are those of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestHit {
    /// The body.
    pub body: BodyId,
    /// The id of its child; 0 if it is no compound.
    pub child: u32,
    /// Where the point lies.
    pub feature: PartFeature,
    /// How far it is; negative inside of a solid, by the distance to its boundary.
    pub distance: f64,
    /// The nearest point of the boundary.
    pub point: DVec3,
}

impl Scene {
    /// The body nearest to a point, and its nearest point; of several as near, that of the smallest id. None if the point is not finite,
    /// or if no body is within `limit`, which may be infinite.
    ///
    /// ```
    /// use impinge::geom::{Shape, glam::DVec3};
    /// use impinge::{Pose, scene::{Body, Filter, QueryScratch, Scene}};
    /// let mut scene = Scene::default();
    /// for x in [0.0, 10.0] {
    ///     scene.add(Body::moving(Shape::sphere(1.0)?, Pose::from_translation([x, 0.0, 0.0])?))?;
    /// }
    /// let mut ask = |x: f64, limit: f64| {
    ///     scene.closest(DVec3::X * x, limit, Filter::default(), &mut QueryScratch::default())
    /// };
    /// let found = ask(6.0, f64::INFINITY).unwrap();
    /// assert_eq!((found.body.index(), found.distance, found.point.x), (1, 3.0, 9.0));
    /// assert_eq!(ask(0.5, f64::INFINITY).unwrap().distance, -0.5);
    /// assert!(ask(6.0, 2.0).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest(
        &self,
        point: DVec3,
        limit: f64,
        filter: Filter,
        scratch: &mut QueryScratch,
    ) -> Option<ClosestHit> {
        if !point.is_finite() || point.abs().max_element() > super::super::FARTHEST {
            return None;
        }
        let mut best: Option<ClosestHit> = None;
        let mut before: Option<WorldBox> = None;
        let mut indices = std::mem::take(&mut scratch.indices);
        let mut radius = self.first_radius(point).min(limit);
        loop {
            let around = WorldBox { low: point, high: point }.grown(radius * (1.0 + 1e-12));
            self.candidates(&around, &mut indices);
            for &index in &indices {
                let seen = before.is_some_and(|before| self.may_meet(index, &before));
                let Some((id, body)) = self.at_index(index).filter(|_| !seen) else { continue };
                if filter.admits(body) {
                    nearer(point, id, body, scratch, &mut best);
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
        scratch.indices = indices;
        best.filter(|best| best.distance <= limit)
    }

    /// Where to look first: as far as the scene is away, and a small part of its size beyond.
    fn first_radius(&self, point: DVec3) -> f64 {
        let here = WorldBox { low: point, high: point };
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
    scratch: &mut QueryScratch,
    best: &mut Option<ClosestHit>,
) {
    for child in body.collider.children() {
        let pose = body.collider.place(child, &body.pose);
        let local = pose.map_back(asked);
        let (distance, point, feature) = match &child.part {
            Part::Shape(shape) => {
                let found = point::signed_distance(shape, local);
                (
                    found.distance,
                    found.point,
                    PartFeature { triangle: None, feature: found.feature },
                )
            }
            Part::Mesh(part) => {
                let scratch = &mut scratch.tools.mesh;
                let found = part.mesh().closest_point(local, scratch);
                let inside = part.mode() == Mode::Solid
                    && match mesh::winding(part.mesh(), local, scratch) {
                        Winding::Surface(_) => false,
                        winding => winding.is_inside(),
                    };
                let distance = if inside { -found.distance } else { found.distance };
                let (triangle, feature) = (Some(found.triangle), found.feature);
                (distance, found.point, PartFeature { triangle, feature })
            }
        };
        let better = best.is_none_or(|best| {
            let tie = distance == best.distance && (id, child.id) < (best.body, best.child);
            distance < best.distance || tie
        });
        if better {
            let point = pose.map(point);
            *best = Some(ClosestHit { body: id, child: child.id, feature, distance, point });
        }
    }
}
