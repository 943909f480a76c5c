//! The boxes of all bodies, and what changed.

use super::Aabb;

/// A box for every body. Indices are small and are reused after a removal.
#[derive(Clone, Debug, Default)]
pub struct Proxies {
    extents: Vec<Aabb>,
    kinds: Vec<Kind>,
    free: Vec<u32>,
    /// Every index that was inserted, moved or removed, once.
    changes: Vec<u32>,
    is_changed: Vec<bool>,
    /// Counts the changes of all times.
    version: u64,
}

/// What an index refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Free,
    Fixed,
    Moving,
}

impl Proxies {
    /// Adds a proxy for a moving or a fixed body; two fixed ones never form a pair. An invalid box (NaN, or swapped corners) counts as all of
    /// space, which is always safe.
    pub fn insert(&mut self, extent: Aabb, moving: bool) -> u32 {
        let extent = valid(extent);
        let kind = if moving { Kind::Moving } else { Kind::Fixed };
        let index = self.free.pop().unwrap_or(self.extents.len() as u32);
        if let (Some(old), Some(slot)) =
            (self.extents.get_mut(index as usize), self.kinds.get_mut(index as usize))
        {
            (*old, *slot) = (extent, kind);
        } else {
            self.extents.push(extent);
            self.kinds.push(kind);
            self.is_changed.push(false);
        }
        self.note(index);
        index
    }

    /// Replaces the box of a proxy; false if there is no such proxy.
    #[inline]
    pub fn set(&mut self, index: u32, extent: Aabb) -> bool {
        if !self.is_living(index) {
            return false;
        }
        self.extents[index as usize] = valid(extent);
        self.note(index);
        true
    }

    /// Removes a proxy; false if there is no such proxy.
    pub fn remove(&mut self, index: u32) -> bool {
        if !self.is_living(index) {
            return false;
        }
        self.kinds[index as usize] = Kind::Free;
        self.free.push(index);
        self.note(index);
        true
    }

    /// One more than the largest index ever used.
    pub fn len(&self) -> usize {
        self.extents.len()
    }

    /// True if there has never been a proxy.
    pub fn is_empty(&self) -> bool {
        self.extents.is_empty()
    }

    /// True if the proxy exists and was not removed.
    #[inline]
    pub fn is_living(&self, index: u32) -> bool {
        self.kinds.get(index as usize).is_some_and(|&kind| kind != Kind::Free)
    }

    /// True if the proxy exists and moves.
    #[inline]
    pub fn is_moving(&self, index: u32) -> bool {
        self.kinds.get(index as usize) == Some(&Kind::Moving)
    }

    /// All living proxies, by index.
    pub fn living(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len() as u32).filter(|&index| self.is_living(index))
    }

    /// The box of a proxy; for a removed one, its last box.
    ///
    /// # Panics
    /// If the index was never used.
    #[inline]
    pub fn extent(&self, index: u32) -> &Aabb {
        &self.extents[index as usize]
    }

    /// The boxes of all indices, including removed ones.
    pub fn extents(&self) -> &[Aabb] {
        &self.extents
    }

    /// The indices inserted, moved or removed since the changes were last cleared, each once.
    pub fn changes(&self) -> &[u32] {
        &self.changes
    }

    /// A counter that changes with every modification.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// True if the index is among the changes.
    #[inline]
    pub fn is_changed(&self, index: u32) -> bool {
        self.is_changed.get(index as usize) == Some(&true)
    }

    /// Clears the changes; call it after the broad phase has read them.
    pub fn clear_changes(&mut self) {
        // If most are marked it is faster to clear all marks, in order.
        if self.changes.len() > self.is_changed.len() / 8 {
            self.is_changed.fill(false);
            self.changes.clear();
        }
        for index in self.changes.drain(..) {
            self.is_changed[index as usize] = false;
        }
    }

    #[inline]
    fn note(&mut self, index: u32) {
        self.version += 1;
        if !self.is_changed[index as usize] {
            self.is_changed[index as usize] = true;
            self.changes.push(index);
        }
    }
}

/// The box, or all of space in place of what is none.
#[inline]
fn valid(extent: Aabb) -> Aabb {
    if extent.is_valid() { extent } else { Aabb::EVERYTHING }
}
