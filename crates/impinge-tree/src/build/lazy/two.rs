//! Two lazy trees: one loop for those that overlap and those that are near.

use super::one::within;
use super::{Lane, LazyTree};
use crate::Probe;
use impinge_geom::bound::{Bound, FrameMotion, LANES, RelativeFrame};
use impinge_geom::simd::{Kernel, Simd, dispatch};
use std::ops::ControlFlow;

impl<B: Bound> LazyTree<B> {
    /// Visits the items of all pairs of leaves whose volumes overlap, or until `visit` breaks off, as
    /// [`traverse::pairs`](crate::traverse::pairs) does where the larger volume is opened.
    pub fn pairs(
        &mut self,
        other: &mut Self,
        placement: &RelativeFrame,
        probe: &mut impl Probe,
        mut visit: impl FnMut(&[u32], &[u32]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let both = Both { a: self, b: other, placement, nearest: false };
        both.descend(probe, |a, b| {
            visit(a, b)?;
            ControlFlow::Continue(f32::INFINITY)
        })
    }

    /// Visits the items of pairs of leaves, near ones first, until none is left within the limit that `visit` answers with, in units of
    /// this tree's frame, as [`traverse::nearest`](crate::traverse::nearest) does depth first.
    pub fn nearest(
        &mut self,
        other: &mut Self,
        placement: &RelativeFrame,
        probe: &mut impl Probe,
        mut visit: impl FnMut(&[u32], &[u32]) -> f32,
    ) {
        let both = Both { a: self, b: other, placement, nearest: true };
        let _ = both.descend(probe, |a, b| ControlFlow::Continue(visit(a, b)));
    }
}

struct Both<'t, B: Bound> {
    a: &'t mut LazyTree<B>,
    b: &'t mut LazyTree<B>,
    placement: &'t RelativeFrame,
    nearest: bool,
}

/// A pair of places, each a node and a lane, and its key: a lower bound of the distance, or zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: f32,
    a: (u32, usize),
    b: (u32, usize),
}

impl<B: Bound> Both<'_, B> {
    fn descend(
        mut self,
        probe: &mut impl Probe,
        visit: impl FnMut(&[u32], &[u32]) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        let mut stack = std::mem::take(&mut self.a.waiting_pairs);
        stack.clear();
        let flow = self.descend_with(&mut stack, probe, visit);
        self.a.waiting_pairs = stack;
        flow
    }

    fn descend_with(
        &mut self,
        stack: &mut Vec<Entry>,
        probe: &mut impl Probe,
        mut visit: impl FnMut(&[u32], &[u32]) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        let Self { a, b, placement, nearest } = self;
        let nearest = *nearest;
        if a.nodes.is_empty() || b.nodes.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut limit = f32::INFINITY;
        // The root of the second, against the node that holds the root of the first alone.
        let mut next = Some((0, (0, 0), true));
        loop {
            if let Some((node, other, open_a)) = next {
                let (own, query, motion, scale) = if open_a {
                    (&a.nodes[node as usize], volume(b, other), &placement.b_to_a, 1.0)
                } else {
                    let scale = placement.b_to_a.scale;
                    (&b.nodes[node as usize], volume(a, other), &placement.a_to_b, scale)
                };
                let ask = Asked { query, motion, volumes: &own.volumes, nearest, scale, limit };
                let (mask, keys) = dispatch(ask);
                probe.volumes(own.count);
                let mut left = mask & own.live();
                let base = stack.len();
                while left != 0 {
                    let lane = left.trailing_zeros() as usize % LANES;
                    left &= left - 1;
                    let (place, key) = ((node, lane), keys[lane]);
                    let (a, b) = if open_a { (place, other) } else { (other, place) };
                    let mut place = stack.len();
                    stack.push(Entry { key, a, b });
                    // The least on top.
                    while place > base && stack[place - 1].key < key {
                        stack.swap(place - 1, place);
                        place -= 1;
                    }
                }
            }
            let Some(entry) = stack.pop() else { return ControlFlow::Continue(()) };
            next = None;
            if entry.key > limit {
                continue;
            }
            if let (Some(part_a), Some(part_b)) = (a.leaf_at(entry.a), b.leaf_at(entry.b)) {
                probe.leaves();
                limit = visit(part_a, part_b)?;
                continue;
            }
            let size_b = volume(b, entry.b).size() * placement.b_to_a.scale;
            let larger = volume(a, entry.a).size() >= size_b;
            let open_a = b.leaf_at(entry.b).is_some() || (larger && a.leaf_at(entry.a).is_none());
            next = if open_a {
                a.open(entry.a.0 as usize, entry.a.1).map(|node| (node, entry.b, true))
            } else {
                b.open(entry.b.0 as usize, entry.b.1).map(|node| (node, entry.a, false))
            };
        }
    }
}

fn volume<B: Bound>(tree: &LazyTree<B>, (node, lane): (u32, usize)) -> B {
    B::get(&tree.nodes[node as usize].volumes, lane)
}

impl<B: Bound> LazyTree<B> {
    /// The items in a lane, if it is a leaf.
    fn leaf_at(&self, (node, lane): (u32, usize)) -> Option<&[u32]> {
        match self.nodes[node as usize].lanes[lane] {
            Lane::Items(part) if part.count as usize <= self.leaf => {
                Some(&self.order[part.range()])
            }
            _ => None,
        }
    }
}

/// The test of one volume against a node, where the instructions are chosen.
struct Asked<'a, B: Bound> {
    query: B,
    motion: &'a FrameMotion,
    volumes: &'a B::Pack,
    nearest: bool,
    /// Takes distances in the node's frame to the first tree's.
    scale: f32,
    limit: f32,
}

impl<B: Bound> Kernel for Asked<'_, B> {
    type Output = (u32, [f32; LANES]);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> (u32, [f32; LANES]) {
        let query = self.query.moved(self.motion);
        if !self.nearest {
            let found = B::overlaps(simd, &query, self.volumes, self.motion.margin);
            return (found.mask, [0.0; LANES]);
        }
        let distances = B::distances(simd, &query, self.volumes);
        let distances = simd.mul32(distances, simd.splat32(self.scale));
        let (mask, bounds) = within(simd, distances, self.motion.margin * self.scale, self.limit);
        (mask, simd.store32(bounds))
    }
}
