//! Contact manifolds: up to four points that represent the whole contact of two bodies.
//!
//! The normal is that of the signed distance, or the normal of a face that parts the bodies just as well. Seen along it, the
//! supporting face of A and that of B (`face.rs`) are clipped by each other (`contact.rs`, `shadow.rs`); every corner of what is
//! left, lifted to both faces (`patch.rs`), is a contact point; the four that span most stay (`reduce.rs`). Every point of A and every point of B are at least
//! the signed distance apart along the normal, so no contact point is deeper than it, and where the faces do not hold the points
//! of the signed distance these are added.

mod boxes;
mod capsules;
mod contact;
mod face;
mod patch;
mod reduce;
mod shadow;

pub(super) use boxes::OverlapAxis;
pub(super) use contact::Scratch;

use super::cache::Cache;
use super::{box_box, capsule_capsule, signed_distance};
use crate::answer::{Feature, SignedDistance};
use crate::number::tolerance::{
    CONTACT_TIE, DOUBTFUL_NORMAL, FACE_COSINE, LEVEL_FACE_COSINE, NEAR_FACE_COSINE, PARALLEL_LINES,
    SAME_NORMAL,
};
use crate::pose::Pose;
use crate::shape::{Core, Shape};
use crate::support::Support;
use face::Supporting;
use glam::DVec3;

/// A contact point: a point on each surface. Coordinates are in A's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// The point on A's surface.
    pub on_a: DVec3,
    /// The point on B's surface.
    pub on_b: DVec3,
    /// Distance from `on_a` to `on_b` along the normal: positive is a gap, negative a depth.
    pub distance: f64,
    /// What meets there: a vertex and a face, two edges, and so on. The pair is unique in its manifold and stays the same under
    /// small motion, so that it can name the point from step to step. Rounded shapes have the features of their cores; rims,
    /// which are met at eight corners fixed in the body's frame, count them as surfaces with indices from 1 on.
    pub features: [Feature; 2],
}

impl ContactPoint {
    pub(super) const NONE: Self = Self {
        on_a: DVec3::ZERO,
        on_b: DVec3::ZERO,
        distance: 0.0,
        features: [Feature::SURFACE; 2],
    };

    #[inline(always)]
    fn of(found: &SignedDistance) -> Self {
        let [on_a, on_b] = found.points;
        Self { on_a, on_b, distance: found.distance, features: found.features }
    }
}

/// The contact manifold of two bodies: a normal and one to four points. See [`manifold`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalManifold {
    /// Unit vector from A towards B, in A's frame.
    pub normal: DVec3,
    pub(super) points: [ContactPoint; 4],
    pub(super) count: u32,
}

impl LocalManifold {
    /// The points, the deepest first; at least one, at most four.
    ///
    /// ```
    /// use impinge_geom::{Pose, Shape, pair};
    /// let (floor, ball) = (Shape::half_space([0.0, 0.0, 1.0], 0.0)?, Shape::sphere(1.0)?);
    /// let sunk = Pose::from_translation([3.0, 0.0, 0.75])?;
    /// let contact = pair::manifold(&floor, &ball, &sunk, 0.0, &mut pair::Cache::default()).unwrap();
    /// assert_eq!(contact.points().len(), 1);
    /// assert_eq!(contact.points()[0].distance, -0.25);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    #[inline]
    pub fn points(&self) -> &[ContactPoint] {
        &self.points[..self.count.min(4) as usize]
    }

    /// The points of the signed distance alone.
    #[inline(always)]
    pub(super) fn single(found: &SignedDistance, normal: DVec3) -> Self {
        let mut points = [ContactPoint::NONE; 4];
        points[0] = ContactPoint::of(found);
        Self { normal, points, count: 1 }
    }
}

/// The contact manifold of two shapes whose signed distance is at most `margin`: a normal and up to four points.
///
/// `None` where the shapes are farther apart than the margin, and where the depth is unbounded: two planes or half-spaces that no
/// translation separates. A face on a face gives the corners of their overlap, reduced to four (the deepest, the one farthest from it,
/// then the ones that add the largest areas); a capsule on a face or beside a parallel one gives two points; what touches with a
/// corner or a curved surface gives one. Points farther apart than the margin are left out. The deepest point comes first, and its
/// distance is the signed distance (up to 1e-7 of the size where a curved side takes part with a line). A point's distance is measured along the one normal; where a face is tilted against it and
/// the shape is rounded, `on_b - on_a` also has a small part across it.
///
/// Does not allocate once the cache has seen faces as large as these.
///
/// ```
/// use impinge_geom::{Pose, Shape, glam::DVec3, pair};
/// let table = Shape::cuboid([2.0, 2.0, 0.5])?;
/// let crate_on_it = Shape::cuboid([0.5, 0.25, 1.0])?;
/// let sunk = Pose::from_translation([1.75, 0.0, 1.4375])?;
/// let contact = pair::manifold(&table, &crate_on_it, &sunk, 0.01, &mut pair::Cache::default()).unwrap();
/// assert_eq!(contact.normal, DVec3::Z);
/// assert_eq!(contact.points().len(), 4);
/// for point in contact.points() {
///     assert_eq!((point.distance, point.on_a.z, point.on_b.z), (-0.0625, 0.5, 0.4375));
///     // The crate stands over the edge of the table.
///     assert!(point.on_a.x == 1.25 || point.on_a.x == 2.0);
/// }
/// let above = Pose::from_translation([0.0, 0.0, 1.52])?;
/// assert!(pair::manifold(&table, &crate_on_it, &above, 0.01, &mut pair::Cache::default()).is_none());
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn manifold(
    a: &Shape,
    b: &Shape,
    b_in_a: &Pose,
    margin: f64,
    cache: &mut Cache,
) -> Option<LocalManifold> {
    if let (Shape::Capsule(first), Shape::Capsule(second)) = (a, b) {
        let found = capsule_capsule::capsules(first, second, b_in_a);
        // B's axis in A's frame: its part across A's own axis is the sine of the angle between the two.
        let axis = b_in_a.rotation().z_axis;
        let parallel = axis.x * axis.x + axis.y * axis.y <= PARALLEL_LINES * PARALLEL_LINES;
        // A margin that is not a number admits nothing.
        return (found.distance <= margin).then(|| {
            if parallel {
                capsules::beside(first, second, b_in_a, margin, &found)
                    .unwrap_or_else(|| meet(a.split(), b.split(), b_in_a, margin, &found, cache))
            } else {
                LocalManifold::single(&found, found.normal)
            }
        });
    }
    if let (Shape::Cuboid(first), Shape::Cuboid(second)) = (a, b) {
        let axes = box_box::Axes::new(first, second, b_in_a);
        if axes.is_beyond(margin) {
            return None;
        }
        if let Some(axis) = axes.overlap().filter(|axis| axis.gap <= margin)
            && let Some(contact) = boxes::face_contact(first, second, b_in_a, axis, margin)
        {
            cache.warm.axis = -axis.normal;
            return Some(contact);
        }
        let found = axes.signed_distance(first, second, b_in_a, cache);
        return (found.distance <= margin)
            .then(|| meet(a.split(), b.split(), b_in_a, margin, &found, cache));
    }
    let found = signed_distance(a, b, b_in_a, cache)?;
    (found.distance <= margin).then(|| meet(a.split(), b.split(), b_in_a, margin, &found, cache))
}

/// The contact of two bodies that are close enough.
fn meet(
    a: (Core<'_>, f64),
    b: (Core<'_>, f64),
    pose: &Pose,
    margin: f64,
    found: &SignedDistance,
    cache: &mut Cache,
) -> LocalManifold {
    let (normal, supporting) = settle(a, b, pose, found);
    if supporting.iter().any(|side| matches!(side, Supporting::Point))
        || supporting.iter().all(|side| matches!(side, Supporting::Unbounded { .. }))
    {
        return LocalManifold::single(found, normal);
    }
    if let [Supporting::Line(first), Supporting::Line(second)] = &supporting
        && !first.is_parallel(second, pose)
    {
        return LocalManifold::single(found, normal);
    }
    let mut manifold = LocalManifold::single(found, normal);
    let (bodies, scratch) = ([a, b], &mut cache.contact);
    let holds = contact::between(&bodies, &supporting, pose, margin, found, scratch, &mut manifold);
    let tilted = supporting.iter().any(|side| matches!(side, Supporting::Face { .. }));
    if !tilted || (holds && manifold.count > 1) {
        return manifold;
    }
    // A face that is tilted against the normal may end where its edge touches: then the edge meets the other body.
    let level = [
        Supporting::of(&a.0, normal, LEVEL_FACE_COSINE),
        Supporting::of(&b.0, pose.inverse_rotate(-normal), LEVEL_FACE_COSINE),
    ];
    if level.iter().any(|side| matches!(side, Supporting::Point)) {
        return manifold;
    }
    let mut edges = LocalManifold::single(found, normal);
    let holds = contact::between(&bodies, &level, pose, margin, found, scratch, &mut edges);
    if holds && edges.count > 1 { edges } else { manifold }
}

/// The normal of the contact, and how the two cores support along it.
///
/// The signed distance is the largest gap, over all directions, between the slabs that hold the two bodies. Where the normal of a
/// supporting face has the same gap up to rounding it is the better normal: it does not waver where the closest points are
/// too close to each other to give a direction.
#[inline]
fn settle(
    a: (Core<'_>, f64),
    b: (Core<'_>, f64),
    pose: &Pose,
    found: &SignedDistance,
) -> (DVec3, [Supporting; 2]) {
    let ((core_a, radius_a), (core_b, radius_b)) = (a, b);
    let mut normal = found.normal;
    let distance = found.distance + radius_a + radius_b;
    let [on_a, on_b] = found.points.map(|point| point.abs());
    let size = on_a.max(on_b).max(pose.translation().abs()).max_element();
    let slack = CONTACT_TIE * size + found.uncertainty;
    let near = distance.abs() <= DOUBTFUL_NORMAL * size;
    let cosine = if near { NEAR_FACE_COSINE } else { FACE_COSINE };
    // Planes and half-spaces have the normal itself, and no slab.
    let unbounded = |core: &Core<'_>| matches!(core, Core::Plane(_) | Core::HalfSpace(_));
    let bounded = !unbounded(&core_a) && !unbounded(&core_b);
    let as_good = |face: DVec3| {
        let gap = || {
            let low =
                pose.transform_point(core_b.support(pose.inverse_rotate(-face)).point).dot(face);
            low - core_a.support(face).point.dot(face)
        };
        same(face, found.normal) || (bounded && gap() >= distance - slack)
    };
    let mut of_a = Supporting::of(&core_a, normal, cosine);
    let mut settled = false;
    if let Some(face) = of_a.face_normal().filter(|face| as_good(*face)) {
        (normal, settled) = (face, true);
    }
    let mut of_b = Supporting::of(&core_b, pose.inverse_rotate(-normal), cosine);
    if let (false, Some(face)) = (settled, of_b.face_normal().map(|face| -pose.rotate(face)))
        && as_good(face)
    {
        normal = face;
        of_a = Supporting::of(&core_a, normal, FACE_COSINE);
    }
    if near {
        of_a = Supporting::of(&core_a, normal, FACE_COSINE);
        of_b = Supporting::of(&core_b, pose.inverse_rotate(-normal), FACE_COSINE);
    }
    (normal, [of_a, of_b])
}

/// The same unit vector up to rounding.
#[inline]
fn same(first: DVec3, second: DVec3) -> bool {
    (first - second).length_squared() <= SAME_NORMAL * SAME_NORMAL
}
