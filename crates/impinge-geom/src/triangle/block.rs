//! Eight triangles against eight, in f32.
//!
//! The leaves of a hierarchy of triangles are such blocks, in the [`Frame`](crate::bound::Frame) of their body. The functions
//! here rule out pairs for certain; what they leave is decided in f64. Corners are wrong by the rounding to f32 and by the
//! motion; both are within the margin of the [`FrameMotion`]. The normal of a triangle is just a direction along which both are
//! compared, so its own rounding does no harm: a plane *through* a sliver would (`docs/maths/triangle-batch.md`, last section).

use crate::bound::FrameMotion;
use crate::simd::{Simd, vector};
use glam::Vec3A;

/// Number of triangles in a block.
pub const BLOCK: usize = 8;

/// Eight triangles, one per lane; `corners[k][axis]` is that coordinate of corner k.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub struct TriangleBlock {
    pub(super) corners: [[[f32; BLOCK]; 3]; 3],
}

/// Corners in lanes.
pub(super) type Corners<S> = [[<S as Simd>::F32x8; 3]; 3];

impl TriangleBlock {
    /// Packs up to eight triangles; unused lanes repeat the last one.
    ///
    /// ```
    /// use impinge_geom::{triangle::TriangleBlock, glam::Vec3A};
    /// let block = TriangleBlock::new(&[[Vec3A::X, Vec3A::Y, Vec3A::Z]]);
    /// assert_eq!(block.get(7), [Vec3A::X, Vec3A::Y, Vec3A::Z]);
    /// ```
    pub fn new(triangles: &[[Vec3A; 3]]) -> Self {
        let mut block = Self { corners: [[[0.0; BLOCK]; 3]; 3] };
        for lane in 0..BLOCK {
            let last = triangles.len().saturating_sub(1);
            let Some(triangle) = triangles.get(lane.min(last)) else { continue };
            for (k, corner) in triangle.iter().enumerate() {
                for (axis, value) in corner.to_array().into_iter().enumerate() {
                    block.corners[k][axis][lane] = value;
                }
            }
        }
        block
    }

    /// The triangle in one lane.
    pub fn get(&self, lane: usize) -> [Vec3A; 3] {
        let lane = lane % BLOCK;
        [0, 1, 2].map(|k| {
            let [x, y, z] = &self.corners[k];
            Vec3A::new(x[lane], y[lane], z[lane])
        })
    }

    #[inline(always)]
    pub(super) fn lanes<S: Simd>(&self, simd: S) -> Corners<S> {
        let [a, b, c] = &self.corners;
        [vector::load(simd, a), vector::load(simd, b), vector::load(simd, c)]
    }

    /// The corners of one triangle, each in all lanes.
    #[inline(always)]
    pub(super) fn splat<S: Simd>(&self, simd: S, corner: usize, lane: usize) -> [S::F32x8; 3] {
        let [x, y, z] = &self.corners[corner];
        [simd.splat32(x[lane]), simd.splat32(y[lane]), simd.splat32(z[lane])]
    }

    /// The triangles transformed to another frame.
    #[inline(always)]
    pub fn moved<S: Simd>(&self, simd: S, motion: &FrameMotion) -> Self {
        let matrix = motion.rotation * motion.scale;
        let rows = matrix.transpose();
        let rows = [
            vector::splat(simd, rows.x_axis.to_array()),
            vector::splat(simd, rows.y_axis.to_array()),
            vector::splat(simd, rows.z_axis.to_array()),
        ];
        let translation = vector::splat(simd, motion.translation.to_array());
        let mut moved = Self { corners: [[[0.0; BLOCK]; 3]; 3] };
        for k in 0..3 {
            let corner = vector::load(simd, &self.corners[k]);
            for axis in 0..3 {
                let turned = vector::dot(simd, rows[axis], corner);
                moved.corners[k][axis] = simd.store32(simd.add32(turned, translation[axis]));
            }
        }
        moved
    }
}

/// The number of pairs of two blocks from which on directions in the planes of the triangles are tried too: below it, deciding the pairs costs less.
const MANY: u32 = 4;

/// A direction for each of eight triangles, not of unit length, and what the triangles cover along their own, widened so that whatever
/// is beyond is apart.
#[derive(Clone, Copy)]
struct Slabs<S: Simd> {
    direction: [S::F32x8; 3],
    bottom: S::F32x8,
    top: S::F32x8,
}

/// The normals of eight triangles.
#[inline(always)]
fn normals<S: Simd>(simd: S, corners: &Corners<S>) -> [S::F32x8; 3] {
    let edge = vector::sub(simd, corners[1], corners[0]);
    let other = vector::sub(simd, corners[2], corners[0]);
    vector::cross(simd, edge, other)
}

/// The slabs along the directions that are square to an edge of each triangle, in its plane.
#[inline(always)]
fn square_to_edge<S: Simd>(
    simd: S,
    corners: &Corners<S>,
    normal: [S::F32x8; 3],
    edge: usize,
    margin: S::F32x8,
) -> Slabs<S> {
    let along = vector::sub(simd, corners[(edge + 1) % 3], corners[edge]);
    slabs(simd, corners, vector::cross(simd, normal, along), margin)
}

/// The slabs of eight triangles along directions of their own.
#[inline(always)]
fn slabs<S: Simd>(
    simd: S,
    corners: &Corners<S>,
    direction: [S::F32x8; 3],
    margin: S::F32x8,
) -> Slabs<S> {
    let sum = simd.add32(simd.abs32(direction[0]), simd.abs32(direction[1]));
    let sum = simd.add32(sum, simd.abs32(direction[2]));
    // The least number covers the underflow of products with a direction of hardly any length.
    let slack = simd.add32(simd.mul32(sum, margin), simd.splat32(f32::MIN_POSITIVE));
    let (bottom, top) = along(simd, corners, direction);
    Slabs { direction, bottom: simd.sub32(bottom, slack), top: simd.add32(top, slack) }
}

/// The lanes whose corners are all above, or all below, the slab.
#[inline(always)]
fn off_slab<S: Simd>(simd: S, slab: &Slabs<S>, corners: &Corners<S>) -> u32 {
    let (low, high) = along(simd, corners, slab.direction);
    simd.greater32(low, slab.top) | simd.greater32(slab.bottom, high)
}

/// What is kept in memory of the slabs of eight triangles, to be taken out one at a time.
#[repr(align(32))]
struct KeptSlabs {
    direction: [[f32; BLOCK]; 3],
    bottom: [f32; BLOCK],
    top: [f32; BLOCK],
}

impl KeptSlabs {
    #[inline(always)]
    fn new<S: Simd>(simd: S, slabs: &Slabs<S>) -> Self {
        Self {
            direction: [
                simd.store32(slabs.direction[0]),
                simd.store32(slabs.direction[1]),
                simd.store32(slabs.direction[2]),
            ],
            bottom: simd.store32(slabs.bottom),
            top: simd.store32(slabs.top),
        }
    }

    /// One slab in all lanes.
    #[inline(always)]
    fn get<S: Simd>(&self, simd: S, lane: usize) -> Slabs<S> {
        Slabs {
            direction: [
                simd.splat32(self.direction[0][lane]),
                simd.splat32(self.direction[1][lane]),
                simd.splat32(self.direction[2][lane]),
            ],
            bottom: simd.splat32(self.bottom[lane]),
            top: simd.splat32(self.top[lane]),
        }
    }
}

/// Of the given pairs, those that neither triangle's own slab parts: bit `8·j + i` for triangle i of `a` and triangle j of `b`.
///
/// If many are left, they mostly lie in one plane, as flush faces do: then the directions in the planes of the triangles that are square to their edges are
/// tried as well, which part triangles of one plane unless they meet.
#[inline(always)]
pub(super) fn off_slabs<S: Simd>(
    simd: S,
    a: &TriangleBlock,
    b: &TriangleBlock,
    margin: f32,
    pairs: u64,
) -> u64 {
    let (corners_a, corners_b) = (a.lanes(simd), b.lanes(simd));
    let wide = simd.splat32(margin);
    let normals_a = normals(simd, &corners_a);
    let slabs_a = slabs(simd, &corners_a, normals_a, wide);
    let found = off_own(simd, &slabs_a, b, pairs);
    if found == 0 {
        return 0;
    }
    let normals_b = normals(simd, &corners_b);
    let mut found = off_other(simd, &corners_a, &slabs(simd, &corners_b, normals_b, wide), found);
    for k in 0..3 {
        if found.count_ones() < MANY {
            break;
        }
        found = off_own(simd, &square_to_edge(simd, &corners_a, normals_a, k, wide), b, found);
        let slabs_b = square_to_edge(simd, &corners_b, normals_b, k, wide);
        found = off_other(simd, &corners_a, &slabs_b, found);
    }
    found
}

/// Of the given pairs, those of triangles of `b` that reach into the slab of the triangle of `a`.
#[inline(always)]
fn off_own<S: Simd>(simd: S, slabs_a: &Slabs<S>, b: &TriangleBlock, pairs: u64) -> u64 {
    let mut found = 0u64;
    for lane in 0..BLOCK {
        let near = (pairs >> (BLOCK * lane)) as u32 & 0xff;
        if near != 0 {
            let corners = [b.splat(simd, 0, lane), b.splat(simd, 1, lane), b.splat(simd, 2, lane)];
            let off = off_slab(simd, slabs_a, &corners);
            found |= u64::from(near & !off) << (BLOCK * lane);
        }
    }
    found
}

/// Of the given pairs, those of triangles of `a` that reach into the slab of the triangle of `b`.
#[inline(always)]
fn off_other<S: Simd>(simd: S, corners_a: &Corners<S>, slabs_b: &Slabs<S>, pairs: u64) -> u64 {
    let slabs_b = KeptSlabs::new(simd, slabs_b);
    let mut found = pairs;
    for lane in 0..BLOCK {
        if found >> (BLOCK * lane) & 0xff != 0 {
            let off = off_slab(simd, &slabs_b.get(simd, lane), corners_a);
            found &= !(u64::from(off) << (BLOCK * lane));
        }
    }
    found
}

/// The least and the greatest of each triangle's corners along a direction.
#[inline(always)]
pub(super) fn along<S: Simd>(
    simd: S,
    corners: &Corners<S>,
    direction: [S::F32x8; 3],
) -> (S::F32x8, S::F32x8) {
    vector::extremes(
        simd,
        vector::dot(simd, corners[0], direction),
        vector::dot(simd, corners[1], direction),
        vector::dot(simd, corners[2], direction),
    )
}
