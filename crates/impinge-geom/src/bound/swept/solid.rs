//! The oriented box: swept, a box with rounded edges.

use super::segment::part_along;
use super::{Lanes, Swept, SweptCore, axes_of};
use crate::bound::fit::Moments;
use crate::bound::{Bound, Obb};
use crate::simd::{Simd, vector};
use glam::Vec3A;
use std::f32::consts::PI;

/// A box: its middle, and the ways from there to the middles of three sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid;

impl SweptCore<4> for Solid {
    const NAME: &'static str = "rounded";
    const ROUNDS: usize = 3;

    /// The box along the principal axes, its sides moved in by some part of the smallest; the part that leaves the least surface.
    fn choose(points: &[Vec3A], moments: &Moments) -> [Vec3A; 4] {
        let outer = Obb::with_axes(points, axes_of(points, moments), 0.0);
        let inner = |part: f32| {
            let half =
                (outer.half - Vec3A::splat(outer.half.min_element() * part)).max(Vec3A::ZERO);
            let [x, y, z] = outer.axes;
            [outer.center, x * half.x, y * half.y, z * half.z]
        };
        let area = |core: &[Vec3A; 4]| Swept::<Self, 4>::around(*core, points, 0.0).area();
        let cores = [0.0, 0.25, 0.5, 0.75, 1.0].map(inner);
        let areas = cores.map(|core| area(&core));
        let least = (0..5).min_by(|&i, &j| areas[i].total_cmp(&areas[j])).unwrap_or(0);
        cores[least]
    }

    fn corners(core: &[Vec3A; 4], out: &mut Vec<Vec3A>) {
        for bits in 0..8 {
            let side = |k: usize| if bits >> k & 1 == 0 { core[k + 1] } else { -core[k + 1] };
            out.push(core[0] + side(0) + side(1) + side(2));
        }
    }

    fn measures(core: &[Vec3A; 4]) -> [f32; 2] {
        let [x, y, z] = [core[1], core[2], core[3]].map(|side| side.length());
        [8.0 * (x * y + y * z + z * x), 2.0 * PI * (x + y + z)]
    }

    #[inline(always)]
    fn half_length(core: &[Vec3A; 4]) -> f32 {
        let squares = [core[1], core[2], core[3]].map(|side| side.length_squared());
        squares[0].max(squares[1]).max(squares[2]).sqrt()
    }

    #[inline(always)]
    fn ball<S: Simd>(simd: S, core: &Lanes<S, 4>) -> ([S::F32x8; 3], S::F32x8) {
        let mut square = vector::dot(simd, core[1], core[1]);
        square = simd.add32(square, vector::dot(simd, core[2], core[2]));
        square = simd.add32(square, vector::dot(simd, core[3], core[3]));
        // A little more for sides that are not exactly at right angles.
        (core[0], simd.mul32(simd.sqrt32(square), simd.splat32(1.000_01)))
    }

    #[inline(always)]
    fn nearest<S: Simd>(simd: S, core: &Lanes<S, 4>, point: [S::F32x8; 3]) -> [S::F32x8; 3] {
        let way = vector::sub(simd, point, core[0]);
        let mut near = core[0];
        for side in &core[1..] {
            let part = part_along(simd, *side, way, [-1.0, 1.0]);
            near = vector::add(simd, near, vector::scale(simd, *side, part));
        }
        near
    }

    #[inline(always)]
    fn spread<S: Simd>(simd: S, core: &Lanes<S, 4>, direction: [S::F32x8; 3]) -> S::F32x8 {
        let mut sum = simd.abs32(vector::dot(simd, core[1], direction));
        for side in &core[2..] {
            sum = simd.add32(sum, simd.abs32(vector::dot(simd, *side, direction)));
        }
        sum
    }
}
