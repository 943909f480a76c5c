//! Triangles with common corners, as faces of solids that were drawn flush have them.

use super::verdict::TriangleVerdict;
use crate::number::tolerance::UNIT_ROUNDOFF;
use crate::predicate::UNDERFLOW_GUARD;
use glam::DVec3;

/// How two triangles relate that have corners in common; none if that does not tell.
///
/// Two different ones: of triangles in one plane, and of any without area, that is contact; in two planes, both triangles have no more of the common line than
/// that edge. One: contact if f64 can tell that a plane parts the rest.
#[cold]
pub(super) fn shared_verdict(a: &[DVec3; 3], b: &[DVec3; 3]) -> Option<TriangleVerdict> {
    let place_in_b = a.map(|p| (0..3).find(|&j| b[j] == p));
    let mut places = (0..3).filter_map(|k| Some((k, place_in_b[k]?)));
    let (k, j) = places.next()?;
    let touch = match places.next() {
        Some((l, _)) => a[k] != a[l] || places.next().is_some_and(|(m, _)| a[k] != a[m]),
        None => leave_apart(a[k], rest(a, k), rest(b, j)),
    };
    touch.then_some(TriangleVerdict::Touching)
}

/// The other two corners.
fn rest(t: &[DVec3; 3], k: usize) -> [DVec3; 2] {
    [t[(k + 1) % 3], t[(k + 2) % 3]]
}

/// True if f64 can tell that a plane through `v` has the corners `a` strictly on one side and `b` strictly on the other: then the triangles that they
/// form with `v` share no more than that.
///
/// The plane is square to the difference of their mean directions: it parts neighbours in a fan, and faces across an edge. Its own rounding does no harm.
///
/// ```
/// use impinge_geom::{glam::DVec3, triangle::leave_apart};
/// assert!(leave_apart(DVec3::ZERO, [DVec3::X, DVec3::Y], [-DVec3::X, DVec3::Z]));
/// assert!(!leave_apart(DVec3::ZERO, [DVec3::X, DVec3::Y], [DVec3::X + DVec3::Y, DVec3::Z]));
/// ```
pub fn leave_apart(v: DVec3, a: [DVec3; 2], b: [DVec3; 2]) -> bool {
    /// Of each product two roundings, of a difference and of itself, two of the sums, and as many again.
    const ROUNDED: f64 = 10.0 * UNIT_ROUNDOFF;
    let (p, q, r, s) = (a[0] - v, a[1] - v, v - b[0], v - b[1]);
    let scaled = |way: DVec3| way * way.length().recip();
    let across = scaled(p) + scaled(q) + scaled(r) + scaled(s);
    let size = across.abs();
    // A number that is none, from corners that are one or lie far away, makes the comparison fail.
    let is_above = |way: DVec3| across.dot(way) > ROUNDED * size.dot(way.abs()) + UNDERFLOW_GUARD;
    is_above(p) && is_above(q) && is_above(r) && is_above(s)
}
