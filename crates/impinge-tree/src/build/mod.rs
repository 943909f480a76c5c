//! Builders: items → topology. One file each; to add one, a file and a line in [`Builder`].

mod binned;
mod morton;
mod principal;
mod reference;

use crate::topology::{Group, Topology};
use crate::{Items, join::join};
use reference::{Bounds, Reference};

/// How items are grouped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Builder {
    /// Along the Morton curve: the fastest to build.
    Morton,
    /// By area in bins along three axes: good for rays and boxes.
    #[default]
    BinnedArea,
    /// At the mean along the principal axis, as RAPID does: good for oriented boxes.
    PrincipalMean,
}

impl Builder {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Morton, Self::BinnedArea, Self::PrincipalMean];
}

/// Nodes deeper than this are split in the middle of their list, so that no tree is deeper than this and 32 more.
const DEEPEST: u32 = 64;

/// Groups the items until no group has more than `leaf` of them.
///
/// The topology is the same for any number of threads. Items beyond 2^32 − 1 are left out; meshes refuse them.
pub fn build(items: &Items, builder: Builder, leaf: usize) -> Topology {
    let leaf = leaf.max(1);
    let mut references = reference::references(items);
    let groups = match builder {
        Builder::Morton => morton::build(&mut references, leaf),
        Builder::BinnedArea => split_all(&mut references, 0, 0, leaf, &binned::split),
        Builder::PrincipalMean => split_all(&mut references, 0, 0, leaf, &principal::split),
    };
    Topology { groups, order: references.iter().map(|r| r.id()).collect() }
}

/// Splits the list, and its parts, by `split`, which reorders the list and says where the second part begins.
fn split_all<F>(
    list: &mut [Reference],
    first: u32,
    depth: u32,
    leaf: usize,
    split: &F,
) -> Vec<Group>
where
    F: Fn(&mut [Reference]) -> usize + Sync,
{
    let mut groups =
        Vec::with_capacity(if list.len() < SHARED { 2 * list.len() / leaf } else { 0 });
    extend(&mut groups, list, first, depth, leaf, split);
    groups
}

/// Lists longer than this are split by two threads.
const SHARED: usize = 4096;

fn extend<F>(
    groups: &mut Vec<Group>,
    list: &mut [Reference],
    first: u32,
    depth: u32,
    leaf: usize,
    split: &F,
) where
    F: Fn(&mut [Reference]) -> usize + Sync,
{
    if list.is_empty() {
        return;
    }
    let own = groups.len();
    groups.push(Group { first, count: list.len() as u32, second: 0 });
    if list.len() <= leaf {
        return;
    }
    let at = if depth < DEEPEST { split(list) } else { 0 };
    let at = if at == 0 || at >= list.len() { list.len() / 2 } else { at };
    let count = list.len();
    let (head, tail) = list.split_at_mut(at);
    let middle = first + at as u32;
    if count < SHARED {
        extend(groups, head, first, depth + 1, leaf, split);
        groups[own].second = (groups.len() - own) as u32;
        extend(groups, tail, middle, depth + 1, leaf, split);
    } else {
        let (a, b) = join(
            count,
            || split_all(head, first, depth + 1, leaf, split),
            || split_all(tail, middle, depth + 1, leaf, split),
        );
        groups.extend_from_slice(&a);
        groups[own].second = (groups.len() - own) as u32;
        groups.extend_from_slice(&b);
    }
}

/// The bounds of all boxes and of all centres.
fn bounds(list: &[Reference]) -> (Bounds, Bounds) {
    let (mut boxes, mut centers) = (Bounds::EMPTY, Bounds::EMPTY);
    for reference in list {
        boxes.add(reference.low, reference.high);
        let center = reference.center();
        centers.add(center, center);
    }
    (boxes, centers)
}
