//! The k-DOP: the slabs of a body along k/2 fixed directions.
//!
//! J. Klosowski, M. Held, J. Mitchell, H. Sowizral and K. Zikan, "Efficient collision detection using bounding volume
//! hierarchies of k-DOPs" (1998). The directions are those of the body's frame, so that between two bodies one k-DOP is turned against the
//! other. The paper has two ways to fit the turned body again: hill climbing on its hull ([`Kdop::climbed`]), and the k-DOP of the
//! corners of the k-DOP ([`Kdop::turned_by_corners`]). Within a hierarchy neither is at hand, or cheap; there each direction d is written as a sum
//! Σ λᵢ·nᵢ of three of the turned volume's own directions with λᵢ ≥ 0. No point of the volume is then farther along d than
//! Σ λᵢ·hᵢ, whatever the three are (weak duality of linear programs); the best three give what the corners give. Which ones are taken
//! follows from the order of the magnitudes of d's coordinates: see [`Fan`].

mod fan;
mod turned;

use super::fit::Moments;
use super::{Bound, FrameMotion, LANES, LocalRay, Overlaps};
use crate::simd::{Kernel, Simd, dispatch};
use fan::{Fan, along, directions, length, weight};
use glam::Vec3A;

/// The slabs along `HALF` directions: `low ≤ n·x ≤ high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kdop<const HALF: usize> {
    low: [f32; HALF],
    high: [f32; HALF],
}

/// The slabs along a cube's sides and corners.
pub type Dop14 = Kdop<7>;
/// The slabs along a cube's sides and edges.
pub type Dop18 = Kdop<9>;
/// The slabs along a cube's sides, corners and edges.
pub type Dop26 = Kdop<13>;
/// The slabs along a cube's sides and edges, and nine of the twelve directions such as (2, 1, 1).
///
/// Eighteen directions with all symmetries of the cube cannot contain its axes, along which models are often built.
pub type Dop36 = Kdop<18>;

/// Eight of them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub struct KdopPack<const HALF: usize> {
    low: [[f32; LANES]; HALF],
    high: [[f32; LANES]; HALF],
}

/// A [`Kdop`] in another body's frame.
#[derive(Clone, Copy, Debug)]
pub struct TurnedKdop<const HALF: usize> {
    /// Its slabs along the directions of the other frame.
    around: Kdop<HALF>,
    /// Its own slabs, moved along.
    own: Kdop<HALF>,
    /// Its own directions, as sums of those of the other frame.
    fans: [Fan; HALF],
}

impl<const HALF: usize> Kdop<HALF> {
    const DIRECTIONS: [[i8; 3]; HALF] = directions();
    const NOTHING: Self = Self { low: [f32::INFINITY; HALF], high: [f32::NEG_INFINITY; HALF] };

    /// The smallest k-DOP of the points, grown by `error` on all sides.
    fn of_points(points: &[Vec3A], error: f32) -> Self {
        if points.is_empty() {
            return Self { low: [0.0; HALF], high: [0.0; HALF] };
        }
        let mut sum = Self::NOTHING;
        let mut largest = 0.0f32;
        for &point in points {
            largest = largest.max(point.abs().max_element());
            for (k, n) in Self::DIRECTIONS.into_iter().enumerate() {
                let height = along(n, point);
                (sum.low[k], sum.high[k]) = (sum.low[k].min(height), sum.high[k].max(height));
            }
        }
        for (k, n) in Self::DIRECTIONS.into_iter().enumerate() {
            let more = (error + largest * (4.0 * f32::EPSILON)) * weight(n);
            (sum.low[k], sum.high[k]) = (sum.low[k] - more, sum.high[k] + more);
        }
        sum
    }

    /// The slabs along the directions: lower and upper bounds of n·x.
    pub fn slabs(&self) -> impl Iterator<Item = (Vec3A, [f32; 2])> + '_ {
        let vector = |n: [i8; 3]| Vec3A::from(n.map(f32::from));
        let ends = self.low.iter().zip(&self.high).map(|(&low, &high)| [low, high]);
        Self::DIRECTIONS.into_iter().map(vector).zip(ends)
    }

    /// An upper bound of the support value along the direction that a fan stands for.
    #[inline]
    fn support_bound(&self, fan: &Fan) -> f32 {
        let mut sum = 0.0;
        for (place, weight) in fan.places.into_iter().zip(fan.weights) {
            let place = usize::from(place) % HALF;
            sum += weight * if weight >= 0.0 { self.high[place] } else { self.low[place] };
        }
        sum
    }

    /// This k-DOP transformed to another frame, by weak duality: what the hierarchy does at every node.
    #[inline]
    pub fn turned(&self, motion: &FrameMotion) -> Self {
        let back = motion.rotation.transpose();
        let mut around = *self;
        for (k, n) in Self::DIRECTIONS.into_iter().enumerate() {
            let n = Vec3A::from(n.map(f32::from));
            let fan = Fan::of::<HALF>(back * n);
            let base = n.dot(motion.translation);
            around.high[k] = base + self.support_bound(&fan) * motion.scale;
            around.low[k] = base - self.support_bound(&fan.opposite()) * motion.scale;
        }
        around
    }
}

/// The larger of the gaps between two slabs.
#[inline(always)]
fn gap_of<S: Simd>(simd: S, low: f32, high: f32, pack: [&[f32; LANES]; 2]) -> S::F32x8 {
    let below = simd.sub32(simd.load32(pack[0]), simd.splat32(high));
    let above = simd.sub32(simd.splat32(low), simd.load32(pack[1]));
    simd.max32(below, above)
}

/// Upper bounds of the support values of the eight along the direction that a fan stands for.
#[inline(always)]
fn support_values_of_eight<S: Simd, const HALF: usize>(
    simd: S,
    pack: &KdopPack<HALF>,
    fan: &Fan,
) -> S::F32x8 {
    let mut sum = simd.splat32(0.0);
    for (place, weight) in fan.places.into_iter().zip(fan.weights) {
        let place = usize::from(place) % HALF;
        let ends = if weight >= 0.0 { &pack.high[place] } else { &pack.low[place] };
        sum = simd.add32(sum, simd.mul32(simd.load32(ends), simd.splat32(weight)));
    }
    sum
}

/// One against eight, in a call of its own: inlined into every traversal, it would make programs large.
struct Gaps<'g, const HALF: usize> {
    query: &'g TurnedKdop<HALF>,
    pack: &'g KdopPack<HALF>,
}

#[inline(never)]
fn gaps<const HALF: usize>(query: &TurnedKdop<HALF>, pack: &KdopPack<HALF>) -> [[f32; LANES]; 2] {
    dispatch(Gaps { query, pack })
}

impl<const HALF: usize> Kernel for Gaps<'_, HALF> {
    type Output = [[f32; LANES]; 2];

    /// The largest gap along the directions of the eight or of the query, and the distance by the gaps along the axes of either.
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [[f32; LANES]; 2] {
        let Self { query, pack } = self;
        let zero = simd.splat32(0.0);
        let (mut most, mut squares) = (simd.splat32(f32::NEG_INFINITY), [zero; 2]);
        for k in 0..HALF {
            let shorter = simd.splat32(1.0 / length(Kdop::<HALF>::DIRECTIONS[k]));
            let theirs = gap_of(
                simd,
                query.around.low[k],
                query.around.high[k],
                [&pack.low[k], &pack.high[k]],
            );
            let high = support_values_of_eight(simd, pack, &query.fans[k]);
            let low = support_values_of_eight(simd, pack, &query.fans[k].opposite());
            let above = simd.sub32(simd.splat32(query.own.low[k]), high);
            let below = simd.sub32(simd.sub32(zero, low), simd.splat32(query.own.high[k]));
            let own = simd.max32(above, below);
            for (square, gap) in squares.iter_mut().zip([theirs, own]) {
                if k < 3 {
                    let gap = simd.max32(gap, zero);
                    *square = simd.add32(*square, simd.mul32(gap, gap));
                }
                most = simd.max32(most, simd.mul32(gap, shorter));
            }
        }
        let across = simd.sqrt32(simd.max32(squares[0], squares[1]));
        [simd.store32(most), simd.store32(across)]
    }
}

impl<const HALF: usize> Bound for Kdop<HALF> {
    type Pack = KdopPack<HALF>;
    type Query = TurnedKdop<HALF>;
    type RayQuery = LocalRay;
    const NAME: &'static str = match HALF {
        7 => "14-DOP",
        9 => "18-DOP",
        13 => "26-DOP",
        _ => "36-DOP",
    };
    const EMPTY: KdopPack<HALF> =
        KdopPack { low: [[0.0; LANES]; HALF], high: [[0.0; LANES]; HALF] };
    const USES_MOMENTS: bool = false;
    const MERGES_EXACTLY: bool = true;

    fn fit(points: &[Vec3A], _: &Moments, error: f32) -> Self {
        Self::of_points(points, error)
    }

    fn merge(parts: &[Self]) -> Self {
        let Some(first) = parts.first() else { return Self::of_points(&[], 0.0) };
        parts.iter().fold(*first, |sum, part| Self {
            low: std::array::from_fn(|k| sum.low[k].min(part.low[k])),
            high: std::array::from_fn(|k| sum.high[k].max(part.high[k])),
        })
    }

    #[inline(always)]
    fn get(pack: &KdopPack<HALF>, lane: usize) -> Self {
        let mut found = Self { low: [0.0; HALF], high: [0.0; HALF] };
        for k in 0..HALF {
            (found.low[k], found.high[k]) = (pack.low[k][lane % LANES], pack.high[k][lane % LANES]);
        }
        found
    }

    fn set(self, pack: &mut KdopPack<HALF>, lane: usize) {
        for k in 0..HALF {
            (pack.low[k][lane % LANES], pack.high[k][lane % LANES]) = (self.low[k], self.high[k]);
        }
    }

    fn numbers(&self, out: &mut Vec<f32>) {
        out.extend(self.low);
        out.extend(self.high);
    }

    fn from_numbers(from: &mut &[f32]) -> Option<Self> {
        let low: [f32; HALF] = from.split_off(..HALF)?.try_into().ok()?;
        let high: [f32; HALF] = from.split_off(..HALF)?.try_into().ok()?;
        let valid =
            (0..HALF).all(|k| low[k].is_finite() && high[k].is_finite() && low[k] <= high[k]);
        valid.then_some(Self { low, high })
    }

    fn contains(&self, point: Vec3A, margin: f32) -> bool {
        Self::DIRECTIONS.into_iter().enumerate().all(|(k, n)| {
            let (height, margin) = (along(n, point), margin * weight(n));
            self.low[k] - margin <= height && height <= self.high[k] + margin
        })
    }

    /// That of the box around it, as the others are faces cut off its edges and corners.
    fn area(&self) -> f32 {
        let h: [f32; 3] = std::array::from_fn(|k| (self.high[k] - self.low[k]) * 0.5);
        h[0] * h[1] + h[1] * h[2] + h[2] * h[0]
    }

    #[inline(always)]
    fn size(&self) -> f32 {
        let side = |k: usize| self.high[k] - self.low[k];
        side(0).max(side(1)).max(side(2)) * 0.5
    }

    #[inline]
    fn moved(&self, motion: &FrameMotion) -> TurnedKdop<HALF> {
        let mut turned =
            TurnedKdop { around: self.turned(motion), own: *self, fans: [Fan::ZERO; HALF] };
        for (k, n) in Self::DIRECTIONS.into_iter().enumerate() {
            let n = motion.rotation * Vec3A::from(n.map(f32::from));
            let base = n.dot(motion.translation);
            turned.own.low[k] = base + self.low[k] * motion.scale;
            turned.own.high[k] = base + self.high[k] * motion.scale;
            turned.fans[k] = Fan::of::<HALF>(n);
        }
        turned
    }

    #[inline(always)]
    fn overlaps<S: Simd>(
        simd: S,
        query: &TurnedKdop<HALF>,
        pack: &KdopPack<HALF>,
        margin: f32,
    ) -> Overlaps<S> {
        let separation = simd.load32(&gaps(query, pack)[0]);
        let parted = simd.greater32(separation, simd.splat32(margin));
        Overlaps { mask: !parted & 0xff, separation }
    }

    #[inline(always)]
    fn distances<S: Simd>(simd: S, query: &TurnedKdop<HALF>, pack: &KdopPack<HALF>) -> S::F32x8 {
        let [along, across] = gaps(query, pack);
        simd.max32(simd.load32(&along), simd.load32(&across))
    }

    #[inline(always)]
    fn support_values<S: Simd>(simd: S, direction: Vec3A, pack: &KdopPack<HALF>) -> S::F32x8 {
        support_values_of_eight(simd, pack, &Fan::of::<HALF>(direction))
    }

    #[inline(always)]
    fn point_distances<S: Simd>(simd: S, point: Vec3A, pack: &KdopPack<HALF>) -> S::F32x8 {
        let zero = simd.splat32(0.0);
        let (mut most, mut square) = (zero, zero);
        for (k, n) in Self::DIRECTIONS.into_iter().enumerate() {
            let height = along(n, point);
            let gap = gap_of(simd, height, height, [&pack.low[k], &pack.high[k]]);
            let gap = simd.max32(gap, zero);
            if k < 3 {
                square = simd.add32(square, simd.mul32(gap, gap));
            } else {
                most = simd.max32(most, simd.mul32(gap, simd.splat32(1.0 / length(n))));
            }
        }
        simd.max32(most, simd.sqrt32(square))
    }

    #[inline(always)]
    fn ray_query(ray: &LocalRay) -> LocalRay {
        *ray
    }

    #[inline(always)]
    fn ray_entries<S: Simd>(
        simd: S,
        ray: &LocalRay,
        end: f32,
        pack: &KdopPack<HALF>,
    ) -> (u32, S::F32x8) {
        let (mut enter, mut leave) = (simd.splat32(0.0), simd.splat32(end));
        for (k, n) in Self::DIRECTIONS.into_iter().enumerate() {
            let (origin, slope) =
                (along(n, ray.origin.into()), along(n, ray.precomputed.direction.into()));
            let wide = ray.margin * weight(n);
            // Not the slope: one of −0 has the inverse −∞.
            let inverse = 1.0 / slope;
            let rising = inverse >= 0.0;
            let (near, far) =
                if rising { (&pack.low[k], &pack.high[k]) } else { (&pack.high[k], &pack.low[k]) };
            let wide = if rising { wide } else { -wide };
            let inverse = simd.splat32(inverse);
            let first = simd.sub32(simd.load32(near), simd.splat32(origin + wide));
            let second = simd.sub32(simd.load32(far), simd.splat32(origin - wide));
            enter = simd.max32(simd.mul32(first, inverse), enter);
            leave = simd.min32(simd.mul32(second, inverse), leave);
        }
        (!simd.greater32(enter, leave) & ((1 << LANES) - 1), enter)
    }
}
