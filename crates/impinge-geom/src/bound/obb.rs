//! The oriented box.
//!
//! S. Gottschalk, M. Lin and D. Manocha, "OBBTree" (1996). One box is tested against eight by fifteen axes: three of each
//! and nine cross products; the six face axes come first, and where they part all eight the rest is left out. Two
//! differences from the paper: boxes are kept in the body's frame, not relative to their parents, so that any node can be tested with
//! any other; and the distance bound takes the gaps along a box's three axes together, as the sides of a right angle.

use super::fit::{Moments, principal_axes};
use super::{Bound, FrameMotion, LANES, LocalRay, Overlaps, Pack};
use crate::hull::Hull;
use crate::simd::{Simd, vector};
use glam::{DVec3, Vec3A};

/// An oriented box: all points center + Σ tᵢ·axesᵢ with |tᵢ| ≤ halfᵢ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    /// The centre.
    pub center: Vec3A,
    /// Three orthonormal directions, up to the rounding of f32.
    pub axes: [Vec3A; 3],
    /// The half extent along each axis.
    pub half: Vec3A,
}

/// What the axes of a box are computed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObbFit {
    /// The surface of the triangles.
    #[default]
    Surface,
    /// The points, equally weighted: fast, but biased by dense tessellation.
    Vertices,
    /// The corners of the points' convex hull.
    HullVertices,
    /// The surface of the points' convex hull: independent of what lies inside.
    HullFacets,
}

/// Rounding that stored axes may bring into the coordinates of a point in the box, relative to its distance from the centre.
const AXIS_ERROR: f32 = 8.0 * f32::EPSILON;

/// Axes that are read from bytes are refused if their products differ from those of an orthonormal basis by this.
pub(super) const READ_AXES: f32 = 1e-5;

impl Obb {
    /// The box of the points with the given orthonormal axes, enlarged by `error`.
    pub fn with_axes(points: &[Vec3A], axes: [DVec3; 3], error: f32) -> Self {
        let axes = axes.map(|axis| axis.as_vec3a());
        let origin = points.first().copied().unwrap_or(Vec3A::ZERO);
        let (mut low, mut high) = (Vec3A::ZERO, Vec3A::ZERO);
        for &point in points {
            let d = point - origin;
            let along = Vec3A::new(d.dot(axes[0]), d.dot(axes[1]), d.dot(axes[2]));
            (low, high) = (low.min(along), high.max(along));
        }
        let middle = (low + high) * 0.5;
        let center = origin + axes[0] * middle.x + axes[1] * middle.y + axes[2] * middle.z;
        let reach = (high - low).max_element() * 2.0 + center.abs().max_element();
        let grown = error + AXIS_ERROR * reach;
        Self { center, axes, half: (high - low) * 0.5 + Vec3A::splat(grown) }
    }

    /// The box of the points, with axes chosen by `fit`. `moments` are used by [`ObbFit::Surface`] only.
    ///
    /// ```
    /// use impinge_geom::{bound::{Moments, Obb, ObbFit}, glam::Vec3A};
    /// // A flat square that stands on its corner, and many points inside: the hull does not see those.
    /// let mut points = vec![Vec3A::X, Vec3A::Y, -Vec3A::X, -Vec3A::Y];
    /// points.extend((0..50).map(|k| Vec3A::X * (k as f32 / 50.0)));
    /// let fitted = Obb::fit_by(&points, &Moments::default(), ObbFit::HullFacets, 0.0);
    /// assert!(fitted.half.max_element() < 1.01);
    /// ```
    pub fn fit_by(points: &[Vec3A], moments: &Moments, fit: ObbFit, error: f32) -> Self {
        let covariance = match fit {
            ObbFit::Surface => moments.covariance(),
            ObbFit::Vertices => None,
            ObbFit::HullVertices => hull_of(points)
                .map(|hull| {
                    let corners: Vec<_> = hull.vertices().iter().map(|v| v.as_vec3a()).collect();
                    Moments::of_points(&corners)
                })
                .and_then(|moments| moments.covariance()),
            ObbFit::HullFacets => hull_of(points)
                .map(|hull| hull_surface(&hull))
                .and_then(|moments| moments.covariance()),
        };
        let covariance = covariance.or_else(|| Moments::of_points(points).covariance());
        let axes = covariance.map_or([DVec3::X, DVec3::Y, DVec3::Z], principal_axes);
        Self::with_axes(points, axes, error)
    }

    fn corners(&self) -> [Vec3A; 8] {
        let [x, y, z] =
            [self.axes[0] * self.half.x, self.axes[1] * self.half.y, self.axes[2] * self.half.z];
        let mut corners = [self.center; 8];
        for (bits, corner) in corners.iter_mut().enumerate() {
            *corner += if bits & 1 == 0 { x } else { -x };
            *corner += if bits & 2 == 0 { y } else { -y };
            *corner += if bits & 4 == 0 { z } else { -z };
        }
        corners
    }
}

fn hull_of(points: &[Vec3A]) -> Option<Hull> {
    let points: Vec<_> = points.iter().map(|p| p.as_dvec3().to_array()).collect();
    Hull::new(&points).ok()
}

fn hull_surface(hull: &Hull) -> Moments {
    let mut sum = Moments::default();
    let vertices = hull.vertices();
    for triangle in hull.triangles() {
        let [a, b, c] = triangle.map(|index| vertices[index as usize]);
        sum.add(&Moments::of_triangle(a, b, c));
    }
    sum
}

/// The query box in lanes, and what all tests need of it and the eight.
struct RelativeObb<S: Simd> {
    /// Half sides of the eight.
    half: [S::F32x8; 3],
    /// From the eight's centres to the query's.
    offset: [S::F32x8; 3],
    /// The offset along the eight's axes.
    along: [S::F32x8; 3],
    /// `turn[i][j]`: axis i of the eight times axis j of the query.
    turn: [[S::F32x8; 3]; 3],
    /// Magnitudes of `turn`.
    spread: [[S::F32x8; 3]; 3],
    /// Half sides of the query.
    reach: [S::F32x8; 3],
}

#[inline(always)]
fn relative<S: Simd>(simd: S, query: &Obb, pack: &Pack<15>) -> RelativeObb<S> {
    let center = [pack.row(simd, 0), pack.row(simd, 1), pack.row(simd, 2)];
    let offset = vector::sub(simd, vector::splat(simd, query.center.to_array()), center);
    let other = [
        vector::splat(simd, query.axes[0].to_array()),
        vector::splat(simd, query.axes[1].to_array()),
        vector::splat(simd, query.axes[2].to_array()),
    ];
    let zero = simd.splat32(0.0);
    let (mut along, mut turn, mut spread) = ([zero; 3], [[zero; 3]; 3], [[zero; 3]; 3]);
    for i in 0..3 {
        let row = 3 + 3 * i;
        let axis = [pack.row(simd, row), pack.row(simd, row + 1), pack.row(simd, row + 2)];
        along[i] = vector::dot(simd, offset, axis);
        for j in 0..3 {
            turn[i][j] = vector::dot(simd, axis, other[j]);
            spread[i][j] = simd.abs32(turn[i][j]);
        }
    }
    let half = [pack.row(simd, 12), pack.row(simd, 13), pack.row(simd, 14)];
    RelativeObb {
        half,
        offset,
        along,
        turn,
        spread,
        reach: vector::splat(simd, query.half.to_array()),
    }
}

impl<S: Simd> RelativeObb<S> {
    /// The gap along axis i of the eight; negative where the boxes overlap on it.
    #[inline(always)]
    fn gap_of_eight(&self, simd: S, i: usize) -> S::F32x8 {
        let gap = simd.sub32(simd.abs32(self.along[i]), self.half[i]);
        less_products(simd, gap, self.spread[i], self.reach)
    }

    /// The offset along axis j of the query.
    #[inline(always)]
    fn along_query(&self, simd: S, j: usize) -> S::F32x8 {
        let column = [self.turn[0][j], self.turn[1][j], self.turn[2][j]];
        vector::dot(simd, self.along, column)
    }

    /// The gap along axis j of the query.
    #[inline(always)]
    fn gap_of_query(&self, simd: S, j: usize, along: S::F32x8) -> S::F32x8 {
        let column = [self.spread[0][j], self.spread[1][j], self.spread[2][j]];
        let gap = simd.sub32(simd.abs32(along), self.reach[j]);
        less_products(simd, gap, column, self.half)
    }

    /// The gap along the cross product of axis i of the eight and axis j of the query, times its length, which is at most one.
    #[inline(always)]
    fn gap_of_edges(&self, simd: S, i: usize, j: usize) -> S::F32x8 {
        const NEXT: [usize; 3] = [1, 2, 0];
        const LAST: [usize; 3] = [2, 0, 1];
        let (i1, i2, j1, j2) = (NEXT[i], LAST[i], NEXT[j], LAST[j]);
        let away = simd.subtract_product32(
            simd.mul32(self.along[i2], self.turn[i1][j]),
            self.along[i1],
            self.turn[i2][j],
        );
        let gap = simd.abs32(away);
        let gap = simd.subtract_product32(gap, self.half[i1], self.spread[i2][j]);
        let gap = simd.subtract_product32(gap, self.half[i2], self.spread[i1][j]);
        let gap = simd.subtract_product32(gap, self.reach[j1], self.spread[i][j2]);
        simd.subtract_product32(gap, self.reach[j2], self.spread[i][j1])
    }
}

/// `gap` less the dot product.
#[inline(always)]
fn less_products<S: Simd>(simd: S, gap: S::F32x8, a: [S::F32x8; 3], b: [S::F32x8; 3]) -> S::F32x8 {
    let gap = simd.subtract_product32(gap, a[0], b[0]);
    let gap = simd.subtract_product32(gap, a[1], b[1]);
    simd.subtract_product32(gap, a[2], b[2])
}

/// All fifteen axes; `margin` is added to the radii. Shared with the volumes that are a box and a radius.
#[inline(always)]
pub(super) fn overlaps<S: Simd>(
    simd: S,
    query: &Obb,
    pack: &Pack<15>,
    margin: S::F32x8,
) -> Overlaps<S> {
    let relative = relative(simd, query, pack);
    let mut separation = relative.gap_of_eight(simd, 0);
    for i in 1..3 {
        separation = simd.max32(separation, relative.gap_of_eight(simd, i));
    }
    for j in 0..3 {
        let along = relative.along_query(simd, j);
        separation = simd.max32(separation, relative.gap_of_query(simd, j, along));
    }
    let mut parted = simd.greater32(separation, margin);
    if parted != 0xff {
        let mut gap = separation;
        for i in 0..3 {
            for j in 0..3 {
                gap = simd.max32(gap, relative.gap_of_edges(simd, i, j));
            }
        }
        parted = simd.greater32(gap, margin);
    }
    Overlaps { mask: !parted & 0xff, separation }
}

/// The larger of the distances between one box and the other's bounds along the first one's axes, for either, and the gap
/// along the line of centres.
#[inline(always)]
pub(super) fn distances<S: Simd>(simd: S, query: &Obb, pack: &Pack<15>) -> S::F32x8 {
    let relative = relative(simd, query, pack);
    let zero = simd.splat32(0.0);
    let (mut by_eight, mut by_query, mut shadow) = (zero, zero, zero);
    for i in 0..3 {
        let gap = simd.max32(relative.gap_of_eight(simd, i), zero);
        by_eight = simd.add32(by_eight, simd.mul32(gap, gap));
        shadow = simd.add32(shadow, simd.mul32(relative.half[i], simd.abs32(relative.along[i])));
        let along = relative.along_query(simd, i);
        let gap = simd.max32(relative.gap_of_query(simd, i, along), zero);
        by_query = simd.add32(by_query, simd.mul32(gap, gap));
        shadow = simd.add32(shadow, simd.mul32(relative.reach[i], simd.abs32(along)));
    }
    let boxes = simd.sqrt32(simd.max32(by_eight, by_query));
    // Along the line of centres: |d| less the two shadows, which are Σ hᵢ·|uᵢ·d| / |d|.
    let square = vector::dot(simd, relative.offset, relative.offset);
    let length = simd.max32(simd.sqrt32(square), simd.splat32(f32::MIN_POSITIVE));
    simd.max32(boxes, simd.div32(simd.sub32(square, shadow), length))
}

impl Bound for Obb {
    type Pack = Pack<15>;
    type Query = Self;
    type RayQuery = LocalRay;
    const NAME: &'static str = "OBB";
    const EMPTY: Pack<15> = Pack::ZERO;

    fn fit(points: &[Vec3A], moments: &Moments, error: f32) -> Self {
        Self::fit_by(points, moments, ObbFit::Surface, error)
    }

    fn merge(parts: &[Self]) -> Self {
        let corners: Vec<_> = parts.iter().flat_map(|part| part.corners()).collect();
        let reach = corners.iter().fold(0.0f32, |most, p| most.max(p.abs().max_element()));
        let merged =
            Self::fit_by(&corners, &Moments::default(), ObbFit::Vertices, AXIS_ERROR * reach);
        // The directions of the largest part may serve better than those of the corners.
        let largest = parts.iter().max_by(|a, b| a.area().total_cmp(&b.area()));
        let Some(largest) = largest else { return merged };
        let axes = largest.axes.map(|axis| axis.as_dvec3());
        let like_largest = Self::with_axes(&corners, axes, AXIS_ERROR * reach);
        if like_largest.area() < merged.area() { like_largest } else { merged }
    }

    #[inline(always)]
    fn get(pack: &Pack<15>, lane: usize) -> Self {
        let n = pack.get(lane);
        Self {
            center: Vec3A::new(n[0], n[1], n[2]),
            axes: [
                Vec3A::new(n[3], n[4], n[5]),
                Vec3A::new(n[6], n[7], n[8]),
                Vec3A::new(n[9], n[10], n[11]),
            ],
            half: Vec3A::new(n[12], n[13], n[14]),
        }
    }

    fn set(self, pack: &mut Pack<15>, lane: usize) {
        let rows = [self.center, self.axes[0], self.axes[1], self.axes[2], self.half];
        let mut numbers = [0.0; 15];
        for (three, row) in numbers.chunks_mut(3).zip(rows) {
            three.copy_from_slice(&row.to_array());
        }
        pack.set(lane, numbers);
    }

    fn numbers(&self, out: &mut Vec<f32>) {
        for row in [self.center, self.axes[0], self.axes[1], self.axes[2], self.half] {
            out.extend(row.to_array());
        }
    }

    fn from_numbers(from: &mut &[f32]) -> Option<Self> {
        let numbers = from.split_off(..15)?;
        let finite = numbers.iter().all(|n| n.is_finite());
        let mut pack = Pack::ZERO;
        pack.set(0, numbers.try_into().ok()?);
        let volume = Self::get(&pack, 0);
        let [x, y, z] = volume.axes;
        let unit = |v: Vec3A| (v.length_squared() - 1.0).abs() < READ_AXES;
        let square = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs()) < READ_AXES;
        let axes = unit(x) && unit(y) && unit(z) && square;
        (finite && axes && volume.half.min_element() >= 0.0).then_some(volume)
    }

    fn contains(&self, point: Vec3A, margin: f32) -> bool {
        let d = point - self.center;
        let along = Vec3A::new(d.dot(self.axes[0]), d.dot(self.axes[1]), d.dot(self.axes[2])).abs();
        along.cmple(self.half + Vec3A::splat(margin)).all()
    }

    fn area(&self) -> f32 {
        let h = self.half;
        h.x * h.y + h.y * h.z + h.z * h.x
    }

    #[inline(always)]
    fn size(&self) -> f32 {
        self.half.max_element()
    }

    #[inline(always)]
    fn moved(&self, motion: &FrameMotion) -> Self {
        let turn = motion.rotation;
        Self {
            center: motion.map(self.center),
            axes: [turn * self.axes[0], turn * self.axes[1], turn * self.axes[2]],
            half: self.half * motion.scale,
        }
    }

    #[inline(always)]
    fn overlaps<S: Simd>(simd: S, query: &Self, pack: &Pack<15>, margin: f32) -> Overlaps<S> {
        overlaps(simd, query, pack, simd.splat32(margin))
    }

    #[inline(always)]
    fn distances<S: Simd>(simd: S, query: &Self, pack: &Pack<15>) -> S::F32x8 {
        distances(simd, query, pack)
    }

    #[inline(always)]
    fn support_values<S: Simd>(simd: S, direction: Vec3A, pack: &Pack<15>) -> S::F32x8 {
        let direction = vector::splat(simd, direction.to_array());
        let center = [pack.row(simd, 0), pack.row(simd, 1), pack.row(simd, 2)];
        let mut reach = vector::dot(simd, center, direction);
        for i in 0..3 {
            let row = 3 + 3 * i;
            let axis = [pack.row(simd, row), pack.row(simd, row + 1), pack.row(simd, row + 2)];
            let along = simd.abs32(vector::dot(simd, axis, direction));
            reach = simd.add32(reach, simd.mul32(along, pack.row(simd, 12 + i)));
        }
        reach
    }

    #[inline(always)]
    fn point_distances<S: Simd>(simd: S, point: Vec3A, pack: &Pack<15>) -> S::F32x8 {
        let center = [pack.row(simd, 0), pack.row(simd, 1), pack.row(simd, 2)];
        let offset = vector::sub(simd, vector::splat(simd, point.to_array()), center);
        let zero = simd.splat32(0.0);
        let mut square = zero;
        for i in 0..3 {
            let row = 3 + 3 * i;
            let axis = [pack.row(simd, row), pack.row(simd, row + 1), pack.row(simd, row + 2)];
            let along = simd.abs32(vector::dot(simd, offset, axis));
            let gap = simd.max32(simd.sub32(along, pack.row(simd, 12 + i)), zero);
            square = simd.add32(square, simd.mul32(gap, gap));
        }
        simd.sqrt32(square)
    }

    #[inline(always)]
    fn ray_query(ray: &LocalRay) -> LocalRay {
        *ray
    }

    #[inline(always)]
    fn ray_entries<S: Simd>(simd: S, ray: &LocalRay, end: f32, pack: &Pack<15>) -> (u32, S::F32x8) {
        ray_entries(simd, ray, end, pack, simd.splat32(0.0))
    }
}

/// Where the ray enters the boxes, each larger by `radius` on all sides.
#[inline(always)]
pub(super) fn ray_entries<S: Simd>(
    simd: S,
    ray: &LocalRay,
    end: f32,
    pack: &Pack<15>,
    radius: S::F32x8,
) -> (u32, S::F32x8) {
    let center = [pack.row(simd, 0), pack.row(simd, 1), pack.row(simd, 2)];
    let origin = vector::sub(simd, vector::splat(simd, ray.origin), center);
    let direction = vector::splat(simd, ray.precomputed.direction);
    let (mut enter, mut leave) = (simd.splat32(0.0), simd.splat32(end));
    let wider = simd.add32(radius, simd.splat32(ray.margin));
    for i in 0..3 {
        let row = 3 + 3 * i;
        let axis = [pack.row(simd, row), pack.row(simd, row + 1), pack.row(simd, row + 2)];
        let half = simd.add32(pack.row(simd, 12 + i), wider);
        let (o, d) = (vector::dot(simd, origin, axis), vector::dot(simd, direction, axis));
        let (near, far) = slab(simd, o, d, half);
        (enter, leave) = (simd.max32(near, enter), simd.min32(far, leave));
    }
    (!simd.greater32(enter, leave) & ((1 << LANES) - 1), enter)
}

/// Where a ray with coordinate `o` and slope `d` is within ±`half`.
///
/// A slope of zero gives infinities of the right signs. What rounding does to `o` and `d` moves the ray by less than the slab has
/// been widened, as long as the ray is a few extents long.
#[inline(always)]
fn slab<S: Simd>(simd: S, o: S::F32x8, d: S::F32x8, half: S::F32x8) -> (S::F32x8, S::F32x8) {
    let first = simd.div32(simd.sub32(simd.splat32(0.0), simd.add32(half, o)), d);
    let second = simd.div32(simd.sub32(half, o), d);
    (simd.min32(first, second), simd.max32(first, second))
}
