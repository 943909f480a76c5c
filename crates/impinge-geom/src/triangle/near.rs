//! Which triangles of two blocks may be near each other.

use super::block::{BLOCK, TriangleBlock, along};
use crate::simd::{Simd, vector};
use glam::Vec3A;

/// The pairs of triangles of two blocks that may be within `limit` of each other; bits as in [`candidates`](super::candidates).
///
/// Gaps are measured between boxes, and along `direction`, a unit vector: the direction between the closest points found so
/// far is the one along which most of the rest is parted.
#[inline(always)]
pub fn within<S: Simd>(
    simd: S,
    (a, live_a): (&TriangleBlock, u32),
    (b, live_b): (&TriangleBlock, u32),
    direction: Vec3A,
    limit: f32,
) -> u64 {
    let corners_a = a.lanes(simd);
    let corners_b = b.lanes(simd);
    let zero = simd.splat32(0.0);
    let direction = vector::splat(simd, direction.to_array());
    let (mut low, mut high) = ([zero; 4], [zero; 4]);
    let (mut low_b, mut high_b) = ([[0.0; BLOCK]; 4], [[0.0; BLOCK]; 4]);
    for axis in 0..3 {
        (low[axis], high[axis]) =
            vector::extremes(simd, corners_a[0][axis], corners_a[1][axis], corners_a[2][axis]);
        let (least, most) =
            vector::extremes(simd, corners_b[0][axis], corners_b[1][axis], corners_b[2][axis]);
        (low_b[axis], high_b[axis]) = (simd.store32(least), simd.store32(most));
    }
    (low[3], high[3]) = along(simd, &corners_a, direction);
    let (least, most) = along(simd, &corners_b, direction);
    (low_b[3], high_b[3]) = (simd.store32(least), simd.store32(most));
    let square_limit = simd.splat32(limit * limit);
    let limit = simd.splat32(limit);
    let mut found = 0u64;
    let mut left = live_b;
    while left != 0 {
        let lane = left.trailing_zeros() as usize % BLOCK;
        left &= left - 1;
        let mut square = zero;
        for axis in 0..3 {
            let below = simd.sub32(low[axis], simd.splat32(high_b[axis][lane]));
            let above = simd.sub32(simd.splat32(low_b[axis][lane]), high[axis]);
            let gap = simd.max32(simd.max32(below, above), zero);
            square = simd.add32(square, simd.mul32(gap, gap));
        }
        let below = simd.sub32(low[3], simd.splat32(high_b[3][lane]));
        let above = simd.sub32(simd.splat32(low_b[3][lane]), high[3]);
        let far =
            simd.greater32(square, square_limit) | simd.greater32(simd.max32(below, above), limit);
        found |= u64::from(!far & live_a & 0xff) << (BLOCK * lane);
    }
    found
}

/// The pairs of triangles of two blocks for which b is at most `limit` higher than a along the direction; bits as in [`candidates`](super::candidates).
///
/// For bodies far apart, whose frames have been brought together: the way between them is nearly all along one direction.
#[inline(always)]
pub fn within_along<S: Simd>(
    simd: S,
    (a, live_a): (&TriangleBlock, u32),
    (b, live_b): (&TriangleBlock, u32),
    direction: Vec3A,
    limit: f32,
) -> u64 {
    let direction = vector::splat(simd, direction.to_array());
    let (_, high) = along(simd, &a.lanes(simd), direction);
    let (low, _) = along(simd, &b.lanes(simd), direction);
    let low = simd.store32(low);
    let limit = simd.add32(high, simd.splat32(limit));
    let mut found = 0u64;
    for (lane, low) in low.into_iter().enumerate() {
        if live_b >> lane & 1 != 0 {
            let far = simd.greater32(simd.splat32(low), limit);
            found |= u64::from(!far & live_a & 0xff) << (BLOCK * lane);
        }
    }
    found
}

/// Two triangles that are probably near each other: those with the nearest corners, of a's three and the first of b's.
///
/// A search for the closest pair starts with them, so that the rest can be rejected against a good distance.
#[inline(always)]
pub fn near_corners<S: Simd>(
    simd: S,
    (a, live_a): (&TriangleBlock, u32),
    (b, live_b): (&TriangleBlock, u32),
) -> (usize, usize) {
    let corners = a.lanes(simd);
    let mut best = (f32::INFINITY, simd.splat32(0.0), 0);
    let mut left = live_b;
    while left != 0 {
        let lane = left.trailing_zeros() as usize % BLOCK;
        left &= left - 1;
        let point = b.splat(simd, 0, lane);
        let mut least = square(simd, corners[0], point);
        least = simd.min32(least, square(simd, corners[1], point));
        least = simd.min32(least, square(simd, corners[2], point));
        let nearest = simd.least32(least);
        if nearest < best.0 {
            best = (nearest, least, lane);
        }
    }
    let further = simd.greater32(best.1, simd.splat32(best.0));
    let last = live_a.trailing_ones().max(1) as usize - 1;
    ((further.trailing_ones() as usize).min(last), best.2)
}

/// Squared distances of points.
#[inline(always)]
fn square<S: Simd>(simd: S, a: [S::F32x8; 3], b: [S::F32x8; 3]) -> S::F32x8 {
    let d = vector::sub(simd, a, b);
    vector::dot(simd, d, d)
}
