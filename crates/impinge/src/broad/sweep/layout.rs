//! Which axis is swept, and how the others are divided.

use super::column::Entry;
use crate::broad::{Aabb, Proxies};

/// How many boxes the choices are based on.
const SAMPLE: usize = 1024;

/// There are no more parts than this on an axis.
const PARTS: usize = 64;

/// What it costs to keep an entry sorted, in tests of boxes.
const KEEP: f64 = 40.0;

/// Boxes smaller than this share of their spread are taken to be so large: which axis spreads points best is still told.
const POINTS: f64 = 1e-6;

/// A box in more columns than this is kept apart.
const WIDE: usize = 16;

/// The axis of the sweep, and the bounds of the columns on the other two.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// The axis of the sweep first.
    axes: [usize; 3],
    /// Ascending; part k begins at bound k - 1.
    bounds: [Vec<f32>; 2],
}

/// The columns that a box is in: from the first part to the last one on two axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) first: [u16; 2],
    pub(super) last: [u16; 2],
}

impl Span {
    fn count(&self) -> usize {
        let parts = |k: usize| usize::from(self.last[k] - self.first[k]) + 1;
        parts(0) * parts(1)
    }

    /// True if a box spans too many columns and is kept apart.
    pub(super) fn is_wide(&self) -> bool {
        self.count() > WIDE
    }

    pub(super) fn contains(&self, place: [u16; 2]) -> bool {
        (0..2).all(|k| (self.first[k]..=self.last[k]).contains(&place[k]))
    }
}

/// The one column, of those that two boxes have in common, in which their pair is counted, if both begin in these.
#[inline(always)]
pub(super) fn meeting_place(a: u32, b: u32) -> u32 {
    (a & 0xFFFF).max(b & 0xFFFF) | (a >> 16).max(b >> 16) << 16
}

/// The two numbers of a column in one.
#[inline(always)]
pub(super) fn packed([b, c]: [u16; 2]) -> u32 {
    u32::from(b) | u32::from(c) << 16
}

impl Layout {
    /// The layout that suits the boxes.
    pub(super) fn choose(proxies: &Proxies, living: usize) -> Self {
        let sample = sample(proxies, SAMPLE);
        let spreads = spreads(&sample);
        let mut axes = [0, 1, 2];
        axes.sort_by(|&a, &b| spreads[b].total_cmp(&spreads[a]));
        let mut layout = Self { axes, bounds: Default::default() };
        let chance = chance_of_overlap(&sample, axes[0]);
        let divisions = [1, 2].map(|k| divisions(&sample, axes[k]));
        let mut best = f64::INFINITY;
        for (bounds_b, entries_b) in &divisions[0] {
            for (bounds_c, entries_c) in &divisions[1] {
                let columns = (bounds_b.len() + 1) * (bounds_c.len() + 1);
                let entries = living as f64 * entries_b * entries_c;
                let tests = entries * entries / columns as f64 * 0.5 * chance;
                let cost = tests + KEEP * entries + 4.0 * columns as f64;
                if cost < best && columns <= living / 8 + 1 {
                    best = cost;
                    layout.bounds = [bounds_b.clone(), bounds_c.clone()];
                }
            }
        }
        layout
    }

    /// True if the boxes are spread along another axis so much more that it is worth a change.
    pub(super) fn is_outdated(&self, proxies: &Proxies) -> bool {
        let spreads = spreads(&sample(proxies, SAMPLE / 4));
        spreads.iter().any(|&spread| spread > 4.0 * spreads[self.axes[0]])
    }

    /// How many columns there are on each axis.
    pub(super) fn parts(&self) -> [usize; 2] {
        [self.bounds[0].len() + 1, self.bounds[1].len() + 1]
    }

    /// The columns of a box.
    #[inline]
    pub(super) fn span(&self, extent: &Aabb) -> Span {
        let part = |k: usize, end: f32| {
            let axis = &self.bounds[k];
            axis.partition_point(|&bound| bound <= end) as u16
        };
        let [_, b, c] = self.axes;
        Span {
            first: [part(0, extent.low.to_array()[b]), part(1, extent.low.to_array()[c])],
            last: [part(0, extent.high.to_array()[b]), part(1, extent.high.to_array()[c])],
        }
    }

    /// A box with its coordinates in the order of the axes.
    #[inline]
    pub(super) fn entry(&self, extent: &Aabb, index: u32, span: &Span) -> Entry {
        let ([a, b, c], low, high) = (self.axes, extent.low.to_array(), extent.high.to_array());
        Entry {
            across: [low[b], low[c], -high[b], -high[c]],
            low: low[a],
            high: high[a],
            index,
            first: packed(span.first),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.bounds.iter().map(|bounds| bounds.capacity() * size_of::<f32>()).sum()
    }
}

/// Some of the living boxes, evenly by index.
fn sample(proxies: &Proxies, size: usize) -> Vec<Aabb> {
    let stride = proxies.len().div_ceil(size).max(1);
    let indices = (0..proxies.len() as u32).step_by(stride);
    indices.filter(|&index| proxies.is_living(index)).map(|index| *proxies.extent(index)).collect()
}

/// How far the boxes are spread along each axis: the variance of their centres (Ericson, *Real-Time Collision Detection*, 2005, 7.5.1)
/// in units of their mean size, for long boxes overlap although they are far apart.
fn spreads(sample: &[Aabb]) -> [f64; 3] {
    [0, 1, 2].map(|axis| {
        let ends = sample.iter().map(|extent| {
            (f64::from(extent.low.to_array()[axis]), f64::from(extent.high.to_array()[axis]))
        });
        let finite = ends.filter(|(low, high)| low.is_finite() && high.is_finite());
        let (mut count, mut sum, mut squares, mut size) = (0.0, 0.0, 0.0, 0.0);
        for (low, high) in finite {
            let center = 0.5 * (low + high);
            count += 1.0;
            sum += center;
            squares += center * center;
            size += high - low;
        }
        if count == 0.0 {
            return 0.0;
        }
        let variance = (squares / count - (sum / count) * (sum / count)).max(0.0);
        let mean_size = size / count + POINTS * variance.sqrt() + f64::MIN_POSITIVE;
        variance / mean_size / mean_size
    })
}

/// How likely two boxes are to overlap along an axis.
fn chance_of_overlap(sample: &[Aabb], axis: usize) -> f64 {
    let count = sample.len();
    let overlaps = |a: &Aabb, b: &Aabb| {
        a.low.to_array()[axis] <= b.high.to_array()[axis]
            && b.low.to_array()[axis] <= a.high.to_array()[axis]
    };
    let hits = (0..count)
        .flat_map(|k| (1..4).map(move |step| (k, (k + step * 389) % count)))
        .filter(|&(a, b)| a != b && overlaps(&sample[a], &sample[b]))
        .count();
    (hits as f64 + 0.5) / (3 * count + 1) as f64
}

/// Ways to divide an axis into parts with as many boxes in each, with how many parts a box is in on an average.
fn divisions(sample: &[Aabb], axis: usize) -> Vec<(Vec<f32>, f64)> {
    let mut lows: Vec<f32> = sample.iter().map(|extent| extent.low.to_array()[axis]).collect();
    lows.sort_unstable_by(f32::total_cmp);
    let parts = std::iter::successors(Some(1), |parts| Some(parts * 2));
    parts
        .take_while(|&parts| parts <= PARTS)
        .map(|parts| {
            let place = |k: usize| lows.get(lows.len() * k / parts).copied();
            let mut bounds: Vec<f32> = (1..parts).filter_map(place).collect();
            bounds.dedup();
            let part = |end: f32| bounds.partition_point(|&bound| bound <= end);
            let entered = |extent: &Aabb| {
                // What is in many parts is kept apart.
                (part(extent.high.to_array()[axis]) - part(extent.low.to_array()[axis]) + 1)
                    .min(WIDE)
            };
            let entries: usize = sample.iter().map(entered).sum();
            (bounds, entries as f64 / sample.len().max(1) as f64)
        })
        .collect()
}
