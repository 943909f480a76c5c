//! A tapered capsule against a tapered capsule or a segment: hulls of two balls each, in closed form.
//!
//! A − B is the hull of four balls, with centres w and radii r. Its support function is h(n) = max (r + n·w), and the signed
//! distance of the origin from it is −min h(n) over all unit vectors n, outside and inside alike. At the minimum one, two or
//! three of the balls are active, and for each such set the minimum on the sphere of directions has a formula:
//!
//! - one ball: n = −w / |w|;
//! - two: n·(w₁ − w₀) = r₀ − r₁ fixes a circle of directions, on which the one against w₀ is lowest;
//! - three: two such equations leave two directions.
//!
//! Every direction gives an upper bound of the minimum, and the minimum is among the candidates: so the lowest h of all
//! candidates is the answer, and no case has to be told apart by a tolerance.

use crate::answer::{Certainty, Feature, SignedDistance};
use crate::number::error::safe_length;
use crate::number::length::length_and_unit;
use crate::number::tolerance::UNIT_ROUNDOFF;
use crate::pose::Pose;
use crate::shape::{Segment, TaperedCapsule};
use glam::DVec3;

/// A ball at an end of a core.
#[derive(Clone, Copy)]
pub(super) struct Ball {
    center: DVec3,
    radius: f64,
}

/// The two balls of a tapered capsule.
pub(super) fn balls(core: &TaperedCapsule) -> [Ball; 2] {
    let end = DVec3::new(0.0, 0.0, core.half_height());
    [Ball { center: -end, radius: core.bottom() }, Ball { center: end, radius: core.top() }]
}

/// The two points of a segment, as balls.
pub(super) fn points(core: &Segment) -> [Ball; 2] {
    core.points().map(|center| Ball { center, radius: 0.0 })
}

/// A ball of the difference and where it comes from.
#[derive(Clone, Copy)]
struct Pair {
    a: Ball,
    b: Ball,
    w: DVec3,
    r: f64,
}

/// The signed distance of two hulls of two balls.
pub(super) fn signed_distance(a: &[Ball; 2], b: &[Ball; 2], pose: &Pose) -> SignedDistance {
    let b = b.map(|ball| Ball { center: pose.transform_point(ball.center), ..ball });
    let pairs: [Pair; 4] = std::array::from_fn(|k| {
        let (a, b) = (a[k & 1], b[k >> 1]);
        Pair { a, b, w: a.center - b.center, r: a.radius + b.radius }
    });
    let mut best = Best { pairs: &pairs, height: f64::INFINITY, normal: DVec3::Z };
    candidates(&pairs, |normal| best.offer(normal));
    let mut weighted = best.weighted();
    let scale = pairs.iter().map(|pair| pair.w.abs().max_element() + pair.r).fold(0.0, f64::max);
    if weighted.miss > BESIDE * scale {
        best.fit(&mut weighted, scale);
    }
    SignedDistance {
        distance: -best.height,
        uncertainty: 0.0,
        points: best.points(&weighted),
        normal: best.normal,
        features: [Feature::SURFACE; 2],
        certainty: Certainty::Exact,
    }
}

/// Two, and three, of the four balls.
const TWOS: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
const THREES: [[usize; 3]; 4] = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];

/// Points beside each other by less than this times the sizes, seen along the normal, are where they belong.
const BESIDE: f64 = 1e-12;

/// Heights that differ by less than this times the sizes are equal up to rounding.
const TIED: f64 = 32.0 * UNIT_ROUNDOFF;

/// What misses the height counts for so much more than what is beside the normal: turning the normal mends only that.
const SHORT: f64 = 64.0;

/// How often a normal is straightened.
const STRAIGHTENINGS: usize = 4;

/// Shares of the four balls, and how far the point that they single out is from the one at `height` along the normal.
struct Weighted {
    weights: [f64; 4],
    miss: f64,
}

/// The lowest candidate so far.
struct Best<'a> {
    pairs: &'a [Pair; 4],
    height: f64,
    normal: DVec3,
}

impl Best<'_> {
    /// The support value of the difference along a unit vector.
    fn support_value(&self, normal: DVec3) -> f64 {
        let heights = self.pairs.map(|pair| pair.r + normal.dot(pair.w));
        heights[0].max(heights[1]).max(heights[2].max(heights[3]))
    }

    /// Takes a direction into account.
    fn offer(&mut self, normal: DVec3) {
        let height = self.support_value(normal);
        if height < self.height {
            (self.height, self.normal) = (height, normal);
        }
    }

    /// Takes another normal, as low up to rounding, whose points are less beside each other.
    ///
    /// Between axes that are parallel but for an angle ε, ε² of the order of rounding, every normal in an angle of about ε is
    /// equally low. The points are more particular: they are apart along one of them.
    #[cold]
    fn fit(&mut self, weighted: &mut Weighted, scale: f64) {
        let most = self.height + TIED * scale;
        let pairs = self.pairs;
        candidates(pairs, |normal| self.prefer(weighted, normal, most));
        // Shares of the balls with the centre W and the radius R go with the normal −W / |W|, because W + n R = n h.
        for _ in 0..STRAIGHTENINGS {
            let shares = pairs.iter().zip(weighted.weights);
            let center: DVec3 = shares.map(|(pair, weight)| pair.w * weight).sum();
            let Some((_, normal)) = length_and_unit(-center) else { return };
            self.prefer(weighted, normal, most);
        }
    }

    /// Takes a normal with a height of at most `most` if its points miss less.
    fn prefer(&mut self, weighted: &mut Weighted, normal: DVec3, most: f64) {
        let height = self.support_value(normal);
        if height <= most {
            let other = Best { pairs: self.pairs, height, normal };
            let again = other.weighted();
            if again.miss < weighted.miss {
                (*self, *weighted) = (other, again);
            }
        }
    }

    /// The points of A and B with these shares of the balls.
    fn points(&self, weighted: &Weighted) -> [DVec3; 2] {
        let mut points = [DVec3::ZERO; 2];
        for (pair, weight) in self.pairs.iter().zip(weighted.weights) {
            points[0] += (pair.a.center + self.normal * pair.a.radius) * weight;
            points[1] += (pair.b.center - self.normal * pair.b.radius) * weight;
        }
        points
    }

    /// Shares of the balls whose tips single out the point at `height` along the normal.
    ///
    /// That point is in the hull of the tips of the active balls. Which are active is not asked, because rounding blurs it: of
    /// all sets of balls the one that comes closest to the point is taken.
    fn weighted(&self) -> Weighted {
        let goal = self.normal * self.height;
        let tips = self.pairs.map(|pair| pair.w + self.normal * pair.r);
        let mut best = Weighted { weights: [0.0; 4], miss: f64::INFINITY };
        let mut offer = |weights: [f64; 4]| {
            let sum: DVec3 = tips.iter().zip(weights).map(|(tip, weight)| *tip * weight).sum();
            let off = sum - goal;
            let miss = safe_length(off) + SHORT * off.dot(self.normal).abs();
            if miss < best.miss {
                best = Weighted { weights, miss };
            }
        };
        for k in 0..4 {
            let mut weights = [0.0; 4];
            weights[k] = 1.0;
            offer(weights);
        }
        for [i, j] in TWOS {
            if let Some((length, u)) = length_and_unit(tips[j] - tips[i]) {
                let share = ((goal - tips[i]).dot(u) / length).clamp(0.0, 1.0);
                let mut weights = [0.0; 4];
                (weights[i], weights[j]) = (1.0 - share, share);
                offer(weights);
            }
        }
        for [i, j, k] in THREES {
            if let Some([p, q, s]) = barycentric([tips[i], tips[j], tips[k]], goal) {
                let mut weights = [0.0; 4];
                (weights[i], weights[j], weights[k]) = (p, q, s);
                offer(weights);
            }
        }
        best
    }
}

/// The directions of the lowest points where one, two or three balls are active.
fn candidates(pairs: &[Pair; 4], mut offer: impl FnMut(DVec3)) {
    for pair in pairs {
        offer(length_and_unit(-pair.w).map_or(DVec3::Z, |(_, unit)| unit));
    }
    for [i, j] in TWOS {
        if let Some(normal) = two(&pairs[i], &pairs[j]) {
            offer(normal);
        }
    }
    for [i, j, k] in THREES {
        if let Some(normals) = three(&pairs[i], &pairs[j], &pairs[k]) {
            normals.into_iter().for_each(&mut offer);
        }
    }
}

fn two(p: &Pair, q: &Pair) -> Option<DVec3> {
    let (length, u) = length_and_unit(q.w - p.w)?;
    let cosine = (p.r - q.r) / length;
    let square = 1.0 - cosine * cosine;
    // Otherwise one ball holds the other and they are never active together.
    (square >= 0.0).then(|| u * cosine - across(p.w, u) * square.sqrt())
}

fn three(p: &Pair, q: &Pair, s: &Pair) -> Option<[DVec3; 2]> {
    let (length, u) = length_and_unit(q.w - p.w)?;
    let second = s.w - p.w;
    let lift = second.dot(u);
    let (rest, v) = length_and_unit(second - u * lift)?;
    let v = across(v, u);
    let x = (p.r - q.r) / length;
    let y = ((p.r - s.r) - x * lift) / rest;
    let square = 1.0 - x * x - y * y;
    (square >= 0.0).then(|| {
        let up = u.cross(v) * square.sqrt();
        [u * x + v * y + up, u * x + v * y - up]
    })
}

/// The unit vector along the part of `v` across the unit vector `u`; any across it if nothing is left of `v`.
fn across(v: DVec3, u: DVec3) -> DVec3 {
    let once = v - u * v.dot(u);
    let Some((_, unit)) = length_and_unit(once) else { return u.any_orthonormal_vector() };
    // Once more, because cancellation may have left a part along u; if that was most of it, all of it was rounding.
    match length_and_unit(unit - u * unit.dot(u)) {
        Some((left, unit)) if left > 0.5 => unit,
        _ => u.any_orthonormal_vector(),
    }
}

/// The weights of the corners at the foot of a point, if the foot is inside the triangle.
fn barycentric([p, q, s]: [DVec3; 3], goal: DVec3) -> Option<[f64; 3]> {
    let (length, u) = length_and_unit(q - p)?;
    let second = s - p;
    let lift = second.dot(u);
    let (rest, v) = length_and_unit(second - u * lift)?;
    let (x, y) = ((goal - p).dot(u), (goal - p).dot(v));
    let third = y / rest;
    let other = (x - third * lift) / length;
    let weights = [1.0 - other - third, other, third];
    weights.iter().all(|weight| *weight >= 0.0).then_some(weights)
}

#[cfg(test)]
mod tests {
    use super::{balls, points, signed_distance};
    use crate::pair::{Cache, convex_convex};
    use crate::pose::Pose;
    use crate::shape::{Core, Segment, TaperedCapsule};
    use crate::testing::Random;
    use glam::DVec3;

    /// A pose that is random, a pure translation, or about a common axis.
    fn pose(random: &mut Random, kind: usize) -> Pose {
        let spread = [0.2, 1.0, 3.0][random.below(3)];
        let mut shift = random.in_cube() * spread;
        let mut q: [f64; 4] = std::array::from_fn(|_| random.real() - 0.5);
        match kind {
            0 => {}
            1 => q = [1.0, 0.0, 0.0, 0.0],
            _ => (q, shift) = ([q[0], 0.0, 0.0, q[3]], DVec3::new(0.0, 0.0, shift.z)),
        }
        let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
        Pose::new(q.map(|c| c / length), shift.to_array()).unwrap()
    }

    #[test]
    fn agrees_with_the_iterative_search() {
        let mut random = Random::new(3);
        for round in 0..600 {
            let mut tapered = || {
                let (bottom, top) = (random.real(), random.real());
                TaperedCapsule::new(bottom, top, 2.0 * random.real()).unwrap()
            };
            let (a, b) = (tapered(), tapered());
            let end = random.in_cube();
            let segment = Segment::new([[0.0; 3], end.to_array()]).unwrap();
            let pose = pose(&mut random, round % 3);
            let cases = [
                (signed_distance(&balls(&a), &balls(&b), &pose), Core::TaperedCapsule(&b)),
                (signed_distance(&balls(&a), &points(&segment), &pose), Core::Segment(segment)),
            ];
            for (found, other) in cases {
                let first = Core::TaperedCapsule(&a);
                let slow =
                    convex_convex::signed_distance(first, other, &pose, &mut Cache::default());
                let slack = 1e-11 + slow.uncertainty;
                let difference = (found.distance - slow.distance).abs();
                assert!(
                    difference <= slack,
                    "{} {} {a:?} {other:?} {pose:?}",
                    found.distance,
                    slow.distance
                );
                let gap = found.points[1] - found.points[0] - found.normal * found.distance;
                assert!(gap.length() < 1e-11, "{gap} {found:?} {a:?} {other:?} {pose:?}");
                // Both points are on their surfaces.
                let off = crate::point::core_signed_distance(&first, found.points[0]).distance;
                assert!(off.abs() < 1e-11, "{off} off the first");
                let off = crate::point::core_signed_distance(
                    &other,
                    pose.inverse_transform_point(found.points[1]),
                );
                assert!(off.distance.abs() < 1e-11, "{} off the second", off.distance);
            }
        }
    }

    #[test]
    fn a_common_end_has_the_sum_of_the_radii_as_depth() {
        let a = TaperedCapsule::new(0.5, 0.25, 2.0).unwrap();
        let b = TaperedCapsule::new(0.25, 0.125, 2.0).unwrap();
        // B leaves A's lower end at a right angle.
        let half = 0.5f64.sqrt();
        let pose = Pose::new([half, 0.0, half, 0.0], [2.0, 0.0, -2.0]).unwrap();
        let found = signed_distance(&balls(&a), &balls(&b), &pose);
        assert!((found.distance + 0.75).abs() < 1e-14, "{found:?}");
    }
}
