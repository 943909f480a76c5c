//! Pairs found by portions, side by side where the feature `parallel` is on.

use super::PairList;
use impinge_tree::parallel;
use std::ops::Range;

/// Fewer items than this are one portion.
const PORTION: usize = 2048;

/// More portions than this are not made.
const PORTIONS: usize = 32;

/// Lists for the portions, kept between updates.
#[derive(Debug, Default)]
pub(super) struct Gather {
    lists: Vec<PairList>,
}

impl Gather {
    /// Lets `find` look at all of `0..count`, a range at a time, and puts what it finds into `pairs`, in the order of the ranges.
    /// `items` is how many boxes that concerns. `find` is false if its list is full; then this is false too.
    pub(super) fn all(
        &mut self,
        [items, count]: [usize; 2],
        pairs: &mut PairList,
        find: &(impl Fn(Range<usize>, &mut PairList) -> bool + Sync),
    ) -> bool {
        let portions = (items / PORTION).min(PORTIONS).min(count);
        if portions < 2 || parallel::threads() == 1 {
            return find(0..count, pairs);
        }
        let room = pairs.room();
        self.lists.resize_with(portions, PairList::default);
        self.lists.iter_mut().for_each(|list| list.begin(room));
        let bound = |k: usize| count * k / portions;
        spread(&mut self.lists, 0, items, &|k, list| find(bound(k)..bound(k + 1), list));
        self.lists.iter().all(|list| pairs.append(list))
    }

    /// The memory that it holds, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.lists.iter().map(PairList::bytes).sum()
    }
}

/// Fills the lists, whose numbers begin at `first`; `items` says how much work it is.
fn spread(
    lists: &mut [PairList],
    first: usize,
    items: usize,
    fill: &(impl Fn(usize, &mut PairList) -> bool + Sync),
) {
    if let [list] = lists {
        fill(first, list);
        return;
    }
    let half = lists.len() / 2;
    let (left, right) = lists.split_at_mut(half);
    parallel::join(
        items,
        || spread(left, first, items, fill),
        || spread(right, first + half, items, fill),
    );
}
