//! Every shape against every shape: overlap, verdict, distance, penetration.
//!
//! A shape is a core swept by a ball ([`Shape::split`]), so pairs are decided between cores and the radii are added at the end.
//! The file of a pair is named after it; what has no file of its own goes through `convex_convex`:
//!
//! | A \ B | file |
//! |---|---|
//! | sphere (a point with a radius) against anything | `sphere_any` |
//! | capsule/capsule, segment/segment | `capsule_capsule` |
//! | tapered capsule/tapered capsule, capsule, segment | `tapered_capsule_capsule` |
//! | tapered capsule against anything, where one of its ends decides | `tapered_capsule_any` |
//! | capsule/box, segment/box | `capsule_box` |
//! | box/box | [`box_box`] |
//! | hull/hull by separating axes, beside GJK and EPA | [`hull_hull`] |
//! | triangle/triangle | `triangle_triangle` |
//! | plane or half-space against anything | `plane_any` |
//! | depth of cylinders, cones, tapered capsules, segments and round ellipsoids with parallel axes | `revolved` |
//! | all other convex pairs | `convex_convex`, within rounding of contact `near` |
//! | the one number behind all questions where a curved shape takes part | `curved` |
//! | pairs so small that products of their coordinates vanish | `rescaled`, then as above |
//!
//! [`manifold`] turns any of them into contact points. All functions take B's pose in A and answer in A's frame. The caller owns the [`Cache`].

pub mod box_box;
mod cache;
mod capsule_box;
mod capsule_capsule;
mod clip;
mod convex_convex;
mod curved;
mod feature;
pub mod hull_hull;
mod manifold;
mod near;
mod plane_any;
mod rescaled;
mod revolved;
mod short_gap;
mod sphere_any;
mod tapered_capsule_any;
mod tapered_capsule_capsule;
mod triangle_triangle;

pub use cache::{Cache, WarmStart};
pub use manifold::{ContactPoint, LocalManifold, manifold};

pub(crate) use plane_any::{is_exact, is_parallel};

use crate::answer::{Feature, SignedDistance, Verdict};
use crate::contained::contained;
use crate::convex::exact::Origin;
use crate::number::tolerance::touching_band;
use crate::pose::Pose;
use crate::shape::{Core, Shape};
use glam::DVec3;
use rescaled::{enlarged, reduced};
use tapered_capsule_any::Deepest;
use tapered_capsule_capsule::{balls, points};

/// The signed distance of two shapes: positive is the gap, negative the penetration depth. It is continuous through contact.
///
/// `None` where the depth is unbounded: two planes or half-spaces that no translation separates.
///
/// ```
/// use impinge_geom::{Pose, Shape, pair};
/// let block = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let ball = Shape::sphere(2.0)?;
/// let above = Pose::from_translation([0.0, 0.0, 5.0])?;
/// let answer = pair::signed_distance(&block, &ball, &above, &mut pair::Cache::default()).unwrap();
/// assert_eq!(answer.distance, 2.0);
/// assert_eq!(answer.points[1].z, 3.0);
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn signed_distance(
    a: &Shape,
    b: &Shape,
    b_in_a: &Pose,
    cache: &mut Cache,
) -> Option<SignedDistance> {
    if let (Shape::Capsule(a), Shape::Capsule(b)) = (a, b)
        && a.radius() + b.radius() > 0.0
    {
        return Some(capsule_capsule::capsules(a, b, b_in_a));
    }
    if let Some(larger) = enlarged(a, b, b_in_a) {
        return larger.ask(signed_distance, cache).map(reduced);
    }
    let (swept_a, swept_b) = (a.split(), b.split());
    let (core_a, core_b) = (swept_a.0, swept_b.0);
    let core = if has_closed_form(&core_a, &core_b) || are_polytopes(&swept_a, &swept_b) {
        core_signed_distance(core_a, core_b, b_in_a, cache)?
    } else {
        let band = || touching_band(scale(a, b, b_in_a));
        curved::searched(swept_a, swept_b, b_in_a, band, cache)?
    };
    Some(swept(core, swept_a, swept_b))
}

/// The distance of two shapes, zero where they meet; the points are then one common point, and the normal is arbitrary.
///
/// Faster than [`signed_distance`] on overlapping pairs, because it does not compute the depth.
///
/// ```
/// use impinge_geom::{Pose, Shape, pair};
/// let block = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let beside = Pose::from_translation([2.5, 0.0, 0.0])?;
/// let inside = Pose::from_translation([0.5, 0.0, 0.0])?;
/// let mut cache = pair::Cache::default();
/// assert_eq!(pair::distance(&block, &block, &beside, &mut cache).distance, 0.5);
/// assert_eq!(pair::distance(&block, &block, &inside, &mut cache).distance, 0.0);
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn distance(a: &Shape, b: &Shape, b_in_a: &Pose, cache: &mut Cache) -> SignedDistance {
    if let (Shape::Capsule(a), Shape::Capsule(b)) = (a, b)
        && a.radius() + b.radius() > 0.0
    {
        let core = capsule_capsule::signed_distance(&a.core(), &b.core(), b_in_a);
        let answer = capsule_capsule::swept(&core, a, b);
        let apart = answer.distance > 0.0;
        return if apart { answer } else { met(answer, &core, a.radius(), b.radius()) };
    }
    if let (Shape::Hull(a), Shape::Hull(b)) = (a, b) {
        return convex_convex::distance(a.as_ref(), b.as_ref(), b_in_a, cache);
    }
    if let Some(larger) = enlarged(a, b, b_in_a) {
        return reduced(larger.ask(distance, cache));
    }
    let ((core_a, radius_a), (core_b, radius_b)) = (a.split(), b.split());
    let core = match (core_a, core_b) {
        (Core::Hull(a), Core::Hull(b)) => convex_convex::distance(a, b, b_in_a, cache),
        (Core::Cuboid(a), Core::Cuboid(b)) => box_box::distance(a, b, b_in_a, cache),
        _ if has_closed_form(&core_a, &core_b) => {
            match core_signed_distance(core_a, core_b, b_in_a, cache) {
                Some(core) if core.distance > 0.0 => core,
                found => common_point(core_a, core_b, b_in_a, found, cache),
            }
        }
        _ => convex_convex::distance(core_a, core_b, b_in_a, cache),
    };
    let answer = swept(core, (core_a, radius_a), (core_b, radius_b));
    if answer.distance > 0.0 { answer } else { met(answer, &core, radius_a, radius_b) }
}

/// The answer for bodies that meet, from the one for their cores, whose points are a common point or the closest ones.
///
/// On the segment between the closest points of the cores lies a point within the one radius of its one end and within the
/// other of its other end; the one as far from both surfaces is taken, if it is on the segment.
#[inline]
fn met(
    answer: SignedDistance,
    core: &SignedDistance,
    radius_a: f64,
    radius_b: f64,
) -> SignedDistance {
    let [p, q] = core.points;
    let point = if core.distance > 0.0 {
        let along = 0.5 * (radius_a - radius_b + core.distance);
        p + core.normal * along.max(0.0).min(core.distance)
    } else {
        p + (q - p) * 0.5
    };
    SignedDistance { distance: 0.0, uncertainty: 0.0, points: [point; 2], ..answer }
}

/// Distance zero and a point of both cores, where the signed distance has a closed form and is not positive.
#[cold]
fn common_point(
    a: Core<'_>,
    b: Core<'_>,
    pose: &Pose,
    found: Option<SignedDistance>,
    cache: &mut Cache,
) -> SignedDistance {
    let point = match (a, b) {
        (Core::Plane(_) | Core::HalfSpace(_), _) | (_, Core::Plane(_) | Core::HalfSpace(_)) => {
            return plane_any::common_point(&a, &b, pose);
        }
        (Core::Point, _) => DVec3::ZERO,
        (_, Core::Point) => pose.translation(),
        _ => return convex_convex::distance(a, b, pose, cache),
    };
    let found = found.unwrap_or_else(|| convex_convex::distance(a, b, pose, cache));
    SignedDistance { distance: 0.0, uncertainty: 0.0, points: [point; 2], ..found }
}

/// The penetration depth of two shapes; `None` where they are apart, or where the depth is unbounded.
///
/// The answer is that of [`signed_distance`], zero for shapes that touch; separated pairs cost less, because the gap is
/// not computed.
///
/// ```
/// use impinge_geom::{Pose, Shape, pair};
/// let (block, rod) = (Shape::cuboid([1.0, 1.0, 1.0])?, Shape::cylinder(0.5, 2.0)?);
/// let mut cache = pair::Cache::default();
/// let beside = Pose::from_translation([1.25, 0.0, 0.0])?;
/// let depth = -pair::penetration(&block, &rod, &beside, &mut cache).unwrap().distance;
/// assert!((depth - 0.25).abs() < 1e-12);
/// assert!(pair::penetration(&block, &rod, &Pose::from_translation([2.0, 0.0, 0.0])?, &mut cache).is_none());
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn penetration(
    a: &Shape,
    b: &Shape,
    b_in_a: &Pose,
    cache: &mut Cache,
) -> Option<SignedDistance> {
    match (a, b) {
        (Shape::Hull(a), Shape::Hull(b)) => {
            convex_convex::penetration(a.as_ref(), b.as_ref(), b_in_a, cache)
        }
        (Shape::Cuboid(a), Shape::Cuboid(b)) => box_box::penetration(a, b, b_in_a, cache),
        _ => {
            if let Some(larger) = enlarged(a, b, b_in_a) {
                return larger.ask(penetration, cache).map(reduced);
            }
            let (swept_a, swept_b) = (a.split(), b.split());
            let closed = has_closed_form(&swept_a.0, &swept_b.0);
            if !closed && !are_polytopes(&swept_a, &swept_b) {
                let (position, core) = curved::position(a, b, b_in_a, cache);
                let core = core.filter(|_| position != Origin::Outside)?;
                return Some(swept(core, swept_a, swept_b));
            }
            let meets = closed || overlap(a, b, b_in_a, cache);
            let answer = if meets { signed_distance(a, b, b_in_a, cache)? } else { return None };
            // A gap within the touching band is no gap.
            let apart = answer.distance > 0.0 && !overlap(a, b, b_in_a, cache);
            (!apart).then_some(answer)
        }
    }
}

/// Whether two shapes have a common point: the cheapest query. Touching counts.
///
/// ```
/// use impinge_geom::{Pose, Shape, pair};
/// let block = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let mut cache = pair::Cache::default();
/// assert!(pair::overlap(&block, &block, &Pose::from_translation([2.0, 0.0, 0.0])?, &mut cache));
/// assert!(!pair::overlap(&block, &block, &Pose::from_translation([2.0f64.next_up(), 0.0, 0.0])?, &mut cache));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn overlap(a: &Shape, b: &Shape, b_in_a: &Pose, cache: &mut Cache) -> bool {
    match (a, b) {
        (Shape::Hull(a), Shape::Hull(b)) => {
            convex_convex::within(a.as_ref(), b.as_ref(), b_in_a, 0.0, cache)
        }
        (Shape::Cuboid(a), Shape::Cuboid(b)) => {
            box_box::position(a, b, b_in_a, cache) != Origin::Outside
        }
        (Shape::Capsule(first), Shape::Capsule(second))
            if first.radius() + second.radius() > 0.0 =>
        {
            let gap = capsule_capsule::capsules(first, second, b_in_a).distance;
            gap <= 0.0 || gap <= touching_band(scale(a, b, b_in_a))
        }
        _ => match enlarged(a, b, b_in_a) {
            Some(larger) => larger.ask(overlap, cache),
            None => position(a, b, b_in_a, cache) != Origin::Outside,
        },
    }
}

/// How two shapes relate. Exact between polytopes; where a curved shape takes part, touching means that the
/// signed distance is within [`TOUCHING`](crate::number::tolerance::TOUCHING) times the largest coordinate or size.
///
/// ```
/// use impinge_geom::{Inside, Pose, Shape, Verdict, pair};
/// let block = Shape::cuboid([1.0, 1.0, 1.0])?;
/// let cache = &mut pair::Cache::default();
/// let at = |x| Pose::from_translation([x, 0.0, 0.0]);
/// assert_eq!(pair::verdict(&block, &block, &at(2.5)?, cache), Verdict::Separated);
/// assert_eq!(pair::verdict(&block, &block, &at(2.0)?, cache), Verdict::Touching);
/// assert_eq!(pair::verdict(&block, &block, &at(1.5)?, cache), Verdict::Penetrating);
/// let small = Shape::sphere(0.5)?;
/// assert_eq!(pair::verdict(&block, &small, &at(0.5)?, cache), Verdict::Contained(Inside::B));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn verdict(a: &Shape, b: &Shape, b_in_a: &Pose, cache: &mut Cache) -> Verdict {
    if let Some(larger) = enlarged(a, b, b_in_a) {
        return larger.ask(verdict, cache);
    }
    match position(a, b, b_in_a, cache) {
        Origin::Outside => Verdict::Separated,
        meeting => match contained(a, b, b_in_a) {
            Some(inside) => Verdict::Contained(inside),
            None if meeting == Origin::Boundary => Verdict::Touching,
            None => Verdict::Penetrating,
        },
    }
}

/// The answer for cores swept by their radii. Balls and capsules are curved all over; what else is rounded keeps the names of
/// its core's features.
fn swept(core: SignedDistance, a: (Core<'_>, f64), b: (Core<'_>, f64)) -> SignedDistance {
    if a.1 == 0.0 && b.1 == 0.0 {
        return core;
    }
    let mut answer = core.inflated(a.1, b.1);
    for (feature, (core, radius)) in answer.features.iter_mut().zip([a, b]) {
        if radius > 0.0 && matches!(core, Core::Point | Core::Segment(_)) {
            *feature = Feature::SURFACE;
        }
    }
    answer
}

/// Polytopes without radii, which are decided exactly.
#[inline(always)]
fn are_polytopes(a: &(Core<'_>, f64), b: &(Core<'_>, f64)) -> bool {
    a.1 + b.1 == 0.0 && a.0.is_polytope() && b.0.is_polytope()
}

/// The position of the origin relative to the difference of two shapes.
fn position(a: &Shape, b: &Shape, b_in_a: &Pose, cache: &mut Cache) -> Origin {
    let (swept_a, swept_b) = (a.split(), b.split());
    if are_polytopes(&swept_a, &swept_b) {
        let (core_a, core_b) = (swept_a.0, swept_b.0);
        return match (core_a, core_b) {
            (Core::Triangle(a), Core::Triangle(b)) => triangle_triangle::position(a, b, b_in_a),
            (Core::Cuboid(a), Core::Cuboid(b)) => box_box::position(a, b, b_in_a, cache),
            (Core::Hull(a), Core::Hull(b)) => convex_convex::position(a, b, b_in_a, cache),
            _ => convex_convex::position(core_a, core_b, b_in_a, cache),
        };
    }
    curved::position(a, b, b_in_a, cache).0
}

/// The largest coordinate or size that takes part, planes and half-spaces by their offsets.
pub(crate) fn scale(a: &Shape, b: &Shape, b_in_a: &Pose) -> f64 {
    let size = |shape: &Shape| match shape.split() {
        (Core::Plane(core), radius) => core.offset().abs().max(radius),
        (Core::HalfSpace(core), radius) => core.offset().abs().max(radius),
        _ => shape.bounding_radius(),
    };
    size(a).max(size(b)).max(b_in_a.translation().abs().max_element())
}

/// The signed distance of two cores; `None` where the depth is unbounded.
fn core_signed_distance(
    a: Core<'_>,
    b: Core<'_>,
    pose: &Pose,
    cache: &mut Cache,
) -> Option<SignedDistance> {
    Some(match (a, b) {
        (Core::Plane(_) | Core::HalfSpace(_), _) | (_, Core::Plane(_) | Core::HalfSpace(_)) => {
            return plane_any::signed_distance(&a, &b, pose);
        }
        (core, Core::Point) => settled(sphere_any::any_point(&core, pose), &a, &b, pose, cache),
        (Core::Point, core) => settled(sphere_any::point_any(&core, pose), &a, &b, pose, cache),
        (Core::Segment(first), Core::Segment(second)) => {
            let answer = capsule_capsule::signed_distance(&first, &second, pose);
            settled(answer, &a, &b, pose, cache)
        }
        (Core::Segment(segment), Core::Cuboid(cuboid)) => {
            capsule_box::segment_box(&segment, cuboid, pose, cache)
        }
        (Core::Cuboid(cuboid), Core::Segment(segment)) => {
            capsule_box::box_segment(cuboid, &segment, pose, cache)
        }
        (Core::TaperedCapsule(a), Core::TaperedCapsule(b)) => {
            tapered_capsule_capsule::signed_distance(&balls(a), &balls(b), pose)
        }
        (Core::TaperedCapsule(a), Core::Segment(b)) => {
            tapered_capsule_capsule::signed_distance(&balls(a), &points(&b), pose)
        }
        (Core::Segment(a), Core::TaperedCapsule(b)) => {
            tapered_capsule_capsule::signed_distance(&points(&a), &balls(b), pose)
        }
        (Core::Cuboid(a), Core::Cuboid(b)) => box_box::signed_distance(a, b, pose, cache),
        (Core::Triangle(a), Core::Triangle(b)) => {
            triangle_triangle::signed_distance(a, b, pose, cache)
        }
        (Core::Hull(a), Core::Hull(b)) => convex_convex::signed_distance(a, b, pose, cache),
        (
            Core::Segment(_)
            | Core::Triangle(_)
            | Core::Cuboid(_)
            | Core::Cylinder(_)
            | Core::Cone(_)
            | Core::Ellipsoid(_)
            | Core::TaperedCapsule(_)
            | Core::Hull(_)
            | Core::Custom(_),
            _,
        ) => {
            let deepest = Deepest::of(&a, &b, pose);
            let decided = deepest.as_ref().and_then(|deepest| deepest.decided(&a, &b, pose));
            if decided.is_some() {
                return decided;
            }
            match (revolved::signed_distance(&a, &b, pose), deepest) {
                (Some(answer), _) if answer.distance < -answer.uncertainty => answer,
                (_, Some(deepest)) => deepest.searched(a, b, pose, cache),
                (_, None) => convex_convex::signed_distance(a, b, pose, cache),
            }
        }
    })
}

/// The closed forms of polytopes are right up to rounding; where that leaves the sign in doubt, it is decided exactly.
#[inline]
fn settled(
    answer: SignedDistance,
    a: &Core<'_>,
    b: &Core<'_>,
    pose: &Pose,
    cache: &mut Cache,
) -> SignedDistance {
    let size = |p: DVec3| p.abs().max_element();
    let extent = |core: &Core<'_>| match core {
        Core::Segment(core) => core.points().map(size).into_iter().fold(0.0, f64::max),
        Core::Triangle(core) => core.points().map(size).into_iter().fold(0.0, f64::max),
        Core::Cuboid(core) => size(core.half()),
        Core::Hull(core) => core.bounding_radius(),
        _ => 0.0,
    };
    let scale = extent(a).max(extent(b)).max(size(pose.translation()));
    if answer.distance.abs() > DOUBTFUL * scale || !(a.is_polytope() && b.is_polytope()) {
        return answer;
    }
    let distance = match convex_convex::exact_position(*a, *b, pose, cache) {
        Some(Origin::Outside) => answer.distance.max(f64::MIN_POSITIVE),
        Some(Origin::Interior) => answer.distance.min(-f64::MIN_POSITIVE),
        _ => 0.0,
    };
    SignedDistance { distance, ..answer }
}

/// Distances of polytopes within this times the coordinates are decided exactly.
const DOUBTFUL: f64 = 1e-13;

/// True for the pairs whose signed distance does not need GJK: it is then as cheap as the plain distance.
fn has_closed_form(a: &Core<'_>, b: &Core<'_>) -> bool {
    matches!(a, Core::Point | Core::Plane(_) | Core::HalfSpace(_))
        || matches!(b, Core::Point | Core::Plane(_) | Core::HalfSpace(_))
        || matches!(
            (a, b),
            (Core::Segment(_), Core::Segment(_) | Core::Cuboid(_))
                | (Core::Cuboid(_), Core::Segment(_))
                | (Core::TaperedCapsule(_), Core::Segment(_) | Core::TaperedCapsule(_))
                | (Core::Segment(_), Core::TaperedCapsule(_))
        )
}
