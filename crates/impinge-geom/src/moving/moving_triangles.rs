//! Two triangles whose six corners move on lines, each on its own.
//!
//! Two ways, compared in the tests and the soak: exactly, by the six vertex–face and nine edge–edge pairs; and by
//! advancement along separating directions, after the outer loop of bilateral advancement (E. Catto, "Continuous Collision",
//! GDC 2013): along the direction of the closest points the gap is a concave function of time, the least of nine linear
//! ones, so that its first zero is known at once and no root finder is needed; there the next direction is taken. The
//! direction stays fixed in the world, so near a contact it converges linearly.

use super::{edge_edge, vertex_face};
use crate::number::tolerance::UNIT_ROUNDOFF;
use crate::triangle::{self, TriangleVerdict};
use glam::DVec3;

/// A triangle at time 0 and at time 1.
pub type MovingTriangle = [[DVec3; 3]; 2];

/// The first time in [0, 1] at which two triangles with moving corners meet; none if they never do.
///
/// Exact as [`vertex_face`] and [`edge_edge`] are, and never late.
///
/// ```
/// use impinge_geom::{glam::DVec3, moving::moving_triangles};
/// let a = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let at = |z: f64| a.map(|p| p + DVec3::new(0.1, 0.1, z));
/// let time = moving_triangles(&[a, a], &[at(1.0), at(-1.0)]).unwrap();
/// assert!(time <= 0.5 && time > 0.5 - 1e-9);
/// ```
pub fn moving_triangles(a: &MovingTriangle, b: &MovingTriangle) -> Option<f64> {
    if triangle::verdict(&a[0], &b[0]) != TriangleVerdict::Separated {
        return Some(0.0);
    }
    let mut first: Option<f64> = None;
    let mut offer = |time: Option<f64>| {
        if let Some(time) = time {
            first = Some(first.map_or(time, |old: f64| old.min(time)));
        }
    };
    for i in 0..3 {
        let face = |v: &MovingTriangle, t: &MovingTriangle, at: usize| {
            [v[at][i], t[at][0], t[at][1], t[at][2]]
        };
        offer(vertex_face(&face(a, b, 0), &face(a, b, 1)));
        offer(vertex_face(&face(b, a, 0), &face(b, a, 1)));
        for j in 0..3 {
            let edges = |at: usize| [a[at][i], a[at][(i + 1) % 3], b[at][j], b[at][(j + 1) % 3]];
            offer(edge_edge(&edges(0), &edges(1)));
        }
    }
    first
}

/// What advancement found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleAdvance {
    /// The triangles are apart at all times before this one, up to rounding.
    pub time: f64,
    /// They are this far apart then: at most the tolerance, unless the steps ran out.
    pub gap: f64,
    /// How many distances were computed.
    pub steps: u32,
}

/// Steps of an advancement, at most.
const STEPS: u32 = 64;

/// Like [`moving_triangles`], by advancement, until the gap is at most `tolerance` (a length, in the unit of the coordinates; what
/// f64 does not resolve is raised). None if the triangles stay apart.
///
/// ```
/// use impinge_geom::{glam::DVec3, moving::advanced_triangles};
/// let a = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let at = |z: f64| a.map(|p| p + DVec3::new(0.1, 0.1, z));
/// let found = advanced_triangles(&[a, a], &[at(1.0), at(-1.0)], 1e-9).unwrap();
/// assert!((found.time - 0.5).abs() < 1e-9);
/// ```
pub fn advanced_triangles(
    a: &MovingTriangle,
    b: &MovingTriangle,
    tolerance: f64,
) -> Option<TriangleAdvance> {
    let points = a.iter().chain(b).flatten();
    let scale = points.fold(0.0f64, |m, p| m.max(p.abs().max_element()));
    let tolerance = tolerance.max(64.0 * UNIT_ROUNDOFF * scale);
    let target = 0.25 * tolerance;
    let at =
        |t: &MovingTriangle, time: f64| [0, 1, 2].map(|i| t[0][i] * (1.0 - time) + t[1][i] * time);
    let mut time = 0.0;
    for step in 1..=STEPS {
        let (now_a, now_b) = (at(a, time), at(b, time));
        let found = triangle::distance(&now_a, &now_b);
        if found.distance <= tolerance {
            return Some(TriangleAdvance { time, gap: found.distance, steps: step });
        }
        let axis = (found.points[1] - found.points[0]) / found.distance;
        let mut reached = f64::INFINITY;
        for (i, p) in now_a.iter().enumerate() {
            for (j, q) in now_b.iter().enumerate() {
                let gap = axis.dot(*q - *p) - target;
                let speed = axis.dot((a[1][i] - a[0][i]) - (b[1][j] - b[0][j]));
                if speed > 0.0 {
                    reached = reached.min(gap.max(0.0) / speed);
                }
            }
        }
        if time + reached > 1.0 {
            return None;
        }
        if step == STEPS {
            return Some(TriangleAdvance { time, gap: found.distance, steps: step });
        }
        time += reached;
    }
    None
}
