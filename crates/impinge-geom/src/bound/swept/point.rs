//! The point: swept, a sphere.
//!
//! Three fits. The minimum one is by E. Welzl, "Smallest enclosing disks (balls and ellipsoids)" (1991): a ball through the
//! points that stuck out so far is enlarged by the next that does, which then moves to the front. The second is by J. Ritter,
//! "An efficient bounding sphere" (1990): the ball about a long diameter, grown by what it leaves out. The third is the middle of the
//! points' box along their principal axes.

use super::{Lanes, Sphere, SweptCore, axes_of};
use crate::bound::Obb;
use crate::bound::fit::Moments;
use crate::simd::Simd;
use glam::{DMat3, DVec3, Vec3A};
use std::marker::PhantomData;

/// A point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point;

/// How the centre of a sphere is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SphereFit {
    /// The smallest enclosing sphere.
    #[default]
    Minimum,
    /// A sphere about a long diameter, grown point by point: fast, some percent too large.
    Ritter,
    /// The centre of the box along the principal axes.
    Principal,
}

impl Sphere {
    /// The sphere of the points, enlarged by `error`.
    ///
    /// ```
    /// use impinge_geom::{bound::{Sphere, SphereFit}, glam::Vec3A};
    /// let points = [Vec3A::X, Vec3A::Y, -Vec3A::X, Vec3A::ZERO];
    /// let sphere = Sphere::fit_by(&points, SphereFit::Minimum, 0.0);
    /// assert!((sphere.radius() - 1.0).abs() < 1e-5 && sphere.center().length() < 1e-5);
    /// ```
    pub fn fit_by(points: &[Vec3A], fit: SphereFit, error: f32) -> Self {
        let center = match fit {
            SphereFit::Minimum => minimum(points),
            SphereFit::Ritter => ritter(points),
            SphereFit::Principal => {
                let axes = axes_of(points, &Moments::default());
                Obb::with_axes(points, axes, 0.0).center
            }
        };
        Self::around([center], points, error)
    }

    /// The sphere of a centre and a radius, which is not negative.
    pub(in crate::bound) fn about(center: Vec3A, radius: f32) -> Self {
        Self { core: [center], radius, kind: PhantomData }
    }

    /// The centre.
    pub fn center(&self) -> Vec3A {
        self.core[0]
    }
}

impl SweptCore<1> for Point {
    const NAME: &'static str = "sphere";
    const ROUNDS: usize = 0;
    const RAY_STEPS: usize = 0;
    const USES_MOMENTS: bool = false;

    fn choose(points: &[Vec3A], _: &Moments) -> [Vec3A; 1] {
        [minimum(points)]
    }

    fn corners(core: &[Vec3A; 1], out: &mut Vec<Vec3A>) {
        out.push(core[0]);
    }

    fn measures(_: &[Vec3A; 1]) -> [f32; 2] {
        [0.0; 2]
    }

    #[inline(always)]
    fn half_length(_: &[Vec3A; 1]) -> f32 {
        0.0
    }

    #[inline(always)]
    fn ball<S: Simd>(simd: S, core: &Lanes<S, 1>) -> ([S::F32x8; 3], S::F32x8) {
        (core[0], simd.splat32(0.0))
    }

    #[inline(always)]
    fn nearest<S: Simd>(_: S, core: &Lanes<S, 1>, _: [S::F32x8; 3]) -> [S::F32x8; 3] {
        core[0]
    }

    #[inline(always)]
    fn spread<S: Simd>(simd: S, _: &Lanes<S, 1>, _: [S::F32x8; 3]) -> S::F32x8 {
        simd.splat32(0.0)
    }
}

/// A centre and the square of a radius.
type Ball = (DVec3, f64);

/// How much larger a square of a distance must be for its point to stick out: less is rounding.
const STICKS_OUT: f64 = 1.0 + 1e-12;

/// Points whose edges span less than this share of what edges of their lengths can are too flat for a ball through them.
const FLAT: f64 = 1e-12;

/// The centre of the smallest sphere, up to the rounding of f64 and at last of f32.
pub(in crate::bound) fn minimum(points: &[Vec3A]) -> Vec3A {
    let mut points: Vec<DVec3> = points.iter().map(|p| p.as_dvec3()).collect();
    // Sorted input is the slow one: a fixed shuffle (Knuth's multiplicative hash of the index) mends it.
    for k in (1..points.len()).rev() {
        points.swap(k, (k as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) as usize % (k + 1));
    }
    smallest(&mut points, &mut Vec::with_capacity(4)).map_or(Vec3A::ZERO, |ball| ball.0.as_vec3a())
}

/// The smallest ball of the points that has all those of `rim` on its surface. At most four recursions deep.
fn smallest(points: &mut [DVec3], rim: &mut Vec<DVec3>) -> Option<Ball> {
    let mut ball = through(rim);
    if rim.len() == 4 {
        return ball;
    }
    for k in 0..points.len() {
        let point = points[k];
        if ball
            .is_none_or(|(center, square)| (point - center).length_squared() > square * STICKS_OUT)
        {
            rim.push(point);
            // Points that lie too badly for a ball through them leave the last one: the radius is measured at the end.
            ball = smallest(&mut points[..k], rim).or(ball);
            rim.pop();
            points[..=k].rotate_right(1);
        }
    }
    ball
}

/// The smallest ball through up to four points.
fn through(rim: &[DVec3]) -> Option<Ball> {
    let (&first, others) = rim.split_first()?;
    let edge = |k: usize| others.get(k).map(|p| *p - first);
    let center = match (edge(0), edge(1), edge(2)) {
        (None, ..) => DVec3::ZERO,
        (Some(a), None, _) => a * 0.5,
        (Some(a), Some(b), third) => {
            let normal = a.cross(b);
            // Of three points the centre is in their plane.
            let c = third.unwrap_or(normal);
            let squares = DVec3::new(
                a.length_squared(),
                b.length_squared(),
                third.map_or(0.0, |c| c.length_squared()),
            );
            let rows = DMat3::from_cols(a, b, c).transpose();
            let size = squares.max_element().max(f64::MIN_POSITIVE);
            if rows.determinant().abs() <= FLAT * size * c.length() {
                return None;
            }
            rows.inverse() * squares * 0.5
        }
    };
    let ball = (first + center, center.length_squared());
    (ball.0.is_finite() && ball.1.is_finite()).then_some(ball)
}

fn ritter(points: &[Vec3A]) -> Vec3A {
    let Some(&first) = points.first() else { return Vec3A::ZERO };
    let farthest = |from: Vec3A| {
        let square = |p: &Vec3A| p.distance_squared(from);
        points.iter().copied().max_by(|p, q| square(p).total_cmp(&square(q))).unwrap_or(from)
    };
    let one = farthest(first);
    let other = farthest(one);
    let (mut center, mut radius) = ((one + other) * 0.5, one.distance(other) * 0.5);
    for &point in points {
        let away = point.distance(center);
        if away > radius {
            radius = (radius + away) * 0.5;
            center += (point - center) * ((away - radius) / away);
        }
    }
    center
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest ball of few points by trying all sets of up to four on its rim.
    fn by_trial(points: &[DVec3]) -> f64 {
        let mut best = f64::INFINITY;
        let count = points.len();
        for code in 0..count.pow(4) {
            let picks = [0, 1, 2, 3].map(|k| code / count.pow(k) % count);
            let mut rim: Vec<_> = picks.to_vec();
            rim.sort_unstable();
            rim.dedup();
            let rim: Vec<_> = rim.into_iter().map(|k| points[k]).collect();
            if let Some((center, square)) = through(&rim)
                && points.iter().all(|p| (*p - center).length_squared() <= square * (1.0 + 1e-9))
            {
                best = best.min(square);
            }
        }
        best.sqrt()
    }

    #[test]
    fn the_minimum_is_the_smallest_of_all_and_the_others_are_not_much_larger() {
        let mut state = 3u64;
        let mut number = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        };
        for round in 0..300 {
            let flat = [1.0, 1.0, 0.0][round % 3];
            let points: Vec<_> = (0..2 + round % 7)
                .map(|_| Vec3A::new(number(), number(), flat * number()))
                .collect();
            let exact = by_trial(&points.iter().map(|p| p.as_dvec3()).collect::<Vec<_>>()) as f32;
            let radius = |fit| Sphere::fit_by(&points, fit, 0.0).radius();
            let minimum = radius(SphereFit::Minimum);
            assert!((minimum - exact).abs() < 2e-5, "round {round}: {minimum} {exact}");
            for fit in [SphereFit::Ritter, SphereFit::Principal] {
                assert!(radius(fit) < exact * 1.6 + 1e-5, "round {round} {fit:?}");
            }
        }
    }
}
