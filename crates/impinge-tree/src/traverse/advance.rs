//! Tree against tree in motion: pairs of volumes by the time until which they are certainly apart.
//!
//! Conservative advancement over a hierarchy (M. Tang, Y. Kim and D. Manocha, "C²A: controlled conservative advancement", 2009), asynchronously: each pair
//! of volumes carries a time of its own, up to which what is below it is apart. The pair with the least time is opened at that time; its children
//! get theirs from their distances there and from the bounds of their motion. The front is the queue: nothing is traversed twice, and the least time in
//! it bounds that of the first contact from below.

use crate::{Probe, Tree};
use impinge_geom::bound::{Bound, RelativeFrame};
use impinge_geom::number::LeastFirst;
use impinge_geom::simd::{Kernel, Simd, dispatch};
use std::collections::BinaryHeap;

/// The time until which a pair of places is apart, and the places.
type Entry = LeastFirst<f64, [u32; 2]>;

/// The pairs that are still to be opened. Keep it between queries: then they do not allocate.
#[derive(Clone, Debug, Default)]
pub struct TimeQueue {
    heap: BinaryHeap<Entry>,
}

/// Which pairs of volumes are asked about: all children of one node against one volume.
#[derive(Clone, Copy, Debug)]
pub struct OpenedPair {
    /// True if the node is one of A.
    pub of_a: bool,
    /// The place of the node's first child.
    pub first: u32,
    /// The place of the volume that stays closed.
    pub closed: u32,
    /// One bit per child.
    pub live: u32,
}

/// How two trees move: a helper of the mesh queries, which is asked by [`advance`].
pub trait Advance {
    /// Where B is in A at a time.
    fn placement(&mut self, time: f64) -> RelativeFrame;

    /// Until when each child is apart from the closed volume, given lower bounds of their distances at a time, in units of A's frame.
    fn times(&mut self, time: f64, pair: OpenedPair, bounds: &[f32; 8]) -> [f64; 8];

    /// Looks at two leaves from a time on: until when they are apart; not before the horizon if there is nothing more to ask.
    fn leaf_pair<S: Simd>(&mut self, simd: S, time: f64, places: [u32; 2], leaves: [u32; 2])
    -> f64;

    /// Times from here on are of no interest.
    fn horizon(&self) -> f64;
}

/// Opens pairs from the time `from` on until all that is left is beyond the horizon, or the budget of opened pairs is used up: then the answer is the time
/// up to which everything is apart.
pub fn advance<B: Bound>(
    a: &Tree<B>,
    b: &Tree<B>,
    from: f64,
    budget: u64,
    queue: &mut TimeQueue,
    visitor: &mut impl Advance,
    probe: &mut impl Probe,
) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    queue.heap.clear();
    queue.heap.push(Entry { rank: from, tie: [0, 0], item: () });
    dispatch(Advancing { a, b, budget, queue, visitor, probe })
}

struct Advancing<'d, B: Bound, V, P> {
    a: &'d Tree<B>,
    b: &'d Tree<B>,
    budget: u64,
    queue: &'d mut TimeQueue,
    visitor: &'d mut V,
    probe: &'d mut P,
}

impl<B: Bound, V: Advance, P: Probe> Kernel for Advancing<'_, B, V, P> {
    type Output = Option<f64>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Option<f64> {
        let Self { a, b, mut budget, queue, visitor, probe } = self;
        while let Some(entry) = queue.heap.pop() {
            if entry.rank >= visitor.horizon() {
                return None;
            }
            if budget == 0 {
                return Some(entry.rank);
            }
            budget -= 1;
            let places @ [place_a, place_b] = entry.tie;
            let ((node_a, lane_a), (node_b, lane_b)) = (a.at(place_a), b.at(place_b));
            let (child_a, child_b) = (node_a.children[lane_a], node_b.children[lane_b]);
            if let (Some(leaf_a), Some(leaf_b)) = (child_a.leaf(), child_b.leaf()) {
                probe.leaves();
                let time = visitor.leaf_pair(simd, entry.rank, places, [leaf_a, leaf_b]);
                if time < visitor.horizon() {
                    queue.heap.push(Entry { rank: time.max(entry.rank), ..entry });
                }
                continue;
            }
            let placement = visitor.placement(entry.rank);
            let (volume_a, volume_b) =
                (B::get(&node_a.volumes, lane_a), B::get(&node_b.volumes, lane_b));
            let scale = placement.b_to_a.scale;
            let open_a = child_b.leaf().is_some()
                || (child_a.leaf().is_none() && volume_a.size() >= volume_b.size() * scale);
            let (bounds, live, first) = if open_a {
                let next = &a.nodes[child_a.0 as usize];
                let bounds = B::distances(simd, &volume_b.moved(&placement.b_to_a), &next.volumes);
                let lost = simd.splat32(placement.b_to_a.margin);
                (simd.sub32(bounds, lost), next.live(), child_a.0 * 8)
            } else {
                let next = &b.nodes[child_b.0 as usize];
                let bounds = B::distances(simd, &volume_a.moved(&placement.a_to_b), &next.volumes);
                let lost = simd.splat32(placement.a_to_b.margin);
                (
                    simd.mul32(simd.sub32(bounds, lost), simd.splat32(scale)),
                    next.live(),
                    child_b.0 * 8,
                )
            };
            probe.volumes(live.count_ones());
            let closed = if open_a { place_b } else { place_a };
            let pair = OpenedPair { of_a: open_a, first, closed, live };
            let times = visitor.times(entry.rank, pair, &simd.store32(bounds));
            let horizon = visitor.horizon();
            for lane in 0..live.count_ones() {
                let time = times[lane as usize % 8];
                if time < horizon {
                    let child = first + lane;
                    let tie = if open_a { [child, place_b] } else { [place_a, child] };
                    queue.heap.push(Entry { rank: time.max(entry.rank), tie, item: () });
                }
            }
        }
        None
    }
}
