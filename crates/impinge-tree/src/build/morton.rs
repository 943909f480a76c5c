//! Linear: items sorted along the Morton curve, split where the highest bit changes.
//!
//! T. Karras, "Maximizing parallelism in the construction of BVHs, octrees, and k-d trees" (2012). The tree is the one that his
//! method finds for all nodes at once; here it is found from the top, which needs no parent links. Equal codes are split in the middle.

use super::reference::Reference;
use super::{bounds, split_all};
use crate::topology::Group;

/// Bits of the code per axis.
const BITS: u32 = 21;

/// Sorts the list and groups it.
pub(super) fn build(list: &mut [Reference], leaf: usize) -> Vec<Group> {
    let (_, centers) = bounds(list);
    let size = centers.high - centers.low;
    let cells = (1u32 << BITS) as f32;
    let scale = std::array::from_fn::<f32, 3, _>(|axis| {
        let scale = cells / size[axis];
        if scale.is_finite() { scale } else { 0.0 }
    });
    let code = |reference: &Reference| {
        let d = reference.center() - centers.low;
        let mut code = 0;
        for axis in 0..3 {
            let cell = ((d[axis] * scale[axis]) as u64).min((1 << BITS) - 1);
            code |= spread(cell) << axis;
        }
        code
    };
    // The second half of each 128-bit key is the item, so that the order is the same for any number of threads; the code of an item
    // is then looked for by its place.
    let mut keyed: Vec<(u64, Reference)> = list.iter().map(|r| (code(r), *r)).collect();
    sort(&mut keyed);
    for (place, (_, reference)) in list.iter_mut().zip(&keyed) {
        *place = *reference;
    }
    split_all(list, 0, 0, leaf, &|part: &mut [Reference]| {
        let (Some(first), Some(last)) = (part.first(), part.last()) else { return 0 };
        let (low, high) = (code(first), code(last));
        if low == high {
            return part.len() / 2;
        }
        let bit = 63 - (low ^ high).leading_zeros();
        part.partition_point(|r| code(r) >> bit & 1 == 0)
    })
}

#[cfg(feature = "parallel")]
fn sort(keyed: &mut [(u64, Reference)]) {
    use rayon::slice::ParallelSliceMut;
    keyed.par_sort_unstable_by_key(|(code, reference)| (*code, reference.id()));
}

#[cfg(not(feature = "parallel"))]
fn sort(keyed: &mut [(u64, Reference)]) {
    keyed.sort_unstable_by_key(|(code, reference)| (*code, reference.id()));
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
