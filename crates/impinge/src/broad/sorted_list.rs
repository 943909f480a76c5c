//! Boxes sorted along one axis: for the few that are too large for cells.

use super::generations::Flow;
use super::{Aabb, Proxies};

/// Boxes in the order of their low ends along the axis on which they are spread most.
#[derive(Debug, Default)]
pub(super) struct SortedList {
    axis: usize,
    entries: Vec<(Aabb, u32)>,
    /// The largest high end up to and including each entry.
    highest: Vec<f32>,
}

impl SortedList {
    pub(super) fn build(&mut self, proxies: &Proxies, members: &[u32]) {
        self.entries.clear();
        self.entries.extend(members.iter().map(|&index| (*proxies.extent(index), index)));
        self.axis = widest_axis(&self.entries);
        let axis = self.axis;
        self.entries
            .sort_unstable_by(|a, b| a.0.low.to_array()[axis].total_cmp(&b.0.low.to_array()[axis]));
        self.highest.clear();
        let mut highest = f32::NEG_INFINITY;
        self.highest.extend(self.entries.iter().map(|(extent, _)| {
            highest = highest.max(extent.high.to_array()[axis]);
            highest
        }));
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The box and the proxy of an entry.
    pub(super) fn entry(&self, position: usize) -> (&Aabb, u32) {
        let (extent, index) = &self.entries[position];
        (extent, *index)
    }

    /// Shows the later entries that overlap one of the entries.
    pub(super) fn later(&self, position: usize, found: &mut impl FnMut(u32, u32) -> Flow) -> Flow {
        let (extent, index) = self.entry(position);
        let end = extent.high.to_array()[self.axis];
        for (other, other_index) in &self.entries[position + 1..] {
            if other.low.to_array()[self.axis] > end {
                break;
            }
            if other.intersects(extent) {
                found(index, *other_index)?;
            }
        }
        Flow::Continue(())
    }

    /// Shows the entries that overlap a box.
    pub(super) fn meeting(&self, extent: &Aabb, found: &mut impl FnMut(u32) -> Flow) -> Flow {
        let (low, high) = (extent.low.to_array()[self.axis], extent.high.to_array()[self.axis]);
        let first = self.highest.partition_point(|&highest| highest < low);
        for (other, index) in &self.entries[first..] {
            if other.low.to_array()[self.axis] > high {
                break;
            }
            if other.intersects(extent) {
                found(*index)?;
            }
        }
        Flow::Continue(())
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<(Aabb, u32)>()
            + self.highest.capacity() * size_of::<f32>()
    }
}

/// The axis along which the finite low ends differ most.
fn widest_axis(entries: &[(Aabb, u32)]) -> usize {
    let span = |axis: usize| {
        let ends = entries.iter().map(|(extent, _)| f64::from(extent.low.to_array()[axis]));
        let finite = ends.filter(|end| end.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| {
            (low.min(end), high.max(end))
        });
        high - low
    };
    (1..3).fold(0, |best, axis| if span(axis) > span(best) { axis } else { best })
}
