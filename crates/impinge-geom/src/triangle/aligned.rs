//! The extent of eight triangles along directions of their own.
//!
//! The triangles of a leaf are neighbours on a surface: along their common normal they are thin, and what does not touch them is
//! mostly beside them along that normal or along the surface. Three directions chosen this way separate nearly all pairs of
//! triangles that the axes of the body leave; see `docs/internals/mesh-queries.md` for the counts.

use super::block::{BLOCK, Corners, TriangleBlock, along};
use crate::simd::{Simd, vector};
use glam::Vec3A;

/// Three directions, and the extent along them of each of eight triangles and of all together.
///
/// ```
/// use impinge_geom::{glam::Vec3A, simd::{Kernel, Simd, dispatch}};
/// use impinge_geom::triangle::{AlignedBlock, TriangleBlock, candidates};
/// struct Above(f32);
/// impl Kernel for Above {
///     type Output = u64;
///     #[inline(always)]
///     fn run<S: Simd>(self, simd: S) -> u64 {
///         let flat = TriangleBlock::new(&[[Vec3A::ZERO, Vec3A::X, Vec3A::Y]]);
///         let above = TriangleBlock::new(&[[Vec3A::ZERO, Vec3A::X, Vec3A::Y].map(|p| p + Vec3A::Z * self.0)]);
///         let aligned = AlignedBlock::new(simd, &flat, 1e-6);
///         candidates(simd, (&flat, &aligned, 1), (&above, 1), 1e-6)
///     }
/// }
/// assert_eq!(dispatch(Above(0.1)), 0);
/// assert_eq!(dispatch(Above(0.0)), 1);
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct AlignedBlock {
    /// Where each triangle begins, less the room for rounding.
    low: [[f32; BLOCK]; 3],
    /// Where it ends, with that room.
    high: [[f32; BLOCK]; 3],
    directions: [[f32; 3]; 3],
    /// Where the first of them begins.
    least: [f32; 3],
    /// Where the last of them ends.
    most: [f32; 3],
}

impl AlignedBlock {
    /// The extents of nothing: a placeholder.
    pub const EMPTY: Self = Self {
        low: [[0.0; BLOCK]; 3],
        high: [[0.0; BLOCK]; 3],
        directions: [[0.0; 3]; 3],
        least: [0.0; 3],
        most: [0.0; 3],
    };

    /// Computes the extents of a block in whose frame tests err by at most `margin` per coordinate.
    #[inline(always)]
    pub fn new<S: Simd>(simd: S, block: &TriangleBlock, margin: f32) -> Self {
        let corners = block.lanes(simd);
        // A unit vector's magnitudes add up to at most √3, so that an error of the margin per coordinate counts so often; the
        // rest of the two covers the rounding of the dot products.
        let room = simd.splat32(2.0 * margin);
        let mut aligned = Self { directions: directions(simd, &corners), ..Self::EMPTY };
        for k in 0..3 {
            let direction = vector::splat(simd, aligned.directions[k]);
            let (low, high) = along(simd, &corners, direction);
            let (low, high) = (simd.sub32(low, room), simd.add32(high, room));
            (aligned.low[k], aligned.high[k]) = (simd.store32(low), simd.store32(high));
            (aligned.least[k], aligned.most[k]) = (simd.least32(low), simd.greatest32(high));
        }
        aligned
    }

    /// What other triangles, in the same frame, cover along the directions, and the lanes of those that reach the block at all.
    #[inline(always)]
    fn project<S: Simd>(&self, simd: S, corners: &Corners<S>) -> Projected {
        let mut low = [[0.0; BLOCK]; 3];
        let mut high = [[0.0; BLOCK]; 3];
        let mut gap = simd.splat32(f32::NEG_INFINITY);
        for k in 0..3 {
            let (from, to) = along(simd, corners, vector::splat(simd, self.directions[k]));
            gap = simd.max32(gap, simd.sub32(from, simd.splat32(self.most[k])));
            gap = simd.max32(gap, simd.sub32(simd.splat32(self.least[k]), to));
            (low[k], high[k]) = (simd.store32(from), simd.store32(to));
        }
        let apart = simd.greater32(gap, simd.splat32(0.0));
        Projected { low, high, reaching: !apart & 0xff }
    }
}

/// Triangles along the directions of an [`AlignedBlock`].
#[repr(align(32))]
struct Projected {
    low: [[f32; BLOCK]; 3],
    high: [[f32; BLOCK]; 3],
    reaching: u32,
}

/// The mean normal, an edge of the first triangle and what is at right angles to both; the axes of the frame if there is none.
#[inline(always)]
fn directions<S: Simd>(simd: S, corners: &Corners<S>) -> [[f32; 3]; 3] {
    let edge = vector::sub(simd, corners[1], corners[0]);
    let normal = vector::cross(simd, edge, vector::sub(simd, corners[2], corners[0]));
    let mean = Vec3A::new(simd.sum32(normal[0]), simd.sum32(normal[1]), simd.sum32(normal[2]));
    let edge = Vec3A::new(simd.first32(edge[0]), simd.first32(edge[1]), simd.first32(edge[2]));
    // Of almost no length, a direction is not normalised but replaced: any will do.
    let (Some(up), Some(aside)) = (mean.try_normalize(), mean.cross(edge).try_normalize()) else {
        return [Vec3A::X.to_array(), Vec3A::Y.to_array(), Vec3A::Z.to_array()];
    };
    [up.to_array(), aside.to_array(), up.cross(aside).to_array()]
}

/// The pairs of triangles of two blocks that may meet: bit `8·j + i` for triangle i of `a` and triangle j of `b`.
///
/// `live_a` and `live_b` tell the lanes that hold a triangle. `b` lies in the frame of `a` already; `margin` is that of the
/// motion that took it there, and that of `aligned`.
#[inline(always)]
pub fn candidates<S: Simd>(
    simd: S,
    (a, aligned, live_a): (&TriangleBlock, &AlignedBlock, u32),
    (b, live_b): (&TriangleBlock, u32),
    margin: f32,
) -> u64 {
    let projected = aligned.project(simd, &b.lanes(simd));
    let mut left = live_b & projected.reaching;
    if left == 0 {
        return 0;
    }
    let (low, high) = (vector::load(simd, &aligned.low), vector::load(simd, &aligned.high));
    let zero = simd.splat32(0.0);
    let mut found = 0u64;
    while left != 0 {
        let lane = left.trailing_zeros() as usize % BLOCK;
        left &= left - 1;
        let mut gap = simd.sub32(low[0], simd.splat32(projected.high[0][lane]));
        gap = simd.max32(gap, simd.sub32(simd.splat32(projected.low[0][lane]), high[0]));
        for k in 1..3 {
            gap = simd.max32(gap, simd.sub32(low[k], simd.splat32(projected.high[k][lane])));
            gap = simd.max32(gap, simd.sub32(simd.splat32(projected.low[k][lane]), high[k]));
        }
        let near = !simd.greater32(gap, zero) & live_a;
        found |= u64::from(near) << (BLOCK * lane);
    }
    if found == 0 { 0 } else { super::block::off_slabs(simd, a, b, margin, found) }
}
