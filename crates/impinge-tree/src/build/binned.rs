//! Top-down by the surface area heuristic in bins.
//!
//! I. Wald, "On fast construction of SAH-based bounding volume hierarchies" (2007): centres fall into bins along each axis, and
//! the planes between bins are judged by area times the number of leaves. Ties go to the first axis and the first plane. Short lists get fewer bins:
//! there the bins, not the items, are the cost.

use super::reference::{Bounds, Reference};
use super::{centers, partition};
use crate::parallel::fold;
use impinge_geom::glam::Vec4;
use impinge_geom::simd::{Kernel, Scalar, Simd, dispatch};

/// Lists up to this long get eight bins per axis, longer ones sixteen.
const SHORT: usize = 64;

/// Reorders the list around the cheapest plane, for leaves of that size; where all centres coincide, says zero.
pub(super) fn split(list: &mut [Reference], leaf: usize) -> usize {
    if list.len() <= SHORT { split_into::<8>(list, leaf) } else { split_into::<16>(list, leaf) }
}

fn split_into<const BINS: usize>(list: &mut [Reference], leaf: usize) -> usize {
    let centers = centers(list);
    let scale = scale_to::<BINS>(centers.high - centers.low);
    let cells = Cells::<BINS> { low: centers.low, scale };
    let bins = fold(list, &|list| dispatch(Gather { list, cells: &cells }), &Bins::joined);
    let (cost, axis, plane) = dispatch(Choose { bins: &bins, scale, per_leaf: 1.0 / leaf as f32 });
    if cost == f32::INFINITY {
        return 0;
    }
    // One loop per axis: an axis that is known costs nothing to look up.
    match axis {
        0 => partition(list, |r| cells.along(r.center().x, 0) < plane),
        1 => partition(list, |r| cells.along(r.center().y, 1) < plane),
        _ => partition(list, |r| cells.along(r.center().z, 2) < plane),
    }
}

/// What takes sizes to slightly less than the number of bins; zero along axes without a size.
fn scale_to<const BINS: usize>(size: Vec4) -> Vec4 {
    let scale = size.to_array().map(|size| BINS as f32 * 0.9999 / size);
    // Sizes too small for a finite factor are as good as none.
    Vec4::from_array(scale.map(|s| if s.is_finite() { s } else { 0.0 })).with_w(0.0)
}

/// From centres to bins.
struct Cells<const BINS: usize> {
    low: Vec4,
    scale: Vec4,
}

/// Added to a number between −½ and 2^22, this leaves the nearest integer in the lowest bits.
const INTEGER: f32 = 12_582_912.0;

impl<const BINS: usize> Cells<BINS> {
    /// The bin along each axis.
    #[inline(always)]
    fn of(&self, center: Vec4) -> [usize; 3] {
        let bin = (center - self.low) * self.scale - Vec4::splat(0.5) + Vec4::splat(INTEGER);
        [bin.x, bin.y, bin.z].map(|bin| bin.to_bits() as usize % BINS)
    }

    /// The bin along one axis: the same operations.
    #[inline(always)]
    fn along(&self, center: f32, axis: usize) -> usize {
        let bin = (center - self.low[axis]) * self.scale[axis] - 0.5 + INTEGER;
        bin.to_bits() as usize % BINS
    }
}

/// The boxes and the number of the items in each bin of each axis.
struct Bins<const BINS: usize> {
    bounds: [[Bounds; BINS]; 3],
    counts: [[u32; BINS]; 3],
}

/// Fills the bins.
struct Gather<'l, const BINS: usize> {
    list: &'l [Reference],
    cells: &'l Cells<BINS>,
}

impl<const BINS: usize> Kernel for Gather<'_, BINS> {
    type Output = Bins<BINS>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Bins<BINS> {
        let mut bins = Bins { bounds: [[Bounds::EMPTY; BINS]; 3], counts: [[0; BINS]; 3] };
        for reference in self.list {
            let own = self.cells.of(reference.center());
            for (axis, bin) in own.into_iter().enumerate() {
                bins.bounds[axis][bin].add(simd, reference);
                bins.counts[axis][bin] += 1;
            }
        }
        bins
    }
}

impl<const BINS: usize> Bins<BINS> {
    /// Both together.
    fn joined(mut self, other: Self) -> Self {
        for axis in 0..3 {
            for bin in 0..BINS {
                self.bounds[axis][bin].join(Scalar::new(), &other.bounds[axis][bin]);
                self.counts[axis][bin] += other.counts[axis][bin];
            }
        }
        self
    }
}

/// Finds the least cost, its axis, and its plane, as the number of the first bin behind it. The cost is infinite if each axis has all in
/// one bin.
struct Choose<'b, const BINS: usize> {
    bins: &'b Bins<BINS>,
    scale: Vec4,
    /// One over the number of items that fill a leaf.
    per_leaf: f32,
}

impl<const BINS: usize> Kernel for Choose<'_, BINS> {
    type Output = (f32, usize, usize);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (f32, usize, usize) {
        let mut best = (f32::INFINITY, 0, 0);
        // A leaf that is not full costs as much as one that is.
        let leaves = |count: u32| (count as f32 * self.per_leaf).ceil();
        for axis in 0..3 {
            if self.scale[axis] == 0.0 {
                continue;
            }
            let (boxes, counts) = (&self.bins.bounds[axis], &self.bins.counts[axis]);
            // The area of nothing is infinite, and times zero not a number: such planes are never cheaper.
            let mut behind = [0.0f32; BINS];
            let (mut bounds, mut count) = (Bounds::EMPTY, 0);
            for plane in (1..BINS).rev() {
                bounds.join(simd, &boxes[plane]);
                count += counts[plane];
                behind[plane] = bounds.area() * leaves(count);
            }
            let (mut bounds, mut count) = (Bounds::EMPTY, 0);
            for plane in 1..BINS {
                bounds.join(simd, &boxes[plane - 1]);
                count += counts[plane - 1];
                let cost = bounds.area() * leaves(count) + behind[plane];
                if cost < best.0 {
                    best = (cost, axis, plane);
                }
            }
        }
        best
    }
}
