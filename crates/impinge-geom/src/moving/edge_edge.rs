//! An edge against an edge, where all four points move on lines at constant speed.
//!
//! As for [`vertex_face`](super::vertex_face): the roots of a cubic, then the signs of areas.

use super::coplanar::{self, Feature};
use glam::DVec3;

/// The first time in [0, 1] at which the closed segments `p0 p1` and `p2 p3` meet, or none if they never do.
///
/// Point i moves on a line from `start[i]` at time 0 to `end[i]` at time 1. Whether they meet is decided as if all numbers
/// were exact; parallel edges, edges without length and motion in one plane are no exceptions. The time is never late: it
/// is at most the true one, and less than that by no more than [`EARLY`](super::EARLY).
///
/// Coordinates are finite and at most 2^250 in magnitude; if one is not, the answer is "none".
///
/// ```
/// use impinge_geom::{glam::DVec3, moving::edge_edge};
/// let at = |z: f64| [DVec3::X, DVec3::NEG_X, DVec3::new(0.0, -1.0, z), DVec3::new(0.0, 1.0, z)];
/// let t = edge_edge(&at(1.0), &at(-1.0)).unwrap();
/// assert!(t <= 0.5 && t > 0.5 - 1e-9);
/// assert_eq!(edge_edge(&at(1.0), &at(0.5)), None);
/// ```
pub fn edge_edge(start: &[DVec3; 4], end: &[DVec3; 4]) -> Option<f64> {
    // Along an axis the edges stay apart: comparisons are exact.
    let side = |points: &[DVec3; 4]| {
        let [a, b, c, d] = *points;
        (a.min(b).cmpgt(c.max(d)), a.max(b).cmplt(c.min(d)))
    };
    let ((above_start, below_start), (above_end, below_end)) = (side(start), side(end));
    if ((above_start & above_end) | (below_start & below_end)).any() {
        return None;
    }
    coplanar::first_time(Feature::EdgeEdge, start, end)
}
