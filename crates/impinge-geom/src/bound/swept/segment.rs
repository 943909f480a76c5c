//! The segment: swept, a capsule.

use super::{Lanes, SweptCore, axes_of};
use crate::bound::Obb;
use crate::bound::fit::Moments;
use crate::simd::{Simd, vector};
use glam::Vec3A;
use std::f32::consts::PI;

/// A segment: its middle, and the way from there to an end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentCore;

/// Where along the direction `along` the point is, in its lengths, within the two limits.
#[inline(always)]
pub(super) fn part_along<S: Simd>(
    simd: S,
    along: [S::F32x8; 3],
    point: [S::F32x8; 3],
    [low, high]: [f32; 2],
) -> S::F32x8 {
    let square = vector::dot(simd, along, along);
    let square = simd.max32(square, simd.splat32(f32::MIN_POSITIVE));
    let part = simd.div32(vector::dot(simd, along, point), square);
    simd.min32(simd.max32(part, simd.splat32(low)), simd.splat32(high))
}

impl SweptCore<2> for SegmentCore {
    const NAME: &'static str = "LSS";
    const ROUNDS: usize = 3;

    /// Along the longest principal axis, through the middle of the points' box; as in the fit of [`Rss`](crate::bound::Rss) a point at
    /// a distance d from the axis needs the end only within √(r² − d²).
    fn choose(points: &[Vec3A], moments: &Moments) -> [Vec3A; 2] {
        let axes = axes_of(points, moments);
        let middle = Obb::with_axes(points, axes, 0.0).center;
        let axis = axes[0].as_vec3a();
        let place = |point: Vec3A| {
            let way = point - middle;
            let along = way.dot(axis);
            (along, (way - axis * along).length_squared())
        };
        let square = points.iter().map(|&p| place(p).1).fold(0.0, f32::max);
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for &point in points {
            let (along, beside) = place(point);
            let free = (square - beside).max(0.0).sqrt();
            (low, high) = (low.min(along + free), high.max(along - free));
        }
        let half = ((high - low) * 0.5).max(0.0);
        let center = if points.is_empty() { middle } else { middle + axis * ((high + low) * 0.5) };
        [center, axis * half]
    }

    fn corners(core: &[Vec3A; 2], out: &mut Vec<Vec3A>) {
        out.extend([core[0] - core[1], core[0] + core[1]]);
    }

    fn measures(core: &[Vec3A; 2]) -> [f32; 2] {
        [0.0, 2.0 * PI * core[1].length()]
    }

    #[inline(always)]
    fn half_length(core: &[Vec3A; 2]) -> f32 {
        core[1].length()
    }

    #[inline(always)]
    fn ball<S: Simd>(simd: S, core: &Lanes<S, 2>) -> ([S::F32x8; 3], S::F32x8) {
        (core[0], simd.sqrt32(vector::dot(simd, core[1], core[1])))
    }

    #[inline(always)]
    fn nearest<S: Simd>(simd: S, core: &Lanes<S, 2>, point: [S::F32x8; 3]) -> [S::F32x8; 3] {
        let part = part_along(simd, core[1], vector::sub(simd, point, core[0]), [-1.0, 1.0]);
        vector::add(simd, core[0], vector::scale(simd, core[1], part))
    }

    #[inline(always)]
    fn spread<S: Simd>(simd: S, core: &Lanes<S, 2>, direction: [S::F32x8; 3]) -> S::F32x8 {
        simd.abs32(vector::dot(simd, core[1], direction))
    }
}
