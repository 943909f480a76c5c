//! The axis-aligned box in the body's frame.
//!
//! Between two bodies the boxes of one are turned against those of the other by the same rotation at every node, so a test
//! multiplies by constants only; of the fifteen axes the six face axes are tried, which is what G. van den Bergen, "Efficient
//! collision detection of complex deformable models using AABB trees" (1997), calls SAT lite.

use super::fit::Moments;
use super::{Bound, FrameMotion, LANES, LocalRay, Obb, Overlaps, Pack};
use crate::simd::{Simd, vector};
use glam::{Mat3A, Vec3A};

/// An axis-aligned bounding box in f32: the volume of hierarchies and the box of broad phases. [`DAabb`](crate::DAabb) is its twin in f64.
///
/// ```
/// use impinge_geom::bound::Aabb;
/// let (a, b) = (Aabb::new([0.0; 3], [1.0; 3]), Aabb::new([1.0; 3], [2.0; 3]));
/// assert!(a.intersects(&b) && !a.intersects(&Aabb::new([1.5; 3], [2.0; 3])));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The smallest coordinates.
    pub low: Vec3A,
    /// The largest coordinates.
    pub high: Vec3A,
}

/// An [`Aabb`] in another body's frame, where it is rotated.
#[derive(Clone, Copy, Debug)]
pub struct TurnedAabb {
    center: Vec3A,
    half: Vec3A,
    /// Columns: the box's axes in the other frame.
    turn: Mat3A,
    /// The box's half sides along the axes of the other frame.
    shadow: Vec3A,
    /// The magnitudes of `turn`.
    spread: Mat3A,
}

impl Aabb {
    /// All of space.
    pub const EVERYTHING: Self = Self { low: Vec3A::NEG_INFINITY, high: Vec3A::INFINITY };

    /// Creates a box between two corners.
    pub fn new(low: impl Into<Vec3A>, high: impl Into<Vec3A>) -> Self {
        Self { low: low.into(), high: high.into() }
    }

    /// True if no coordinate is NaN and `low` is nowhere above `high`; infinite sides are fine.
    #[inline]
    pub fn is_valid(&self) -> bool {
        self.low.cmple(self.high).all()
    }

    /// True if the boxes have a common point.
    #[inline]
    pub fn intersects(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    /// The smallest box around the points.
    pub fn of_points(points: &[Vec3A]) -> Self {
        let first = points.first().copied().unwrap_or(Vec3A::ZERO);
        points.iter().fold(Self { low: first, high: first }, |sum, &p| Self {
            low: sum.low.min(p),
            high: sum.high.max(p),
        })
    }

    /// Larger by `error` on all sides, and by the rounding of that.
    fn grown(self, error: f32) -> Self {
        let most = self.low.abs().max(self.high.abs());
        let error = Vec3A::splat(error) + most * f32::EPSILON;
        Self { low: self.low - error, high: self.high + error }
    }
}

impl TurnedAabb {
    /// A box with any axes.
    #[inline(always)]
    pub(super) fn of_box(query: &Obb) -> Self {
        let turn = Mat3A::from_cols(query.axes[0], query.axes[1], query.axes[2]);
        let spread = Mat3A::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
        let Obb { center, half, .. } = *query;
        Self { center, half, turn, shadow: spread * half, spread }
    }
}

/// A ray prepared for tests against axis-aligned boxes.
#[derive(Clone, Copy, Debug)]
pub struct Slabs {
    /// The beginning, moved by the margin: what lower sides are compared with.
    low: [f32; 3],
    /// The same for upper sides.
    high: [f32; 3],
    /// One over the direction, with its sign changed.
    inverse: [f32; 3],
}

impl Bound for Aabb {
    type Pack = Pack<6>;
    type Query = TurnedAabb;
    type RayQuery = Slabs;
    const NAME: &'static str = "AABB";
    /// Points so far away that no ray reaches them, and whose squares are still numbers.
    const EMPTY: Pack<6> = Pack { rows: [[1e18; LANES]; 6] };
    const USES_MOMENTS: bool = false;
    const MERGES_EXACTLY: bool = true;
    const EMPTY_IS_MISSED: bool = true;
    const FOR_RAYS: bool = true;

    fn fit(points: &[Vec3A], _: &Moments, error: f32) -> Self {
        Self::of_points(points).grown(error)
    }

    fn merge(parts: &[Self]) -> Self {
        let first = parts.first().copied();
        let first = first.unwrap_or(Self { low: Vec3A::ZERO, high: Vec3A::ZERO });
        parts.iter().fold(first, |sum, part| Self {
            low: sum.low.min(part.low),
            high: sum.high.max(part.high),
        })
    }

    #[inline(always)]
    fn get(pack: &Pack<6>, lane: usize) -> Self {
        let n = pack.get(lane);
        Self { low: Vec3A::new(n[0], n[1], n[2]), high: Vec3A::new(n[3], n[4], n[5]) }
    }

    fn set(self, pack: &mut Pack<6>, lane: usize) {
        let ([a, b, c], [d, e, f]) = (self.low.to_array(), self.high.to_array());
        pack.set(lane, [a, b, c, d, e, f]);
    }

    fn numbers(&self, out: &mut Vec<f32>) {
        out.extend(self.low.to_array());
        out.extend(self.high.to_array());
    }

    fn from_numbers(from: &mut &[f32]) -> Option<Self> {
        let numbers = from.split_off(..6)?;
        let volume =
            Self { low: Vec3A::from_slice(&numbers[..3]), high: Vec3A::from_slice(&numbers[3..]) };
        let finite = volume.low.is_finite() && volume.high.is_finite();
        (finite && volume.low.cmple(volume.high).all()).then_some(volume)
    }

    fn contains(&self, point: Vec3A, margin: f32) -> bool {
        let margin = Vec3A::splat(margin);
        (self.low - margin).cmple(point).all() && point.cmple(self.high + margin).all()
    }

    fn area(&self) -> f32 {
        let h = (self.high - self.low) * 0.5;
        h.x * h.y + h.y * h.z + h.z * h.x
    }

    #[inline(always)]
    fn size(&self) -> f32 {
        (self.high - self.low).max_element() * 0.5
    }

    #[inline(always)]
    fn moved(&self, motion: &FrameMotion) -> TurnedAabb {
        let turn = motion.rotation;
        let spread = Mat3A::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
        let half = (self.high - self.low) * (0.5 * motion.scale);
        TurnedAabb {
            center: motion.map((self.low + self.high) * 0.5),
            half,
            turn,
            shadow: spread * half,
            spread,
        }
    }

    #[inline(always)]
    fn overlaps<S: Simd>(simd: S, query: &TurnedAabb, pack: &Pack<6>, margin: f32) -> Overlaps<S> {
        let (gaps, turned) = gaps(simd, query, pack);
        let first = simd.max32(simd.max32(gaps[0], gaps[1]), gaps[2]);
        let second = simd.max32(simd.max32(turned[0], turned[1]), turned[2]);
        let separation = simd.max32(first, second);
        let parted = simd.greater32(separation, simd.splat32(margin));
        Overlaps { mask: !parted & 0xff, separation }
    }

    #[inline(always)]
    fn distances<S: Simd>(simd: S, query: &TurnedAabb, pack: &Pack<6>) -> S::F32x8 {
        let (gaps, turned) = gaps(simd, query, pack);
        let zero = simd.splat32(0.0);
        let (mut by_eight, mut by_query) = (zero, zero);
        for i in 0..3 {
            let (a, b) = (simd.max32(gaps[i], zero), simd.max32(turned[i], zero));
            by_eight = simd.add32(by_eight, simd.mul32(a, a));
            by_query = simd.add32(by_query, simd.mul32(b, b));
        }
        simd.sqrt32(simd.max32(by_eight, by_query))
    }

    #[inline(always)]
    fn support_values<S: Simd>(simd: S, direction: Vec3A, pack: &Pack<6>) -> S::F32x8 {
        let mut reach = simd.splat32(0.0);
        for (i, d) in direction.to_array().into_iter().enumerate() {
            let side = pack.row(simd, if d >= 0.0 { 3 + i } else { i });
            reach = simd.add32(reach, simd.mul32(side, simd.splat32(d)));
        }
        reach
    }

    #[inline(always)]
    fn point_distances<S: Simd>(simd: S, point: Vec3A, pack: &Pack<6>) -> S::F32x8 {
        let zero = simd.splat32(0.0);
        let mut square = zero;
        for (i, p) in point.to_array().into_iter().enumerate() {
            let p = simd.splat32(p);
            let below = simd.sub32(pack.row(simd, i), p);
            let above = simd.sub32(p, pack.row(simd, 3 + i));
            let gap = simd.max32(simd.max32(below, above), zero);
            square = simd.add32(square, simd.mul32(gap, gap));
        }
        simd.sqrt32(square)
    }

    #[inline(always)]
    fn ray_query(ray: &LocalRay) -> Slabs {
        let margin = ray.fine_margin;
        Slabs {
            low: ray.origin.map(|x| x + margin),
            high: ray.origin.map(|x| x - margin),
            inverse: ray.precomputed.inverse.map(|x| -x),
        }
    }

    #[inline(always)]
    fn ray_entries<S: Simd>(simd: S, slabs: &Slabs, end: f32, pack: &Pack<6>) -> (u32, S::F32x8) {
        let (mut enter, mut leave) = (simd.splat32(0.0), simd.splat32(end));
        for i in 0..3 {
            let low = simd.splat32(slabs.low[i]);
            let high = simd.splat32(slabs.high[i]);
            let inverse = simd.splat32(slabs.inverse[i]);
            // Differences with the boxes as subtrahends, and so with their signs changed.
            let first = simd.sub32(low, pack.row(simd, i));
            let second = simd.sub32(high, pack.row(simd, 3 + i));
            let (first, second) = (simd.mul32(first, inverse), simd.mul32(second, inverse));
            // Where the ray is parallel to the sides and a difference is zero, a product is not a number: such boxes stay, or are out of
            // reach by the margin.
            enter = simd.max32(simd.min32(first, second), enter);
            leave = simd.min32(simd.max32(first, second), leave);
        }
        let missed = simd.splat32(f32::INFINITY);
        let mask = !simd.greater32(enter, leave) & ((1 << LANES) - 1);
        (mask, simd.pick_greater32(enter, leave, missed, enter))
    }
}

/// The gaps along the axes of the eight, and along those of the query; negative where the boxes overlap on the axis.
#[inline(always)]
fn gaps<S: Simd>(simd: S, query: &TurnedAabb, pack: &Pack<6>) -> ([S::F32x8; 3], [S::F32x8; 3]) {
    let zero = simd.splat32(0.0);
    let half = simd.splat32(0.5);
    let (center, shadow) = (query.center.to_array(), query.shadow.to_array());
    let (mut offset, mut sides, mut gaps) = ([zero; 3], [zero; 3], [zero; 3]);
    for i in 0..3 {
        let (low, high) = (pack.row(simd, i), pack.row(simd, 3 + i));
        sides[i] = simd.mul32(simd.sub32(high, low), half);
        offset[i] = simd.sub32(simd.splat32(center[i]), simd.mul32(simd.add32(low, high), half));
        let radius = simd.add32(sides[i], simd.splat32(shadow[i]));
        gaps[i] = simd.sub32(simd.abs32(offset[i]), radius);
    }
    let mut turned = [zero; 3];
    let axes = [query.turn.x_axis, query.turn.y_axis, query.turn.z_axis];
    let spread = [query.spread.x_axis, query.spread.y_axis, query.spread.z_axis];
    let reach = query.half.to_array();
    for j in 0..3 {
        let along = vector::dot(simd, offset, vector::splat(simd, axes[j].to_array()));
        let shadow = vector::dot(simd, sides, vector::splat(simd, spread[j].to_array()));
        let radius = simd.add32(shadow, simd.splat32(reach[j]));
        turned[j] = simd.sub32(simd.abs32(along), radius);
    }
    (gaps, turned)
}
