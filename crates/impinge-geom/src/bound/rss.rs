//! The rectangle swept sphere.
//!
//! E. Larsen, S. Gottschalk, M. Lin and D. Manocha, "Fast proximity queries with swept sphere volumes" (1999). Their distance
//! between rectangles walks Voronoi regions, which branches; here eight distances are bounded from below at once by
//! treating the rectangles as boxes without thickness, then both radii are taken off.

use super::fit::{Moments, principal_axes};
use super::obb::{self, Obb};
use super::{Bound, FrameMotion, LANES, LocalRay, Overlaps, Pack};
use crate::simd::Simd;
use glam::{DVec3, Vec3A};

/// All points within `radius` of a rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rss {
    /// The rectangle: a box whose third half side is zero.
    pub rectangle: Obb,
    /// The radius of the sphere.
    pub radius: f32,
}

/// Eight of them: the rectangles as flat boxes, and the radii.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RssPack {
    rectangles: Pack<15>,
    radius: [f32; LANES],
}

impl Rss {
    /// The volume of the points with a rectangle along the first two of the given orthonormal axes, enlarged by `error`.
    ///
    /// The radius is half the thickness along the third axis. The rectangle is as small as the points on its rim allow: a point at
    /// height h above the rectangle's plane needs only a distance of √(r² − h²) less from the rim (Larsen and others, section 4).
    pub fn with_axes(points: &[Vec3A], axes: [DVec3; 3], error: f32) -> Self {
        Self::fitted(points, axes, error, true)
    }

    /// `corners` is true but where a test asks what would be left out.
    fn fitted(points: &[Vec3A], axes: [DVec3; 3], error: f32, corners: bool) -> Self {
        let axes32 = axes.map(|axis| axis.as_vec3a());
        let wide = Obb::with_axes(points, axes, 0.0);
        let radius = wide.half.z;
        let along = |p: Vec3A| {
            let d = p - wide.center;
            Vec3A::new(d.dot(axes32[0]), d.dot(axes32[1]), d.dot(axes32[2]))
        };
        // First the sides, one axis at a time; what then sticks out at the corners widens the sides again.
        let (mut low, mut high) = (Vec3A::splat(f32::INFINITY), Vec3A::splat(f32::NEG_INFINITY));
        for &point in points {
            let p = along(point);
            let free = (radius * radius - p.z * p.z).max(0.0).sqrt();
            (low, high) = (low.min(p + Vec3A::splat(free)), high.max(p - Vec3A::splat(free)));
        }
        let middle = (low + high) * 0.5;
        let (mut low, mut high) = (low.min(middle), high.max(middle));
        for &point in if corners { points } else { &[] } {
            let p = along(point);
            let left = Vec3A::new(p.x, p.y, 0.0);
            let beyond = left - left.clamp(low.with_z(0.0), high.with_z(0.0));
            let square = radius * radius - p.z * p.z;
            if beyond.length_squared() > square {
                // Moves the nearer sides out until the corner reaches the point.
                let share = 1.0 - (square.max(0.0) / beyond.length_squared()).sqrt();
                let more = beyond * share;
                (low, high) = (low + more.min(Vec3A::ZERO), high + more.max(Vec3A::ZERO));
            }
        }
        let middle = (low + high) * 0.5;
        let center = wide.center + axes32[0] * middle.x + axes32[1] * middle.y;
        let half = ((high - low) * 0.5).max(Vec3A::ZERO).with_z(0.0);
        let reach = wide.half.max_element() + center.abs().max_element();
        let rounding = 32.0 * f32::EPSILON * reach;
        Self {
            rectangle: Obb {
                center,
                axes: axes32,
                half: half + Vec3A::new(rounding, rounding, 0.0),
            },
            radius: radius + error * 1.8 + rounding,
        }
    }
}

impl Bound for Rss {
    type Pack = RssPack;
    type Query = Self;
    type RayQuery = LocalRay;
    const NAME: &'static str = "RSS";
    const EMPTY: RssPack = RssPack { rectangles: Pack::ZERO, radius: [0.0; LANES] };

    fn fit(points: &[Vec3A], moments: &Moments, error: f32) -> Self {
        let covariance = moments.covariance().or_else(|| Moments::of_points(points).covariance());
        let axes = covariance.map_or([DVec3::X, DVec3::Y, DVec3::Z], principal_axes);
        Self::with_axes(points, axes, error)
    }

    fn merge(parts: &[Self]) -> Self {
        let boxes: Vec<_> = parts.iter().map(|part| part.hull()).collect();
        let merged = Obb::merge(&boxes);
        // The thinnest side becomes the radius.
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| merged.half[j].total_cmp(&merged.half[i]));
        let radius = merged.half[order[2]];
        let half = Vec3A::new(merged.half[order[0]], merged.half[order[1]], 0.0);
        let axes = order.map(|i| merged.axes[i]);
        Self { rectangle: Obb { center: merged.center, axes, half }, radius }
    }

    #[inline(always)]
    fn get(pack: &RssPack, lane: usize) -> Self {
        let radius = pack.radius[lane % LANES];
        Self { rectangle: Obb::get(&pack.rectangles, lane), radius }
    }

    fn set(self, pack: &mut RssPack, lane: usize) {
        self.rectangle.set(&mut pack.rectangles, lane);
        pack.radius[lane % LANES] = self.radius;
    }

    fn numbers(&self, out: &mut Vec<f32>) {
        self.rectangle.numbers(out);
        out.push(self.radius);
    }

    fn from_numbers(from: &mut &[f32]) -> Option<Self> {
        let rectangle = Obb::from_numbers(from)?;
        let radius = *from.split_off_first()?;
        (radius.is_finite() && radius >= 0.0).then_some(Self { rectangle, radius })
    }

    fn contains(&self, point: Vec3A, margin: f32) -> bool {
        let d = point - self.rectangle.center;
        let axes = &self.rectangle.axes;
        let p = Vec3A::new(d.dot(axes[0]), d.dot(axes[1]), d.dot(axes[2]));
        let beyond = (p.abs() - self.rectangle.half).max(Vec3A::ZERO);
        beyond.length() <= self.radius + margin
    }

    fn area(&self) -> f32 {
        self.hull().area()
    }

    #[inline(always)]
    fn size(&self) -> f32 {
        self.rectangle.size() + self.radius
    }

    #[inline(always)]
    fn moved(&self, motion: &FrameMotion) -> Self {
        Self { rectangle: self.rectangle.moved(motion), radius: self.radius * motion.scale }
    }

    #[inline(always)]
    fn overlaps<S: Simd>(simd: S, query: &Self, pack: &RssPack, margin: f32) -> Overlaps<S> {
        let radii = simd.add32(simd.load32(&pack.radius), simd.splat32(query.radius + margin));
        let boxes = obb::overlaps(simd, &query.rectangle, &pack.rectangles, radii);
        let away = obb::distances(simd, &query.rectangle, &pack.rectangles);
        let mask = boxes.mask & !simd.greater32(away, radii);
        Overlaps { mask, separation: simd.sub32(boxes.separation, radii) }
    }

    #[inline(always)]
    fn distances<S: Simd>(simd: S, query: &Self, pack: &RssPack) -> S::F32x8 {
        let radii = simd.add32(simd.load32(&pack.radius), simd.splat32(query.radius));
        let away = obb::distances(simd, &query.rectangle, &pack.rectangles);
        simd.max32(simd.sub32(away, radii), simd.splat32(0.0))
    }

    #[inline(always)]
    fn support_values<S: Simd>(simd: S, direction: Vec3A, pack: &RssPack) -> S::F32x8 {
        let reach = Obb::support_values(simd, direction, &pack.rectangles);
        simd.add32(reach, simd.load32(&pack.radius))
    }

    #[inline(always)]
    fn point_distances<S: Simd>(simd: S, point: Vec3A, pack: &RssPack) -> S::F32x8 {
        let away = Obb::point_distances(simd, point, &pack.rectangles);
        simd.max32(simd.sub32(away, simd.load32(&pack.radius)), simd.splat32(0.0))
    }

    #[inline(always)]
    fn ray_query(ray: &LocalRay) -> LocalRay {
        *ray
    }

    #[inline(always)]
    fn ray_entries<S: Simd>(simd: S, ray: &LocalRay, end: f32, pack: &RssPack) -> (u32, S::F32x8) {
        obb::ray_entries(simd, ray, end, &pack.rectangles, simd.load32(&pack.radius))
    }
}

impl Rss {
    /// The box around it.
    fn hull(&self) -> Obb {
        Obb { half: self.rectangle.half + Vec3A::splat(self.radius), ..self.rectangle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Between -1 and 1 (SplitMix64).
    fn signed(state: &mut u64) -> f32 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    /// How far the farthest of the points is from the rectangle, in radii, in f64.
    fn farthest(volume: &Rss, points: &[Vec3A]) -> f64 {
        let Obb { center, axes, half } = volume.rectangle;
        let distance = |point: &Vec3A| {
            let d = point.as_dvec3() - center.as_dvec3();
            let along = DVec3::from_array(axes.map(|axis| d.dot(axis.as_dvec3())));
            (along.abs() - half.as_dvec3()).max(DVec3::ZERO).length()
        };
        points.iter().map(distance).fold(0.0, f64::max) / f64::from(volume.radius)
    }

    /// Every point is covered; without the step at the corners many clouds are not, some by far.
    #[test]
    fn corners_are_covered() {
        let (mut state, clouds) = (7, 2_000);
        let (mut uncovered, mut worst) = (0, 0.0_f64);
        for cloud in 0..clouds {
            let size = Vec3A::new(1.0, 0.2 + 0.8 * signed(&mut state).abs(), 0.3);
            let points: Vec<Vec3A> = (0..8 + cloud % 40)
                .map(|_| Vec3A::from([0; 3].map(|_| signed(&mut state))) * size)
                .collect();
            let axes = [DVec3::X, DVec3::Y, DVec3::Z];
            let with = farthest(&Rss::fitted(&points, axes, 0.0, true), &points);
            assert!(with <= 1.0 + 1e-12, "{with}");
            let without = farthest(&Rss::fitted(&points, axes, 0.0, false), &points);
            uncovered += usize::from(without > 1.001);
            worst = worst.max(without);
        }
        let share = 100.0 * uncovered as f64 / clouds as f64;
        assert!(share > 20.0 && worst > 1.2, "{share} % uncovered, {worst}");
        assert!(worst < 2.0_f64.sqrt() + 1e-3, "{worst}");
    }
}
