//! A list of boxes sorted along the axis of the sweep.

use crate::broad::generations::Flow;

/// How many entries share a bound.
const BLOCK: usize = 32;

/// A box, its coordinates in the order of the axes of the layout.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(super) struct Entry {
    /// Low and high ends across the sweep: two low ends, and two high ends with their signs changed.
    pub(super) across: [f32; 4],
    /// Low and high end along the sweep.
    pub(super) low: f32,
    pub(super) high: f32,
    pub(super) index: u32,
    /// The first column that the box is in, as two numbers of 16 bits.
    pub(super) first: u32,
}

impl Entry {
    /// True if the boxes overlap across the sweep. Both have a low end below the other's high end: four comparisons of one kind.
    #[inline(always)]
    fn overlaps_across(&self, limits: [f32; 4]) -> bool {
        self.across.iter().zip(limits).fold(true, |all, (&end, limit)| all & (end <= limit))
    }

    /// What [`Entry::across`] of another must not exceed.
    #[inline(always)]
    fn limits(&self) -> [f32; 4] {
        let [low_b, low_c, minus_high_b, minus_high_c] = self.across;
        [-minus_high_b, -minus_high_c, -low_b, -low_c]
    }
}

/// Sorted by the low ends.
#[derive(Debug, Default)]
pub(super) struct Column {
    pub(super) entries: Vec<Entry>,
    /// The largest high end from the beginning up to each block's end.
    highest: Vec<f32>,
    /// For every position the first one from there on whose proxy moves, and one more; nothing if all move.
    next_moving: Vec<u32>,
    /// True if entries were added or have to be looked at again.
    pub(super) changed: bool,
}

impl Column {
    /// Brings changed entries up to date by `renew`, which is false for what leaves, and sorts. What was nearly in order is sorted by
    /// insertion, in about linear time; when that turns out to be long, otherwise.
    pub(super) fn refresh(
        &mut self,
        renew: impl Fn(&mut Entry) -> bool,
        moves: impl Fn(u32) -> bool,
    ) {
        if !std::mem::take(&mut self.changed) {
            return;
        }
        self.entries.retain_mut(renew);
        if !insertion_sort(&mut self.entries) {
            self.entries.sort_unstable_by(|a, b| a.low.total_cmp(&b.low));
        }
        self.highest.clear();
        let mut highest = f32::NEG_INFINITY;
        self.highest.extend(self.entries.chunks(BLOCK).map(|block| {
            highest = block.iter().fold(highest, |most, entry| most.max(entry.high));
            highest
        }));
        self.next_moving.clear();
        if !self.entries.iter().all(|entry| moves(entry.index)) {
            let mut next = self.entries.len() as u32;
            self.next_moving.resize(self.entries.len() + 1, next);
            for (k, entry) in self.entries.iter().enumerate().rev() {
                next = if moves(entry.index) { k as u32 } else { next };
                self.next_moving[k] = next;
            }
        }
    }

    /// Shows the pairs of entries that overlap and of which one moves at least. Those that do not move are not even compared: there may
    /// be many in one place.
    #[inline]
    pub(super) fn sweep(&self, found: &mut impl FnMut(&Entry, &Entry) -> Flow) -> Flow {
        for (k, entry) in self.entries.iter().enumerate() {
            let limits = entry.limits();
            if self.next_moving.get(k).is_some_and(|&next| next as usize != k) {
                let mut at = self.next_moving[k + 1] as usize;
                while let Some(other) = self.entries.get(at).filter(|one| one.low <= entry.high) {
                    if other.overlaps_across(limits) {
                        found(entry, other)?;
                    }
                    at = self.next_moving[at + 1] as usize;
                }
                continue;
            }
            for other in &self.entries[k + 1..] {
                if other.low > entry.high {
                    break;
                }
                if other.overlaps_across(limits) {
                    found(entry, other)?;
                }
            }
        }
        Flow::Continue(())
    }

    /// Shows the entries that overlap a box.
    #[inline]
    pub(super) fn meeting(&self, one: &Entry, found: &mut impl FnMut(&Entry) -> Flow) -> Flow {
        let begin = self.highest.partition_point(|&highest| highest < one.low) * BLOCK;
        let limits = one.limits();
        for other in self.entries.get(begin..).unwrap_or_default() {
            if other.low > one.high {
                break;
            }
            if other.high >= one.low && other.overlaps_across(limits) {
                found(other)?;
            }
        }
        Flow::Continue(())
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
            + (self.highest.capacity() + self.next_moving.capacity()) * size_of::<u32>()
    }
}

/// Sorts by insertion; gives up, with the entries in some order, when it moves many.
fn insertion_sort(entries: &mut [Entry]) -> bool {
    let mut moves_left = 16 * entries.len();
    for k in 1..entries.len() {
        let entry = entries[k];
        let mut place = k;
        while place > 0 && entries[place - 1].low > entry.low {
            entries[place] = entries[place - 1];
            place -= 1;
        }
        entries[place] = entry;
        match moves_left.checked_sub(k - place) {
            Some(left) => moves_left = left,
            None => return false,
        }
    }
    true
}
