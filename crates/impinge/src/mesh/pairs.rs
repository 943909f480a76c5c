//! Which triangles of two meshes meet.

use super::{Mesh, Relative, Scratch};
use impinge_geom::bound::{Bound, Placement};
use impinge_geom::simd::Simd;
use impinge_geom::triangle::{self, BLOCK, TriangleBlock, TriangleVerdict};
use impinge_tree::Probe;
use impinge_tree::traverse::{self, Pairs, Policy, Visit};
use std::ops::ControlFlow;

/// True if any triangle of A meets any of B, be it only by touching.
pub fn overlap<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &Relative,
    scratch: &mut Scratch,
) -> bool {
    overlap_with(a, b, b_in_a, Policy::default(), scratch, &mut ())
}

/// The same, by a policy of descent, and telling its work.
pub fn overlap_with<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &Relative,
    policy: Policy,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
) -> bool {
    let placement = Placement::new(a.tree.frame(), b.tree.frame(), &b_in_a.pose, b_in_a.scale);
    let mut visitor = Any(Leaves::new(a, b, b_in_a, &placement));
    let trees = Pairs { a: &a.tree, b: &b.tree, placement: &placement, policy };
    let found = traverse::pairs(trees, &mut scratch.stack, &mut visitor, probe).is_break();
    probe.primitives(visitor.0.decided);
    found
}

/// Fills `found` with the pairs of triangles, of A and of B, that meet, in ascending order, and how each does.
pub fn pairs<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &Relative,
    scratch: &mut Scratch,
    found: &mut Vec<(u32, u32, TriangleVerdict)>,
) {
    pairs_with(a, b, b_in_a, Policy::default(), scratch, found, &mut ());
}

/// The same, by a policy of descent, and telling its work.
pub fn pairs_with<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &Relative,
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

/// Calls back for every pair of triangles that meet, in no particular order, until it is told to stop.
pub(super) fn each_pair<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &Relative,
    scratch: &mut Scratch,
    meet: impl FnMut(u32, u32, TriangleVerdict) -> ControlFlow<()>,
) -> ControlFlow<()> {
    descend(a, b, b_in_a, Policy::default(), scratch, &mut (), meet)
}

fn descend<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &Relative,
    policy: Policy,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
    meet: impl FnMut(u32, u32, TriangleVerdict) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let placement = Placement::new(a.tree.frame(), b.tree.frame(), &b_in_a.pose, b_in_a.scale);
    let mut visitor = All { leaves: Leaves::new(a, b, b_in_a, &placement), meet };
    let trees = Pairs { a: &a.tree, b: &b.tree, placement: &placement, policy };
    let flow = traverse::pairs(trees, &mut scratch.stack, &mut visitor, probe);
    probe.primitives(visitor.leaves.decided);
    flow
}

/// Pairs of leaves, down to verdicts on pairs of triangles.
pub(super) struct Leaves<'m, B: Bound> {
    a: &'m Mesh<B>,
    b: &'m Mesh<B>,
    b_in_a: &'m Relative,
    placement: &'m Placement,
    /// B's block in A's frame, and which it is: neighbours on the stack often share it.
    moved: (u32, TriangleBlock),
    /// Pairs of triangles decided in f64 or beyond.
    decided: u32,
}

impl<'m, B: Bound> Leaves<'m, B> {
    pub(super) fn new(
        a: &'m Mesh<B>,
        b: &'m Mesh<B>,
        b_in_a: &'m Relative,
        placement: &'m Placement,
    ) -> Self {
        Self { a, b, b_in_a, placement, moved: (u32::MAX, TriangleBlock::new(&[])), decided: 0 }
    }

    /// Calls back for every pair of triangles of two leaves that the f32 filter leaves.
    #[inline(always)]
    fn each<S: Simd>(
        &mut self,
        simd: S,
        leaf_a: u32,
        leaf_b: u32,
        mut meet: impl FnMut(u32, u32, TriangleVerdict) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (items_a, items_b) = (self.a.tree.leaf(leaf_a), self.b.tree.leaf(leaf_b));
        let motion = &self.placement.b_to_a;
        if self.moved.0 != leaf_b {
            self.moved = (leaf_b, self.b.blocks[leaf_b as usize].moved(simd, motion));
        }
        let block_a = &self.a.blocks[leaf_a as usize];
        let (live_a, live_b) = ((1 << items_a.len()) - 1, (1 << items_b.len()) - 1);
        let margin = motion.margin;
        let mut left =
            triangle::candidates(simd, (block_a, live_a), (&self.moved.1, live_b), margin);
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            self.decided = self.decided.saturating_add(1);
            let (item_a, item_b) = (items_a[bit % BLOCK], items_b[bit / BLOCK]);
            let corners_a = self.a.corners(item_a);
            let corners_b = self.b_in_a.map_corners(self.b.corners(item_b));
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
    fn leaves<S: Simd>(&mut self, simd: S, a: u32, b: u32) -> ControlFlow<()> {
        self.0.each(simd, a, b, |_, _, _| ControlFlow::Break(()))
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
    fn leaves<S: Simd>(&mut self, simd: S, a: u32, b: u32) -> ControlFlow<()> {
        self.leaves.each(simd, a, b, &mut self.meet)
    }
}
