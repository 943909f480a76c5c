//! A vertex against a triangle, where all four points move on lines at constant speed.
//!
//! Both are coplanar at the roots of a cubic in time (X. Provot, "Collision and self-collision handling in cloth model
//! dedicated to design garments", 1997); where they are, the signs of areas decide. [`super::coplanar`] has the stages.

use super::coplanar::{self, Feature};
use glam::DVec3;

/// The first time in [0, 1] at which the vertex `p0` is in the closed triangle `p1 p2 p3`, or none if it never is.
///
/// Point i moves on a line from `start[i]` at time 0 to `end[i]` at time 1. Whether they meet is decided as if all numbers
/// were exact; degenerate triangles and motion in one plane are no exceptions. The time is never late: it is at most the
/// true one, and less than that by no more than [`EARLY`](super::EARLY).
///
/// Coordinates are finite and at most 2^250 in magnitude; if one is not, the answer is "none".
///
/// ```
/// use impinge_geom::{glam::DVec3, moving::vertex_face};
/// let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let at = |z: f64| [DVec3::new(0.25, 0.25, z), triangle[0], triangle[1], triangle[2]];
/// let t = vertex_face(&at(1.0), &at(-3.0)).unwrap();
/// assert!(t <= 0.25 && t > 0.25 - 1e-9);
/// assert_eq!(vertex_face(&at(1.0), &at(0.5)), None);
/// ```
pub fn vertex_face(start: &[DVec3; 4], end: &[DVec3; 4]) -> Option<f64> {
    // Along an axis all corners stay on one side of the vertex: comparisons are exact.
    let side = |points: &[DVec3; 4]| {
        let [p, a, b, c] = *points;
        let above = a.cmpgt(p) & b.cmpgt(p) & c.cmpgt(p);
        let below = a.cmplt(p) & b.cmplt(p) & c.cmplt(p);
        (above, below)
    };
    let ((above_start, below_start), (above_end, below_end)) = (side(start), side(end));
    if ((above_start & above_end) | (below_start & below_end)).any() {
        return None;
    }
    coplanar::first_time(Feature::VertexFace, start, end)
}
