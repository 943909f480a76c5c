//! One bit per cell.

/// Which cells of a grid are occupied.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cells {
    counts: [u32; 3],
    bits: Vec<u64>,
}

impl Cells {
    /// An empty grid with the given number of cells along each axis, at most [`FINEST`](super::FINEST).
    pub(super) fn new(counts: [u32; 3]) -> Self {
        let [x, y, z] = counts.map(|count| count as usize);
        Self { counts, bits: vec![0; (x * y * z).div_ceil(64)] }
    }

    pub(super) fn counts(&self) -> [u32; 3] {
        self.counts
    }

    pub(super) fn bytes(&self) -> usize {
        8 * self.bits.len()
    }

    /// The number of a cell, if there is one.
    fn number(&self, [x, y, z]: [u32; 3]) -> Option<usize> {
        let [columns, rows, layers] = self.counts;
        let there = x < columns && y < rows && z < layers;
        there.then(|| (z as usize * rows as usize + y as usize) * columns as usize + x as usize)
    }

    pub(super) fn occupy(&mut self, cell: [u32; 3]) {
        if let Some(number) = self.number(cell)
            && let Some(bits) = self.bits.get_mut(number / 64)
        {
            *bits |= 1 << (number % 64);
        }
    }

    pub(super) fn is_occupied(&self, cell: [u32; 3]) -> bool {
        let bits = self.number(cell).and_then(|number| Some((self.bits.get(number / 64)?, number)));
        bits.is_some_and(|(bits, number)| bits >> (number % 64) & 1 != 0)
    }

    /// The occupied cells, x fastest.
    pub(super) fn occupied(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        let [columns, rows, _] = self.counts.map(|count| count as usize);
        self.bits.iter().enumerate().flat_map(move |(word, &bits)| {
            let mut left = bits;
            std::iter::from_fn(move || {
                let lane = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                let number = 64 * word + lane;
                let (x, y) = (number % columns, number / columns % rows);
                Some([x as u32, y as u32, (number / columns / rows) as u32])
            })
        })
    }
}
