//! Points along the Morton curve: neighbours on it are near each other in space.

use crate::parallel::{list, sort};
use impinge_geom::glam::DVec3;

/// Bits of a key per axis.
pub(crate) const BITS: u32 = 21;

/// The key of a cell: the bits of its three coordinates by turns.
pub(crate) fn key(cell: [u64; 3]) -> u64 {
    let [x, y, z] = cell.map(|cell| spread(cell.min((1 << BITS) - 1)));
    x | y << 1 | z << 2
}

/// Two zeros after every one of 21 bits.
fn spread(mut v: u64) -> u64 {
    v &= 0x1f_ffff;
    v = (v | v << 32) & 0x001f_0000_0000_ffff;
    v = (v | v << 16) & 0x001f_0000_ff00_00ff;
    v = (v | v << 8) & 0x100f_00f0_0f00_f00f;
    v = (v | v << 4) & 0x10c3_0c30_c30c_30c3;
    (v | v << 2) & 0x1249_2492_4924_9249
}

/// The places of points in the list, in an order in which each is near the one before: questions about them read the same memory, and know
/// more beforehand. The same for any number of threads.
///
/// ```
/// use impinge_geom::glam::DVec3;
/// let points = [DVec3::ZERO, DVec3::ONE, DVec3::splat(0.1), DVec3::splat(0.9)];
/// assert_eq!(impinge_tree::curve::order(&points), [0, 2, 3, 1]);
/// ```
pub fn order(points: &[DVec3]) -> Vec<usize> {
    let finite = || points.iter().filter(|point| point.is_finite());
    let low = finite().fold(DVec3::INFINITY, |low, point| low.min(*point));
    let high = finite().fold(DVec3::NEG_INFINITY, |high, point| high.max(*point));
    let scale = f64::from(1u32 << BITS) / (high - low).max_element();
    let scale = if scale.is_finite() { scale } else { 0.0 };
    let mut places: Vec<(u64, usize)> = list(points.len(), |k| {
        let cell = (points[k] - low) * scale;
        // What is not a number is zero.
        (key(cell.to_array().map(|x| x as u64)), k)
    });
    sort(&mut places);
    list(places.len(), |k| places[k].1)
}
