//! Two convex shapes, one of which moves without turning.

use crate::convex::cast::{Arrival, cast};
use crate::convex::difference::{Body, Difference, unit_or};
use crate::number::tolerance::UNIT_ROUNDOFF;
use crate::pair::{self, Cache};
use crate::pose::Pose;
use crate::shape::{Core, Shape};
use crate::simd::{Kernel, Simd, dispatch};
use glam::DVec3;

/// The first contact of two shapes, one of which moves on a line from time 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cast {
    /// The time of contact, from 0 to 1. At all times before it the shapes are apart.
    pub time: f64,
    /// Unit vector from A towards B at that time; zero if they are in contact from the start.
    pub normal: DVec3,
    /// A point on A and one on B at that time, in A's frame.
    pub points: [DVec3; 2],
    /// The shapes are about this far apart at that time: rounding errors, and what a distance query cannot tell on curved surfaces.
    pub gap: f64,
    /// How many support points were asked for.
    pub steps: u32,
}

struct Query<'a, A: Body, B: Body> {
    difference: Difference<'a, A, B>,
    motion: DVec3,
    radius: f64,
}

impl<A: Body, B: Body> Kernel for Query<'_, A, B> {
    type Output = Option<Arrival>;
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        cast(simd, &self.difference, self.motion, self.radius)
    }
}

/// The first contact of A, which rests, and B, which moves by `motion` from its pose in A's frame; none if they stay apart.
///
/// The time is never late: at each time before it a plane separates the shapes by more than rounding errors. Shapes that
/// pass each other within rounding errors are said to meet.
///
/// ```
/// use impinge_geom::{Pose, Shape, glam::DVec3, moving};
/// let (a, b) = (Shape::cuboid([1.0; 3])?, Shape::sphere(0.5)?);
/// let pose = Pose::from_translation([4.0, 0.0, 0.0])?;
/// let hit = moving::convex(&a, &b, &pose, DVec3::new(-5.0, 0.0, 0.0)).unwrap();
/// assert!((hit.time - 0.5).abs() < 1e-12 && hit.normal == DVec3::X);
/// assert!(hit.points.iter().all(|point| point.distance(DVec3::X) < 1e-12));
/// assert!(moving::convex(&a, &b, &pose, DVec3::new(0.0, 9.0, 0.0)).is_none());
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn convex(a: &Shape, b: &Shape, b_in_a: &Pose, motion: DVec3) -> Option<Cast> {
    let ((core_a, radius_a), (core_b, radius_b)) = (a.split(), b.split());
    let unbounded = |core: &Core<'_>| matches!(core, Core::Plane(_) | Core::HalfSpace(_));
    if unbounded(&core_a) || unbounded(&core_b) {
        return against_plane(a, b, b_in_a, motion);
    }
    let radius = radius_a + radius_b;
    let arrival = match (core_a, core_b) {
        (Core::Hull(a), Core::Hull(b)) => {
            dispatch(Query { difference: Difference::new(a, b, b_in_a), motion, radius })
        }
        (Core::Cuboid(a), Core::Cuboid(b)) => {
            dispatch(Query { difference: Difference::new(a, b, b_in_a), motion, radius })
        }
        (a, b) => dispatch(Query { difference: Difference::new(a, b, b_in_a), motion, radius }),
    }?;
    let normal = unit_or(arrival.direction, DVec3::ZERO);
    let [on_a, on_b] = arrival.points;
    let points = [on_a + normal * radius_a, on_b + motion * arrival.time - normal * radius_b];
    let gap = (arrival.gap - radius).max(0.0);
    let found = Cast { time: arrival.time, normal, points, gap, steps: arrival.steps };
    if arrival.arrived { Some(found) } else { finished(found, (a, b, b_in_a), motion) }
}

/// Distances that are asked for where the search stalled, at most. Near smooth surfaces each step squares what is left; the time is right, if early, wherever
/// it ends.
const FINISHING: u32 = 64;

/// Goes on where the search stalled, as it does on curved surfaces, whose support points crowd together near the contact, and with corners in one plane: a
/// distance query has a normal of full precision, and along it the way to the contact is linear in time.
#[cold]
fn finished(found: Cast, (a, b, b_in_a): (&Shape, &Shape, &Pose), motion: DVec3) -> Option<Cast> {
    let (mut cast, mut cache) = (found, Cache::default());
    for _ in 0..FINISHING {
        let moved = b_in_a.translation() + motion * cast.time;
        let pose = Pose::from_parts(b_in_a.rotation(), moved);
        let found = pair::distance(a, b, &pose, &mut cache);
        let (gap, steps) = (found.distance.max(0.0), cast.steps + 1);
        let room = found.distance - found.uncertainty;
        let rounding =
            4.0 * UNIT_ROUNDOFF * (moved.abs().max_element() + motion.abs().max_element());
        cast = Cast { gap, steps, ..cast };
        if room <= rounding || room.is_nan() {
            break;
        }
        let speed = -found.normal.dot(motion);
        if speed <= 0.0 || cast.time + room / speed > 1.0 {
            return None;
        }
        let time = cast.time + room / speed;
        if time == cast.time {
            break;
        }
        let points = [found.points[0], found.points[1] + motion * (time - cast.time)];
        cast = Cast { time, normal: found.normal, points, gap, steps };
    }
    Some(cast)
}

/// Along the normal of a plane the distance is linear in time.
fn against_plane(a: &Shape, b: &Shape, b_in_a: &Pose, motion: DVec3) -> Option<Cast> {
    let at = |time: f64, normal: DVec3, points| Cast { time, normal, points, gap: 0.0, steps: 0 };
    let resting = |points: [DVec3; 2]| at(0.0, DVec3::ZERO, points);
    // Two unbounded shapes that meet have no depth.
    let Some(start) = pair::signed_distance(a, b, b_in_a, &mut Cache::default()) else {
        return Some(resting([b_in_a.translation(); 2]));
    };
    if start.distance <= 0.0 {
        return Some(resting(start.points));
    }
    let speed = -start.normal.dot(motion);
    if speed <= 0.0 || start.distance > speed {
        return None;
    }
    let time = start.distance / speed;
    Some(at(time, start.normal, [start.points[1] + motion * time; 2]))
}
