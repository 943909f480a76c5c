//! The ellipsoid.
//!
//! Its support function is a root of three squares, so that the gap between two ellipsoids along a direction is known at once. Good
//! directions are found as in the method of E. Gilbert, "An iterative procedure for computing the minimum of a quadratic form on a
//! convex set" (1966), a few steps from the line of centres on; the largest gap met counts.

use super::fit::{Moments, principal_axes};
use super::obb::{self, Obb};
use super::{Bound, FrameMotion, LANES, LocalRay, Overlaps, Pack, swept};
use crate::simd::{Kernel, Scalar, Simd, dispatch, vector};
use glam::{DMat3, DVec3, Vec3A};
use std::f32::consts::PI;

/// An ellipsoid, stored as the box around it.
///
/// ```
/// use impinge_geom::{bound::{Bound, EllipsoidBound, Moments}, glam::Vec3A};
/// let points = [Vec3A::X * 2.0, -Vec3A::X * 2.0, Vec3A::Y, -Vec3A::Y, Vec3A::Z, -Vec3A::Z];
/// let volume = EllipsoidBound::fit(&points, &Moments::default(), 1e-6);
/// assert!(volume.contains(Vec3A::X * 2.0, 0.0));
/// assert!(!volume.contains(Vec3A::new(1.9, 0.9, 0.0), 0.01));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EllipsoidBound {
    /// The half sides are the radii.
    around: Obb,
}

/// Eight ellipsoids in lanes: centres, and the ways from there along the axes to the surface.
struct Lanes<S: Simd> {
    center: [S::F32x8; 3],
    ways: [[S::F32x8; 3]; 3],
}

/// Directions that are tried beyond the line of centres.
const STEPS: usize = 4;

/// A direction shorter than this is taken for one of this length: its gap only becomes smaller.
const SHORTEST: f32 = 1e-15;

/// More than rounding in f64 takes from the radius of a ball.
const RADIUS_SLACK: f64 = 1.0 + 1e-12;

/// More than rounding to f32 takes from half a side.
const HALF_SLACK: f64 = 1.0 + 1e-6;

/// More than rounding takes from the root of a trace.
const STRETCH_SLACK: f64 = 1.0 + 1e-9;

/// A body that is flatter than this, as a share of its largest half side, is taken to be so thick when the ratio of radii is chosen.
const FLATTEST: f64 = 1e-6;

impl EllipsoidBound {
    /// The box around it; its half sides are the radii.
    pub fn around(&self) -> Obb {
        self.around
    }

    /// The ellipsoid with given axes and ratio of radii about balls given in the space where it is a ball: their centres and radii.
    fn about(shape: &Shape, balls: &[(DVec3, f64)], error: f64) -> Self {
        let mut sample = Vec::with_capacity(balls.len() * 6);
        for &(center, radius) in balls {
            if radius > 0.0 {
                for side in DVec3::AXES {
                    sample.extend([center - side * radius, center + side * radius]);
                }
            } else {
                sample.push(center);
            }
        }
        let sample: Vec<Vec3A> = sample.into_iter().map(|p| p.as_vec3a()).collect();
        let middle = swept::minimum(&sample).as_dvec3();
        let most = balls.iter().map(|ball| (ball.0 - middle).length() + ball.1);
        let radius = most.fold(0.0, f64::max);
        let center = (shape.center + shape.axes * (middle * shape.sides)).as_vec3a();
        let radii = shape.sides * (radius * RADIUS_SLACK);
        // The sum of an ellipsoid and a ball of radius e is in the ellipsoid with squares (1 + q)·r² + (1 + 1/q)·e², for any q > 0.
        let reach = f64::from(center.abs().max_element()) + radii.max_element();
        let error = error + 32.0 * f64::from(f32::EPSILON) * reach + f64::from(f32::MIN_POSITIVE);
        let q = error / radii.max_element().max(error);
        let squares = radii * radii * (1.0 + q) + DVec3::splat(error * error * (1.0 + 1.0 / q));
        let half = DVec3::new(squares.x.sqrt(), squares.y.sqrt(), squares.z.sqrt());
        let axes = [shape.axes.x_axis, shape.axes.y_axis, shape.axes.z_axis];
        let half = (half * HALF_SLACK).as_vec3a();
        Self { around: Obb { center, axes: axes.map(|axis| axis.as_vec3a()), half } }
    }
}

/// The space in which the ellipsoid is a ball.
struct Shape {
    center: DVec3,
    axes: DMat3,
    /// Lengths along the axes are divided by these.
    sides: DVec3,
}

impl Shape {
    /// Along the axes, as wide as the points are.
    fn of(points: &[Vec3A], axes: [DVec3; 3], error: f64) -> Self {
        let wide = Obb::with_axes(points, axes, 0.0);
        // The axes as they will be kept.
        let [x, y, z] = wide.axes.map(|axis| axis.as_dvec3());
        let half = wide.half.as_dvec3();
        // No thinner than what the error will make of it.
        let least = (error.max(FLATTEST * half.max_element()) * half.max_element()).sqrt();
        let sides = half.max(DVec3::splat(least.max(f64::from(f32::MIN_POSITIVE))));
        Self { center: wide.center.as_dvec3(), axes: DMat3::from_cols(x, y, z), sides }
    }

    fn place(&self, point: DVec3) -> DVec3 {
        // Axes in f32 are not exactly orthonormal: the inverse is exact where the transpose is not.
        self.axes.inverse() * (point - self.center) / self.sides
    }
}

/// At least the largest factor by which a matrix lengthens a vector, at most 15 % more: the eighth root of the trace of (AᵀA)⁴.
fn stretch(matrix: DMat3) -> f64 {
    let size = matrix.to_cols_array().into_iter().fold(0.0f64, |most, x| most.max(x.abs()));
    if size == 0.0 {
        return 0.0;
    }
    let scaled = matrix * (1.0 / size);
    let square = scaled.transpose() * scaled;
    let fourth = square * square;
    let eighth = fourth * fourth;
    let trace = eighth.x_axis.x + eighth.y_axis.y + eighth.z_axis.z;
    trace.sqrt().sqrt().sqrt() * size * STRETCH_SLACK
}

// Without closures over lanes, as in `simd::vector`.
#[inline(always)]
fn lanes_of<S: Simd>(simd: S, pack: &Pack<15>) -> Lanes<S> {
    let center = [pack.row(simd, 0), pack.row(simd, 1), pack.row(simd, 2)];
    let mut ways = [center; 3];
    for (k, way) in ways.iter_mut().enumerate() {
        let row = 3 + 3 * k;
        let axis = [pack.row(simd, row), pack.row(simd, row + 1), pack.row(simd, row + 2)];
        *way = vector::scale(simd, axis, pack.row(simd, 12 + k));
    }
    Lanes { center, ways }
}

#[inline(always)]
fn splat<S: Simd>(simd: S, volume: &EllipsoidBound) -> Lanes<S> {
    let Obb { center, axes, half } = volume.around;
    Lanes {
        center: vector::splat(simd, center.to_array()),
        ways: [
            vector::splat(simd, (axes[0] * half.x).to_array()),
            vector::splat(simd, (axes[1] * half.y).to_array()),
            vector::splat(simd, (axes[2] * half.z).to_array()),
        ],
    }
}

impl<S: Simd> Lanes<S> {
    /// How far it reaches from its centre along a direction, times the direction's length, and where that point is.
    #[inline(always)]
    fn support(&self, simd: S, n: [S::F32x8; 3]) -> (S::F32x8, [S::F32x8; 3]) {
        let along = [
            vector::dot(simd, self.ways[0], n),
            vector::dot(simd, self.ways[1], n),
            vector::dot(simd, self.ways[2], n),
        ];
        let reach = simd.sqrt32(vector::dot(simd, along, along));
        let inverse =
            simd.div32(simd.splat32(1.0), simd.max32(reach, simd.splat32(f32::MIN_POSITIVE)));
        let mut point = vector::splat(simd, [0.0; 3]);
        for (way, along) in self.ways.iter().zip(along) {
            let part = simd.mul32(along, inverse);
            point = vector::add(simd, point, vector::scale(simd, *way, part));
        }
        (reach, point)
    }
}

/// At most the distance of two ellipsoids; negative where no direction was found that parts them.
#[inline(always)]
fn gap<S: Simd>(simd: S, a: &Lanes<S>, b: &Lanes<S>) -> S::F32x8 {
    let offset = vector::sub(simd, b.center, a.center);
    let (zero, one) = (simd.splat32(0.0), simd.splat32(1.0));
    let mut v = offset;
    let mut best = simd.splat32(f32::NEG_INFINITY);
    for _ in 0..=STEPS {
        let ((reach_a, point_a), (reach_b, point_b)) = (a.support(simd, v), b.support(simd, v));
        let between = simd.sub32(vector::dot(simd, v, offset), simd.add32(reach_a, reach_b));
        let length = simd.sqrt32(vector::dot(simd, v, v));
        let length = simd.max32(length, simd.splat32(SHORTEST));
        best = simd.max32(simd.div32(between, length), best);
        // From v towards the point of B − A that is farthest against it, as near to the origin as that leads.
        let end = vector::sub(simd, vector::sub(simd, offset, point_a), point_b);
        let step = vector::sub(simd, end, v);
        let square = vector::dot(simd, step, step);
        let square = simd.max32(square, simd.splat32(f32::MIN_POSITIVE));
        let part = simd.div32(simd.sub32(zero, vector::dot(simd, v, step)), square);
        let part = simd.min32(simd.max32(part, zero), one);
        v = vector::add(simd, v, vector::scale(simd, step, part));
    }
    best
}

/// One against eight, in a call of its own: inlined into every traversal, it would make programs large.
struct Gaps<'g> {
    query: &'g EllipsoidBound,
    pack: &'g Pack<15>,
}

impl Kernel for Gaps<'_> {
    type Output = [f32; LANES];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [f32; LANES] {
        simd.store32(gap(simd, &splat(simd, self.query), &lanes_of(simd, self.pack)))
    }
}

#[inline(never)]
fn gaps(query: &EllipsoidBound, pack: &Pack<15>) -> [f32; LANES] {
    dispatch(Gaps { query, pack })
}

#[inline(always)]
fn point_of<S: Simd>(simd: S, point: Vec3A) -> Lanes<S> {
    let zero = vector::splat(simd, [0.0; 3]);
    Lanes { center: vector::splat(simd, point.to_array()), ways: [zero; 3] }
}

impl Bound for EllipsoidBound {
    type Pack = Pack<15>;
    type Query = Self;
    type RayQuery = LocalRay;
    const NAME: &'static str = "ellipsoid";
    const EMPTY: Pack<15> = Pack::ZERO;

    /// The smallest ball of the points in the space in which their box along the principal axes is a cube.
    fn fit(points: &[Vec3A], moments: &Moments, error: f32) -> Self {
        let covariance = moments.covariance().or_else(|| Moments::of_points(points).covariance());
        let axes = covariance.map_or([DVec3::X, DVec3::Y, DVec3::Z], principal_axes);
        let error = f64::from(error) * 1.8;
        let shape = Shape::of(points, axes, error);
        let place = |p: &Vec3A| (shape.place(p.as_dvec3()), 0.0);
        Self::about(&shape, &points.iter().map(place).collect::<Vec<_>>(), error)
    }

    fn merge(parts: &[Self]) -> Self {
        let ways = |part: &Self| {
            let Obb { axes, half, .. } = part.around;
            [axes[0] * half.x, axes[1] * half.y, axes[2] * half.z]
        };
        let tips = |part: &Self| {
            let center = part.around.center;
            ways(part).into_iter().flat_map(move |way| [center - way, center + way])
        };
        let sample: Vec<Vec3A> = parts.iter().flat_map(tips).collect();
        let covariance = Moments::of_points(&sample).covariance();
        let axes = covariance.map_or([DVec3::X, DVec3::Y, DVec3::Z], principal_axes);
        let shape = Shape::of(&sample, axes, 0.0);
        let inverse = DMat3::from_diagonal(shape.sides.recip()) * shape.axes.inverse();
        let balls: Vec<_> = parts
            .iter()
            .map(|part| {
                let [x, y, z] = ways(part).map(|way| way.as_dvec3());
                let radius = stretch(inverse * DMat3::from_cols(x, y, z));
                (shape.place(part.around.center.as_dvec3()), radius)
            })
            .collect();
        Self::about(&shape, &balls, 0.0)
    }

    #[inline(always)]
    fn get(pack: &Pack<15>, lane: usize) -> Self {
        Self { around: Obb::get(pack, lane) }
    }

    fn set(self, pack: &mut Pack<15>, lane: usize) {
        self.around.set(pack, lane);
    }

    fn numbers(&self, out: &mut Vec<f32>) {
        self.around.numbers(out);
    }

    fn from_numbers(from: &mut &[f32]) -> Option<Self> {
        Obb::from_numbers(from).map(|around| Self { around })
    }

    /// True unless a direction shows that the point is outside.
    fn contains(&self, point: Vec3A, margin: f32) -> bool {
        let simd = Scalar::new();
        gap(simd, &point_of(simd, point), &splat(simd, self))[0] <= margin
    }

    /// Within a few percent.
    fn area(&self) -> f32 {
        let r = self.around.half;
        let [xy, yz, zx] = [r.x * r.y, r.y * r.z, r.z * r.x];
        0.5 * PI * ((xy * xy + yz * yz + zx * zx) / 3.0).sqrt()
    }

    #[inline(always)]
    fn size(&self) -> f32 {
        self.around.size()
    }

    #[inline(always)]
    fn moved(&self, motion: &FrameMotion) -> Self {
        let turn = motion.rotation;
        let Obb { center, axes, half } = self.around;
        Self {
            around: Obb {
                center: motion.map(center),
                axes: [turn * axes[0], turn * axes[1], turn * axes[2]],
                half: half * motion.scale,
            },
        }
    }

    #[inline(always)]
    fn overlaps<S: Simd>(simd: S, query: &Self, pack: &Pack<15>, margin: f32) -> Overlaps<S> {
        let separation = simd.load32(&gaps(query, pack));
        let parted = simd.greater32(separation, simd.splat32(margin));
        Overlaps { mask: !parted & 0xff, separation }
    }

    #[inline(always)]
    fn distances<S: Simd>(simd: S, query: &Self, pack: &Pack<15>) -> S::F32x8 {
        simd.max32(simd.load32(&gaps(query, pack)), simd.splat32(0.0))
    }

    #[inline(always)]
    fn support_values<S: Simd>(simd: S, direction: Vec3A, pack: &Pack<15>) -> S::F32x8 {
        let (lanes, n) = (lanes_of(simd, pack), vector::splat(simd, direction.to_array()));
        simd.add32(vector::dot(simd, lanes.center, n), lanes.support(simd, n).0)
    }

    #[inline(always)]
    fn point_distances<S: Simd>(simd: S, point: Vec3A, pack: &Pack<15>) -> S::F32x8 {
        // A point is an ellipsoid without radii.
        let axes = [Vec3A::X, Vec3A::Y, Vec3A::Z];
        let point = Self { around: Obb { center: point, axes, half: Vec3A::ZERO } };
        simd.max32(simd.load32(&gaps(&point, pack)), simd.splat32(0.0))
    }

    /// Where the ray enters the box around it.
    #[inline(always)]
    fn ray_query(ray: &LocalRay) -> LocalRay {
        *ray
    }

    #[inline(always)]
    fn ray_entries<S: Simd>(simd: S, ray: &LocalRay, end: f32, pack: &Pack<15>) -> (u32, S::F32x8) {
        obb::ray_entries(simd, ray, end, pack, simd.splat32(0.0))
    }
}
