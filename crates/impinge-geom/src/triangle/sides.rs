//! On which side of a triangle's plane do three points lie?

use crate::number::tolerance::UNIT_ROUNDOFF;
use crate::predicate::{UNDERFLOW_GUARD, orient3d};
use glam::DVec3;

/// Heights of three points over a triangle's plane, scaled by twice its area, and how far they can be wrong.
///
/// Each of the six terms of a determinant passes eight roundings (three differences, two products, three sums) and is at
/// most the product of the largest differences along x, y and z, so that 48 unit roundoffs times this product bound the error
/// to first order; two more cover the rest, and underflow as long as the product is above the guard (Meyer and Pion, "FPG: a
/// code generator for fast and certified geometric predicates", 2008, call such a filter semi-static).
#[derive(Clone, Copy)]
pub(super) struct Heights {
    values: [f64; 3],
    error: f64,
}

impl Heights {
    /// The heights of the points over the plane of the triangle; positive where [`orient3d`] is.
    #[inline(always)]
    pub(super) fn new(triangle: &[DVec3; 3], points: &[DVec3; 3]) -> Self {
        let [t0, t1, t2] = *triangle;
        let (e1, e2) = (t1 - t0, t2 - t0);
        let normal = e2.cross(e1);
        let away = [points[0] - t0, points[1] - t0, points[2] - t0];
        let largest = larger(
            larger(e1.abs(), e2.abs()),
            larger(away[0].abs(), larger(away[1].abs(), away[2].abs())),
        );
        let volume = largest.x * largest.y * largest.z;
        let error =
            if volume > UNDERFLOW_GUARD { 50.0 * UNIT_ROUNDOFF * volume } else { f64::INFINITY };
        Self { values: away.map(|w| normal.dot(w)), error }
    }

    /// True if the points are certainly strictly on one side.
    #[inline(always)]
    pub(super) fn on_one_side(&self) -> bool {
        let [h0, h1, h2] = self.values;
        let (low, high) = (h0.min(h1).min(h2), h0.max(h1).max(h2));
        (low > self.error) | (high < -self.error)
    }

    /// True if no point is certainly off the plane.
    #[inline(always)]
    pub(super) fn are_all_small(&self) -> bool {
        let [h0, h1, h2] = self.values.map(f64::abs);
        h0.max(h1).max(h2) <= self.error
    }

    /// True if all points are certainly off the plane.
    #[inline(always)]
    pub(super) fn are_certain(&self) -> bool {
        let [h0, h1, h2] = self.values.map(f64::abs);
        h0.min(h1).min(h2) > self.error
    }

    /// The exact signs of the heights.
    #[inline(always)]
    pub(super) fn signs(&self, triangle: &[DVec3; 3], points: &[DVec3; 3]) -> [i32; 3] {
        let signs = self.values.map(|h| i32::from(h > self.error) - i32::from(h < -self.error));
        if (signs[0] & signs[1] & signs[2]) & 1 == 1 {
            signs
        } else {
            exact(signs, triangle, points)
        }
    }
}

/// Settles the signs that the filter left at zero.
#[cold]
fn exact(signs: [i32; 3], triangle: &[DVec3; 3], points: &[DVec3; 3]) -> [i32; 3] {
    let [t0, t1, t2] = *triangle;
    [0, 1, 2].map(|k| if signs[k] != 0 { signs[k] } else { orient3d(t0, t1, t2, points[k]) })
}

/// The larger of each coordinate, in one instruction each: numbers here are never NaN.
#[inline(always)]
pub(super) fn larger(a: DVec3, b: DVec3) -> DVec3 {
    let pick = |x: f64, y: f64| if x > y { x } else { y };
    DVec3::new(pick(a.x, b.x), pick(a.y, b.y), pick(a.z, b.z))
}

/// The smaller of each coordinate.
#[inline(always)]
pub(super) fn smaller(a: DVec3, b: DVec3) -> DVec3 {
    let pick = |x: f64, y: f64| if x < y { x } else { y };
    DVec3::new(pick(a.x, b.x), pick(a.y, b.y), pick(a.z, b.z))
}
