//! Tree against tree by distance: near pairs first, those beyond the visitor's limit never.
//!
//! E. Larsen, S. Gottschalk, M. Lin and D. Manocha, "Fast proximity queries with swept sphere volumes" (1999), section 5.
//! Depth first keeps little and finds a good distance early; best first looks at the fewest volumes.

use super::Visit;
use crate::{Probe, Tree};
use impinge_geom::bound::{Bound, Far, RelativeFrame};
use impinge_geom::glam::Vec3A;
use impinge_geom::number::LeastFirst;
use impinge_geom::simd::{Kernel, Simd, dispatch};
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// A lower bound of the distance of a pair of places, and the places.
type Entry = LeastFirst<f32, [u32; 2]>;

/// The order of visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// The nearest child of the pair just opened.
    #[default]
    DepthFirst,
    /// The nearest of all.
    BestFirst,
}

/// The remaining pairs. Keep it between queries, so that they do not allocate.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    stack: Vec<Entry>,
    heap: BinaryHeap<Entry>,
}

/// The two trees, the pose of the second, and the order of descent.
#[derive(Clone, Copy, Debug)]
pub struct Nearest<'t, B: Bound> {
    /// The tree in whose frame distances are measured.
    pub a: &'t Tree<B>,
    /// The other one.
    pub b: &'t Tree<B>,
    /// Its pose.
    pub placement: &'t RelativeFrame,
    /// If the bodies are far apart, along which line; the placement has then brought them together, and bounds and the visitor's
    /// limit are differences to the distance of the centres.
    pub far: Option<Far>,
    /// The order of descent.
    pub order: Order,
}

/// Visits pairs of leaves until none is left whose volumes are within [`Visit::max_distance`], or the visitor stops.
pub fn nearest<B: Bound>(
    trees: Nearest<'_, B>,
    queue: &mut Queue,
    visitor: &mut impl Visit,
    probe: &mut impl Probe,
) -> ControlFlow<()> {
    if trees.a.is_empty() || trees.b.is_empty() {
        return ControlFlow::Continue(());
    }
    queue.stack.clear();
    queue.heap.clear();
    dispatch(Descent { trees, queue, visitor, probe })
}

struct Descent<'d, B: Bound, V, P> {
    trees: Nearest<'d, B>,
    queue: &'d mut Queue,
    visitor: &'d mut V,
    probe: &'d mut P,
}

impl<B: Bound, V: Visit, P: Probe> Kernel for Descent<'_, B, V, P> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> ControlFlow<()> {
        let Self { trees: Nearest { a, b, placement, far, order }, queue, visitor, probe } = self;
        let best_first = order == Order::BestFirst;
        queue.stack.push(Entry { rank: f32::NEG_INFINITY, tie: [0, 0], item: () });
        loop {
            let next = if best_first && queue.stack.is_empty() {
                queue.heap.pop()
            } else {
                queue.stack.pop()
            };
            let Some(entry) = next else { return ControlFlow::Continue(()) };
            if entry.rank > visitor.max_distance() {
                if best_first {
                    return ControlFlow::Continue(());
                }
                continue;
            }
            let [place_a, place_b] = entry.tie;
            let ((node_a, lane_a), (node_b, lane_b)) = (a.at(place_a), b.at(place_b));
            let (child_a, child_b) = (node_a.children[lane_a], node_b.children[lane_b]);
            if let (Some(leaf_a), Some(leaf_b)) = (child_a.leaf(), child_b.leaf()) {
                probe.leaves();
                if visitor.leaf_pair(simd, leaf_a, leaf_b).is_break() {
                    return ControlFlow::Break(());
                }
                continue;
            }
            let (volume_a, volume_b) =
                (B::get(&node_a.volumes, lane_a), B::get(&node_b.volumes, lane_b));
            let scale = placement.b_to_a.scale;
            let open_a = child_b.leaf().is_some()
                || (child_a.leaf().is_none() && volume_a.size() >= volume_b.size() * scale);
            let (bounds, live, base) = if open_a {
                let next = &a.nodes[child_a.0 as usize];
                let bounds = match far {
                    None => B::distances(simd, &volume_b.moved(&placement.b_to_a), &next.volumes),
                    Some(far) => {
                        let least =
                            simd.splat32(-scale * support_value(simd, &volume_b, -far.in_b));
                        simd.sub32(least, B::support_values(simd, far.in_a, &next.volumes))
                    }
                };
                let lost = simd.splat32(placement.b_to_a.margin);
                (simd.sub32(bounds, lost), next.live(), child_a.0 * 8)
            } else {
                let next = &b.nodes[child_b.0 as usize];
                let scale = simd.splat32(scale);
                let bounds = match far {
                    None => {
                        let query = volume_a.moved(&placement.a_to_b);
                        simd.mul32(B::distances(simd, &query, &next.volumes), scale)
                    }
                    Some(far) => {
                        let least = simd.splat32(-support_value(simd, &volume_a, far.in_a));
                        let support_values = B::support_values(simd, -far.in_b, &next.volumes);
                        simd.sub32(least, simd.mul32(support_values, scale))
                    }
                };
                let lost = simd.mul32(simd.splat32(placement.a_to_b.margin), scale);
                (simd.sub32(bounds, lost), next.live(), child_b.0 * 8)
            };
            probe.volumes(live.count_ones());
            let far = simd.greater32(bounds, simd.splat32(visitor.max_distance()));
            let bounds = simd.store32(bounds);
            let mut left = live & !far;
            let first = queue.stack.len();
            while left != 0 {
                let lane = left.trailing_zeros();
                left &= left - 1;
                let bound = bounds[lane as usize % 8];
                let child = base + lane;
                let tie = if open_a { [child, place_b] } else { [place_a, child] };
                let new = Entry { rank: bound, tie, item: () };
                if best_first {
                    queue.heap.push(new);
                    continue;
                }
                let mut place = queue.stack.len();
                queue.stack.push(new);
                // The nearest on top.
                while place > first && queue.stack[place - 1].rank < bound {
                    queue.stack[place] = queue.stack[place - 1];
                    place -= 1;
                }
                queue.stack[place] = new;
            }
        }
    }
}

/// The support value of one volume along a direction.
#[inline(always)]
fn support_value<S: Simd, B: Bound>(simd: S, volume: &B, direction: Vec3A) -> f32 {
    let mut pack = B::EMPTY;
    volume.set(&mut pack, 0);
    simd.store32(B::support_values(simd, direction, &pack))[0]
}
