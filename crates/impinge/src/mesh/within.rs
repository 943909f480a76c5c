//! Are two meshes within a distance of each other.

use super::{Mesh, Relative, Scratch};
use impinge_geom::bound::{Bound, Placement};
use impinge_geom::glam::Vec3A;
use impinge_geom::number::outward::round_up;
use impinge_geom::simd::Simd;
use impinge_geom::triangle::{self, BLOCK, TriangleBlock};
use impinge_tree::Probe;
use impinge_tree::traverse::{self, Nearest, Order, Visit};
use std::ops::ControlFlow;

/// True if the distance between the meshes, as surfaces, is at most `tolerance`, in A's unit.
///
/// It ends at the first two triangles that are near enough, and never opens volumes that are further apart: cheaper than the
/// [distance](super::distance). The same as comparing that distance with the tolerance.
///
/// ```
/// use impinge::{Pose, mesh::{self, Mesh, Scratch}};
/// let mesh: Mesh = Mesh::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
/// let above = Pose::from_translation([0.0, 0.0, 2.0])?.into();
/// let mut scratch = Scratch::default();
/// assert!(mesh::within(&mesh, &mesh, &above, 2.0, &mut scratch));
/// assert!(!mesh::within(&mesh, &mesh, &above, 1.999, &mut scratch));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn within<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &Relative,
    tolerance: f64,
    scratch: &mut Scratch,
) -> bool {
    within_with(a, b, b_in_a, tolerance, scratch, &mut ())
}

/// The same, telling its work.
pub fn within_with<B: Bound>(
    a: &Mesh<B>,
    b: &Mesh<B>,
    b_in_a: &Relative,
    tolerance: f64,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
) -> bool {
    // No distance is negative, and none is compared with what is not a number.
    if tolerance.is_nan() || tolerance < 0.0 {
        return false;
    }
    let placement = Placement::new(a.tree.frame(), b.tree.frame(), &b_in_a.pose, b_in_a.scale);
    let limit = round_up(tolerance * a.tree.frame().factor());
    let moved = (u32::MAX, TriangleBlock::new(&[]));
    let mut visitor = Near { a, b, b_in_a, placement: &placement, moved, tolerance, limit };
    let trees = Nearest { a: &a.tree, b: &b.tree, placement: &placement, order: Order::DepthFirst };
    traverse::nearest(trees, &mut scratch.queue, &mut visitor, probe).is_break()
}

/// Breaks off at the first pair of triangles that is near enough.
struct Near<'m, B: Bound> {
    a: &'m Mesh<B>,
    b: &'m Mesh<B>,
    b_in_a: &'m Relative,
    placement: &'m Placement,
    /// B's block in A's frame, and which it is.
    moved: (u32, TriangleBlock),
    tolerance: f64,
    /// The tolerance in units of A's frame, rounded up.
    limit: f32,
}

impl<B: Bound> Visit for Near<'_, B> {
    #[inline(always)]
    fn leaves<S: Simd>(&mut self, simd: S, leaf_a: u32, leaf_b: u32) -> ControlFlow<()> {
        let (items_a, items_b) = (self.a.tree.leaf(leaf_a), self.b.tree.leaf(leaf_b));
        let motion = &self.placement.b_to_a;
        if self.moved.0 != leaf_b {
            self.moved = (leaf_b, self.b.blocks[leaf_b as usize].moved(simd, motion));
        }
        let near = (&self.a.blocks[leaf_a as usize], (1 << items_a.len()) - 1);
        let other = (&self.moved.1, (1 << items_b.len()) - 1);
        // No direction is known to part the rest: the zero vector parts nothing.
        let mut left = triangle::within(simd, near, other, Vec3A::ZERO, self.limit + motion.margin);
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            let corners_a = self.a.corners(items_a[bit % BLOCK]);
            let corners_b = self.b_in_a.map_corners(self.b.corners(items_b[bit / BLOCK]));
            if triangle::distance(&corners_a, &corners_b).distance <= self.tolerance {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn limit(&self) -> f32 {
        self.limit
    }
}
