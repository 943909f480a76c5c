//! The convex hull of up to sixteen points.
//!
//! The hull of many points is kept by those that reach farthest along many directions; what then sticks out gives the radius.
//! Nearest points are found by the method of M. Frank and P. Wolfe, "An algorithm for quadratic programming" (1956): from a point of the
//! hull towards the corner that promises most, a few times. They serve as directions only, so that few will do.

use super::{Lanes, SweptCore, axes_of};
use crate::bound::Aabb;
use crate::bound::fit::Moments;
use crate::simd::{Simd, vector};
use glam::Vec3A;
use std::f32::consts::PI;

/// A corner, and the ways from there to the others; if there are fewer than sixteen, the last ones are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corners;

/// Steps towards the nearest point.
const STEPS: usize = 6;

impl SweptCore<16> for Corners {
    const NAME: &'static str = "hull";
    const ROUNDS: usize = 1;
    const RAY_STEPS: usize = 0;

    fn choose(points: &[Vec3A], moments: &Moments) -> [Vec3A; 16] {
        let mut corners: Vec<Vec3A> = Vec::with_capacity(32);
        for point in points {
            if corners.len() <= 16 && !corners.contains(point) {
                corners.push(*point);
            }
        }
        if corners.len() > 16 {
            corners = extreme(points, moments);
        }
        let first = corners.first().copied().unwrap_or(Vec3A::ZERO);
        std::array::from_fn(|k| match (k, corners.get(k)) {
            (0, _) => first,
            (_, Some(&corner)) => corner - first,
            _ => Vec3A::ZERO,
        })
    }

    fn corners(core: &[Vec3A; 16], out: &mut Vec<Vec3A>) {
        out.push(core[0]);
        out.extend(core[1..].iter().filter(|way| **way != Vec3A::ZERO).map(|way| core[0] + *way));
    }

    /// Those of the box around it.
    fn measures(core: &[Vec3A; 16]) -> [f32; 2] {
        let around = half_sides(core);
        let area = around.x * around.y + around.y * around.z + around.z * around.x;
        [8.0 * area, 2.0 * PI * around.element_sum()]
    }

    #[inline(always)]
    fn half_length(core: &[Vec3A; 16]) -> f32 {
        half_sides(core).max_element()
    }

    #[inline(always)]
    fn ball<S: Simd>(simd: S, core: &Lanes<S, 16>) -> ([S::F32x8; 3], S::F32x8) {
        let mut sum = core[1];
        for way in &core[2..] {
            sum = vector::add(simd, sum, *way);
        }
        let out = vector::scale(simd, sum, simd.splat32(1.0 / 16.0));
        let mut most = vector::dot(simd, out, out);
        for way in &core[1..] {
            let left = vector::sub(simd, *way, out);
            most = simd.max32(most, vector::dot(simd, left, left));
        }
        (vector::add(simd, core[0], out), simd.sqrt32(most))
    }

    #[inline(always)]
    fn nearest<S: Simd>(simd: S, core: &Lanes<S, 16>, point: [S::F32x8; 3]) -> [S::F32x8; 3] {
        let way = vector::sub(simd, point, core[0]);
        let zero = vector::splat(simd, [0.0; 3]);
        let mut near = zero;
        for _ in 0..STEPS {
            let left = vector::sub(simd, way, near);
            let (mut most, mut best) = (simd.splat32(0.0), zero);
            for corner in &core[1..] {
                let along = vector::dot(simd, left, *corner);
                for (axis, value) in best.iter_mut().enumerate() {
                    *value = simd.pick_greater32(along, most, corner[axis], *value);
                }
                most = simd.max32(along, most);
            }
            let step = vector::sub(simd, best, near);
            let part = super::segment::part_along(simd, step, left, [0.0, 1.0]);
            near = vector::add(simd, near, vector::scale(simd, step, part));
        }
        vector::add(simd, core[0], near)
    }

    #[inline(always)]
    fn spread<S: Simd>(simd: S, core: &Lanes<S, 16>, direction: [S::F32x8; 3]) -> S::F32x8 {
        let mut most = simd.splat32(0.0);
        for way in &core[1..] {
            most = simd.max32(vector::dot(simd, *way, direction), most);
        }
        most
    }

    /// The corners themselves are not left to the steps towards them.
    #[inline(always)]
    fn away<S: Simd>(simd: S, core: &Lanes<S, 16>, point: [S::F32x8; 3]) -> S::F32x8 {
        let left = vector::sub(simd, point, Self::nearest(simd, core, point));
        let way = vector::sub(simd, point, core[0]);
        let mut least = simd.min32(vector::dot(simd, left, left), vector::dot(simd, way, way));
        for corner in &core[1..] {
            let left = vector::sub(simd, way, *corner);
            least = simd.min32(least, vector::dot(simd, left, left));
        }
        simd.sqrt32(least)
    }
}

fn half_sides(core: &[Vec3A; 16]) -> Vec3A {
    let (mut low, mut high) = (Vec3A::ZERO, Vec3A::ZERO);
    for way in &core[1..] {
        (low, high) = (low.min(*way), high.max(*way));
    }
    (high - low) * 0.5
}

/// Of the points that reach farthest along the thirteen directions of a cube's sides, edges and corners, either way, turned as the
/// points are spread: sixteen that are far from each other.
fn extreme(points: &[Vec3A], moments: &Moments) -> Vec<Vec3A> {
    let [x, y, z] = axes_of(points, moments).map(|axis| axis.as_vec3a());
    let around = Aabb::of_points(points);
    let middle = (around.low + around.high) * 0.5;
    let mut found: Vec<Vec3A> = Vec::with_capacity(26);
    for code in 0..27 {
        let [i, j, k] = [code % 3, code / 3 % 3, code / 9].map(|digit| digit as f32 - 1.0);
        let direction = x * i + y * j + z * k;
        let along = |p: &Vec3A| (*p - middle).dot(direction);
        let top = points.iter().copied().max_by(|p, q| along(p).total_cmp(&along(q)));
        found.extend(top.filter(|top| code != 13 && !found.contains(top)));
    }
    let mut chosen: Vec<Vec3A> = Vec::with_capacity(16);
    while chosen.len() < 16 {
        let alone = |p: &Vec3A| {
            let square = |q: &Vec3A| p.distance_squared(*q);
            chosen.iter().map(square).fold(f32::INFINITY, f32::min)
        };
        let Some(place) = (0..found.len())
            .max_by(|&i, &j| alone(&found[i]).total_cmp(&alone(&found[j])).then(j.cmp(&i)))
        else {
            break;
        };
        chosen.push(found.swap_remove(place));
    }
    chosen
}
