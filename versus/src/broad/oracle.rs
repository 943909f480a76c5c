//! The truth: all pairs of boxes that meet, by sorting.
//!
//! Space is cut into columns along x; a box stands in every column that it touches. In each column the boxes are sorted by their
//! low x and swept. A pair is counted only in the column that holds the low corner of the common part, so it is counted once.
//! Nothing of impinge's broad phases is used.

use super::record::{BoxData, PairSet};

/// The columns: so many along y and z.
struct Columns {
    low: [f32; 2],
    width: f32,
    count: [usize; 2],
}

impl Columns {
    /// About as wide as four boxes of mean size, and not many more than there are boxes.
    fn new(boxes: &[BoxData]) -> Columns {
        let (mut low, mut high, mut sides) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2], 0.0);
        for entry in boxes {
            for axis in 0..2 {
                low[axis] = low[axis].min(entry.low[axis + 1]);
                high[axis] = high[axis].max(entry.high[axis + 1]);
                sides += f64::from(entry.high[axis + 1] - entry.low[axis + 1]);
            }
        }
        let mean = (sides / (2.0 * boxes.len().max(1) as f64)) as f32;
        let width = (4.0 * mean).max(1e-3);
        let count = |axis: usize| (((high[axis] - low[axis]) / width) as usize).clamp(1, 1_000);
        Columns { low, width, count: [count(0), count(1)] }
    }

    /// The number of the column in which a coordinate lies, along one axis. Monotonous, whatever is rounded.
    fn at(&self, axis: usize, value: f32) -> usize {
        let cell = ((value - self.low[axis]) / self.width) as usize;
        cell.min(self.count[axis] - 1)
    }

    fn index(&self, y: usize, z: usize) -> usize {
        y * self.count[1] + z
    }
}

/// All pairs of boxes that have a common point.
pub fn pairs(boxes: &[BoxData]) -> PairSet {
    let columns = Columns::new(boxes);
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); columns.count[0] * columns.count[1]];
    let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
    order.sort_by(|&a, &b| boxes[a as usize].low[0].total_cmp(&boxes[b as usize].low[0]));
    // Boxes enter in the order of their low x, so that every column is sorted.
    for &index in &order {
        let entry = &boxes[index as usize];
        for y in columns.at(0, entry.low[1])..=columns.at(0, entry.high[1]) {
            for z in columns.at(1, entry.low[2])..=columns.at(1, entry.high[2]) {
                members[columns.index(y, z)].push(index);
            }
        }
    }
    let mut set = PairSet::default();
    for (column, members) in members.iter().enumerate() {
        for (place, &a) in members.iter().enumerate() {
            let first = &boxes[a as usize];
            for &b in &members[place + 1..] {
                let second = &boxes[b as usize];
                if second.low[0] > first.high[0] {
                    break;
                }
                let y = columns.at(0, first.low[1].max(second.low[1]));
                let z = columns.at(1, first.low[2].max(second.low[2]));
                if first.meets(second) && columns.index(y, z) == column {
                    set.add(a, b);
                }
            }
        }
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::mix::{Mix, record};

    #[test]
    fn it_finds_what_all_against_all_finds() {
        for mix in Mix::ALL {
            let boxes = record(mix, String::new(), 1_500, 0, 2).first;
            let mut expected = PairSet::default();
            for a in 0..boxes.len() {
                for b in (a + 1..boxes.len()).filter(|&b| boxes[a].meets(&boxes[b])) {
                    expected.add(a as u32, b as u32);
                }
            }
            assert!(expected.count > 1_000);
            assert_eq!(pairs(&boxes), expected, "{mix:?}");
        }
    }

    #[test]
    fn touching_counts() {
        let at = |x: f32| BoxData { low: [x, 0.0, 0.0], high: [x + 1.0, 1.0, 1.0] };
        assert_eq!(pairs(&[at(0.0), at(1.0), at(3.0)]).count, 1);
    }
}
