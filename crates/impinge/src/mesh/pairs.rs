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
    let mut stop = |_, _, _| ControlFlow::Break(());
    descend::<B, true>(a, b, b_in_a, policy, scratch, probe, &mut stop).is_break()
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
    let mut keep = |a, b, verdict| {
        found.push((a, b, verdict));
        ControlFlow::Continue(())
    };
    let _ = descend::<B, false>(a, b, b_in_a, policy, scratch, probe, &mut keep);
    found.sort_unstable_by_key(|&(a, b, _)| (a, b));
}

/// A pair of triangles, of A and of B, that meet, if any do.
pub(super) fn any_pair<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    scratch: &mut Scratch,
) -> Option<[u32; 2]> {
    let mut found = None;
    let mut keep = |face_a, face_b, _| {
        found = Some([face_a, face_b]);
        ControlFlow::Break(())
    };
    let _ = descend::<B, true>(a, b, b_in_a, Policy::default(), scratch, &mut (), &mut keep);
    found
}

/// Calls back for every pair of triangles that meet, in no particular order, until the callback stops it.
pub(super) fn each_pair<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    scratch: &mut Scratch,
    mut meet: impl FnMut(u32, u32, TriangleVerdict) -> ControlFlow<()>,
) -> ControlFlow<()> {
    descend::<B, false>(a, b, b_in_a, Policy::default(), scratch, &mut (), &mut meet)
}

/// Calls back for pairs of triangles that meet. With `FIRST`, pairs of volumes that overlap most come first.
fn descend<B: Bound, const FIRST: bool>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    policy: Policy,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
    meet: &mut Meet<'_>,
) -> ControlFlow<()> {
    let leaves = Leaves::new(MeshPair::new(a, b, b_in_a));
    let placement = leaves.pair.placement;
    let (a, b) = (&leaves.pair.first.tree, &leaves.pair.second.tree);
    let mut visitor = Meeting::<_, FIRST> { leaves, meet };
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

/// What is done with a pair of triangles of A and B that meet. It runs once per such pair, so a virtual call costs little, and one traversal
/// is compiled for all questions.
pub(super) type Meet<'f> = dyn FnMut(u32, u32, TriangleVerdict) -> ControlFlow<()> + 'f;

/// Hands on pairs of triangles that meet.
pub(super) struct Meeting<'m, 'f, B: Bound, const FIRST: bool> {
    pub(super) leaves: Leaves<'m, B>,
    pub(super) meet: &'m mut Meet<'f>,
}

impl<B: Bound, const FIRST: bool> Visit for Meeting<'_, '_, B, FIRST> {
    const ORDERED: bool = FIRST;

    #[inline(always)]
    fn leaf_pair<S: Simd>(&mut self, simd: S, a: u32, b: u32) -> ControlFlow<()> {
        self.leaves.each(simd, a, b, &mut *self.meet)
    }
}
