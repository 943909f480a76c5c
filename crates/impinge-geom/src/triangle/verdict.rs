//! Do two triangles meet, and do they only touch?
//!
//! Guigue and Devillers, "Fast and Robust Triangle-Triangle Overlap Test Using Orientation Predicates" (2003), with two
//! differences. First, their tests decide whether closed triangles meet; here the same signs also tell crossing from
//! touching. Second, triangles without area take part: their side tests are all zero, which leads to `coplanar.rs`.
//!
//! 1. Boxes apart, or one triangle strictly on one side of the other's plane: separated.
//! 2. Otherwise each triangle meets the line in which the planes meet in an interval. Its ends lie on the two edges that
//!    leave one corner, and the ends of two intervals compare as the sign of one [`orient3d`] of two edges.
//! 3. The triangles meet iff the intervals do. They cross iff the open intervals meet and each plane has corners of the other
//!    triangle strictly on both sides. `docs/maths/triangle-verdict.md` gives the proofs.

use super::coplanar::{are_beside, coplanar_verdict, segment_verdict};
use super::shared::shared_verdict;
use super::sides::{Heights, larger, smaller};
use crate::predicate::orient3d;
use glam::DVec3;

/// How two triangles relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TriangleVerdict {
    /// No common point.
    Separated,
    /// Common points, but the relative interiors do not meet, or both triangles lie in one plane.
    Touching,
    /// The relative interiors meet, and no plane holds both triangles.
    Crossing,
}

/// How two triangles relate, decided as if in exact arithmetic.
///
/// ```
/// use impinge_geom::triangle::{TriangleVerdict, verdict};
/// use glam::DVec3;
/// let floor = [DVec3::new(-1.0, -1.0, 0.0), DVec3::new(1.0, -1.0, 0.0), DVec3::new(0.0, 1.0, 0.0)];
/// let nail = [DVec3::new(0.0, 0.0, -0.5), DVec3::new(0.0, 0.1, 1.0), DVec3::new(0.1, 0.0, 1.0)];
/// assert_eq!(verdict(&floor, &nail), TriangleVerdict::Crossing);
/// let raised = |height: f64| nail.map(|p| p + DVec3::Z * height);
/// assert_eq!(verdict(&floor, &raised(0.5)), TriangleVerdict::Touching);
/// assert_eq!(verdict(&floor, &raised(0.5f64.next_up())), TriangleVerdict::Separated);
/// ```
#[inline]
pub fn verdict(a: &[DVec3; 3], b: &[DVec3; 3]) -> TriangleVerdict {
    if boxes_apart(a, b) {
        return TriangleVerdict::Separated;
    }
    // One branch for both planes: computing the second for nothing costs less than a mispredicted branch on the first.
    let (heights_b, heights_a) = (Heights::new(a, b), Heights::new(b, a));
    if heights_b.on_one_side() | heights_a.on_one_side() {
        return TriangleVerdict::Separated;
    }
    if heights_b.are_all_small() && heights_a.are_all_small() && are_beside(a, b) {
        return TriangleVerdict::Separated;
    }
    // Before anything is asked exactly: of flush faces most that meet have a corner in common.
    if !(heights_b.are_certain() & heights_a.are_certain())
        && let Some(verdict) = shared_verdict(a, b)
    {
        return verdict;
    }
    let (sides_b, sides_a) = (heights_b.signs(a, b), heights_a.signs(b, a));
    if on_one_side(sides_b) | on_one_side(sides_a) {
        return TriangleVerdict::Separated;
    }
    match (sides_a == [0; 3], sides_b == [0; 3]) {
        (false, false) => interval_verdict(a, b, sides_a, sides_b),
        // Were `a` of some area, `b` would lie in its plane, and `a` in the plane of `b`: so `a` is a segment.
        (false, true) => segment_verdict(a, sides_a, b),
        (true, false) => segment_verdict(b, sides_b, a),
        (true, true) => coplanar_verdict(a, b),
    }
}

/// True if the triangles' axis-aligned boxes have no common point.
#[inline(always)]
pub(super) fn boxes_apart(a: &[DVec3; 3], b: &[DVec3; 3]) -> bool {
    let low = |t: &[DVec3; 3]| smaller(smaller(t[0], t[1]), t[2]);
    let high = |t: &[DVec3; 3]| larger(larger(t[0], t[1]), t[2]);
    low(a).cmpgt(high(b)).any() | low(b).cmpgt(high(a)).any()
}

/// True if all signs are equal and not zero.
#[inline(always)]
fn on_one_side(signs: [i32; 3]) -> bool {
    signs[0] != 0 && signs[0] == signs[1] && signs[1] == signs[2]
}

/// True if there are corners strictly on both sides.
#[inline(always)]
fn on_both_sides(signs: [i32; 3]) -> bool {
    signs.contains(&1) && signs.contains(&-1)
}

/// Both planes exist, differ, and each meets the other triangle: compare the intervals on the common line.
#[inline]
fn interval_verdict(
    a: &[DVec3; 3],
    b: &[DVec3; 3],
    sides_a: [i32; 3],
    sides_b: [i32; 3],
) -> TriangleVerdict {
    let (first_a, below_a) = apex(sides_a);
    let (first_b, below_b) = apex(sides_b);
    // Turn the triangles over until each apex is on the positive side of the other plane.
    let [a0, a1, a2] = turned(a, first_a, below_b);
    let [b0, b1, b2] = turned(b, first_b, below_a);
    let (near, far) = (orient3d(a0, a1, b0, b1), orient3d(a0, a2, b2, b0));
    if (near > 0) | (far > 0) {
        return TriangleVerdict::Separated;
    }
    if near < 0 && far < 0 && on_both_sides(sides_a) && on_both_sides(sides_b) {
        TriangleVerdict::Crossing
    } else {
        TriangleVerdict::Touching
    }
}

/// The corner whose two edges each meet the plane in one point, and whether it lies below the other two corners.
///
/// The signs are neither all zero nor all strictly equal. Up to order and a common factor (+,−,−), (+,0,−), (+,0,0) and
/// (0,−,−) remain; the first of each is the corner asked for.
const fn apex_of(signs: [i32; 3]) -> (usize, bool) {
    let mut first = 0;
    while first < 3 {
        let (own, next, last) = (signs[first], signs[(first + 1) % 3], signs[(first + 2) % 3]);
        if own >= 0 && next <= 0 && last <= 0 && own != next && own != last {
            return (first, false);
        }
        if own <= 0 && next >= 0 && last >= 0 && own != next && own != last {
            return (first, true);
        }
        first += 1;
    }
    (0, false)
}

/// [`apex_of`] for all signs: a look-up does not depend on the guesses of the branch predictor.
const APEX: [(usize, bool); 27] = {
    let mut table = [(0, false); 27];
    let mut code = 0;
    while code < 27 {
        let code_i32 = code as i32;
        table[code] = apex_of([code_i32 % 3 - 1, code_i32 / 3 % 3 - 1, code_i32 / 9 - 1]);
        code += 1;
    }
    table
};

#[inline(always)]
pub(super) fn apex(signs: [i32; 3]) -> (usize, bool) {
    APEX[(signs[0] + 3 * signs[1] + 9 * signs[2] + 13) as usize]
}

/// The corners in the same circular order, or the opposite one, beginning with the given one.
#[inline(always)]
fn turned(t: &[DVec3; 3], first: usize, over: bool) -> [DVec3; 3] {
    let next = [1, 2, 0][first];
    let last = [2, 0, 1][first];
    if over { [t[first], t[last], t[next]] } else { [t[first], t[next], t[last]] }
}
