//! Eight boxes side by side.

use super::super::Aabb;
use impinge_geom::simd::{Simd, vector};

/// A low and a high corner.
pub(super) type Corners = [[f32; 3]; 2];

/// Eight boxes in registers.
pub(super) type Lanes<S> = [[<S as Simd>::F32x8; 3]; 2];

/// Eight boxes, coordinate by coordinate. A lane of NaN holds none, and overlaps nothing.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Pack {
    low: [[f32; 8]; 3],
    high: [[f32; 8]; 3],
}

impl Pack {
    /// Eight times nothing.
    pub(super) const EMPTY: Self = Self { low: [[f32::NAN; 8]; 3], high: [[f32::NAN; 8]; 3] };

    /// Gives a lane a box.
    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, [low, high]: Corners) {
        for axis in 0..3 {
            self.low[axis][lane] = low[axis];
            self.high[axis][lane] = high[axis];
        }
    }

    /// The box of a lane.
    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> Corners {
        let ([a, b, c], [d, e, f]) = (&self.low, &self.high);
        [[a[lane], b[lane], c[lane]], [d[lane], e[lane], f[lane]]]
    }

    /// All boxes.
    #[inline(always)]
    pub(super) fn lanes<S: Simd>(&self, simd: S) -> Lanes<S> {
        [vector::load(simd, &self.low), vector::load(simd, &self.high)]
    }

    /// One box in all lanes.
    #[inline(always)]
    pub(super) fn splat<S: Simd>(&self, simd: S, lane: usize) -> Lanes<S> {
        let [low, high] = self.get(lane & 7);
        [vector::splat(simd, low), vector::splat(simd, high)]
    }

    /// The least box around all; from infinity to minus infinity if there is none.
    #[inline(always)]
    pub(super) fn bound<S: Simd>(&self, simd: S) -> Corners {
        let [low, high] = self.lanes(simd);
        let (most, least) = (simd.splat32(f32::INFINITY), simd.splat32(f32::NEG_INFINITY));
        // In this order the second is taken where the first is NaN.
        let low = [simd.min32(low[0], most), simd.min32(low[1], most), simd.min32(low[2], most)];
        let high =
            [simd.max32(high[0], least), simd.max32(high[1], least), simd.max32(high[2], least)];
        [
            [simd.least32(low[0]), simd.least32(low[1]), simd.least32(low[2])],
            [simd.greatest32(high[0]), simd.greatest32(high[1]), simd.greatest32(high[2])],
        ]
    }
}

/// The corners of a box.
#[inline(always)]
pub(super) fn corners(extent: &Aabb) -> Corners {
    [extent.low.to_array(), extent.high.to_array()]
}

/// The least box around two; one that is NaN does not count.
pub(super) fn union(a: &Corners, b: &Corners) -> Corners {
    let both = |k: usize| (a[0][k].min(b[0][k]), a[1][k].max(b[1][k]));
    let (x, y, z) = (both(0), both(1), both(2));
    [[x.0, y.0, z.0], [x.1, y.1, z.1]]
}

/// The sum of the edges in three directions; 0 if it is not finite.
pub(super) fn side_sum([low, high]: &Corners) -> f32 {
    let side_sum = (high[0] - low[0]) + (high[1] - low[1]) + (high[2] - low[2]);
    if side_sum.is_finite() { side_sum } else { 0.0 }
}
