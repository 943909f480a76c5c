//! The triangle, swept.

use super::segment::part_along;
use super::{Lanes, Swept, SweptCore, axes_of};
use crate::bound::fit::Moments;
use crate::bound::{Bound, Obb};
use crate::simd::{Simd, vector};
use glam::{DVec2, Vec3A};
use std::f32::consts::PI;

/// A triangle: a corner, and the ways from there to the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleCore;

impl SweptCore<3> for TriangleCore {
    const NAME: &'static str = "TSS";
    const ROUNDS: usize = 3;

    /// The best of a large triangle among the points, an equilateral one around them in their plane, and that one with its sides moved in
    /// by half the thickness of the points.
    fn choose(points: &[Vec3A], moments: &Moments) -> [Vec3A; 3] {
        let [around, moved_in] = equilateral(points, moments);
        let cores = [inscribed(points), around, moved_in];
        let areas = cores.map(|core| Swept::<Self, 3>::around(core, points, 0.0).area());
        let least = (0..3).min_by(|&i, &j| areas[i].total_cmp(&areas[j])).unwrap_or(0);
        cores[least]
    }

    fn corners(core: &[Vec3A; 3], out: &mut Vec<Vec3A>) {
        out.extend([core[0], core[0] + core[1], core[0] + core[2]]);
    }

    fn measures(core: &[Vec3A; 3]) -> [f32; 2] {
        let around = core[1].length() + core[2].length() + (core[2] - core[1]).length();
        [core[1].cross(core[2]).length(), 0.5 * PI * around]
    }

    #[inline(always)]
    fn half_length(core: &[Vec3A; 3]) -> f32 {
        let third = (core[2] - core[1]).length_squared();
        core[1].length_squared().max(core[2].length_squared()).max(third).sqrt() * 0.5
    }

    #[inline(always)]
    fn ball<S: Simd>(simd: S, core: &Lanes<S, 3>) -> ([S::F32x8; 3], S::F32x8) {
        let sum = vector::add(simd, core[1], core[2]);
        let out = vector::scale(simd, sum, simd.splat32(1.0 / 3.0));
        let (first, second) = (vector::sub(simd, core[1], out), vector::sub(simd, core[2], out));
        let squares = simd.max32(vector::dot(simd, first, first), vector::dot(simd, out, out));
        let most = simd.max32(squares, vector::dot(simd, second, second));
        (vector::add(simd, core[0], out), simd.sqrt32(most))
    }

    /// The nearest points of the three edges, of which the nearest counts; unless the foot on the plane is inside.
    #[inline(always)]
    fn nearest<S: Simd>(simd: S, core: &Lanes<S, 3>, point: [S::F32x8; 3]) -> [S::F32x8; 3] {
        let [corner, u, v] = *core;
        let way = vector::sub(simd, point, corner);
        let (zero, one) = (simd.splat32(0.0), simd.splat32(1.0));
        let third = vector::sub(simd, v, u);
        let along = part_along(simd, third, vector::sub(simd, way, u), [0.0, 1.0]);
        // As coordinates along u and v.
        let on_edges = [
            [part_along(simd, u, way, [0.0, 1.0]), zero],
            [zero, part_along(simd, v, way, [0.0, 1.0])],
            [simd.sub32(one, along), along],
        ];
        let [mut s, mut t] = on_edges[0];
        let mut least = square_to(simd, core, way, s, t);
        for [x, y] in &on_edges[1..] {
            let square = square_to(simd, core, way, *x, *y);
            s = simd.pick_greater32(least, square, *x, s);
            t = simd.pick_greater32(least, square, *y, t);
            least = simd.min32(least, square);
        }
        let normal = vector::cross(simd, u, v);
        let square = vector::dot(simd, normal, normal);
        let square = simd.max32(square, simd.splat32(f32::MIN_POSITIVE));
        let x = simd.div32(vector::dot(simd, vector::cross(simd, way, v), normal), square);
        let y = simd.div32(vector::dot(simd, vector::cross(simd, u, way), normal), square);
        let rest = simd.sub32(one, simd.add32(x, y));
        let inside = simd.min32(simd.min32(x, y), rest);
        s = simd.pick_greater32(inside, zero, x, s);
        t = simd.pick_greater32(inside, zero, y, t);
        let out = vector::add(simd, vector::scale(simd, u, s), vector::scale(simd, v, t));
        vector::add(simd, corner, out)
    }

    #[inline(always)]
    fn spread<S: Simd>(simd: S, core: &Lanes<S, 3>, direction: [S::F32x8; 3]) -> S::F32x8 {
        let first = vector::dot(simd, core[1], direction);
        let second = vector::dot(simd, core[2], direction);
        simd.max32(simd.max32(first, second), simd.splat32(0.0))
    }
}

/// The square of the distance from the point with these coordinates along the edges.
#[inline(always)]
fn square_to<S: Simd>(
    simd: S,
    core: &Lanes<S, 3>,
    way: [S::F32x8; 3],
    s: S::F32x8,
    t: S::F32x8,
) -> S::F32x8 {
    let near = vector::add(simd, vector::scale(simd, core[1], s), vector::scale(simd, core[2], t));
    let left = vector::sub(simd, way, near);
    vector::dot(simd, left, left)
}

/// A long edge between two of the points, and the point that is farthest from it.
fn inscribed(points: &[Vec3A]) -> [Vec3A; 3] {
    let Some(&first) = points.first() else { return [Vec3A::ZERO; 3] };
    let farthest = |square: &dyn Fn(Vec3A) -> f32| {
        let order = |p: &Vec3A, q: &Vec3A| square(*p).total_cmp(&square(*q));
        points.iter().copied().max_by(order).unwrap_or(first)
    };
    let a = farthest(&|p| p.distance_squared(first));
    let b = farthest(&|p| p.distance_squared(a));
    let c = farthest(&|p| (p - a).cross(b - a).length_squared());
    [a, b - a, c - a]
}

/// The smallest of six equilateral triangles around the points in the plane of their first two principal axes, as it is and with its sides
/// moved in by half their thickness.
fn equilateral(points: &[Vec3A], moments: &Moments) -> [[Vec3A; 3]; 2] {
    let middle = Obb::with_axes(points, axes_of(points, moments), 0.0);
    let [x, y, _] = middle.axes;
    let flat = |p: &Vec3A| {
        let way = *p - middle.center;
        DVec2::new(f64::from(way.dot(x)), f64::from(way.dot(y)))
    };
    // A third of a turn, and an eighteenth.
    let third = DVec2::new(-0.5, 0.866_025_403_784_438_6);
    let step = DVec2::new(0.939_692_620_785_908_4, 0.342_020_143_325_668_7);
    let mut normal = DVec2::X;
    let mut best: Option<(f64, [f64; 3], DVec2)> = None;
    for _ in 0..6 {
        let normals = [normal, third.rotate(normal), third.rotate(third.rotate(normal))];
        let sides = normals
            .map(|n| points.iter().map(|p| n.dot(flat(p))).fold(f64::NEG_INFINITY, f64::max));
        // The distances of any point from the three sides add up to three times the radius of the circle inside.
        let inner = sides.iter().sum::<f64>() / 3.0;
        if best.is_none_or(|(least, ..)| inner < least) {
            best = Some((inner, sides, normal));
        }
        normal = step.rotate(normal);
    }
    let Some((inner, sides, normal)) = best.filter(|best| best.0.is_finite()) else {
        return [[middle.center, Vec3A::ZERO, Vec3A::ZERO]; 2];
    };
    let normals = [normal, third.rotate(normal), third.rotate(third.rotate(normal))];
    // Σ nᵢ·(nᵢ·c) = 1.5·c.
    let center = (normals[0] * (sides[0] - inner)
        + normals[1] * (sides[1] - inner)
        + normals[2] * (sides[2] - inner))
        / 1.5;
    [0.0, f64::from(middle.half.z)].map(|inwards| {
        let corners = normals.map(|n| {
            let corner = (center - n * (2.0 * (inner - inwards).max(0.0))).as_vec2();
            middle.center + x * corner.x + y * corner.y
        });
        [corners[0], corners[1] - corners[0], corners[2] - corners[0]]
    })
}
