//! The pairs that a broad phase found.

/// A list of pairs with an optional limit.
///
/// ```
/// use impinge::broad::PairList;
/// let mut pairs = PairList::with_limit(1);
/// assert!(pairs.push(3, 1));
/// assert!(!pairs.push(2, 5));
/// assert_eq!((pairs.list(), pairs.is_cut_short()), (&[[1, 3]][..], true));
/// ```
#[derive(Clone, Debug)]
pub struct PairList {
    list: Vec<[u32; 2]>,
    limit: usize,
    cut_short: bool,
    /// Names the update that filled the list, as long as the list is what that update gave; 0 if it is not known.
    stamp: u64,
}

impl Default for PairList {
    fn default() -> Self {
        Self::with_limit(usize::MAX)
    }
}

impl PairList {
    /// Creates an empty list that holds at most `limit` pairs.
    pub fn with_limit(limit: usize) -> Self {
        Self { list: Vec::new(), limit, cut_short: false, stamp: 0 }
    }

    /// The pairs, the smaller index first in each.
    pub fn list(&self) -> &[[u32; 2]] {
        &self.list
    }

    /// True if there were more pairs than the limit: the list is incomplete, and which pairs are missing is unspecified.
    pub fn is_cut_short(&self) -> bool {
        self.cut_short
    }

    /// Clears the list, keeping its memory.
    pub fn clear(&mut self) {
        self.list.clear();
        self.cut_short = false;
        self.stamp = 0;
    }

    /// Adds a pair in either order; false if the list is full, and the search may stop.
    #[inline]
    pub fn push(&mut self, a: u32, b: u32) -> bool {
        self.stamp = 0;
        if self.list.len() >= self.limit {
            self.cut_short = true;
            return false;
        }
        self.list.push(if a < b { [a, b] } else { [b, a] });
        true
    }

    /// How many more pairs fit.
    pub fn room(&self) -> usize {
        self.limit.saturating_sub(self.list.len())
    }

    /// Appends the pairs of another list; false if this one is full or the other is truncated.
    ///
    /// ```
    /// use impinge::broad::PairList;
    /// let (mut pairs, mut more) = (PairList::with_limit(1), PairList::default());
    /// assert!(more.push(0, 1) && more.push(0, 2));
    /// assert!(!pairs.append(&more) && pairs.is_cut_short() && pairs.list() == [[0, 1]]);
    /// ```
    pub fn append(&mut self, other: &Self) -> bool {
        self.stamp = 0;
        let taken = other.list.len().min(self.room());
        self.list.extend_from_slice(&other.list[..taken]);
        self.cut_short |= other.cut_short || taken < other.list.len();
        !self.cut_short
    }

    /// Forgets the pairs and takes another limit.
    pub(super) fn begin(&mut self, limit: usize) {
        self.clear();
        self.limit = limit;
    }

    /// Keeps only some pairs.
    pub(super) fn retain(&mut self, keep: impl Fn(u32, u32) -> bool) {
        self.stamp = 0;
        self.list.retain(|&[a, b]| keep(a, b));
    }

    /// Memory used, in bytes.
    pub fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<[u32; 2]>()
    }

    /// Sorts the pairs into an order that does not depend on how they were found.
    pub fn sort(&mut self) {
        self.list.sort_unstable();
    }

    /// Adds pairs, the smaller index first in each; false if the list is full.
    pub(super) fn extend(&mut self, pairs: &[[u32; 2]]) -> bool {
        self.stamp = 0;
        let taken = pairs.len().min(self.room());
        self.list.extend_from_slice(&pairs[..taken]);
        self.cut_short |= taken < pairs.len();
        !self.cut_short
    }

    /// Marks the list, if it is complete, as that of an update.
    pub(super) fn set_stamp(&mut self, stamp: u64) {
        self.stamp = if self.cut_short { 0 } else { stamp };
    }

    /// True if the list is what the update of this stamp gave, in whatever order.
    pub(super) fn is_of(&self, stamp: u64) -> bool {
        stamp != 0 && self.stamp == stamp
    }
}
