//! A point of a piece, and how other triangles stand to it.

use super::plane::{Base, Plane, Triple, line_through, shadow, side_of};
use crate::number::tolerance::UNIT_ROUNDOFF;
use crate::predicate::{UNDERFLOW_GUARD, orient2d, shifted_side};
use glam::{DVec2, DVec3};

/// How a triangle stands to a piece, seen along the axis through the piece's point. With each comes 1 if the triangle's
/// front faces along the axis, −1 if against it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The axis passes it by.
    Beside,
    /// The axis meets it after the piece.
    Above(i32),
    /// The axis meets it before the piece.
    Below(i32),
    /// It covers the piece.
    Covers(i32),
}

/// A point inside a piece of a triangle, made by [`pieces`](super::pieces).
#[derive(Clone, Debug)]
pub struct PiecePoint {
    base: Base,
    at: Triple,
    /// The point of the shadow, if f64 can hold it.
    whole: Option<DVec2>,
    /// The point of the plane, rounded.
    near: DVec3,
}

/// What rounding a corner or point of a piece to f64 loses, as a share of it: a few units in the last place.
pub(super) const ROUNDED: f64 = 1e-15;

/// What rounding [`PiecePoint::near`] loses: a few units in the last place, or the smallest normal number.
fn error_of(near: DVec3) -> DVec3 {
    near.abs() * ROUNDED + f64::MIN_POSITIVE
}

impl PiecePoint {
    pub(super) fn new(base: &Base, at: Triple, whole: Option<DVec2>) -> Self {
        let near = base.above(&at);
        Self { base: base.clone(), at, whole, near }
    }

    /// The axis along which the piece is looked at: 0, 1 or 2. It is not parallel to the piece.
    pub fn axis(&self) -> usize {
        self.base.axis
    }

    /// 1 if the piece's front faces along the axis, −1 if against it.
    pub fn facing(&self) -> i32 {
        self.base.facing
    }

    /// A box, a few roundings large, that holds the point.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let error = error_of(self.near);
        (self.near - error, self.near + error)
    }

    /// How a triangle stands to the piece. Exact.
    ///
    /// The point is shifted by (ε, ε²) within the piece, so that the axis passes through no edge: triangles that share one are
    /// not both met, nor both missed.
    ///
    /// ```
    /// use impinge_geom::{glam::DVec3, piece::{Over, pieces}};
    /// let face = [DVec3::ZERO, DVec3::X, DVec3::Y];
    /// let point = &pieces(&face, &[])[0];
    /// let (up, over) = (DVec3::Z, |corners: &[DVec3; 3]| point.over(corners));
    /// assert_eq!(point.axis(), 2);
    /// assert_eq!(over(&face), Over::Covers(1));
    /// assert_eq!(over(&face.map(|p| p + up)), Over::Above(1));
    /// assert_eq!(over(&[-up, DVec3::Y - up, DVec3::X - up]), Over::Below(-1));
    /// assert_eq!(over(&face.map(|p| p + DVec3::X)), Over::Beside);
    /// ```
    pub fn over(&self, corners: &[DVec3; 3]) -> Over {
        let [a, b, c] = corners.map(|p| shadow(p, self.base.axis));
        let first = self.side(a, b);
        if first == 0 || self.side(b, c) != first || self.side(c, a) != first {
            return Over::Beside;
        }
        if let Some(side) = self.certain_side(corners) {
            return if side == first { Over::Below(first) } else { Over::Above(first) };
        }
        // The height of the piece over the triangle's plane, times n_k; then how it changes along the shift.
        let trace = self.base.trace(&Plane::new(corners));
        let height = [side_of(&trace, &self.at), trace[0].sign(), trace[1].sign()];
        match height.into_iter().find(|sign| *sign != 0) {
            None => Over::Covers(first),
            Some(sign) if sign * self.base.facing == first => Over::Below(first),
            Some(_) => Over::Above(first),
        }
    }

    /// On which side of a triangle's plane the point lies, 1 in front, if f64 can tell.
    ///
    /// Of the six terms of the determinant each is at most the product V of the three largest differences and collects at
    /// most eight roundings, 48u·V in all; the normal's coordinates are at most twice the product of the first two differences, so
    /// that an error e of the point's coordinates moves the height by at most six times that product times e.
    fn certain_side(&self, [a, b, c]: &[DVec3; 3]) -> Option<i32> {
        let (p, q, r) = (*b - *a, *c - *a, self.near - *a);
        let height = p.cross(q).dot(r);
        let size = |v: DVec3| v.abs().max_element();
        let across = size(p) * size(q);
        let volume = across * size(r);
        let bound =
            64.0 * UNIT_ROUNDOFF * volume + 8.0 * across * error_of(self.near).max_element();
        if volume <= UNDERFLOW_GUARD || height.abs() <= bound {
            return None;
        }
        Some(if height > 0.0 { 1 } else { -1 })
    }

    /// On which side of a line of the shadow the shifted point lies.
    fn side(&self, u: DVec2, v: DVec2) -> i32 {
        let side = match self.whole {
            Some(point) => orient2d(u, v, point),
            None => side_of(&line_through(u, v), &self.at),
        };
        if side == 0 { shifted_side(u, v) } else { side }
    }
}
