//! Closest points of two segments: the core of capsule pairs and of the distance between triangles.
//!
//! The parameter on the first line is taken from cross products, `s = −(r × d2)·n / n·n` with `n = d1 × d2`, not from the
//! usual quotient over `(d1·d1)(d2·d2) − (d1·d2)²`. The latter loses all its digits once the angle between the segments is
//! below 1e-8, and the distance half of them; with cross products the error of `s` grows like the inverse of the angle,
//! which is just what the distance forgives: it stays right to a few units in the last place of the extent, for any angle.
//! The clamping follows Lumelsky, "On fast computation of distance between line segments" (1985), and one more step in `s`
//! alone can only shorten the distance. The argument is spelled out in `docs/maths/triangle-distance.md`.

use crate::number::error::power_of_two_near_inverse;
use glam::DVec3;

/// 2^-400 and 2^500: with sums of squared lengths inside, products of four lengths neither overflow nor underflow to any
/// effect.
const RANGE: std::ops::RangeInclusive<f64> =
    f64::from_bits((1023 - 400) << 52)..=f64::from_bits((1023 + 500) << 52);

/// Squared lengths below 2^-1000 count as zero, so that their inverses are finite.
const SMALLEST_SQUARE: f64 = f64::from_bits((1023 - 1000) << 52);

/// Parameters and points of two segments where they are closest: `(s, t, point_on_first, point_on_second)`.
///
/// `s` and `t` lie in 0..=1, 0 being `p0` and `q0`; at 0 and 1 the points are the end points, bit by bit. Segments may be
/// parallel, of length zero, or both; of several closest pairs one is chosen. The distance between the points exceeds the
/// true one by at most a few units in the last place of the extent of the four points.
///
/// ```
/// use impinge_geom::segment::closest_points;
/// use glam::DVec3;
/// let (s, t, p, q) = closest_points(-DVec3::X, DVec3::X, DVec3::new(0.5, -3.0, 2.0), DVec3::new(0.5, 1.0, 2.0));
/// assert_eq!((s, t), (0.75, 0.75));
/// assert_eq!(p.distance(q), 2.0);
/// ```
#[inline]
pub fn closest_points(p0: DVec3, p1: DVec3, q0: DVec3, q1: DVec3) -> (f64, f64, DVec3, DVec3) {
    let (d1, d2, r) = (p1 - p0, q1 - q0, p0 - q0);
    let squares = d1.length_squared() + d2.length_squared() + r.length_squared();
    let (s, t) =
        if RANGE.contains(&squares) { parameters(d1, d2, r) } else { scaled_parameters(d1, d2, r) };
    (s, t, blend(p0, p1, s), blend(q0, q1, t))
}

/// [`parameters`] of segments that are very large, very small, or one point.
#[cold]
fn scaled_parameters(d1: DVec3, d2: DVec3, r: DVec3) -> (f64, f64) {
    let factor = power_of_two_near_inverse(d1.abs().max(d2.abs()).max(r.abs()).max_element());
    parameters(d1 * factor, d2 * factor, r * factor)
}

/// The point of a segment nearest to a point, with its parameter in 0..=1.
///
/// ```
/// use impinge_geom::segment::closest_to_point;
/// use glam::DVec3;
/// let (t, nearest) = closest_to_point(DVec3::ZERO, DVec3::X * 4.0, DVec3::new(1.0, 5.0, 0.0));
/// assert_eq!((t, nearest), (0.25, DVec3::X));
/// ```
#[inline]
pub fn closest_to_point(p0: DVec3, p1: DVec3, point: DVec3) -> (f64, DVec3) {
    let (direction, away) = (p1 - p0, point - p0);
    let squares = direction.length_squared() + away.length_squared();
    let factor = if RANGE.contains(&squares) {
        1.0
    } else {
        power_of_two_near_inverse(direction.abs().max(away.abs()).max_element())
    };
    let (scaled, away) = (direction * factor, away * factor);
    let t = unit(scaled.dot(away) * inverse_square(scaled.length_squared()));
    (t, blend(p0, p1, t))
}

/// The parameters of the closest points; `r` points from the start of the second segment to the start of the first.
#[inline(always)]
pub(crate) fn parameters(d1: DVec3, d2: DVec3, r: DVec3) -> (f64, f64) {
    let (a, b, e) = (d1.length_squared(), d1.dot(d2), d2.length_squared());
    let (c, f) = (d1.dot(r), d2.dot(r));
    let normal = d1.cross(d2);
    let square = normal.length_squared();
    // Parallel segments: the distance between the lines is the same everywhere, any start serves.
    let start = if square > 0.0 { -r.cross(d2).dot(normal) / square } else { 0.0 };
    let s = unit(start);
    let t = unit((b * s + f) * inverse_square(e));
    let s = unit((b * t - c) * inverse_square(a));
    (s, t)
}

/// The nearest number in 0..=1, in two instructions: numbers here are never NaN.
#[inline(always)]
fn unit(value: f64) -> f64 {
    let value = if value > 0.0 { value } else { 0.0 };
    if value < 1.0 { value } else { 1.0 }
}

/// The inverse of a squared length, or zero where the length vanishes.
#[inline(always)]
fn inverse_square(square: f64) -> f64 {
    if square > SMALLEST_SQUARE { 1.0 / square } else { 0.0 }
}

/// The point at parameter `t`: both ends are met exactly, and no branch depends on `t`.
#[inline(always)]
pub(crate) fn blend(start: DVec3, end: DVec3, t: f64) -> DVec3 {
    start * (1.0 - t) + end * t
}

#[cfg(test)]
mod tests {
    use super::{closest_points, closest_to_point};
    use glam::DVec3;

    /// A small deterministic generator, so that the tests need no crate for it.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }
        fn point(&mut self) -> DVec3 {
            DVec3::new(self.next(), self.next(), self.next())
        }
        /// Points of a coarse grid, where segments are often parallel, equal or points.
        fn grid_point(&mut self) -> DVec3 {
            (self.point() * 1.5).round()
        }
    }

    /// The distance, and a lower bound of it from the slab between the points' perpendicular planes.
    fn bounds(p0: DVec3, p1: DVec3, q0: DVec3, q1: DVec3) -> (f64, f64) {
        let (_, _, p, q) = closest_points(p0, p1, q0, q1);
        let distance = p.distance(q);
        if distance == 0.0 {
            return (0.0, 0.0);
        }
        let normal = (q - p) / distance;
        let low = normal.dot(q0).min(normal.dot(q1)) - normal.dot(p0).max(normal.dot(p1));
        (distance, low)
    }

    #[test]
    fn no_slab_between_the_segments_is_wider() {
        let mut random = Random(7);
        for round in 0..20_000 {
            let coarse = round % 2 == 0;
            let [p0, p1, q0, q1] =
                std::array::from_fn(|_| if coarse { random.grid_point() } else { random.point() });
            let (distance, low) = bounds(p0, p1, q0, q1);
            // The direction between points closer than this is too rough for the slab to be a witness.
            if distance > 1e-3 {
                assert!(distance - low < 1e-12, "{p0} {p1} {q0} {q1}: {distance} {low}");
            }
            for factor in [2f64.powi(-600), 2f64.powi(248)] {
                let (.., p, q) = closest_points(p0 * factor, p1 * factor, q0 * factor, q1 * factor);
                let scaled = (p / factor).distance(q / factor);
                assert!((scaled - distance).abs() < 1e-14, "{scaled} {distance}");
            }
        }
    }

    #[test]
    fn crossing_segments_meet_at_any_angle() {
        let mut random = Random(11);
        for exponent in 0..60 {
            for _ in 0..200 {
                let (along, aside) = (random.point(), random.point() * 2f64.powi(-exponent));
                let (u, v) = (0.3 + 0.5 * random.next().abs(), 0.3 + 0.5 * random.next().abs());
                let tilted = along + aside;
                let (.., p, q) =
                    closest_points(-along * u, along * (1.0 - u), -tilted * v, tilted * (1.0 - v));
                assert!(p.distance(q) < 1e-15, "2^-{exponent}: {}", p.distance(q));
            }
        }
    }

    #[test]
    fn points_and_ends() {
        let (a, b) = (DVec3::new(0.1, 0.2, 0.3), DVec3::new(5.0, 7.0, 11.0));
        assert_eq!(closest_points(a, a, b, b), (0.0, 0.0, a, b));
        let (_, t, _, q) = closest_points(b * 2.0, b * 2.0, a, b);
        assert_eq!((t, q), (1.0, b));
        assert_eq!(closest_to_point(a, a, b), (0.0, a));
        assert_eq!(closest_to_point(a, b, b * 3.0), (1.0, b));
        let tiny = DVec3::splat(f64::from_bits(1));
        let (s, t, p, q) = closest_points(tiny, -tiny, tiny, tiny);
        assert!((s, t) == (0.0, 0.0) && p == q, "{s} {t} {p} {q}");
    }
}
