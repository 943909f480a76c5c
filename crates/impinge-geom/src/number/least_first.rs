//! The order of best-first searches.

use std::cmp::Ordering;

/// An entry of a [`BinaryHeap`](std::collections::BinaryHeap): the one with the least rank comes out first, and of equal ranks the one
/// with the smallest `tie`, so that the order of a search does not depend on that of insertion.
///
/// ```
/// use impinge_geom::number::LeastFirst;
/// use std::collections::BinaryHeap;
/// let entry = |rank, tie| LeastFirst { rank, tie, item: () };
/// let mut heap = BinaryHeap::from([entry(2.0, 0), entry(1.0, 7), entry(1.0, 3)]);
/// assert_eq!(heap.pop().map(|entry| (entry.rank, entry.tie)), Some((1.0, 3)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LeastFirst<R, T, V = ()> {
    /// What the search goes by: a bound, a distance, a time; its negative where the greatest comes first.
    pub rank: R,
    /// Decides among equal ranks; no two entries of a heap share it.
    pub tie: T,
    /// What else belongs to the entry; it has no part in the order.
    pub item: V,
}

/// A floating-point number as a rank, in the total order of IEEE 754.
pub trait TotalOrder: Copy {
    /// The order of two ranks.
    fn order(self, other: Self) -> Ordering;
}

impl TotalOrder for f32 {
    #[inline]
    fn order(self, other: Self) -> Ordering {
        self.total_cmp(&other)
    }
}

impl TotalOrder for f64 {
    #[inline]
    fn order(self, other: Self) -> Ordering {
        self.total_cmp(&other)
    }
}

impl<R: TotalOrder, T: Ord, V> Ord for LeastFirst<R, T, V> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        other.rank.order(self.rank).then_with(|| other.tie.cmp(&self.tie))
    }
}

impl<R: TotalOrder, T: Ord, V> PartialOrd for LeastFirst<R, T, V> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<R: TotalOrder, T: Ord, V> PartialEq for LeastFirst<R, T, V> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<R: TotalOrder, T: Ord, V> Eq for LeastFirst<R, T, V> {}
