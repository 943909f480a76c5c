//! Boxes into nodes, from the top.

use super::{Node, Octree};
use crate::broad::Proxies;
use crate::broad::lanes::Lanes;
use std::ops::Range;

/// A cell with at most this many boxes is not divided.
const FEW: usize = 8;

/// What the place of a box in the tree depends on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Draft {
    pub(super) center: [f32; 3],
    pub(super) size: f32,
    pub(super) index: u32,
}

/// A cube, in f64 so that no halving of a cell is rounded.
#[derive(Clone, Copy)]
struct Cell {
    low: [f64; 3],
    side: f64,
}

impl Cell {
    fn middle(&self) -> [f64; 3] {
        self.low.map(|low| low + 0.5 * self.side)
    }

    /// The eighth of the cell with this number; bit k is set for the upper half along axis k.
    fn octant(&self, number: usize) -> Self {
        let side = 0.5 * self.side;
        let low = [0, 1, 2].map(|k| self.low[k] + if number >> k & 1 == 1 { side } else { 0.0 });
        Self { low, side }
    }
}

/// The number of the eighth in which a point is.
fn octant_of(point: [f32; 3], middle: [f64; 3]) -> usize {
    (0..3).map(|k| usize::from(f64::from(point[k]) >= middle[k]) << k).sum()
}

impl Octree {
    /// Puts the drafts into the order of the tree and makes its nodes, without their boxes.
    pub(super) fn build_nodes(&mut self) {
        self.nodes.clear();
        let Some([low, high]) = bounds(&self.drafts) else { return };
        let side = (0..3).map(|k| f64::from(high[k]) - f64::from(low[k])).fold(0.0, f64::max);
        let largest = self.drafts.iter().fold(0.0f32, |most, draft| most.max(draft.size));
        self.sorted.resize(self.drafts.len(), Draft::default());
        let cell = Cell { low: low.map(f64::from), side: side.max(f64::from(largest)) };
        self.divide(0..self.drafts.len(), cell);
    }

    /// Makes the node of a range of drafts, all with their centres in a cell that none of them is larger than, and those below it.
    /// Every call but the last halves the cell at least once, so that calls are nested no deeper than numbers have exponents.
    fn divide(&mut self, range: Range<usize>, cell: Cell) {
        let node = self.nodes.len();
        let whole = [range.start as u32, range.end as u32];
        self.nodes.push(Node { bounds: Lanes::default(), own: whole, end: node as u32 + 1 });
        let Some([low, high]) = bounds(&self.drafts[range.clone()]) else { return };
        if range.len() <= FEW || low == high {
            return;
        }
        let largest = self.drafts[range.clone()].iter().fold(0.0f32, |most, d| most.max(d.size));
        // Straight to the smallest cell around all that none of them is too large for.
        let mut cell = cell;
        while 0.5 * cell.side >= f64::from(largest) {
            let number = octant_of(low, cell.middle());
            if number != octant_of(high, cell.middle()) {
                break;
            }
            cell = cell.octant(number);
        }
        let starts = self.sort_by_octant(range, cell);
        self.nodes[node].own = [starts[0] as u32, starts[1] as u32];
        for number in 0..8 {
            let part = starts[number + 1]..starts[number + 2];
            if !part.is_empty() {
                self.divide(part, cell.octant(number));
            }
        }
        self.nodes[node].end = self.nodes.len() as u32;
    }

    /// Sorts drafts: first those that are too large for the eighths of the cell, then those of each eighth. Gives where the nine parts
    /// begin, and the end.
    fn sort_by_octant(&mut self, range: Range<usize>, cell: Cell) -> [usize; 10] {
        let middle = cell.middle();
        let part = |draft: &Draft| {
            let fits = f64::from(draft.size) <= 0.5 * cell.side;
            if fits { 1 + octant_of(draft.center, middle) } else { 0 }
        };
        let mut starts = [0; 10];
        for draft in &self.drafts[range.clone()] {
            starts[part(draft) + 1] += 1;
        }
        starts[0] = range.start;
        for k in 1..10 {
            starts[k] += starts[k - 1];
        }
        let mut places = starts;
        for draft in &self.drafts[range.clone()] {
            let place = &mut places[part(draft)];
            self.sorted[*place] = *draft;
            *place += 1;
        }
        self.drafts[range.clone()].copy_from_slice(&self.sorted[range]);
        starts
    }

    /// Copies the boxes into the order of the tree and finds those of the nodes.
    pub(super) fn fill(&mut self, proxies: &Proxies) {
        self.indices.clear();
        self.indices.extend(self.drafts.iter().map(|draft| draft.index));
        self.items.clear();
        self.items.extend(self.indices.iter().map(|&index| Lanes::new(proxies.extent(index))));
        let nothing = Lanes { low: [f32::INFINITY; 4], high: [f32::NEG_INFINITY; 4] };
        for node in (0..self.nodes.len()).rev() {
            let Node { own, end, .. } = self.nodes[node];
            let items = &self.items[own[0] as usize..own[1] as usize];
            let mut around = items.iter().fold(nothing, |around, item| around.around(item));
            let mut child = node + 1;
            while child < end as usize {
                around = around.around(&self.nodes[child].bounds);
                child = self.nodes[child].end as usize;
            }
            self.nodes[node].bounds = around;
        }
    }
}

/// The least and largest centres.
fn bounds(drafts: &[Draft]) -> Option<[[f32; 3]; 2]> {
    let first = drafts.first()?.center;
    let wider = |[low, high]: [[f32; 3]; 2], draft: &Draft| {
        let center = draft.center;
        [
            [0, 1, 2].map(|k| if center[k] < low[k] { center[k] } else { low[k] }),
            [0, 1, 2].map(|k| if center[k] > high[k] { center[k] } else { high[k] }),
        ]
    };
    Some(drafts.iter().fold([first, first], wider))
}
