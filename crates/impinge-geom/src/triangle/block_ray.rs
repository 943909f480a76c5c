//! A ray and eight triangles, in f32.
//!
//! As S. Woop, C. Benthin and I. Wald, "Watertight Ray/Triangle Intersection" (2013), corners are seen along the ray, where the three
//! edge functions of a triangle that is hit have one sign. Here their errors are bounded: a triangle is hit for certain, missed for
//! certain, or left to f64, and a hit comes with an interval that contains its place on the ray. `docs/maths/ray-block.md` adds up
//! the errors.

use super::block::{BLOCK, TriangleBlock};
use crate::bound::LocalRay;
use crate::simd::{Simd, vector};

/// The result of a ray against eight triangles.
#[derive(Clone, Copy, Debug)]
pub struct BlockHits {
    /// The lanes that may be hit before the end, one bit each.
    pub possible: u32,
    /// Those of them that are certainly hit.
    pub certain: u32,
    /// For certain hits: lower bound of the hit's place, in steps from the ray's origin.
    pub low: [f32; BLOCK],
    /// The upper bound.
    pub high: [f32; BLOCK],
}

impl BlockHits {
    /// No hit.
    pub const NONE: Self = Self { possible: 0, certain: 0, low: [0.0; BLOCK], high: [0.0; BLOCK] };
}

impl TriangleBlock {
    /// The triangles that the ray may hit, and those that it certainly hits, before the end, in steps.
    #[inline(always)]
    pub fn ray_hits<S: Simd>(&self, simd: S, ray: &LocalRay, end: f32) -> BlockHits {
        self.hits::<S, false>(simd, ray, end)
    }

    /// Without branches: slower by itself, faster among others, whose tests then overlap with this one.
    #[inline(always)]
    pub fn ray_hits_straight<S: Simd>(&self, simd: S, ray: &LocalRay, end: f32) -> BlockHits {
        self.hits::<S, true>(simd, ray, end)
    }

    #[inline(always)]
    fn hits<S: Simd, const STRAIGHT: bool>(&self, simd: S, ray: &LocalRay, end: f32) -> BlockHits {
        let zero = simd.splat32(0.0);
        let [first, second, main] = ray.precomputed.axes;
        let [first, second, main] = [first as usize, second as usize, main as usize];
        let margin = ray.fine_margin;
        let [slope_x, slope_y] = ray.precomputed.slopes;
        let (slope_x, slope_y) = (simd.splat32(slope_x), simd.splat32(slope_y));
        let origin = [ray.origin[first], ray.origin[second], ray.origin[main]];
        let origin = vector::splat(simd, origin);
        let (mut x, mut y, mut z) = ([zero; 3], [zero; 3], [zero; 3]);
        let mut size = simd.splat32(margin);
        for k in 0..3 {
            let corner = &self.corners[k];
            z[k] = simd.sub32(simd.load32(&corner[main]), origin[2]);
            let along_x = simd.sub32(simd.load32(&corner[first]), origin[0]);
            let along_y = simd.sub32(simd.load32(&corner[second]), origin[1]);
            x[k] = simd.subtract_product32(along_x, slope_x, z[k]);
            y[k] = simd.subtract_product32(along_y, slope_y, z[k]);
            size = simd.add32(size, simd.add32(simd.abs32(x[k]), simd.abs32(y[k])));
        }
        let u = simd.subtract_product32(simd.mul32(x[2], y[1]), y[2], x[1]);
        let v = simd.subtract_product32(simd.mul32(x[0], y[2]), y[0], x[2]);
        let w = simd.subtract_product32(simd.mul32(x[1], y[0]), y[1], x[0]);
        let doubt = simd.mul32(size, simd.splat32(margin));
        let (least, most) = vector::extremes(simd, u, v, w);
        let below = simd.sub32(zero, doubt);
        let missed = simd.greater32(most, doubt) & simd.greater32(below, least);
        if !STRAIGHT && missed == 0xff {
            return BlockHits::NONE;
        }
        // The hit, if there is one, is between the least and the greatest corner along the main axis.
        let along = simd.splat32(ray.precomputed.along);
        for corner in &mut z {
            *corner = simd.mul32(*corner, along);
        }
        let (near, far) = vector::extremes(simd, z[0], z[1], z[2]);
        let wide = simd.splat32(2.0 * margin);
        let behind = simd.greater32(simd.sub32(zero, wide), far);
        let beyond = simd.greater32(simd.sub32(near, wide), simd.splat32(end));
        let possible = !(missed | behind | beyond) & 0xff;
        // Crossed inside all edges, and all of the triangle ahead.
        let inside = simd.greater32(least, doubt) | simd.greater32(below, most);
        let certain = inside & possible & simd.greater32(near, wide);
        if !STRAIGHT && certain == 0 {
            return BlockHits { possible, ..BlockHits::NONE };
        }
        // The corners' places, weighted by the edge functions; what the doubt about these may move it by.
        let sum = simd.add32(simd.add32(u, v), w);
        let weighted = simd.multiply_add32(u, z[0], simd.mul32(v, z[1]));
        let weighted = simd.multiply_add32(w, z[2], weighted);
        let share = simd.div32(simd.splat32(1.0), sum);
        let place = simd.mul32(weighted, share);
        let range = simd.mul32(simd.sub32(far, near), simd.splat32(6.0));
        let error = simd.mul32(simd.mul32(range, doubt), simd.abs32(share));
        let low = simd.sub32(simd.max32(simd.sub32(place, error), near), wide);
        let high = simd.add32(simd.min32(simd.add32(place, error), far), wide);
        BlockHits { possible, certain, low: simd.store32(low), high: simd.store32(high) }
    }
}
