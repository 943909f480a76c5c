//! Top-down by the surface area heuristic in bins.
//!
//! I. Wald, "On fast construction of SAH-based bounding volume hierarchies" (2007): centres fall into bins along each axis, and
//! the planes between bins are judged by area times number. Ties go to the first axis and the first plane.

use super::bounds;
use super::reference::{Bounds, Reference};

const BINS: usize = 16;

/// Reorders the list around the cheapest plane; where all centres coincide, says zero.
pub(super) fn split(list: &mut [Reference]) -> usize {
    let (_, centers) = bounds(list);
    let size = centers.high - centers.low;
    let scale = std::array::from_fn::<f32, 3, _>(|axis| {
        if size[axis] > 0.0 { BINS as f32 * 0.9999 / size[axis] } else { 0.0 }
    });
    // Sizes too small for a finite factor are as good as none.
    let scale = scale.map(|s| if s.is_finite() { s } else { 0.0 });
    let mut bins = [[(Bounds::EMPTY, 0u32); BINS]; 3];
    for reference in list.iter() {
        let center = reference.center() - centers.low;
        for axis in 0..3 {
            let bin = &mut bins[axis][bin_of(center[axis], scale[axis])];
            bin.0.add(reference.low, reference.high);
            bin.1 += 1;
        }
    }
    let mut best = (f32::INFINITY, 0, 0);
    for axis in 0..3 {
        if scale[axis] == 0.0 {
            continue;
        }
        if let Some((cost, plane)) = cheapest(&bins[axis])
            && cost < best.0
        {
            best = (cost, axis, plane);
        }
    }
    let (cost, axis, plane) = best;
    if cost == f32::INFINITY {
        return 0;
    }
    partition(list, |r| bin_of(r.center()[axis] - centers.low[axis], scale[axis]) < plane)
}

#[inline(always)]
fn bin_of(offset: f32, scale: f32) -> usize {
    ((offset * scale) as usize).min(BINS - 1)
}

/// The plane with the least cost, as the number of the first bin behind it; none if all is in one bin.
fn cheapest(bins: &[(Bounds, u32); BINS]) -> Option<(f32, usize)> {
    let mut behind = [0.0f32; BINS];
    let (mut bounds, mut count) = (Bounds::EMPTY, 0);
    for plane in (1..BINS).rev() {
        bounds.join(&bins[plane].0);
        count += bins[plane].1;
        behind[plane] = if count == 0 { f32::INFINITY } else { bounds.area() * count as f32 };
    }
    let (mut bounds, mut count) = (Bounds::EMPTY, 0);
    let mut best = None;
    for plane in 1..BINS {
        bounds.join(&bins[plane - 1].0);
        count += bins[plane - 1].1;
        if count == 0 || behind[plane] == f32::INFINITY {
            continue;
        }
        let cost = bounds.area() * count as f32 + behind[plane];
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, plane));
        }
    }
    best
}

/// Brings those for which `first` holds to the front, and says how many they are.
pub(super) fn partition(list: &mut [Reference], first: impl Fn(&Reference) -> bool) -> usize {
    let mut place = 0;
    let mut end = list.len();
    while place < end {
        if first(&list[place]) {
            place += 1;
        } else {
            end -= 1;
            list.swap(place, end);
        }
    }
    place
}
