//! Tree against tree, level by level, within a budget of tests.
//!
//! The result after a bounded amount of work: overlap is decided, or pairs of volumes are left; a distance is bounded from both sides.
//! The caller owns the front of remaining pairs, and a later call continues from it. J. Dingliana and
//! C. O'Sullivan, "Graceful degradation of collision handling in physically based animation" (2000), do so with spheres.

use super::Visit;
use crate::{Probe, Tree};
use impinge_geom::bound::{Bound, RelativeFrame};
use impinge_geom::simd::{Kernel, Simd, dispatch};

/// Two volumes by their places, and a lower bound of their distance in A's frame (zero where only overlap is asked).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Remaining {
    /// The place in A; see [`Tree::volume`].
    pub a: u32,
    /// The place in B.
    pub b: u32,
    /// A lower bound on the distance of their contents, in local units of A's frame.
    pub bound: f32,
}

/// The remaining pairs of volumes. Keep it between queries, so that they do not allocate.
#[derive(Clone, Debug, Default)]
pub struct Front {
    /// Pairs of this level; those before `place` are done.
    level: Vec<Remaining>,
    place: usize,
    /// Pairs of the level below.
    next: Vec<Remaining>,
}

impl Front {
    /// Clears the front and starts at the roots.
    pub fn begin(&mut self) {
        self.level.clear();
        self.next.clear();
        self.place = 0;
        self.level.push(Remaining { a: 0, b: 0, bound: 0.0 });
    }

    /// The remaining pairs.
    pub fn remaining(&self) -> impl Iterator<Item = &Remaining> {
        self.level[self.place.min(self.level.len())..].iter().chain(&self.next)
    }

    /// The smallest bound of the remaining pairs; infinite if there are none.
    pub fn lower_bound(&self) -> f32 {
        self.remaining().fold(f32::INFINITY, |least, pair| least.min(pair.bound))
    }
}

/// How a budgeted traversal ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The visitor stopped it.
    Broken,
    /// Nothing is left.
    Finished,
    /// There is more in the [`Front`].
    OutOfBudget,
}

/// The two trees, and the pose of the second.
#[derive(Clone, Copy, Debug)]
pub struct BreadthFirst<'t, B: Bound> {
    /// The tree in whose frame leaves are compared.
    pub a: &'t Tree<B>,
    /// The other one.
    pub b: &'t Tree<B>,
    /// Its pose.
    pub placement: &'t RelativeFrame,
    /// The budget: tests of one volume against up to eight, or of two leaves.
    pub budget: u64,
}

/// Visits pairs of leaves whose volumes overlap; continues from the front, which [`Front::begin`] sets to the roots.
pub fn overlap_in_budget<B: Bound>(
    trees: BreadthFirst<'_, B>,
    front: &mut Front,
    visitor: &mut impl Visit,
    probe: &mut impl Probe,
) -> Progress {
    dispatch(Levels::<B, _, _, false> { trees, front, visitor, probe })
}

/// Visits pairs of leaves within [`Visit::max_distance`], near ones of a level first; continues from the front.
///
/// When the budget runs out the distance is at least the smaller of [`Front::lower_bound`] and what the visitor has found.
pub fn distance_in_budget<B: Bound>(
    trees: BreadthFirst<'_, B>,
    front: &mut Front,
    visitor: &mut impl Visit,
    probe: &mut impl Probe,
) -> Progress {
    dispatch(Levels::<B, _, _, true> { trees, front, visitor, probe })
}

struct Levels<'d, B: Bound, V, P, const MEASURE: bool> {
    trees: BreadthFirst<'d, B>,
    front: &'d mut Front,
    visitor: &'d mut V,
    probe: &'d mut P,
}

impl<B: Bound, V: Visit, P: Probe, const MEASURE: bool> Kernel for Levels<'_, B, V, P, MEASURE> {
    type Output = Progress;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Progress {
        let Self { trees, front, visitor, probe } = self;
        if trees.a.is_empty() || trees.b.is_empty() {
            front.level.clear();
            front.next.clear();
        }
        let mut budget = trees.budget;
        loop {
            while let Some(&pair) = front.level.get(front.place) {
                if MEASURE && pair.bound > visitor.max_distance() {
                    front.place += 1;
                    continue;
                }
                if budget == 0 {
                    return Progress::OutOfBudget;
                }
                budget -= 1;
                front.place += 1;
                let Some((leaf_a, leaf_b)) = trees.leaves(pair) else {
                    trees.open::<S, MEASURE>(
                        simd,
                        pair,
                        visitor.max_distance(),
                        &mut front.next,
                        probe,
                    );
                    continue;
                };
                probe.leaves();
                if visitor.leaf_pair(simd, leaf_a, leaf_b).is_break() {
                    return Progress::Broken;
                }
            }
            if front.next.is_empty() {
                return Progress::Finished;
            }
            front.level.clear();
            front.place = 0;
            std::mem::swap(&mut front.level, &mut front.next);
            if MEASURE {
                front.level.sort_unstable_by(|p, q| {
                    p.bound.total_cmp(&q.bound).then((p.a, p.b).cmp(&(q.a, q.b)))
                });
            }
        }
    }
}

impl<B: Bound> BreadthFirst<'_, B> {
    /// The leaves, if both are.
    #[inline(always)]
    fn leaves(&self, pair: Remaining) -> Option<(u32, u32)> {
        let ((node_a, lane_a), (node_b, lane_b)) = (self.a.at(pair.a), self.b.at(pair.b));
        node_a.children[lane_a].leaf().zip(node_b.children[lane_b].leaf())
    }

    /// Opens the larger volume of a pair, and keeps the pairs of its children that may matter.
    #[inline(always)]
    fn open<S: Simd, const MEASURE: bool>(
        &self,
        simd: S,
        pair: Remaining,
        limit: f32,
        next: &mut Vec<Remaining>,
        probe: &mut impl Probe,
    ) {
        let ((node_a, lane_a), (node_b, lane_b)) = (self.a.at(pair.a), self.b.at(pair.b));
        let (child_a, child_b) = (node_a.children[lane_a], node_b.children[lane_b]);
        let (volume_a, volume_b) =
            (B::get(&node_a.volumes, lane_a), B::get(&node_b.volumes, lane_b));
        let scale = self.placement.b_to_a.scale;
        let open_a = child_b.leaf().is_some()
            || (child_a.leaf().is_none() && volume_a.size() >= volume_b.size() * scale);
        let (motion, query, node, unit) = if open_a {
            let motion = &self.placement.b_to_a;
            (motion, volume_b.moved(motion), child_a.0, 1.0)
        } else {
            let motion = &self.placement.a_to_b;
            (motion, volume_a.moved(motion), child_b.0, scale)
        };
        let below = if open_a { self.a } else { self.b };
        let below = &below.nodes[node as usize];
        probe.volumes(below.count);
        let (mut left, bounds) = if MEASURE {
            let distances = B::distances(simd, &query, &below.volumes);
            let bounds = simd.sub32(distances, simd.splat32(motion.margin));
            // A child is no closer than what holds it.
            let bounds = simd.mul32(bounds, simd.splat32(unit));
            let bounds = simd.max32(bounds, simd.splat32(pair.bound));
            let far = simd.greater32(bounds, simd.splat32(limit));
            (below.live() & !far, simd.store32(bounds))
        } else {
            let found = B::overlaps(simd, &query, &below.volumes, motion.margin);
            (below.live() & found.mask, [0.0; 8])
        };
        while left != 0 {
            let lane = left.trailing_zeros();
            left &= left - 1;
            let place = node * 8 + lane;
            let (a, b) = if open_a { (place, pair.b) } else { (pair.a, place) };
            next.push(Remaining { a, b, bound: bounds[lane as usize % 8] });
        }
    }
}
