//! Four points side by side: lanes of x, of y and of z. As in the kernels, each lane gives the bits of the scalar formula.

use super::Simd;
use glam::DVec3;

/// Four points, by coordinates.
#[inline(always)]
pub(crate) fn lanes<S: Simd>(simd: S, [a, b, c, d]: [DVec3; 4]) -> [S::F64x4; 3] {
    [
        simd.load64(&[a.x, b.x, c.x, d.x]),
        simd.load64(&[a.y, b.y, c.y, d.y]),
        simd.load64(&[a.z, b.z, c.z, d.z]),
    ]
}

/// One point in all lanes.
#[inline(always)]
pub(crate) fn splat<S: Simd>(simd: S, point: DVec3) -> [S::F64x4; 3] {
    [simd.splat64(point.x), simd.splat64(point.y), simd.splat64(point.z)]
}

/// Differences.
#[inline(always)]
pub(crate) fn sub<S: Simd>(simd: S, a: [S::F64x4; 3], b: [S::F64x4; 3]) -> [S::F64x4; 3] {
    [simd.sub64(a[0], b[0]), simd.sub64(a[1], b[1]), simd.sub64(a[2], b[2])]
}

/// Dot products, (x + y) + z, rounded after every operation.
#[inline(always)]
pub(crate) fn dot<S: Simd>(simd: S, a: [S::F64x4; 3], b: [S::F64x4; 3]) -> S::F64x4 {
    let shadow = simd.add64(simd.mul64(a[0], b[0]), simd.mul64(a[1], b[1]));
    simd.add64(shadow, simd.mul64(a[2], b[2]))
}

/// Cross products.
#[inline(always)]
pub(crate) fn cross<S: Simd>(simd: S, a: [S::F64x4; 3], b: [S::F64x4; 3]) -> [S::F64x4; 3] {
    [
        simd.sub64(simd.mul64(a[1], b[2]), simd.mul64(a[2], b[1])),
        simd.sub64(simd.mul64(a[2], b[0]), simd.mul64(a[0], b[2])),
        simd.sub64(simd.mul64(a[0], b[1]), simd.mul64(a[1], b[0])),
    ]
}
