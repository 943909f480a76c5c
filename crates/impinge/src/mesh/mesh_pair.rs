//! Two meshes as a traversal sees them.
//!
//! f32 coordinates have a fixed number of digits of the larger body, whichever frame is chosen; in the frame of the smaller one the
//! larger would drown it in its margin. So the larger one is the first, whose frame is used, and the answer is turned round.

use super::{Mesh, ScaledPose};
use impinge_geom::bound::{Bound, Far, RelativeFrame};
use impinge_geom::glam::{DVec3, Vec3A};
use impinge_geom::simd::Simd;
use impinge_geom::triangle::{self, AlignedBlock, TriangleBlock};

/// The larger and the smaller mesh.
pub(super) struct MeshPair<'m, B: Bound> {
    pub(super) first: &'m Mesh<B>,
    pub(super) second: &'m Mesh<B>,
    /// Where the second is in the frame of the first.
    pub(super) placement: RelativeFrame,
    b_in_a: &'m ScaledPose,
    /// True if the first is B.
    flipped: bool,
    /// The second's block in the frame of the first, and which it is: neighbours on the stack often share it.
    moved: (u32, TriangleBlock),
    /// What the first's block covers along its own directions, and which it is.
    aligned: (u32, AlignedBlock),
}

impl<'m, B: Bound> MeshPair<'m, B> {
    /// A first, whatever the sizes: for answers about places in the trees.
    pub(super) fn as_given(a: &'m Mesh<B>, b: &'m Mesh<B>, b_in_a: &'m ScaledPose) -> Self {
        let (frame_a, frame_b) = (a.tree.frame(), b.tree.frame());
        let placement = RelativeFrame::new(frame_a, frame_b, &b_in_a.pose, b_in_a.scale);
        let moved = (u32::MAX, TriangleBlock::new(&[]));
        let aligned = (u32::MAX, AlignedBlock::EMPTY);
        Self { first: a, second: b, placement, b_in_a, flipped: false, moved, aligned }
    }

    /// The larger one first.
    pub(super) fn new(a: &'m Mesh<B>, b: &'m Mesh<B>, b_in_a: &'m ScaledPose) -> Self {
        let given = Self::as_given(a, b, b_in_a);
        let (frame_a, frame_b) = (a.tree.frame(), b.tree.frame());
        let size_b = frame_b.extent() / frame_b.factor() * b_in_a.scale;
        if size_b <= frame_a.extent() / frame_a.factor() {
            return given;
        }
        let placement = given.placement.reversed();
        Self { first: b, second: a, placement, flipped: true, ..given }
    }

    /// If the meshes are far apart, brings them together for the volumes and blocks, and says along which line.
    pub(super) fn bring_together(&mut self) -> Option<Far> {
        let (far, placement) = self.placement.far()?;
        self.placement = placement;
        Some(far)
    }

    /// The items as those of A and of B.
    #[inline(always)]
    pub(super) fn in_order(&self, first: u32, second: u32) -> (u32, u32) {
        if self.flipped { (second, first) } else { (first, second) }
    }

    /// The corners of a triangle of A and of one of B, in A's frame: what exact tests are about.
    #[inline(always)]
    pub(super) fn corners(&self, item_a: u32, item_b: u32) -> ([DVec3; 3], [DVec3; 3]) {
        let (a, b) =
            if self.flipped { (self.second, self.first) } else { (self.first, self.second) };
        (a.corners(item_a), self.b_in_a.map_corners(b.corners(item_b)))
    }

    /// A length of A in units of the first's frame.
    #[inline(always)]
    pub(super) fn local_length(&self, length: f64) -> f64 {
        let factor = self.first.tree.frame().factor();
        if self.flipped { length / self.b_in_a.scale * factor } else { length * factor }
    }

    /// A direction of A in the first's frame.
    #[inline(always)]
    pub(super) fn local_direction(&self, direction: DVec3) -> Vec3A {
        let turned =
            if self.flipped { self.b_in_a.pose.inverse_rotate(direction) } else { direction };
        turned.as_vec3a()
    }

    /// The blocks of two leaves in the frame of the first, each with one bit per lane that holds a triangle.
    #[inline(always)]
    pub(super) fn blocks<S: Simd>(
        &mut self,
        simd: S,
        first: u32,
        second: u32,
    ) -> ((&TriangleBlock, u32), (&TriangleBlock, u32)) {
        self.carry_over(simd, second);
        (
            (&self.first.blocks[first as usize], live(self.first, first)),
            (&self.moved.1, live(self.second, second)),
        )
    }

    /// The pairs of triangles of two leaves that may be within `limit` of each other; bits as in [`Self::candidates`].
    ///
    /// `direction` is one that may separate them: the zero vector separates nothing. It does not count where the meshes are far apart.
    #[inline(always)]
    pub(super) fn near<S: Simd>(
        &mut self,
        simd: S,
        (first, second): (u32, u32),
        (direction, far): (Vec3A, Option<Far>),
        limit: f32,
    ) -> u64 {
        let limit = limit + self.placement.b_to_a.margin;
        let (first, second) = self.blocks(simd, first, second);
        match far {
            None => triangle::within(simd, first, second, direction, limit),
            Some(far) => triangle::within_along(simd, first, second, far.in_a, limit),
        }
    }

    /// The pairs of triangles of two leaves that may meet: bit `8·j + i` for the first's i and the second's j.
    #[inline(always)]
    pub(super) fn candidates<S: Simd>(&mut self, simd: S, first: u32, second: u32) -> u64 {
        let margin = self.placement.b_to_a.margin;
        let block = &self.first.blocks[first as usize];
        if self.aligned.0 != first {
            self.aligned = (first, AlignedBlock::new(simd, block, margin));
        }
        self.carry_over(simd, second);
        triangle::candidates(
            simd,
            (block, &self.aligned.1, live(self.first, first)),
            (&self.moved.1, live(self.second, second)),
            margin,
        )
    }

    /// Brings a block of the second into the frame of the first.
    #[inline(always)]
    fn carry_over<S: Simd>(&mut self, simd: S, second: u32) {
        if self.moved.0 != second {
            let block = &self.second.blocks[second as usize];
            self.moved = (second, block.moved(simd, &self.placement.b_to_a));
        }
    }
}

/// One bit per lane of a leaf's block that holds a triangle.
#[inline(always)]
fn live<B: Bound>(mesh: &Mesh<B>, leaf: u32) -> u32 {
    (1 << mesh.tree.leaf(leaf).len()) - 1
}
