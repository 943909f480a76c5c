//! Exact orientation within one set of points, tuned for sets with many points in or very near one plane.
//!
//! Where a filter cannot decide, points whose coordinates share a lattice (integers of 60 bits times one power of two) come
//! next, and only then the general predicates. Nearly all coordinates of a set are of this kind, all but those much smaller than the
//! largest, and 64-bit integer arithmetic decides them in a fraction of the time that floating expansions take.

use crate::number::error::power_of_two_near_inverse;
use crate::predicate::{orient2d, orient3d, orient3d_filter};
use glam::{DVec2, DVec3, Vec3Swizzles as _};

/// The lattice of a set of points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice {
    /// Brings the largest coordinate of the set below two.
    factor: f64,
}

/// 2^59: coordinates become integers below 2^60, differences of them stay below 2^61.
const STEPS: f64 = (1u64 << 59) as f64;
const TWO_64: f64 = (1u128 << 64) as f64;

impl Lattice {
    /// The lattice of points with these coordinates at most.
    pub(super) fn new(largest: f64) -> Self {
        Self { factor: if largest > 0.0 { power_of_two_near_inverse(largest) } else { 1.0 } }
    }

    /// As the predicate `orient3d`: positive if `d` lies below the plane of `a`, `b`, `c`, which turn counter-clockwise seen
    /// from above.
    #[inline]
    pub(super) fn side(&self, a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> i32 {
        match orient3d_filter(a, b, c, d) {
            Some(sign) => sign,
            None => self.unfiltered(a, b, c, d).0,
        }
    }

    /// The side for points that filters cannot decide, and the determinant in scaled coordinates, which is 0 if not known.
    #[cold]
    pub(super) fn unfiltered(&self, a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> (i32, f64) {
        let level = |i: usize| a[i] == d[i] && b[i] == d[i] && c[i] == d[i];
        if level(0) || level(1) || level(2) {
            return (0, 0.0);
        }
        match self.determinant(a, b, c, d) {
            Some(value) => ((value > 0.0) as i32 - (value < 0.0) as i32, value),
            None => (orient3d(a, b, c, d), 0.0),
        }
    }

    /// The turn of points of the set seen along a coordinate axis: 1 if counter-clockwise about it, -1 if clockwise, 0 if
    /// straight.
    #[inline]
    pub(super) fn turn(&self, axis: usize, a: DVec3, b: DVec3, c: DVec3) -> i32 {
        let shadow = |p: DVec3| match axis {
            0 => p.yz(),
            1 => p.zx(),
            _ => p.xy(),
        };
        let (a, b, c) = (shadow(a), shadow(b), shadow(c));
        self.orient2d(a, b, c).unwrap_or_else(|| orient2d(a, b, c))
    }

    /// True if three points of the set lie on one line: their shadows on all three coordinate planes do.
    pub(super) fn collinear(&self, a: DVec3, b: DVec3, c: DVec3) -> bool {
        (0..3).all(|axis| self.turn(axis, a, b, c) == 0)
    }

    /// The lattice coordinate, if the number has one.
    #[inline]
    fn coordinate(&self, value: f64) -> Option<i64> {
        // Two exact multiplications: a single factor might overflow. What underflows in the first is below one step in the
        // second, so either not an integer or a zero that was not zero before.
        let steps = value * self.factor * STEPS;
        let integer = steps as i64;
        (integer as f64 == steps && (integer != 0 || value == 0.0)).then_some(integer)
    }

    #[inline]
    fn point(&self, p: DVec3) -> Option<[i64; 3]> {
        Some([self.coordinate(p.x)?, self.coordinate(p.y)?, self.coordinate(p.z)?])
    }

    /// The determinant with rows `a − d`, `b − d`, `c − d` in scaled coordinates, if the points are on the lattice: the sign is
    /// exact, the number is rounded.
    #[inline]
    fn determinant(&self, a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> Option<f64> {
        let d = self.point(d)?;
        let minus = |p: [i64; 3]| [p[0] - d[0], p[1] - d[1], p[2] - d[2]];
        let (a, b, c) = (minus(self.point(a)?), minus(self.point(b)?), minus(self.point(c)?));
        let minor = |i: usize, j: usize| {
            i128::from(b[i]) * i128::from(c[j]) - i128::from(b[j]) * i128::from(c[i])
        };
        // Each minor is below 2^123. Its upper and lower 64 bits are multiplied apart: the sums stay below 2^122 and 2^127.
        let (mut upper, mut lower) = (0i128, 0i128);
        for (minor, row) in [(minor(1, 2), a[0]), (minor(2, 0), a[1]), (minor(0, 1), a[2])] {
            upper += (minor >> 64) * i128::from(row);
            lower += i128::from(minor as u64) * i128::from(row);
        }
        upper += lower >> 64;
        let mut lower = lower as u64;
        // The magnitude is rounded, not the two words apart: a small negative number must not become zero.
        let negative = upper < 0;
        if negative {
            lower = lower.wrapping_neg();
            upper = !upper + i128::from(lower == 0);
        }
        let magnitude = upper as f64 * TWO_64 + lower as f64;
        let value = if negative { -magnitude } else { magnitude };
        Some(value / STEPS / STEPS / STEPS)
    }

    /// The sign of the turn `a`, `b`, `c`, if they are on the lattice.
    #[inline]
    fn orient2d(&self, a: DVec2, b: DVec2, c: DVec2) -> Option<i32> {
        let point = |p: DVec2| Some([self.coordinate(p.x)?, self.coordinate(p.y)?]);
        let (a, b, c) = (point(a)?, point(b)?, point(c)?);
        let minus = |p: [i64; 2]| [i128::from(p[0] - c[0]), i128::from(p[1] - c[1])];
        let (a, b) = (minus(a), minus(b));
        Some((a[0] * b[1] - a[1] * b[0]).signum() as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::Lattice;
    use crate::predicate::{orient2d, orient3d};
    use crate::testing::Random;
    use glam::{DVec2, DVec3};

    /// Coordinates at the ends of the range, and near ties.
    #[test]
    fn agrees_with_the_general_predicates() {
        let mut random = Random::new(7);
        let (mut on, mut zero) = (0, 0);
        for round in 0..200_000 {
            let largest = [1.0, 1.999, 2f64.powi(249), f64::from_bits(1 << 40)][round % 4];
            let lattice = Lattice::new(largest);
            let mut number = || {
                let step = largest * 2f64.powi(-(random.below(56) as i32));
                let value = random.below(8) as f64 * step;
                let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
                sign * if value > largest || random.below(4) == 0 { largest } else { value }
            };
            let mut point = || DVec3::new(number(), number(), number());
            let (a, b, c) = (point(), point(), point());
            let d = if round % 3 == 0 { (a + b) / 2.0 } else { point() };
            if let Some(value) = lattice.determinant(a, b, c, d) {
                on += 1;
                zero += usize::from(value == 0.0);
                let sign = (value > 0.0) as i32 - (value < 0.0) as i32;
                assert_eq!(sign, orient3d(a, b, c, d), "{a} {b} {c} {d}");
            }
            let (a, b, c) = (DVec2::new(a.x, a.y), DVec2::new(b.x, b.y), DVec2::new(c.x, c.y));
            if let Some(sign) = lattice.orient2d(a, b, c) {
                assert_eq!(sign, orient2d(a, b, c));
            }
        }
        assert!(on > 50_000 && zero > 5_000, "{on} on the lattice, {zero} coplanar");
    }

    /// The two words of a small negative determinant must not be rounded apart.
    #[test]
    fn keeps_the_sign_of_the_smallest_determinants() {
        let lattice = Lattice::new(1.0);
        let step = 2f64.powi(-59);
        let (a, b, c) = (DVec3::X * step, DVec3::Y * step, DVec3::Z * step);
        assert!(lattice.determinant(a, b, c, DVec3::ZERO).unwrap() > 0.0);
        assert!(lattice.determinant(b, a, c, DVec3::ZERO).unwrap() < 0.0);
        assert_eq!(lattice.determinant(a * 0.5, b, c, DVec3::ZERO), None);
        let tiny = DVec3::X * f64::MIN_POSITIVE * f64::EPSILON;
        assert_eq!(Lattice::new(2f64.powi(249)).determinant(tiny, b, c, DVec3::ZERO), None);
    }
}
