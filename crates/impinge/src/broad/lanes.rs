//! Boxes with four coordinates in a row, of which the last one is nothing: compilers make vector instructions of it.

use super::Aabb;

/// A box.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(super) struct Lanes {
    pub(super) low: [f32; 4],
    pub(super) high: [f32; 4],
}

impl Lanes {
    #[inline]
    pub(super) fn new(extent: &Aabb) -> Self {
        let ([x, y, z], [high_x, high_y, high_z]) = (extent.low.to_array(), extent.high.to_array());
        Self { low: [x, y, z, 0.0], high: [high_x, high_y, high_z, 0.0] }
    }

    /// True if the boxes have a point in common.
    #[inline(always)]
    pub(super) fn intersects(&self, other: &Self) -> bool {
        let mut all = true;
        for k in 0..4 {
            all &= (self.low[k] <= other.high[k]) & (other.low[k] <= self.high[k]);
        }
        all
    }

    /// The least box around both.
    #[inline]
    pub(super) fn around(&self, other: &Self) -> Self {
        Self { low: least_of(self.low, other.low), high: largest_of(self.high, other.high) }
    }
}

/// The smaller ones of numbers that are not NaN.
#[inline(always)]
pub(super) fn least_of(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    [0, 1, 2, 3].map(|k| if a[k] < b[k] { a[k] } else { b[k] })
}

/// The larger ones of numbers that are not NaN.
#[inline(always)]
pub(super) fn largest_of(a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    [0, 1, 2, 3].map(|k| if a[k] > b[k] { a[k] } else { b[k] })
}

/// Nothing is gained by cells of less than this, and the error of subnormal numbers is not relative.
const SMALLEST: f32 = 1e-30;

/// The size that decides which cells are large enough for a box: the longest side, but not less than what its coordinates can
/// resolve, so that cell numbers stay small also for points far away. Infinite for boxes that no cells are made for.
#[inline]
pub(super) fn effective_size(extent: &Aabb) -> f32 {
    let Lanes { low, high } = Lanes::new(extent);
    let far = largest_of(low.map(f32::abs), high.map(f32::abs));
    let size = [0, 1, 2, 3].map(|k| {
        // Of two infinite ends the difference is NaN, but then `far` is infinite.
        let side = (high[k] - low[k]) * (1.0 + 2.0 * f32::EPSILON);
        let resolved = far[k] * (1.0 / (1 << 20) as f32);
        if side > resolved { side } else { resolved }
    });
    let [a, b] = [(0, 1), (2, 3)].map(|(a, b)| if size[a] > size[b] { size[a] } else { size[b] });
    (if a > b { a } else { b }).max(SMALLEST)
}
