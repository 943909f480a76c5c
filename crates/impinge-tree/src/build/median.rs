//! Top-down at the middle item: both halves hold the same number.
//!
//! The axis is the one along which the centres spread the furthest. The tree is as shallow as can be, whatever the items are; where they
//! crowd, its volumes are larger than those of other builders.

use super::centers;
use super::reference::Reference;

/// Reorders the list around its median along the longest axis.
pub(super) fn split(list: &mut [Reference]) -> usize {
    let centers = centers(list);
    let axis = (centers.high - centers.low).truncate().max_position();
    let middle = list.len() / 2;
    // Items differ, so that the halves are the same in whatever order they come.
    let order = |a: &Reference, b: &Reference| {
        a.center()[axis].total_cmp(&b.center()[axis]).then(a.id().cmp(&b.id()))
    };
    if middle < list.len() {
        list.select_nth_unstable_by(middle, order);
    }
    middle
}
