//! A sphere that moves on a line, and a plane polygon, convex or not.
//!
//! The centre enters the polygon grown by the radius: two copies of the polygon, a cylinder around each edge, a ball around
//! each vertex (C. Ericson, "Real-Time Collision Detection", §5.5.6). They are looked at in that order: a hit on a copy is the first of all. Balls around reflex vertices
//! need no test: what is nearest to such a vertex is as near to one of its edges.

use super::{Times, sphere_sphere};
use glam::{DVec2, DVec3};

/// When a moving sphere is in contact with a plane polygon: the first time and the last one. Between them a polygon that is
/// not convex may be left and met again.
///
/// The corners go around the polygon in either sense. Two corners are a segment, one is a point. None if there are none.
///
/// ```
/// use impinge_geom::{glam::DVec3, moving::sphere_polygon};
/// let square = [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
/// let above = DVec3::new(0.5, 0.5, 2.0);
/// let times = sphere_polygon(above, 1.0, &square, DVec3::new(0.0, 0.0, -4.0)).unwrap();
/// assert_eq!((times.first, times.last), (0.25, 0.75));
/// ```
pub fn sphere_polygon(
    center: DVec3,
    radius: f64,
    corners: &[DVec3],
    motion: DVec3,
) -> Option<Times> {
    let normal = normal_of(corners);
    let forwards = first(center, radius, corners, normal, motion)?;
    // What is in contact at some time is so backwards, too, up to rounding.
    let backwards = first(center + motion, radius, corners, normal, -motion);
    Some(Times::both_ways(forwards, backwards.unwrap_or(1.0 - forwards)))
}

/// When a moving sphere is in contact with a triangle.
///
/// ```
/// use impinge_geom::{glam::DVec3, moving::sphere_triangle};
/// let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let times = sphere_triangle(DVec3::new(0.2, 0.2, 2.0), 1.0, &triangle, DVec3::Z * -4.0).unwrap();
/// assert_eq!((times.first, times.last), (0.25, 0.75));
/// ```
pub fn sphere_triangle(
    center: DVec3,
    radius: f64,
    triangle: &[DVec3; 3],
    motion: DVec3,
) -> Option<Times> {
    sphere_polygon(center, radius, triangle, motion)
}

/// A polygon of less area than this times the square of its size is no more than its edges: its normal would be noise.
const NO_AREA: f64 = 1e-12;

/// Twice the area of the polygon along its normal (Newell); zero if it has none.
fn normal_of(corners: &[DVec3]) -> DVec3 {
    let Some(&origin) = corners.first() else { return DVec3::ZERO };
    let normal: DVec3 =
        corners.windows(2).map(|pair| (pair[0] - origin).cross(pair[1] - origin)).sum();
    let square = corners.iter().map(|p| p.distance_squared(origin)).fold(0.0, f64::max);
    if normal.length() > NO_AREA * square { normal } else { DVec3::ZERO }
}

/// The first time of contact.
fn first(
    center: DVec3,
    radius: f64,
    corners: &[DVec3],
    normal: DVec3,
    motion: DVec3,
) -> Option<f64> {
    let &origin = corners.first()?;
    let length = normal.length();
    if length > 0.0 {
        let unit = normal / length;
        let (height, speed) = (unit.dot(center - origin), unit.dot(motion));
        let side = if height < 0.0 { -1.0 } else { 1.0 };
        let time = if height.abs() <= radius { 0.0 } else { (side * radius - height) / speed };
        if !(0.0..=1.0).contains(&time) {
            return None;
        }
        if is_inside(corners, normal, center + motion * time) {
            return Some(time);
        }
    }
    let count = corners.len();
    let mut best: Option<f64> = None;
    let mut offer = |time: Option<f64>| {
        if let Some(time) = time {
            best = Some(best.map_or(time, |old: f64| old.min(time)));
        }
    };
    for i in 0..count {
        let (before, at, after) =
            (corners[(i + count - 1) % count], corners[i], corners[(i + 1) % count]);
        offer(edge(center - at, radius, after - at, motion));
        let reflex = count > 3 && (at - before).cross(after - at).dot(normal) < 0.0;
        if !reflex {
            offer(sphere_sphere(center - at, radius, motion).map(|times| times.first));
        }
    }
    best
}

/// The first time at which the point is within the radius of the inner part of the edge from the origin; times at which
/// it is nearest to an end are those of the ends.
fn edge(point: DVec3, radius: f64, edge: DVec3, motion: DVec3) -> Option<f64> {
    let square = edge.length_squared();
    if square == 0.0 {
        return None;
    }
    let across = |v: DVec3| v - edge * (v.dot(edge) / square);
    let times = sphere_sphere(across(point), radius, across(motion))?;
    // Within the cylinder, the times at which the point is between the planes at the ends.
    let (start, speed) = (point.dot(edge), motion.dot(edge));
    let between = if speed == 0.0 {
        (0.0..=square).contains(&start).then_some(Times::ALWAYS)?
    } else {
        let (one, other) = (-start / speed, (square - start) / speed);
        Times::clipped(one.min(other), one.max(other))?
    };
    let (from, to) = (times.first.max(between.first), times.last.min(between.last));
    (from <= to).then_some(from)
}

/// Whether the projection of a point along the normal is in the polygon: an odd number of edges to the right of it.
fn is_inside(corners: &[DVec3], normal: DVec3, point: DVec3) -> bool {
    let size = normal.abs();
    let flat = |p: DVec3| {
        if size.x >= size.y && size.x >= size.z {
            DVec2::new(p.y, p.z)
        } else if size.y >= size.z {
            DVec2::new(p.z, p.x)
        } else {
            DVec2::new(p.x, p.y)
        }
    };
    // The point itself is off the plane: move it there along the normal.
    let square = normal.length_squared();
    let onto = point - normal * (normal.dot(point - corners[0]) / square);
    let p = flat(onto);
    let mut inside = false;
    for (i, &corner) in corners.iter().enumerate() {
        let (a, b) = (flat(corner), flat(corners[(i + 1) % corners.len()]));
        if (a.y > p.y) != (b.y > p.y) {
            let x = a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x);
            inside ^= p.x < x;
        }
    }
    inside
}
