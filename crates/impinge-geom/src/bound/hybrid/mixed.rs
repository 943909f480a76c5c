//! A box and a ball: the nearest point of the box, coordinate by coordinate along its axes.

use super::super::swept::SweptPack;
use super::super::{Obb, Overlaps, Pack, Sphere};
use crate::simd::{Simd, vector};

/// How eight boxes or balls stand to one of the other kind.
#[derive(Clone, Copy)]
pub(super) struct Apart<S: Simd> {
    /// The largest gap between the ball's centre and the box along an axis of the box; negative inside.
    most: S::F32x8,
    /// The distance of the ball's centre from the box.
    away: S::F32x8,
    radius: S::F32x8,
}

impl<S: Simd> Apart<S> {
    /// From how far the centre is off the middle of the box along each axis.
    #[inline(always)]
    fn new(simd: S, along: [S::F32x8; 3], half: [S::F32x8; 3], radius: S::F32x8) -> Self {
        let zero = simd.splat32(0.0);
        let mut most = simd.sub32(simd.abs32(along[0]), half[0]);
        let first = simd.max32(most, zero);
        let mut square = simd.mul32(first, first);
        for i in 1..3 {
            let gap = simd.sub32(simd.abs32(along[i]), half[i]);
            most = simd.max32(most, gap);
            let gap = simd.max32(gap, zero);
            square = simd.add32(square, simd.mul32(gap, gap));
        }
        Self { most, away: simd.sqrt32(square), radius }
    }

    #[inline(always)]
    pub(super) fn overlaps(self, simd: S, margin: f32) -> Overlaps<S> {
        let parted = simd.greater32(simd.sub32(self.away, self.radius), simd.splat32(margin));
        Overlaps { mask: !parted & 0xff, separation: simd.sub32(self.most, self.radius) }
    }

    #[inline(always)]
    pub(super) fn distances(self, simd: S) -> S::F32x8 {
        simd.max32(simd.sub32(self.away, self.radius), simd.splat32(0.0))
    }
}

/// One box and eight balls.
#[inline(always)]
pub(super) fn box_spheres<S: Simd>(simd: S, query: &Obb, pack: &SweptPack<1>) -> Apart<S> {
    let (center, radius) = pack.balls(simd);
    let offset = vector::sub(simd, center, vector::splat(simd, query.center.to_array()));
    let along =
        query.axes.map(|axis| vector::dot(simd, offset, vector::splat(simd, axis.to_array())));
    Apart::new(simd, along, vector::splat(simd, query.half.to_array()), radius)
}

/// One ball and eight boxes along the axes.
#[inline(always)]
pub(super) fn ball_aabbs<S: Simd>(simd: S, query: &Sphere, pack: &Pack<6>) -> Apart<S> {
    let half = simd.splat32(0.5);
    let zero = simd.splat32(0.0);
    let center = query.center().to_array();
    let (mut along, mut sides) = ([zero; 3], [zero; 3]);
    for i in 0..3 {
        let (low, high) = (pack.row(simd, i), pack.row(simd, 3 + i));
        along[i] = simd.sub32(simd.splat32(center[i]), simd.mul32(simd.add32(low, high), half));
        sides[i] = simd.mul32(simd.sub32(high, low), half);
    }
    Apart::new(simd, along, sides, simd.splat32(query.radius()))
}

/// One ball and eight boxes with axes of their own.
#[inline(always)]
pub(super) fn ball_obbs<S: Simd>(simd: S, query: &Sphere, pack: &Pack<15>) -> Apart<S> {
    let center = [pack.row(simd, 0), pack.row(simd, 1), pack.row(simd, 2)];
    let offset = vector::sub(simd, vector::splat(simd, query.center().to_array()), center);
    let mut along = offset;
    for (i, along) in along.iter_mut().enumerate() {
        let row = 3 + 3 * i;
        let axis = [pack.row(simd, row), pack.row(simd, row + 1), pack.row(simd, row + 2)];
        *along = vector::dot(simd, offset, axis);
    }
    let half = [pack.row(simd, 12), pack.row(simd, 13), pack.row(simd, 14)];
    Apart::new(simd, along, half, simd.splat32(query.radius()))
}
