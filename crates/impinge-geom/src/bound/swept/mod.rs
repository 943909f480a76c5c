//! Volumes swept by a sphere: all points within a radius of a core.
//!
//! E. Larsen, S. Gottschalk, M. Lin and D. Manocha, "Fast proximity queries with swept sphere volumes" (1999). One routine, [`gap`],
//! serves every pair of cores, where the paper walks Voronoi regions pair by pair: points are projected from one core
//! to the other and back a few times, and the difference of the last two is taken as a direction. The gap along any direction is at most
//! the distance, so that neither an early end of the projections nor their rounding can make the bound wrong, only smaller.
//!
//! A core is up to N vectors, of which the first is a point and the others go out from it; so all cores are carried into another frame,
//! packed and saved alike. To add one: one file here that implements [`SweptCore`], and its names below.

mod corners;
mod gap;
mod point;
mod segment;
mod solid;
mod triangle;

pub use corners::Corners;
pub use gap::gap;
pub(super) use point::minimum;
pub use point::{Point, SphereFit};
pub use segment::SegmentCore;
pub use solid::Solid;
pub use triangle::TriangleCore;

use super::fit::{Moments, principal_axes};
use super::{Bound, FrameMotion, LANES, LocalRay, Overlaps};
use crate::simd::{Scalar, Simd, vector};
use gap::{entries_of, gaps};
use glam::{DVec3, Vec3A};
use std::f32::consts::PI;
use std::fmt::Debug;
use std::marker::PhantomData;

/// The sphere: the point swept sphere.
pub type Sphere = Swept<Point, 1>;
/// The line swept sphere.
pub type Lss = Swept<SegmentCore, 2>;
/// The triangle swept sphere.
pub type Tss = Swept<TriangleCore, 3>;
/// The oriented box swept by a sphere. The rectangle swept sphere is [`Rss`](super::Rss).
pub type RoundedBox = Swept<Solid, 4>;
/// The convex hull of at most sixteen points, swept by a sphere that covers what they leave out.
pub type ConvexHull = Swept<Corners, 16>;

/// Vectors in lanes.
pub type Lanes<S, const N: usize> = [[<S as Simd>::F32x8; 3]; N];

/// The core of a swept volume. The first vector is a point, the others are relative to it. Only this module implements it.
pub trait SweptCore<const N: usize>:
    Copy + Debug + PartialEq + Send + Sync + 'static + sealed::Sealed
{
    /// The name of the swept volume.
    const NAME: &'static str;
    /// How many times [`gap`] goes to the other core and back. Zero for a point.
    const ROUNDS: usize;
    /// How many steps a ray takes from the ball around the volume towards it.
    const RAY_STEPS: usize = 2;
    /// True if [`SweptCore::choose`] looks at the moments.
    const USES_MOMENTS: bool = true;

    /// A core in the middle of the points. The radius is then what they need.
    fn choose(points: &[Vec3A], moments: &Moments) -> [Vec3A; N];
    /// The points whose convex hull the core is.
    fn corners(core: &[Vec3A; N], out: &mut Vec<Vec3A>);
    /// Its surface, and π times the sum of the widths of its edges as a box has them: half the growth of the surface with the radius.
    fn measures(core: &[Vec3A; N]) -> [f32; 2];
    /// Half its longest side.
    fn half_length(core: &[Vec3A; N]) -> f32;
    /// The middle of a ball around it, and the ball's radius.
    fn ball<S: Simd>(simd: S, core: &Lanes<S, N>) -> ([S::F32x8; 3], S::F32x8);
    /// A point of the core near the given one; the nearest, up to rounding, unless that would take long.
    fn nearest<S: Simd>(simd: S, core: &Lanes<S, N>, point: [S::F32x8; 3]) -> [S::F32x8; 3];
    /// How far the core reaches along a direction, from its first vector on.
    fn spread<S: Simd>(simd: S, core: &Lanes<S, N>, direction: [S::F32x8; 3]) -> S::F32x8;

    /// At least the distance of the points from the core.
    #[inline(always)]
    fn away<S: Simd>(simd: S, core: &Lanes<S, N>, point: [S::F32x8; 3]) -> S::F32x8 {
        let way = vector::sub(simd, point, Self::nearest(simd, core, point));
        simd.sqrt32(vector::dot(simd, way, way))
    }
}

mod sealed {
    pub trait Sealed {}

    impl Sealed for super::Point {}
    impl Sealed for super::SegmentCore {}
    impl Sealed for super::TriangleCore {}
    impl Sealed for super::Solid {}
    impl Sealed for super::Corners {}
}

/// All points within a radius of a core.
///
/// ```
/// use impinge_geom::{bound::{Bound, Lss, Moments}, glam::Vec3A};
/// let points = [Vec3A::ZERO, Vec3A::X, Vec3A::X * 2.0];
/// let volume = Lss::fit(&points, &Moments::of_points(&points), 0.0);
/// assert!(volume.radius() < 1e-5);
/// assert!(volume.contains(Vec3A::X * 1.5, 0.0) && !volume.contains(Vec3A::Y, 0.1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swept<C, const N: usize> {
    core: [Vec3A; N],
    radius: f32,
    kind: PhantomData<C>,
}

/// Eight of them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub struct SweptPack<const N: usize> {
    core: [[[f32; LANES]; 3]; N],
    radius: [f32; LANES],
}

impl SweptPack<1> {
    /// Centres and radii of eight spheres.
    #[inline(always)]
    pub(super) fn balls<S: Simd>(&self, simd: S) -> ([S::F32x8; 3], S::F32x8) {
        (vector::load(simd, &self.core[0]), simd.load32(&self.radius))
    }
}

/// What rounding in the course of a fit may take from the radius, relative to the largest coordinate.
const FIT_ERROR: f32 = 32.0 * f32::EPSILON;

impl<C: SweptCore<N>, const N: usize> Swept<C, N> {
    /// The volume of the points about the given core, grown by `error`.
    fn around(core: [Vec3A; N], points: &[Vec3A], error: f32) -> Self {
        // A sphere grows by the length of what the coordinates may be wrong by.
        Self::around_balls(core, points, |_| 0.0, error * 1.8)
    }

    fn around_balls(
        core: [Vec3A; N],
        centers: &[Vec3A],
        radius_of: impl Fn(usize) -> f32,
        error: f32,
    ) -> Self {
        let simd = Scalar::new();
        let lanes = splat(simd, &core);
        let (mut radius, mut reach) = (0.0f32, core[0].abs().max_element());
        for (block, eight) in centers.chunks(LANES).enumerate() {
            let point = |lane: usize| eight[lane.min(eight.len() - 1)];
            let coordinate = |axis: usize| std::array::from_fn(|lane| point(lane)[axis]);
            let away = C::away(simd, &lanes, [coordinate(0), coordinate(1), coordinate(2)]);
            for (lane, point) in eight.iter().enumerate() {
                let own = radius_of(block * LANES + lane);
                radius = radius.max(away[lane] + own);
                reach = reach.max(point.abs().max_element() + own);
            }
        }
        Self { core, radius: radius + error + FIT_ERROR * reach, kind: PhantomData }
    }

    /// The radius.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// A lower bound on the distance from a volume of the same or another kind in the same frame, up to f32 rounding; zero if they overlap.
    ///
    /// ```
    /// use impinge_geom::{bound::{Bound, Lss, Moments, Sphere, SphereFit}, glam::Vec3A};
    /// let points = [Vec3A::ZERO, Vec3A::X * 4.0];
    /// let segment = Lss::fit(&points, &Moments::of_points(&points), 0.0);
    /// let sphere = Sphere::fit_by(&[Vec3A::new(2.0, 3.0, 0.0)], SphereFit::Minimum, 0.0);
    /// assert!((segment.distance_to(&sphere) - 3.0).abs() < 1e-4);
    /// ```
    pub fn distance_to<D: SweptCore<M>, const M: usize>(&self, other: &Swept<D, M>) -> f32 {
        let simd = Scalar::new();
        let between =
            gap::<_, C, D, N, M>(simd, &splat(simd, &self.core), &splat(simd, &other.core));
        (between[0] - self.radius - other.radius).max(0.0)
    }

    /// The points whose convex hull is swept.
    pub fn corners(&self) -> Vec<Vec3A> {
        let mut corners = Vec::new();
        C::corners(&self.core, &mut corners);
        corners
    }
}

/// Principal axes of the surface, or of the points where it has no area.
fn axes_of(points: &[Vec3A], moments: &Moments) -> [DVec3; 3] {
    let covariance = moments.covariance().or_else(|| Moments::of_points(points).covariance());
    covariance.map_or([DVec3::X, DVec3::Y, DVec3::Z], principal_axes)
}

/// The core broadcast to all lanes.
#[inline(always)]
pub fn splat<S: Simd, const N: usize>(simd: S, core: &[Vec3A; N]) -> Lanes<S, N> {
    let mut lanes = [[simd.splat32(0.0); 3]; N];
    for (lane, vector) in lanes.iter_mut().zip(core) {
        *lane = vector::splat(simd, vector.to_array());
    }
    lanes
}

#[inline(always)]
fn load<S: Simd, const N: usize>(simd: S, pack: &SweptPack<N>) -> Lanes<S, N> {
    let mut lanes = [[simd.splat32(0.0); 3]; N];
    for (lane, rows) in lanes.iter_mut().zip(&pack.core) {
        *lane = vector::load(simd, rows);
    }
    lanes
}

impl<C: SweptCore<N>, const N: usize> Bound for Swept<C, N> {
    type Pack = SweptPack<N>;
    type Query = Self;
    type RayQuery = LocalRay;
    const NAME: &'static str = C::NAME;
    const EMPTY: SweptPack<N> = SweptPack { core: [[[0.0; LANES]; 3]; N], radius: [0.0; LANES] };
    const USES_MOMENTS: bool = C::USES_MOMENTS;

    fn fit(points: &[Vec3A], moments: &Moments, error: f32) -> Self {
        Self::around(C::choose(points, moments), points, error)
    }

    fn merge(parts: &[Self]) -> Self {
        // The farthest point of a part from a convex core is beside a corner of the part's own core.
        let (mut corners, mut radii, mut sample) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            C::corners(&part.core, &mut corners);
            radii.resize(corners.len(), part.radius);
        }
        for (&corner, &radius) in corners.iter().zip(&radii) {
            for side in [Vec3A::X, Vec3A::Y, Vec3A::Z] {
                sample.extend([corner - side * radius, corner + side * radius]);
            }
        }
        let core = C::choose(&sample, &Moments::of_points(&sample));
        Self::around_balls(core, &corners, |k| radii[k], 0.0)
    }

    #[inline(always)]
    fn get(pack: &SweptPack<N>, lane: usize) -> Self {
        let lane = lane % LANES;
        let mut core = [Vec3A::ZERO; N];
        for (vector, rows) in core.iter_mut().zip(&pack.core) {
            *vector = Vec3A::new(rows[0][lane], rows[1][lane], rows[2][lane]);
        }
        Self { core, radius: pack.radius[lane], kind: PhantomData }
    }

    fn set(self, pack: &mut SweptPack<N>, lane: usize) {
        let lane = lane % LANES;
        for (vector, rows) in self.core.iter().zip(&mut pack.core) {
            for (row, number) in rows.iter_mut().zip(vector.to_array()) {
                row[lane] = number;
            }
        }
        pack.radius[lane] = self.radius;
    }

    fn numbers(&self, out: &mut Vec<f32>) {
        self.core.iter().for_each(|vector| out.extend(vector.to_array()));
        out.push(self.radius);
    }

    fn from_numbers(from: &mut &[f32]) -> Option<Self> {
        let mut core = [Vec3A::ZERO; N];
        for vector in &mut core {
            *vector = Vec3A::from_slice(from.split_off(..3)?);
        }
        let radius = *from.split_off_first()?;
        let finite = core.iter().all(|vector| vector.is_finite()) && radius.is_finite();
        (finite && radius >= 0.0).then_some(Self { core, radius, kind: PhantomData })
    }

    /// True unless a direction shows that the point is outside.
    fn contains(&self, point: Vec3A, margin: f32) -> bool {
        let simd = Scalar::new();
        let (core, point) = (splat(simd, &self.core), splat(simd, &[point]));
        gap::<_, Point, C, 1, N>(simd, &point, &core)[0] <= self.radius + margin
    }

    fn area(&self) -> f32 {
        // Steiner's formula, in the unit in which boxes give an eighth of their surface.
        let [surface, edges] = C::measures(&self.core);
        (surface + 2.0 * edges * self.radius + 4.0 * PI * self.radius * self.radius) * 0.125
    }

    #[inline(always)]
    fn size(&self) -> f32 {
        C::half_length(&self.core) + self.radius
    }

    #[inline(always)]
    fn moved(&self, motion: &FrameMotion) -> Self {
        let mut core = self.core;
        core[0] = motion.map(core[0]);
        for vector in &mut core[1..] {
            *vector = motion.rotation * (*vector * motion.scale);
        }
        Self { core, radius: self.radius * motion.scale, kind: PhantomData }
    }

    #[inline(always)]
    fn overlaps<S: Simd>(simd: S, query: &Self, pack: &SweptPack<N>, margin: f32) -> Overlaps<S> {
        let radii = simd.add32(simd.load32(&pack.radius), simd.splat32(query.radius));
        let between = gaps::<S, C, C, N, N>(simd, &query.core, pack);
        let separation = simd.sub32(between, radii);
        let parted = simd.greater32(separation, simd.splat32(margin));
        Overlaps { mask: !parted & 0xff, separation }
    }

    #[inline(always)]
    fn distances<S: Simd>(simd: S, query: &Self, pack: &SweptPack<N>) -> S::F32x8 {
        let radii = simd.add32(simd.load32(&pack.radius), simd.splat32(query.radius));
        let between = gaps::<S, C, C, N, N>(simd, &query.core, pack);
        simd.max32(simd.sub32(between, radii), simd.splat32(0.0))
    }

    #[inline(always)]
    fn support_values<S: Simd>(simd: S, direction: Vec3A, pack: &SweptPack<N>) -> S::F32x8 {
        let core = load(simd, pack);
        let n = vector::splat(simd, direction.to_array());
        let along = simd.add32(vector::dot(simd, n, core[0]), C::spread(simd, &core, n));
        simd.add32(along, simd.load32(&pack.radius))
    }

    #[inline(always)]
    fn point_distances<S: Simd>(simd: S, point: Vec3A, pack: &SweptPack<N>) -> S::F32x8 {
        let away = gaps::<S, Point, C, 1, N>(simd, &[point], pack);
        simd.max32(simd.sub32(away, simd.load32(&pack.radius)), simd.splat32(0.0))
    }

    #[inline(always)]
    fn ray_query(ray: &LocalRay) -> LocalRay {
        *ray
    }

    #[inline(always)]
    fn ray_entries<S: Simd>(
        simd: S,
        ray: &LocalRay,
        end: f32,
        pack: &SweptPack<N>,
    ) -> (u32, S::F32x8) {
        let (mask, entries) = entries_of(&ray.up_to(end), pack, PhantomData::<C>);
        (mask, simd.load32(&entries))
    }
}
