//! One vertex for equal positions, for files that state every triangle's corners by position.
//!
//! A table of indices with linear probing. The hash is seeded per table, so that no file can be made to collide on purpose;
//! the numbering, by first appearance, does not depend on it. The zeros of both signs are equal.

use std::hash::{BuildHasher, RandomState};

/// Marks a free slot; so at most 2^32 - 1 vertices are possible.
const FREE: u32 = u32::MAX;

/// Vertices by position.
pub(crate) struct Welder {
    pub(crate) vertices: Vec<[f64; 3]>,
    slots: Vec<u32>,
    seed: [u64; 2],
}

impl Welder {
    /// Creates a table with room for about this many vertices.
    pub(crate) fn with_room(vertices: usize) -> Self {
        let random = RandomState::new();
        Self {
            vertices: Vec::with_capacity(vertices),
            slots: vec![FREE; slots_for(vertices)],
            seed: [random.hash_one(1u8), random.hash_one(2u8)],
        }
    }

    /// The index of a position, old or new; none if there are too many. The coordinates must be finite.
    #[inline]
    pub(crate) fn index(&mut self, position: [f64; 3]) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut slot = hash(position, self.seed) as usize & mask;
        loop {
            match self.slots[slot] {
                FREE => break,
                index if self.vertices[index as usize] == position => return Some(index),
                _ => slot = (slot + 1) & mask,
            }
        }
        let index = u32::try_from(self.vertices.len()).ok().filter(|&index| index != FREE)?;
        self.slots[slot] = index;
        self.vertices.push(position);
        if self.vertices.len() * 2 > self.slots.len() {
            self.grow();
        }
        Some(index)
    }

    /// Doubles the table.
    #[cold]
    fn grow(&mut self) {
        let mut slots = vec![FREE; slots_for(self.vertices.len())];
        let mask = slots.len() - 1;
        for (index, &position) in self.vertices.iter().enumerate() {
            let mut slot = hash(position, self.seed) as usize & mask;
            while slots[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            slots[slot] = index as u32;
        }
        self.slots = slots;
    }
}

/// A power of two, at least twice and at most four times the count.
fn slots_for(vertices: usize) -> usize {
    (vertices * 2 + 1).next_power_of_two().max(16)
}

/// Two folded multiplications: the high half of a product depends on all bits below it.
#[inline]
fn hash(position: [f64; 3], seed: [u64; 2]) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    // Adding zero makes the negative zero positive and leaves all else.
    let [x, y, z] = position.map(|value| (value + 0.0).to_bits());
    fold(fold(x ^ seed[0], y ^ seed[1]) ^ z, seed[0] | 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_positions_share_an_index() {
        let mut welder = Welder::with_room(0);
        assert_eq!(welder.index([0.0, 1.0, 2.0]), Some(0));
        assert_eq!(welder.index([-0.0, 1.0, 2.0]), Some(0));
        assert_eq!(welder.index([0.0, 1.0, 2f64.next_up()]), Some(1));
        assert_eq!(welder.index([0.0, 1.0, 2.0]), Some(0));
    }

    #[test]
    fn growth_keeps_the_numbering() {
        let mut welder = Welder::with_room(3);
        let position = |i: u32| [f64::from(i % 10), f64::from(i / 10 % 10), f64::from(i / 100)];
        for round in 0..2 {
            for i in 0..1000 {
                assert_eq!(welder.index(position(i)), Some(i), "round {round}");
            }
        }
        assert_eq!(welder.vertices.len(), 1000);
    }
}
