//! Which triangles of two meshes meet.

use super::mesh_pair::MeshPair;
use super::{Mesh, ScaledPose, Scratch};
use impinge_geom::bound::Bound;
use impinge_geom::simd::Simd;
use impinge_geom::triangle::{self, BLOCK, TriangleVerdict};
use impinge_tree::Probe;
use impinge_tree::traverse::{self, PairTraversal, Policy, Visit};
use std::ops::ControlFlow;

/// True if any triangle of A meets any of B, even if they only touch.
pub fn overlap<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    scratch: &mut Scratch,
) -> bool {
    overlap_with(a, b, b_in_a, Policy::default(), scratch, &mut ())
}

/// Like [`overlap`], with a descent policy and work counters.
pub fn overlap_with<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    policy: Policy,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
) -> bool {
    let leaves = Leaves::new(MeshPair::new(a, b, b_in_a));
    let placement = leaves.pair.placement;
    let (a, b) = (&leaves.pair.first.tree, &leaves.pair.second.tree);
    let mut visitor = Any(leaves);
    let trees = PairTraversal { a, b, placement: &placement, policy };
    let found = traverse::pairs(trees, &mut scratch.stack, &mut visitor, probe).is_break();
    probe.primitives(visitor.0.decided);
    found
}

/// Fills `found` with the pairs of triangles of A and B that meet, in ascending order, each with its verdict.
pub fn pairs<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    scratch: &mut Scratch,
    found: &mut Vec<(u32, u32, TriangleVerdict)>,
) {
    pairs_with(a, b, b_in_a, Policy::default(), scratch, found, &mut ());
}

/// Like [`pairs`], with a descent policy and work counters.
pub fn pairs_with<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    policy: Policy,
    scratch: &mut Scratch,
    found: &mut Vec<(u32, u32, TriangleVerdict)>,
    probe: &mut impl Probe,
) {
    found.clear();
    let _ = descend(a, b, b_in_a, policy, scratch, probe, |a, b, verdict| {
        found.push((a, b, verdict));
        ControlFlow::Continue(())
    });
    found.sort_unstable_by_key(|&(a, b, _)| (a, b));
}

/// A pair of triangles, of A and of B, that meet, if any do.
pub(super) fn any_pair<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    scratch: &mut Scratch,
) -> Option<[u32; 2]> {
    let leaves = Leaves::new(MeshPair::new(a, b, b_in_a));
    let placement = leaves.pair.placement;
    let (a, b) = (&leaves.pair.first.tree, &leaves.pair.second.tree);
    let mut visitor = First { leaves, found: None };
    let trees = PairTraversal { a, b, placement: &placement, policy: Policy::default() };
    let _ = traverse::pairs(trees, &mut scratch.stack, &mut visitor, &mut ());
    visitor.found
}

/// Calls back for every pair of triangles that meet, in no particular order, until the callback stops it.
pub(super) fn each_pair<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    scratch: &mut Scratch,
    meet: impl FnMut(u32, u32, TriangleVerdict) -> ControlFlow<()>,
) -> ControlFlow<()> {
    descend(a, b, b_in_a, Policy::default(), scratch, &mut (), meet)
}

fn descend<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    policy: Policy,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
    meet: impl FnMut(u32, u32, TriangleVerdict) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let leaves = Leaves::new(MeshPair::new(a, b, b_in_a));
    let placement = leaves.pair.placement;
    let (a, b) = (&leaves.pair.first.tree, &leaves.pair.second.tree);
    let mut visitor = All { leaves, meet };
    let trees = PairTraversal { a, b, placement: &placement, policy };
    let flow = traverse::pairs(trees, &mut scratch.stack, &mut visitor, probe);
    probe.primitives(visitor.leaves.decided);
    flow
}

/// Pairs of leaves, down to verdicts on pairs of triangles.
pub(super) struct Leaves<'m, B: Bound> {
    pub(super) pair: MeshPair<'m, B>,
    /// Pairs of triangles decided in f64.
    decided: u32,
}

impl<'m, B: Bound> Leaves<'m, B> {
    pub(super) fn new(pair: MeshPair<'m, B>) -> Self {
        Self { pair, decided: 0 }
    }

    /// How many pairs of triangles were decided in f64.
    pub(super) fn decided(&self) -> u32 {
        self.decided
    }

    /// Calls back for every pair of triangles, of A and of B, of two leaves that meet.
    #[inline(always)]
    pub(super) fn each<S: Simd>(
        &mut self,
        simd: S,
        leaf_first: u32,
        leaf_second: u32,
        mut meet: impl FnMut(u32, u32, TriangleVerdict) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut left = self.pair.candidates(simd, leaf_first, leaf_second);
        let firsts = self.pair.first.tree.leaf(leaf_first);
        let seconds = self.pair.second.tree.leaf(leaf_second);
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            let (item_a, item_b) = self.pair.in_order(firsts[bit % BLOCK], seconds[bit / BLOCK]);
            let (corners_a, corners_b) = self.pair.corners(item_a, item_b);
            self.decided = self.decided.saturating_add(1);
            let verdict = triangle::verdict(&corners_a, &corners_b);
            if verdict != TriangleVerdict::Separated {
                meet(item_a, item_b, verdict)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Breaks off at the first pair.
pub(super) struct Any<'m, B: Bound>(pub(super) Leaves<'m, B>);

impl<B: Bound> Visit for Any<'_, B> {
    const ORDERED: bool = true;

    #[inline(always)]
    fn leaf_pair<S: Simd>(&mut self, simd: S, a: u32, b: u32) -> ControlFlow<()> {
        self.0.each(simd, a, b, |_, _, _| ControlFlow::Break(()))
    }
}

/// Keeps the first pair and breaks off.
struct First<'m, B: Bound> {
    leaves: Leaves<'m, B>,
    found: Option<[u32; 2]>,
}

impl<B: Bound> Visit for First<'_, B> {
    const ORDERED: bool = true;

    #[inline(always)]
    fn leaf_pair<S: Simd>(&mut self, simd: S, a: u32, b: u32) -> ControlFlow<()> {
        let found = &mut self.found;
        self.leaves.each(simd, a, b, |face_a, face_b, _| {
            *found = Some([face_a, face_b]);
            ControlFlow::Break(())
        })
    }
}

/// Hands on all pairs.
struct All<'m, B: Bound, F> {
    leaves: Leaves<'m, B>,
    meet: F,
}

impl<B: Bound, F> Visit for All<'_, B, F>
where
    F: FnMut(u32, u32, TriangleVerdict) -> ControlFlow<()>,
{
    #[inline(always)]
    fn leaf_pair<S: Simd>(&mut self, simd: S, a: u32, b: u32) -> ControlFlow<()> {
        self.leaves.each(simd, a, b, &mut self.meet)
    }
}
