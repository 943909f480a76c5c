//! Work counters of a query: the terms of the cost function F = Nu·Cu + Nv·Cv + Np·Cp.

/// Receives work as it is done. `()` compiles away.
pub trait Probe {
    /// Volumes were tested, this many of them that hold something.
    #[inline(always)]
    fn volumes(&mut self, _lanes: u32) {}
    /// Two volumes that overlap were looked at more closely, and what they hold found apart or not.
    #[inline(always)]
    fn supports(&mut self, _apart: bool) {}
    /// Two leaves met.
    #[inline(always)]
    fn leaves(&mut self) {}
    /// Pairs of primitives were left to be decided in f64.
    #[inline(always)]
    fn primitives(&mut self, _pairs: u32) {}
}

impl Probe for () {}

/// Work counters.
///
/// ```
/// use impinge_tree::{Counts, Probe};
/// let mut counts = Counts::default();
/// counts.volumes(5);
/// assert_eq!((counts.steps, counts.volumes), (1, 5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tests of one volume against up to eight.
    pub steps: u64,
    /// Volumes in those.
    pub volumes: u64,
    /// Pairs of leaves, or leaves visited by a ray or a point.
    pub leaves: u64,
    /// Pairs of primitives decided in f64 or beyond.
    pub primitives: u64,
    /// Pairs of volumes that overlap and got a second test.
    pub supports: u64,
    /// Of those, the ones whose contents are apart.
    pub apart: u64,
}

impl Probe for Counts {
    #[inline(always)]
    fn volumes(&mut self, lanes: u32) {
        self.steps += 1;
        self.volumes += u64::from(lanes);
    }
    #[inline(always)]
    fn leaves(&mut self) {
        self.leaves += 1;
    }
    #[inline(always)]
    fn supports(&mut self, apart: bool) {
        self.supports += 1;
        self.apart += u64::from(apart);
    }
    #[inline(always)]
    fn primitives(&mut self, pairs: u32) {
        self.primitives += u64::from(pairs);
    }
}
