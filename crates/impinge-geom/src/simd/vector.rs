//! Vectors of lanes: three coordinates, eight vectors at a time.
//!
//! Written without closures over lanes: a call through [`array::map`] is compiled for the plain instruction set, and the
//! vector instructions inside would not be inlined.

use super::Simd;

/// The same vector in all lanes.
#[inline(always)]
pub fn splat<S: Simd>(simd: S, v: [f32; 3]) -> [S::F32x8; 3] {
    [simd.splat32(v[0]), simd.splat32(v[1]), simd.splat32(v[2])]
}

/// Three rows of memory as vectors.
#[inline(always)]
pub fn load<S: Simd>(simd: S, rows: &[[f32; 8]; 3]) -> [S::F32x8; 3] {
    [simd.load32(&rows[0]), simd.load32(&rows[1]), simd.load32(&rows[2])]
}

/// Sums.
#[inline(always)]
pub fn add<S: Simd>(simd: S, a: [S::F32x8; 3], b: [S::F32x8; 3]) -> [S::F32x8; 3] {
    [simd.add32(a[0], b[0]), simd.add32(a[1], b[1]), simd.add32(a[2], b[2])]
}

/// Differences.
#[inline(always)]
pub fn sub<S: Simd>(simd: S, a: [S::F32x8; 3], b: [S::F32x8; 3]) -> [S::F32x8; 3] {
    [simd.sub32(a[0], b[0]), simd.sub32(a[1], b[1]), simd.sub32(a[2], b[2])]
}

/// Vectors times lengths.
#[inline(always)]
pub fn scale<S: Simd>(simd: S, a: [S::F32x8; 3], by: S::F32x8) -> [S::F32x8; 3] {
    [simd.mul32(a[0], by), simd.mul32(a[1], by), simd.mul32(a[2], by)]
}

/// Dot products, for filters: products and sums are fused where the machine can.
#[inline(always)]
pub fn dot<S: Simd>(simd: S, a: [S::F32x8; 3], b: [S::F32x8; 3]) -> S::F32x8 {
    let xy = simd.multiply_add32(a[1], b[1], simd.mul32(a[0], b[0]));
    simd.multiply_add32(a[2], b[2], xy)
}

/// Cross products, for filters as well.
#[inline(always)]
pub fn cross<S: Simd>(simd: S, a: [S::F32x8; 3], b: [S::F32x8; 3]) -> [S::F32x8; 3] {
    [
        simd.subtract_product32(simd.mul32(a[1], b[2]), a[2], b[1]),
        simd.subtract_product32(simd.mul32(a[2], b[0]), a[0], b[2]),
        simd.subtract_product32(simd.mul32(a[0], b[1]), a[1], b[0]),
    ]
}

/// The least and the greatest of three.
#[inline(always)]
pub fn extremes<S: Simd>(simd: S, a: S::F32x8, b: S::F32x8, c: S::F32x8) -> (S::F32x8, S::F32x8) {
    (simd.min32(simd.min32(a, b), c), simd.max32(simd.max32(a, b), c))
}
