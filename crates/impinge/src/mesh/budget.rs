//! Overlap and distance of two meshes within a budget of tests.

use super::distance::{Closest, MeshDistance};
use super::mesh_pair::MeshPair;
use super::pairs::{Leaves, Meeting};
use super::{Mesh, ScaledPose, Scratch};
use impinge_geom::bound::Bound;
use impinge_tree::Probe;
use impinge_tree::traverse::{self, BreadthFirst, Progress};
use std::ops::ControlFlow;

/// A lower and an upper bound on a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceBracket {
    /// The distance is at least this, in A's unit.
    pub lower: f64,
    /// The closest triangles found so far; the distance is at most theirs.
    pub upper: MeshDistance,
}

/// Whether any triangles meet; `None` if `budget` tests do not decide. [`Scratch::remaining`] then yields the pairs of volumes that are
/// left.
///
/// One test is a volume against up to eight, or two leaves. Levels are visited top down, so that a small budget covers the whole of
/// both meshes.
///
/// ```
/// use impinge::{Pose, mesh::{self, Mesh, Scratch}};
/// let mesh: Mesh = Mesh::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
/// let (near, far) = (Pose::IDENTITY.into(), Pose::from_translation([0.0, 0.0, 2.0])?.into());
/// let mut scratch = Scratch::default();
/// assert_eq!(mesh::overlap_in_budget(&mesh, &mesh, &near, 0, &mut scratch, &mut ()), None);
/// assert_eq!(scratch.remaining().count(), 1);
/// assert_eq!(mesh::overlap_in_budget(&mesh, &mesh, &near, 9, &mut scratch, &mut ()), Some(true));
/// assert_eq!(mesh::overlap_in_budget(&mesh, &mesh, &far, 9, &mut scratch, &mut ()), Some(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap_in_budget<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    budget: u64,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
) -> Option<bool> {
    let pair = MeshPair::as_given(a, b, b_in_a);
    let placement = pair.placement;
    let mut stop = |_, _, _| ControlFlow::Break(());
    let mut visitor = Meeting::<_, true> { leaves: Leaves::new(pair), meet: &mut stop };
    let trees = BreadthFirst { a: &a.tree, b: &b.tree, placement: &placement, budget };
    scratch.front.begin();
    match traverse::overlap_in_budget(trees, &mut scratch.front, &mut visitor, probe) {
        Progress::Broken => Some(true),
        Progress::Finished => Some(false),
        Progress::OutOfBudget => None,
    }
}

/// The distance, or bounds on it if `budget` tests do not decide.
///
/// ```
/// use impinge::{Pose, mesh::{self, Mesh, Scratch}};
/// let mesh: Mesh = Mesh::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
/// let above = Pose::from_translation([0.0, 0.0, 2.0])?.into();
/// let found = mesh::distance_in_budget(&mesh, &mesh, &above, 9, &mut Scratch::default(), &mut ());
/// assert_eq!((found.lower, found.upper.distance), (2.0, 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance_in_budget<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &ScaledPose,
    budget: u64,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
) -> DistanceBracket {
    let pair = MeshPair::as_given(a, b, b_in_a);
    let placement = pair.placement;
    let mut visitor = Closest::new(pair, None);
    let trees = BreadthFirst { a: &a.tree, b: &b.tree, placement: &placement, budget };
    scratch.front.begin();
    let _ = traverse::distance_in_budget(trees, &mut scratch.front, &mut visitor, probe);
    let upper = visitor.best;
    // The factor is a power of two: the division is exact.
    let left = f64::from(scratch.front.lower_bound()) / a.tree.frame().factor();
    DistanceBracket { lower: left.clamp(0.0, upper.distance), upper }
}
