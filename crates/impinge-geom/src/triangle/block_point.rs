//! How far a point is from eight triangles, in f32: bounds from below and from above.
//!
//! For each triangle a point of it is found that is the closest one up to rounding: the foot of the perpendicular if that lies inside, else the best
//! of the closest points of its edges (C. Ericson, "Real-Time Collision Detection", 2005, section 5.1.5, but all cases are computed and one is picked).
//! Whatever its error, it is a point of the triangle, so that its distance is an upper bound. The lower bound is how far the triangle stays behind the
//! point *in the direction from that point*: it holds for any direction, and is the distance for the right one. So slivers, whose barycentric coordinates
//! are noise, widen the gap between the bounds, and never make one of them wrong. What is left is the rounding of products and sums, within the margin.

use super::block::{Corners, TriangleBlock};
use crate::simd::{Simd, vector};
use glam::Vec3A;

/// Bounds of the distances to eight triangles, in lanes. NaN or infinite where numbers overflow: compare so that a triangle counts as near then.
#[derive(Clone, Copy, Debug)]
pub struct PointBounds<F> {
    /// From below.
    pub low: F,
    /// From above.
    pub high: F,
}

/// Squared lengths below this have lost digits to underflow: nothing is known from below then.
const SMALLEST_SQUARE: f32 = 1e-30;

impl TriangleBlock {
    /// Bounds of the distances from a point; `margin` is that of tests between volumes and points
    /// ([`BOUND_MARGIN`](crate::number::tolerance::BOUND_MARGIN)).
    ///
    /// ```
    /// use impinge_geom::simd::{Kernel, Simd, dispatch};
    /// use impinge_geom::{triangle::TriangleBlock, glam::Vec3A};
    /// struct Ask(TriangleBlock);
    /// impl Kernel for Ask {
    ///     type Output = (f32, f32);
    ///     #[inline(always)]
    ///     fn run<S: Simd>(self, simd: S) -> (f32, f32) {
    ///         let found = self.0.point_bounds(simd, Vec3A::new(0.25, 0.25, 2.0), 1e-4);
    ///         (simd.first32(found.low), simd.first32(found.high))
    ///     }
    /// }
    /// let (low, high) = dispatch(Ask(TriangleBlock::new(&[[Vec3A::ZERO, Vec3A::X, Vec3A::Y]])));
    /// assert!(low < 2.0 && high > 2.0 && high - low < 1e-3);
    /// ```
    #[inline(always)]
    pub fn point_bounds<S: Simd>(
        &self,
        simd: S,
        point: Vec3A,
        margin: f32,
    ) -> PointBounds<S::F32x8> {
        let corners = self.lanes(simd);
        let point = vector::splat(simd, point.to_array());
        let seen = [
            vector::sub(simd, point, corners[0]),
            vector::sub(simd, point, corners[1]),
            vector::sub(simd, point, corners[2]),
        ];
        let away = from_closest(simd, &corners, seen[0]);
        let square = vector::dot(simd, away, away);
        let length = simd.sqrt32(square);
        let (behind, _) = vector::extremes(
            simd,
            vector::dot(simd, seen[0], away),
            vector::dot(simd, seen[1], away),
            vector::dot(simd, seen[2], away),
        );
        let margin = simd.splat32(margin);
        let low = simd.sub32(simd.div32(behind, length), margin);
        let nothing = simd.splat32(-1.0);
        let low = simd.pick_greater32(simd.splat32(SMALLEST_SQUARE), square, nothing, low);
        PointBounds { low, high: simd.add32(length, margin) }
    }
}

/// The vectors to a point from the closest points of the triangles, up to rounding; `seen` are those from the first corners.
#[inline(always)]
fn from_closest<S: Simd>(simd: S, corners: &Corners<S>, seen: [S::F32x8; 3]) -> [S::F32x8; 3] {
    let (zero, one) = (simd.splat32(0.0), simd.splat32(1.0));
    let tiny = simd.splat32(f32::MIN_POSITIVE);
    let clamped = |over: S::F32x8, under: S::F32x8| {
        let share = simd.div32(over, simd.max32(under, tiny));
        simd.min32(simd.max32(share, zero), one)
    };
    let base = vector::sub(simd, corners[1], corners[0]);
    let side = vector::sub(simd, corners[2], corners[0]);
    let third = vector::sub(simd, corners[2], corners[1]);
    let (bb, ss) = (vector::dot(simd, base, base), vector::dot(simd, side, side));
    let bs = vector::dot(simd, base, side);
    let (along_base, along_side) = (vector::dot(simd, base, seen), vector::dot(simd, side, seen));
    // The edges: shares of the base and of the side.
    let on_base = clamped(along_base, bb);
    let on_side = clamped(along_side, ss);
    let seen_from_second = vector::sub(simd, seen, base);
    let on_third =
        clamped(vector::dot(simd, third, seen_from_second), vector::dot(simd, third, third));
    let from_base = vector::sub(simd, seen, vector::scale(simd, base, on_base));
    let from_side = vector::sub(simd, seen, vector::scale(simd, side, on_side));
    let from_third = vector::sub(simd, seen_from_second, vector::scale(simd, third, on_third));
    let best = nearer(simd, nearer(simd, from_base, from_side), from_third);
    // The face, if the foot of the perpendicular is inside. A triangle without area has a NaN there, which is not.
    let area = simd.subtract_product32(simd.mul32(bb, ss), bs, bs);
    let v = simd.subtract_product32(simd.mul32(ss, along_base), bs, along_side);
    let w = simd.subtract_product32(simd.mul32(bb, along_side), bs, along_base);
    let (v, w) = (simd.div32(v, area), simd.div32(w, area));
    let rest = simd.sub32(simd.sub32(one, v), w);
    let least = simd.min32(simd.min32(v, w), rest);
    let foot = vector::add(simd, vector::scale(simd, base, v), vector::scale(simd, side, w));
    let from_face = vector::sub(simd, seen, foot);
    let below = simd.splat32(-f32::MIN_POSITIVE);
    [
        simd.pick_greater32(least, below, from_face[0], best[0]),
        simd.pick_greater32(least, below, from_face[1], best[1]),
        simd.pick_greater32(least, below, from_face[2], best[2]),
    ]
}

/// The shorter of two vectors in each lane.
#[inline(always)]
fn nearer<S: Simd>(simd: S, a: [S::F32x8; 3], b: [S::F32x8; 3]) -> [S::F32x8; 3] {
    let (of_a, of_b) = (vector::dot(simd, a, a), vector::dot(simd, b, b));
    [
        simd.pick_greater32(of_a, of_b, b[0], a[0]),
        simd.pick_greater32(of_a, of_b, b[1], a[1]),
        simd.pick_greater32(of_a, of_b, b[2], a[2]),
    ]
}
