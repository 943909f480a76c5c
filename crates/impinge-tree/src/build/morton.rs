//! Linear: items sorted along the Morton curve, split where the highest bit changes.
//!
//! T. Karras, "Maximizing parallelism in the construction of BVHs, octrees, and k-d trees" (2012). The tree is the one that his
//! method finds for all nodes at once; here it is found from the top, which needs no parent links. Equal codes are split in the middle.

use super::{Grouping, centers};
use crate::build::reference::Reference;
use crate::curve::{BITS, key};
use crate::parallel::{list, sort};
use crate::topology::Topology;
use impinge_geom::glam::Vec4;

/// A place on the curve, and the item there. Items differ, so that the order is the same for any number of threads.
type Place = (u64, u32);

/// Sorts the items and groups them.
pub(super) fn build(references: &[Reference], leaf: usize) -> Topology {
    let mut places = places(references, |sizes| sizes, |k| references[k].id());
    let split = |part: &mut [Place]| {
        let (Some(first), Some(last)) = (part.first(), part.last()) else { return 0 };
        if first.0 == last.0 {
            return part.len() / 2;
        }
        let bit = 63 - (first.0 ^ last.0).leading_zeros();
        part.partition_point(|place| place.0 >> bit & 1 == 0)
    };
    let groups = Grouping { leaf, split: &split }.all(&mut places, 0, 0);
    Topology { groups, order: list(places.len(), |k| places[k].1) }
}

/// The items along the curve through a cube, as places in the list: neighbours on it are near each other also in flat bodies.
pub(super) fn along_curve(references: &[Reference]) -> Vec<u32> {
    let places = places(references, |sizes| Vec4::splat(sizes.max_element()), |k| k as u32);
    list(places.len(), |k| places[k].1)
}

/// Codes in cells of a space whose size follows from that of the box of all centres.
fn places(
    references: &[Reference],
    space: impl Fn(Vec4) -> Vec4,
    name: impl Fn(usize) -> u32 + Sync + Send,
) -> Vec<Place> {
    let centers = centers(references);
    let cells = (1u32 << BITS) as f32;
    let scale = space(centers.high - centers.low).to_array().map(|size| {
        let scale = cells / size;
        if scale.is_finite() { scale } else { 0.0 }
    });
    let scale = Vec4::from_array(scale);
    let mut places: Vec<Place> = list(references.len(), |k| {
        let cell = (references[k].center() - centers.low) * scale;
        (key([0, 1, 2].map(|axis| cell[axis] as u64)), name(k))
    });
    sort(&mut places);
    places
}
