//! Top-down at the middle of space: no sorting, no counting.
//!
//! The plane halves the box of the centres across its longest axis. Items in clusters of clusters make it deep; from
//! [`DEEPEST`](super::DEEPEST) on lists are halved.

use super::reference::Reference;
use super::{centers, partition};

/// Reorders the list around the middle of the longest axis; zero where all centres coincide.
pub(super) fn split(list: &mut [Reference]) -> usize {
    let centers = centers(list);
    let axis = (centers.high - centers.low).truncate().max_position();
    let middle = 0.5 * centers.low[axis] + 0.5 * centers.high[axis];
    partition(list, |r| r.center()[axis] < middle)
}
