//! The spherical shell: what of the space between two concentric spheres is in a cone.
//!
//! S. Krishnan, A. Pattekar, M. Lin and D. Manocha, "Spherical shell: a higher order bounding volume for fast proximity queries" (1998).
//! A patch of a curved surface is held closely from both sides. Two differences from the paper. A shell holds the convex hull of its points,
//! since it is given corners of triangles and not the triangles: the inner sphere is inside the hull's distance from the apex. And two shells are
//! tested by the distance of either from the ball around the other, which is a few operations instead of the roots of polynomials.

mod candidate;

use super::fit::{Moments, principal_axes};
use super::obb::READ_AXES;
use super::{Bound, FrameMotion, LANES, LocalRay, MeasuredRay, Overlaps, Pack};
use crate::simd::Simd;
use candidate::{Candidate, distance_of_hull, sphere_center};
use glam::{DVec3, Vec3A};
use std::f32::consts::PI;

/// All points whose distance from the apex is between two radii, and that are seen from there within an angle below 90° from the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphericalShell {
    apex: Vec3A,
    /// Of unit length up to rounding.
    axis: Vec3A,
    /// Cosine and sine of the angle.
    cone: [f32; 2],
    /// The inner and the outer radius.
    radii: [f32; 2],
}

/// A [`SphericalShell`] with what its tests need.
#[derive(Clone, Copy, Debug)]
pub struct PlacedShell {
    shell: SphericalShell,
    /// A ball around it.
    center: Vec3A,
    radius: f32,
    /// The apex may be farther away than the body is large: what rounding of it may do is taken off here, not by the margin.
    slack: f32,
}

impl SphericalShell {
    /// The apex from which the shell is seen.
    pub fn apex(&self) -> Vec3A {
        self.apex
    }

    /// The inner and the outer radius.
    pub fn radii(&self) -> [f32; 2] {
        self.radii
    }

    /// The direction in the middle of the cone, of unit length up to rounding.
    pub fn axis(&self) -> Vec3A {
        self.axis
    }

    /// Cosine and sine of the angle between the axis and the side of the cone.
    pub fn cone(&self) -> [f32; 2] {
        self.cone
    }

    /// At most the distance of a point, up to rounding; negative inside.
    #[inline]
    fn away(&self, point: Vec3A) -> f32 {
        let way = point - self.apex;
        let along = way.dot(self.axis);
        let beside = (way - self.axis * along).length();
        let [cos, sin] = self.cone;
        let [inner, outer] = self.radii;
        let out = beside * cos - along * sin;
        if out > 0.0 {
            // Beside the cone: the nearest point is on its side.
            let up = along * cos + beside * sin;
            let beyond = (inner - up).max(up - outer).max(0.0);
            (out * out + beyond * beyond).sqrt()
        } else {
            let length = way.length();
            (inner - length).max(length - outer)
        }
    }

    #[inline]
    fn placed(&self) -> PlacedShell {
        let ([cos, sin], [inner, outer]) = (self.cone, self.radii);
        let middle = 0.5 * (inner * cos + outer);
        let rim = |radius: f32| {
            let (x, y) = (radius * cos - middle, radius * sin);
            (x * x + y * y).sqrt()
        };
        let radius = rim(inner).max(rim(outer)).max(outer - middle).max((inner - middle).abs());
        let reach = self.apex.abs().max_element() + outer;
        PlacedShell {
            shell: *self,
            center: self.apex + self.axis * middle,
            radius: radius * (1.0 + 8.0 * f32::EPSILON),
            slack: 32.0 * f32::EPSILON * reach,
        }
    }
}

impl PlacedShell {
    /// At most the distance of two shells.
    #[inline]
    fn gap(&self, other: &Self) -> f32 {
        let balls = (self.center - other.center).length() - self.radius - other.radius;
        let one = self.shell.away(other.center) - other.radius;
        let two = other.shell.away(self.center) - self.radius;
        balls.max(one).max(two) - self.slack - other.slack
    }

    /// Whether a ray may meet it, and where it does at the earliest: from where it enters the ball around it, steps as long as the distance
    /// that is left.
    #[inline]
    fn entry(&self, ray: &LocalRay) -> (bool, f32) {
        let wide = ray.margin + self.slack;
        let radius = self.radius + wide;
        let MeasuredRay { origin, direction, end, step } = ray.measured();
        let way = self.center - origin;
        let along = way.dot(direction);
        let beside = (way - direction * along).length_squared();
        let square = radius * radius - beside;
        let chord = square.max(0.0).sqrt();
        let mut at = (along - chord).max(0.0);
        let leave = end.min(along + chord + wide);
        for _ in 0..4 {
            let left = self.shell.away(origin + direction * at) - wide;
            at += left.max(0.0);
        }
        // A ray with no end, or of no length, is not ruled out by numbers that are none.
        let missed = square < 0.0 || at > leave;
        (!missed, at / step)
    }
}

/// The gaps to eight shells, in a call of its own: inlined into every traversal, it would make programs large.
#[inline(never)]
fn gaps(query: &PlacedShell, pack: &Pack<10>) -> [f32; LANES] {
    let mut numbers = [0.0; LANES];
    for (lane, value) in numbers.iter_mut().enumerate() {
        *value = query.gap(&SphericalShell::get(pack, lane).placed());
    }
    numbers
}

/// Eight numbers, one for each lane.
#[inline(always)]
fn each<S: Simd>(simd: S, pack: &Pack<10>, number: impl Fn(&PlacedShell) -> f32) -> S::F32x8 {
    let mut numbers = [0.0; LANES];
    for (lane, value) in numbers.iter_mut().enumerate() {
        *value = number(&SphericalShell::get(pack, lane).placed());
    }
    simd.load32(&numbers)
}

impl Bound for SphericalShell {
    type Pack = Pack<10>;
    type Query = PlacedShell;
    type RayQuery = LocalRay;
    const NAME: &'static str = "shell";
    const EMPTY: Pack<10> = Pack::ZERO;

    /// Of some apexes the one with the smallest shell: the centre of the sphere nearest to the points, and on either side of the plane in which
    /// they are spread.
    fn fit(points: &[Vec3A], moments: &Moments, error: f32) -> Self {
        let mean = Moments::of_points(points).mean();
        let covariance = moments.covariance().or_else(|| Moments::of_points(points).covariance());
        let normal = covariance.map_or(DVec3::Z, |covariance| principal_axes(covariance)[2]);
        let size = points.iter().map(|p| (p.as_dvec3() - mean).length()).fold(0.0, f64::max);
        let reach = points.iter().map(|p| f64::from(p.abs().max_element())).fold(0.0, f64::max);
        let rounding = 64.0 * f64::from(f32::EPSILON) * (reach + size);
        let error = f64::from(error) * 1.8 + rounding + f64::from(f32::MIN_POSITIVE);
        let size = size.max(16.0 * error);
        let beside = [1.5, -1.5, 4.0, -4.0].map(|away| Some(mean - normal * (away * size)));
        let near = sphere_center(points, mean).filter(|c| c.distance(mean) < 4.0 * size);
        let mut best: Option<Candidate> = None;
        for apex in beside.into_iter().chain([near]).flatten() {
            // As they will be kept.
            let apex = apex.as_vec3a().as_dvec3();
            let axis = (mean - apex).normalize_or(DVec3::X).as_vec3a().as_dvec3();
            let balls = points.iter().map(|p| (p.as_dvec3(), error));
            let Some(mut found) = Candidate::new(apex, axis, balls) else { continue };
            found.radii[0] = (distance_of_hull(apex, points, axis) - error).max(0.0);
            if best.is_none_or(|best| found.volume() < best.volume()) {
                best = Some(found);
            }
        }
        best.map_or(Self::EMPTY_SHELL, |best| best.rounded())
    }

    fn merge(parts: &[Self]) -> Self {
        // Of a part no more is used than the ball around it.
        let balls: Vec<(DVec3, f64)> = parts
            .iter()
            .map(|part| {
                let placed = part.placed();
                (placed.center.as_dvec3(), f64::from(placed.radius + placed.slack))
            })
            .collect();
        let mean = balls.iter().map(|ball| ball.0).sum::<DVec3>() / balls.len().max(1) as f64;
        let size = balls.iter().map(|ball| (ball.0 - mean).length() + ball.1).fold(0.0, f64::max);
        let reach = size + mean.abs().max_element();
        let rounding = 128.0 * f64::from(f32::EPSILON) * reach + f64::from(f32::MIN_POSITIVE);
        let size = size.max(16.0 * rounding);
        let apexes = parts.iter().map(|part| part.apex.as_dvec3());
        let aside = [DVec3::X, DVec3::Y, DVec3::Z].map(|side| mean - side * (3.0 * size));
        let mut best: Option<Candidate> = None;
        for apex in apexes.filter(|apex| apex.distance(mean) < 6.0 * size).chain(aside) {
            let apex = apex.as_vec3a().as_dvec3();
            let axis = (mean - apex).normalize_or(DVec3::X).as_vec3a().as_dvec3();
            let grown = balls.iter().map(|ball| (ball.0, ball.1 + rounding));
            let Some(found) = Candidate::new(apex, axis, grown) else { continue };
            if best.is_none_or(|best| found.volume() < best.volume()) {
                best = Some(found);
            }
        }
        best.map_or(Self::EMPTY_SHELL, |best| best.rounded())
    }

    #[inline(always)]
    fn get(pack: &Pack<10>, lane: usize) -> Self {
        let n = pack.get(lane);
        Self {
            apex: Vec3A::new(n[0], n[1], n[2]),
            axis: Vec3A::new(n[3], n[4], n[5]),
            cone: [n[6], n[7]],
            radii: [n[8], n[9]],
        }
    }

    fn set(self, pack: &mut Pack<10>, lane: usize) {
        let ([a, b, c], [d, e, f]) = (self.apex.to_array(), self.axis.to_array());
        let ([cos, sin], [inner, outer]) = (self.cone, self.radii);
        pack.set(lane, [a, b, c, d, e, f, cos, sin, inner, outer]);
    }

    fn numbers(&self, out: &mut Vec<f32>) {
        out.extend(self.apex.to_array());
        out.extend(self.axis.to_array());
        out.extend(self.cone);
        out.extend(self.radii);
    }

    fn from_numbers(from: &mut &[f32]) -> Option<Self> {
        let numbers: [f32; 10] = from.split_off(..10)?.try_into().ok()?;
        let mut pack = Pack::ZERO;
        pack.set(0, numbers);
        let shell = Self::get(&pack, 0);
        let ([cos, sin], [inner, outer]) = (shell.cone, shell.radii);
        let unit = |square: f32| (square - 1.0).abs() < READ_AXES;
        let valid = numbers.iter().all(|number| number.is_finite())
            && unit(shell.axis.length_squared())
            && unit(cos * cos + sin * sin)
            && cos >= 0.0
            && sin >= 0.0
            && (0.0..=outer).contains(&inner);
        valid.then_some(shell)
    }

    fn contains(&self, point: Vec3A, margin: f32) -> bool {
        self.away(point) <= margin
    }

    fn area(&self) -> f32 {
        let ([cos, sin], [inner, outer]) = (self.cone, self.radii);
        let caps = 2.0 * (1.0 - cos) * (inner * inner + outer * outer);
        PI * (caps + sin * (outer * outer - inner * inner)) * 0.125
    }

    #[inline]
    fn size(&self) -> f32 {
        self.placed().radius
    }

    #[inline]
    fn moved(&self, motion: &FrameMotion) -> PlacedShell {
        let scale = motion.scale;
        let own = self.placed();
        let moved = Self {
            apex: motion.map(self.apex),
            axis: motion.rotation * self.axis,
            cone: self.cone,
            radii: self.radii.map(|radius| radius * scale),
        };
        PlacedShell {
            shell: moved,
            center: motion.map(own.center),
            radius: own.radius * scale,
            slack: own.slack * scale,
        }
    }

    #[inline(always)]
    fn overlaps<S: Simd>(
        simd: S,
        query: &PlacedShell,
        pack: &Pack<10>,
        margin: f32,
    ) -> Overlaps<S> {
        let separation = simd.load32(&gaps(query, pack));
        let parted = simd.greater32(separation, simd.splat32(margin));
        Overlaps { mask: !parted & 0xff, separation }
    }

    #[inline(always)]
    fn distances<S: Simd>(simd: S, query: &PlacedShell, pack: &Pack<10>) -> S::F32x8 {
        simd.max32(simd.load32(&gaps(query, pack)), simd.splat32(0.0))
    }

    #[inline(always)]
    fn support_values<S: Simd>(simd: S, direction: Vec3A, pack: &Pack<10>) -> S::F32x8 {
        each(simd, pack, |placed| {
            let shell = &placed.shell;
            let ([cos, sin], [inner, outer]) = (shell.cone, shell.radii);
            let along = direction.dot(shell.axis);
            let beside = (direction - shell.axis * along).length();
            // The cosine of the angle between the direction and the nearest one in the cone.
            let nearest = along * cos + beside * sin;
            let reach = if beside * cos <= along * sin {
                outer
            } else if nearest >= 0.0 {
                outer * nearest
            } else {
                inner * nearest
            };
            direction.dot(shell.apex) + reach + placed.slack
        })
    }

    #[inline(always)]
    fn point_distances<S: Simd>(simd: S, point: Vec3A, pack: &Pack<10>) -> S::F32x8 {
        each(simd, pack, |placed| (placed.shell.away(point) - placed.slack).max(0.0))
    }

    #[inline(always)]
    fn ray_query(ray: &LocalRay) -> LocalRay {
        *ray
    }

    #[inline(always)]
    fn ray_entries<S: Simd>(simd: S, ray: &LocalRay, end: f32, pack: &Pack<10>) -> (u32, S::F32x8) {
        let ray = &ray.up_to(end);
        let mut mask = 0;
        let mut entries = [0.0; LANES];
        for (lane, entry) in entries.iter_mut().enumerate() {
            let (met, at) = Self::get(pack, lane).placed().entry(ray);
            mask |= u32::from(met) << lane;
            *entry = at;
        }
        (mask, simd.load32(&entries))
    }
}

impl SphericalShell {
    /// Of no points.
    const EMPTY_SHELL: Self =
        Self { apex: Vec3A::ZERO, axis: Vec3A::X, cone: [1.0, 0.0], radii: [0.0, 0.0] };
}
