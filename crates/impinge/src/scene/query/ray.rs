//! The first body along a ray.
//!
//! The way through the scene is cut into pieces, and the bodies at each piece are asked in turn until one is hit before the piece
//! ends. Boxes of pieces follow each other along the ray, so that a body that was at an earlier piece was also at the one just before.

use super::{Filter, QueryScratch};
use crate::mesh::Mode;
use crate::scene::{Body, BodyId, Part, PartFeature, Scene, WorldBox};
use impinge_geom::glam::DVec3;
use impinge_geom::ray::{Ray, cast};

/// Where a ray meets a scene. Coordinates are those of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneHit {
    /// The body.
    pub body: BodyId,
    /// The id of its child; 0 if it is no compound.
    pub child: u32,
    /// What was hit of it.
    pub feature: PartFeature,
    /// The hit is at origin + t · direction, in units of the direction as it was given.
    pub t: f64,
    /// The point that was hit.
    pub point: DVec3,
    /// The outward unit normal there; of surfaces without an inside, the one against the ray.
    pub normal: DVec3,
    /// True if the ray leaves a solid here.
    pub inside: bool,
}

/// Into so many pieces the way through the scene is cut.
const PIECES: u32 = 16;

impl Scene {
    /// The first boundary of a body along a ray in the world; of several at the same t, that of the smallest id.
    ///
    /// ```
    /// use impinge::geom::{Shape, ray::Ray};
    /// use impinge::{Pose, scene::{Body, Filter, QueryScratch, Scene}};
    /// let mut scene = Scene::default();
    /// scene.add(Body::fixed(Shape::half_space([0.0, 0.0, 1.0], 0.0)?, Pose::IDENTITY))?;
    /// let ball = Body::moving(Shape::sphere(1.0)?, Pose::from_translation([5.0, 0.0, 2.0])?);
    /// let ball = scene.add(ball)?;
    /// let down = Ray::new([5.0, 0.0, 9.0], [0.0, 0.0, -1.0])?;
    /// let hit = scene.ray(&down, Filter::default(), &mut QueryScratch::default()).unwrap();
    /// assert_eq!((hit.body, hit.t, hit.point.z), (ball, 6.0, 3.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray(&self, ray: &Ray, filter: Filter, scratch: &mut QueryScratch) -> Option<SceneHit> {
        let mut best: Option<SceneHit> = None;
        let mut before: Option<WorldBox> = None;
        let mut indices = std::mem::take(&mut scratch.indices);
        for [start, end] in pieces(ray, &self.bounds) {
            let piece = between(ray, start, end);
            self.candidates(&piece, &mut indices);
            for &index in &indices {
                let seen = before.is_some_and(|before| self.may_meet(index, &before));
                let Some((id, body)) = self.at_index(index).filter(|_| !seen) else { continue };
                if filter.admits(body) {
                    hit_body(ray, id, body, scratch, &mut best);
                }
            }
            if best.is_some_and(|best| best.t <= end) {
                break;
            }
            before = Some(piece);
        }
        scratch.indices = indices;
        best
    }
}

/// The bounds of the pieces of a ray: up to the scene, through it, and on without an end.
fn pieces(ray: &Ray, bounds: &WorldBox) -> impl Iterator<Item = [f64; 2]> + use<> {
    let way = crossing(ray, bounds).unwrap_or([0.0, 0.0]);
    let step = (way[1] - way[0]) / f64::from(PIECES);
    let inner = (0..PIECES).map(move |k| {
        let from = way[0] + step * f64::from(k);
        [from, if k + 1 == PIECES { way[1] } else { way[0] + step * f64::from(k + 1) }]
    });
    let ends = |[from, to]: &[f64; 2]| from < to;
    [[0.0, way[0]]].into_iter().chain(inner).filter(ends).chain([[way[1], f64::INFINITY]])
}

/// Where a ray enters a box and where it leaves; none if it passes by.
fn crossing(ray: &Ray, bounds: &WorldBox) -> Option<[f64; 2]> {
    let (mut start, mut end) = (0.0f64, f64::INFINITY);
    for axis in 0..3 {
        let (from, along) = (ray.origin()[axis], ray.direction()[axis]);
        let (low, high) = (bounds.low[axis] - from, bounds.high[axis] - from);
        if along == 0.0 {
            if low > 0.0 || high < 0.0 {
                return None;
            }
            continue;
        }
        let (near, far) = if along > 0.0 { (low, high) } else { (high, low) };
        // Rounding makes pieces a little longer or shorter, never wrong: they follow each other without gaps.
        start = start.max(near / along);
        end = end.min(far / along);
    }
    (start <= end && end.is_finite()).then_some([start, end])
}

/// The box of a piece of the ray.
fn between(ray: &Ray, start: f64, end: f64) -> WorldBox {
    let (origin, direction) = (ray.origin(), ray.direction());
    let (mut low, mut high) = (DVec3::ZERO, DVec3::ZERO);
    for axis in 0..3 {
        let at = |t: f64| {
            // Nothing times without end is nothing.
            let way = if direction[axis] == 0.0 { 0.0 } else { direction[axis] * t };
            (origin[axis] + way, 1e-14 * (origin[axis].abs() + way.abs()))
        };
        let ((first, slack), (last, far_slack)) = (at(start), at(end));
        let slack = if far_slack.is_finite() { slack.max(far_slack) } else { slack };
        (low[axis], high[axis]) = (first.min(last) - slack, first.max(last) + slack);
    }
    WorldBox { low, high }
}

/// Looks whether a body is hit before the best so far.
fn hit_body(
    ray: &Ray,
    id: BodyId,
    body: &Body,
    scratch: &mut QueryScratch,
    best: &mut Option<SceneHit>,
) {
    for child in body.collider.children() {
        let pose = body.collider.place(child, &body.pose);
        let origin = pose.map_back(ray.origin()).to_array();
        let Ok(local) = Ray::new(origin, pose.turn_back(ray.direction()).to_array()) else {
            continue;
        };
        let hit = match &child.part {
            Part::Shape(shape) => cast(shape, &local).map(|hit| {
                let feature = PartFeature { triangle: None, feature: hit.feature };
                (hit.t, hit.point, hit.normal, feature, hit.inside)
            }),
            Part::Mesh(part) => part.mesh().ray(&local, &mut scratch.tools.mesh).map(|found| {
                let [a, b, c] = part.mesh().corners(found.triangle);
                let flat =
                    (b - a).cross(c - a).normalize_or(-local.direction().normalize_or(DVec3::Z));
                let solid = part.mode() == Mode::Solid && part.mesh().is_closed();
                let against = if flat.dot(local.direction()) > 0.0 { -flat } else { flat };
                let normal = if solid { flat } else { against };
                let (triangle, feature) = (Some(found.triangle), found.hit.feature);
                let inside = solid && flat.dot(local.direction()) > 0.0;
                let feature = PartFeature { triangle, feature };
                (found.hit.t, found.hit.point, normal, feature, inside)
            }),
        };
        let Some((t, point, normal, feature, inside)) = hit else { continue };
        let better = best.is_none_or(|best| {
            t < best.t || (t == best.t && (id, child.id) < (best.body, best.child))
        });
        if better {
            let (point, normal) = (pose.map(point), pose.turn(normal));
            *best = Some(SceneHit { body: id, child: child.id, feature, t, point, normal, inside });
        }
    }
}
