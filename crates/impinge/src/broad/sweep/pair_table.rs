//! A set of pairs that is also a list: pairs come and go in constant time.

/// The pairs side by side, and a hash table of their positions with linear probing.
#[derive(Debug, Default)]
pub(super) struct PairTable {
    list: Vec<[u32; 2]>,
    /// One more than a position in `list`, or nothing; a power of two of them, and at most half in use.
    slots: Vec<u32>,
}

impl PairTable {
    pub(super) fn list(&self) -> &[[u32; 2]] {
        &self.list
    }

    /// Forgets the pairs and takes others, each once.
    pub(super) fn replace(&mut self, pairs: &[[u32; 2]]) {
        self.list.clear();
        self.list.extend_from_slice(pairs);
        self.index();
    }

    /// Adds a pair, if it is not there yet.
    pub(super) fn insert(&mut self, a: u32, b: u32) {
        let pair = [a.min(b), a.max(b)];
        if (self.list.len() + 1) * 2 > self.slots.len() {
            self.index();
        }
        let slot = self.find(pair);
        if self.slots[slot] == 0 {
            self.list.push(pair);
            self.slots[slot] = self.list.len() as u32;
        }
    }

    /// Takes a pair out, if it is there.
    pub(super) fn remove(&mut self, a: u32, b: u32) {
        if self.slots.is_empty() {
            return;
        }
        let slot = self.find([a.min(b), a.max(b)]);
        let Some(position) = self.slots[slot].checked_sub(1) else { return };
        self.close(slot);
        self.list.swap_remove(position as usize);
        // The last pair has moved to the place of the one that left.
        if let Some(&moved) = self.list.get(position as usize) {
            let slot = self.find_position(moved, self.list.len() as u32 + 1);
            self.slots[slot] = position + 1;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<[u32; 2]>() + self.slots.capacity() * size_of::<u32>()
    }

    /// Makes the hash table anew, with room for twice as many pairs.
    fn index(&mut self) {
        let slots = (self.list.len() * 4).max(16).next_power_of_two();
        self.slots.clear();
        self.slots.resize(slots, 0);
        for position in 0..self.list.len() {
            let mut slot = self.home(self.list[position]);
            while self.slots[slot] != 0 {
                slot = self.after(slot);
            }
            self.slots[slot] = position as u32 + 1;
        }
    }

    /// Where a pair is, or else the empty slot where it would be.
    fn find(&self, pair: [u32; 2]) -> usize {
        let mut slot = self.home(pair);
        while self.slots[slot] != 0 && self.list[self.slots[slot] as usize - 1] != pair {
            slot = self.after(slot);
        }
        slot
    }

    /// The slot of a pair that holds this value.
    fn find_position(&self, pair: [u32; 2], value: u32) -> usize {
        let mut slot = self.home(pair);
        while self.slots[slot] != value {
            slot = self.after(slot);
        }
        slot
    }

    /// Empties a slot and moves those behind it forward that would not be found across the gap (Knuth, *The Art of Computer
    /// Programming* 3, 6.4, algorithm R).
    fn close(&mut self, slot: usize) {
        let (mut gap, mut slot) = (slot, slot);
        loop {
            self.slots[gap] = 0;
            let home = loop {
                slot = self.after(slot);
                let Some(position) = self.slots[slot].checked_sub(1) else { return };
                let home = self.home(self.list[position as usize]);
                let stays = if gap <= slot {
                    gap < home && home <= slot
                } else {
                    gap < home || home <= slot
                };
                if !stays {
                    break self.slots[slot];
                }
            };
            self.slots[gap] = home;
            gap = slot;
        }
    }

    fn home(&self, [a, b]: [u32; 2]) -> usize {
        let mixed = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32) as usize
            & (self.slots.len() - 1)
    }

    fn after(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::PairTable;
    use std::collections::BTreeSet;

    #[test]
    fn holds_what_a_set_holds() {
        let (mut table, mut set, mut state) = (PairTable::default(), BTreeSet::new(), 7u64);
        for step in 0..60_000u32 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (a, b) = ((state >> 40) as u32 % 40, (state >> 50) as u32 % 40 + 41);
            // It grows, then shrinks, and so on.
            if (state >> 33) % 3 < 1 + u64::from(step / 3000 % 2) {
                table.insert(b, a);
                set.insert([a, b]);
            } else {
                table.remove(a, b);
                set.remove(&[a, b]);
            }
            if step % 100 == 0 {
                let mut list = table.list().to_vec();
                list.sort_unstable();
                assert!(list.iter().eq(&set), "after {step} steps");
            }
        }
        table.replace(&[[1, 2], [3, 4]]);
        table.remove(1, 2);
        table.remove(1, 2);
        assert_eq!(table.list(), [[3, 4]]);
    }
}
