//! Moving separating axes: along each axis two intervals, one of which moves; contact is where all of them overlap.
//!
//! P. Schneider, D. Eberly, "Geometric Tools for Computer Graphics", §11.11; C. Ericson, "Real-Time Collision Detection",
//! §5.5.8. Each axis cuts away the times before and after its overlap; if nothing is left there is no contact.

use super::{Times, convex};
use crate::pose::Pose;
use crate::shape::{Cuboid, Shape};
use glam::DVec3;

/// The times that are left.
struct Sweep {
    times: Times,
    motion: DVec3,
}

/// A centre and half the extent of a body along an axis, or points.
trait Extent {
    fn along(&self, axis: DVec3) -> (f64, f64);
}

impl Extent for [DVec3; 3] {
    fn along(&self, axis: DVec3) -> (f64, f64) {
        let [a, b, c] = self.map(|p| p.dot(axis));
        (a.min(b).min(c), a.max(b).max(c))
    }
}

/// A box as its centre and three half edges.
struct Solid {
    center: DVec3,
    edges: [DVec3; 3],
}

impl Solid {
    fn new(cuboid: &Cuboid, pose: &Pose) -> Self {
        let half = cuboid.half();
        let edges = [DVec3::X * half.x, DVec3::Y * half.y, DVec3::Z * half.z];
        Self { center: pose.transform_point(DVec3::ZERO), edges: edges.map(|e| pose.rotate(e)) }
    }
}

impl Extent for Solid {
    fn along(&self, axis: DVec3) -> (f64, f64) {
        let center = self.center.dot(axis);
        let reach: f64 = self.edges.iter().map(|edge| edge.dot(axis).abs()).sum();
        (center - reach, center + reach)
    }
}

impl Sweep {
    fn new(motion: DVec3) -> Self {
        Self { times: Times::ALWAYS, motion }
    }

    /// Takes in one axis; none if no time is left. An axis that is zero says nothing.
    fn axis(&mut self, axis: DVec3, a: &impl Extent, b: &impl Extent) -> Option<()> {
        let ((low_a, high_a), (low_b, high_b)) = (a.along(axis), b.along(axis));
        let speed = axis.dot(self.motion);
        // Overlap where low_b + speed t ≤ high_a and high_b + speed t ≥ low_a.
        let (to_high, to_low) = (high_a - low_b, low_a - high_b);
        if speed == 0.0 {
            return (to_high >= 0.0 && to_low <= 0.0).then_some(());
        }
        let (one, other) = (to_low / speed, to_high / speed);
        self.times.first = self.times.first.max(one.min(other));
        self.times.last = self.times.last.min(one.max(other));
        (self.times.first <= self.times.last).then_some(())
    }
}

/// When two boxes are in contact, the second of which moves by `motion` from its pose in the frame of the first.
///
/// ```
/// use impinge_geom::{Pose, glam::DVec3, moving::box_box, shape::Cuboid};
/// let cube = Cuboid::new([1.0; 3])?;
/// let pose = Pose::from_translation([4.0, 0.0, 0.0])?;
/// let times = box_box(&cube, &cube, &pose, DVec3::new(-8.0, 0.0, 0.0)).unwrap();
/// assert_eq!((times.first, times.last), (0.25, 0.75));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn box_box(a: &Cuboid, b: &Cuboid, b_in_a: &Pose, motion: DVec3) -> Option<Times> {
    let (a, b) = (Solid::new(a, &Pose::IDENTITY), Solid::new(b, b_in_a));
    let axes_b = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| b_in_a.rotate(axis));
    let axes_a = [DVec3::X, DVec3::Y, DVec3::Z];
    let mut sweep = Sweep::new(motion);
    for axis in axes_a.into_iter().chain(axes_b) {
        sweep.axis(axis, &a, &b)?;
    }
    for first in axes_a {
        for second in axes_b {
            sweep.axis(first.cross(second), &a, &b)?;
        }
    }
    Some(sweep.times)
}

/// When a triangle that moves by `motion` is in contact with a box around the origin.
///
/// ```
/// use impinge_geom::{glam::DVec3, moving::triangle_box, shape::Cuboid};
/// let triangle = [DVec3::new(3.0, 0.0, 0.0), DVec3::new(5.0, 1.0, 0.0), DVec3::new(5.0, -1.0, 0.0)];
/// let times = triangle_box(&triangle, &Cuboid::new([1.0; 3])?, DVec3::new(-4.0, 0.0, 0.0)).unwrap();
/// assert_eq!((times.first, times.last), (0.5, 1.0));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
pub fn triangle_box(triangle: &[DVec3; 3], cuboid: &Cuboid, motion: DVec3) -> Option<Times> {
    let solid = Solid::new(cuboid, &Pose::IDENTITY);
    let [a, b, c] = *triangle;
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let mut sweep = Sweep::new(motion);
    for axis in axes.into_iter().chain([(b - a).cross(c - a)]) {
        sweep.axis(axis, &solid, triangle)?;
    }
    for edge in [b - a, c - b, a - c] {
        for axis in axes {
            sweep.axis(edge.cross(axis), &solid, triangle)?;
        }
    }
    Some(sweep.times)
}

/// A triangle this thin, its height over its longest edge, has no normal to speak of: the axes above do not part it from what it misses.
const THIN: f64 = 1e-7;

/// Segments and points as triangles: cast forwards, and backwards in time.
#[cold]
fn thin_triangles(a: &[DVec3; 3], b: &[DVec3; 3], motion: DVec3) -> Option<Times> {
    let shape = |t: &[DVec3; 3]| Shape::triangle(t.map(|p| p.to_array())).ok();
    let (a, b) = (shape(a)?, shape(b)?);
    let forwards = convex(&a, &b, &Pose::IDENTITY, motion)?.time;
    let end = Pose::from_translation(motion).ok()?;
    let backwards = convex(&a, &b, &end, -motion).map(|cast| cast.time);
    Some(Times::both_ways(forwards, backwards.unwrap_or(1.0 - forwards)))
}

/// When two triangles are in contact, the second of which moves by `motion` without turning.
///
/// ```
/// use impinge_geom::{glam::DVec3, moving::triangle_triangle};
/// let a = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let b = a.map(|p| p + DVec3::Z);
/// let times = triangle_triangle(&a, &b, DVec3::Z * -2.0).unwrap();
/// assert_eq!((times.first, times.last), (0.5, 0.5));
/// ```
pub fn triangle_triangle(a: &[DVec3; 3], b: &[DVec3; 3], motion: DVec3) -> Option<Times> {
    let edges = |t: &[DVec3; 3]| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let (edges_a, edges_b) = (edges(a), edges(b));
    let normals = [edges_a[0].cross(edges_a[1]), edges_b[0].cross(edges_b[1])];
    let is_thin = |normal: DVec3, edges: &[DVec3; 3]| {
        let longest = edges.iter().map(|edge| edge.length_squared()).fold(0.0, f64::max);
        normal.length() <= THIN * longest
    };
    if is_thin(normals[0], &edges_a) || is_thin(normals[1], &edges_b) {
        return thin_triangles(a, b, motion);
    }
    let mut sweep = Sweep::new(motion);
    for axis in normals {
        sweep.axis(axis, a, b)?;
    }
    for first in edges_a {
        for second in edges_b {
            sweep.axis(first.cross(second), a, b)?;
        }
    }
    // Triangles in parallel planes are parted along a normal of an edge within the plane.
    for (normal, edges) in normals.into_iter().zip([edges_a, edges_b]) {
        for edge in edges {
            sweep.axis(normal.cross(edge), a, b)?;
        }
    }
    Some(sweep.times)
}
