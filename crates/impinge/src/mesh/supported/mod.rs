//! Support planes and tables on the first levels of a mesh's hierarchy, and before it.
//!
//! Where two volumes overlap and what they hold does not, a hierarchy goes down to find out. A. Vogiannou et al., "Enhancing
//! bounding volumes using support plane mappings for collision detection" (2010), section 5, look once more at the first levels.
//! Answers are the same with and without: what is rejected is certainly apart. It pays for bodies that are near each other
//! and apart, and costs where they meet: levels are used only where they are asked for, and scenes look once more only at pairs that
//! were apart in the step before, by a [`SeparatingAxisCache`]. `docs/internals/support-tables.md` has the figures.

mod levels;
mod node;
mod separating_axis;

pub use levels::SupportLevels;
pub use node::{SupportKind, SupportMapping, SupportVolume};
pub use separating_axis::SeparatingAxisCache;

use super::mesh_pair::MeshPair;
use super::pairs::Leaves;
use super::{Mesh, ScaledPose, Scratch};
use impinge_geom::bound::Bound;
use impinge_geom::simd::Simd;
use impinge_geom::triangle::TriangleVerdict;
use impinge_tree::Probe;
use impinge_tree::traverse::{self, PairTraversal, Policy, Visit};
use std::ops::ControlFlow;

/// A mesh with support tables or planes on the first levels of its hierarchy.
#[derive(Clone, Copy, Debug)]
pub struct Supported<'m, B: Bound> {
    /// The mesh.
    pub mesh: &'m Mesh<B>,
    /// Built for this mesh: with those of another, answers are wrong.
    pub support: &'m SupportLevels,
}

/// True if any triangle of A meets any of B: as [`overlap_with`](super::overlap_with), with support planes.
///
/// ```
/// use impinge::{Pose, mesh::{self, Mesh, Scratch, SupportKind, SupportLevels, Supported}, tree::{Counts, traverse::Policy}};
/// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
/// let mesh: Mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
/// let support = SupportLevels::new(&mesh, 1, SupportKind::default());
/// let body = Supported { mesh: &mesh, support: &support };
/// let place = Pose::from_translation([1.7, 1.7, 1.7])?.into();
/// let mut counts = Counts::default();
/// let meet = mesh::overlap_supported(body, body, &place, Policy::default(), &mut Scratch::default(), &mut counts);
/// assert!(!meet && counts.leaves == 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap_supported<B: Bound>(
    a: Supported<'_, B>,
    b: Supported<'_, B>,
    b_in_a: &ScaledPose,
    policy: Policy,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
) -> bool {
    let mut visitor = Looking::<_, _, true>::new(a, b, b_in_a, |_, _, _| ControlFlow::Break(()));
    visitor.run(policy, scratch, probe).is_break()
}

/// Fills `found` with the pairs of triangles that meet, in ascending order: as [`pairs_with`](super::pairs_with), with support planes.
pub fn pairs_supported<B: Bound>(
    a: Supported<'_, B>,
    b: Supported<'_, B>,
    b_in_a: &ScaledPose,
    policy: Policy,
    scratch: &mut Scratch,
    found: &mut Vec<(u32, u32, TriangleVerdict)>,
    probe: &mut impl Probe,
) {
    found.clear();
    let mut visitor = Looking::<_, _, false>::new(a, b, b_in_a, |a, b, verdict| {
        found.push((a, b, verdict));
        ControlFlow::Continue(())
    });
    let _ = visitor.run(policy, scratch, probe);
    found.sort_unstable_by_key(|&(a, b, _)| (a, b));
}

/// Pairs of triangles that meet, and looks at pairs of volumes. With `FIRST`, pairs that overlap most come first.
struct Looking<'m, B: Bound, F, const FIRST: bool> {
    leaves: Leaves<'m, B>,
    supports: [&'m SupportLevels; 2],
    b_in_a: &'m ScaledPose,
    meet: F,
}

impl<'m, B: Bound, F, const FIRST: bool> Looking<'m, B, F, FIRST>
where
    F: FnMut(u32, u32, TriangleVerdict) -> ControlFlow<()>,
{
    fn new(a: Supported<'m, B>, b: Supported<'m, B>, b_in_a: &'m ScaledPose, meet: F) -> Self {
        let leaves = Leaves::new(MeshPair::new(a.mesh, b.mesh, b_in_a));
        Self { leaves, supports: [a.support, b.support], b_in_a, meet }
    }

    fn run(
        &mut self,
        policy: Policy,
        scratch: &mut Scratch,
        probe: &mut impl Probe,
    ) -> ControlFlow<()> {
        let placement = self.leaves.pair.placement;
        let (a, b) = (self.leaves.pair.first.tree(), self.leaves.pair.second.tree());
        let trees = PairTraversal { a, b, placement: &placement, policy };
        let flow = traverse::pairs(trees, &mut scratch.stack, self, probe);
        probe.primitives(self.leaves.decided());
        flow
    }
}

impl<B: Bound, F, const FIRST: bool> Visit for Looking<'_, B, F, FIRST>
where
    F: FnMut(u32, u32, TriangleVerdict) -> ControlFlow<()>,
{
    const ORDERED: bool = FIRST;
    const SELECTIVE: bool = true;

    #[inline(always)]
    fn cull(&mut self, first: u32, second: u32) -> Option<bool> {
        let (a, b) = self.leaves.pair.in_order(first, second);
        let [supports_a, supports_b] = self.supports;
        supports_a.node(a)?.apart(supports_b.node(b)?, self.b_in_a)
    }

    #[inline(always)]
    fn leaf_pair<S: Simd>(&mut self, simd: S, a: u32, b: u32) -> ControlFlow<()> {
        self.leaves.each(simd, a, b, &mut self.meet)
    }
}
