//! The Minkowski difference of two bodies, one of them posed, as an adapter over their support functions.

use crate::number::error::{power_of_two_near_inverse, safe_length};
use crate::pose::Pose;
use crate::shape::{Core, Cuboid, Hull};
use crate::simd::Simd;
use crate::support::{Support, SupportPoint, cuboid_support};
use glam::DVec3;

/// A convex body inside a running SIMD kernel.
pub(crate) trait Body: Copy {
    /// Known at compile time to be a polytope.
    const SHARP: bool = false;

    /// A point farthest along the direction; `hint` is a vertex to start from, or 0.
    fn support_in<S: Simd>(&self, simd: S, direction: DVec3, hint: u32) -> SupportPoint;
    /// A point of the body.
    fn center(&self) -> DVec3;
    /// Radius of a ball around the centre that contains the body.
    fn radius(&self) -> f64;
    /// Radius of a ball around the centre that the body contains.
    fn inner_radius(&self) -> f64;
    /// True for polytopes.
    fn has_corners(&self) -> bool;
}

impl Body for &Hull {
    const SHARP: bool = true;

    #[inline(always)]
    fn support_in<S: Simd>(&self, simd: S, direction: DVec3, hint: u32) -> SupportPoint {
        Hull::support_in(self, simd, direction, hint)
    }
    #[inline(always)]
    fn center(&self) -> DVec3 {
        Support::center(*self)
    }
    #[inline(always)]
    fn radius(&self) -> f64 {
        Support::radius(*self)
    }
    #[inline(always)]
    fn inner_radius(&self) -> f64 {
        Hull::inner_radius(self)
    }
    #[inline(always)]
    fn has_corners(&self) -> bool {
        true
    }
}

impl Body for &Cuboid {
    const SHARP: bool = true;

    #[inline(always)]
    fn support_in<S: Simd>(&self, _: S, direction: DVec3, _: u32) -> SupportPoint {
        cuboid_support(self.half(), direction)
    }
    #[inline(always)]
    fn center(&self) -> DVec3 {
        DVec3::ZERO
    }
    #[inline(always)]
    fn radius(&self) -> f64 {
        // The sum of the extents bounds the diagonal without a square root.
        self.half().element_sum()
    }
    #[inline(always)]
    fn inner_radius(&self) -> f64 {
        self.half().min_element()
    }
    #[inline(always)]
    fn has_corners(&self) -> bool {
        true
    }
}

impl Body for Core<'_> {
    #[inline(always)]
    fn support_in<S: Simd>(&self, simd: S, direction: DVec3, hint: u32) -> SupportPoint {
        match self {
            Core::Hull(core) => Hull::support_in(core, simd, direction, hint),
            other => other.support(direction),
        }
    }
    fn center(&self) -> DVec3 {
        Support::center(self)
    }
    fn radius(&self) -> f64 {
        Support::radius(self)
    }
    fn inner_radius(&self) -> f64 {
        match self {
            Core::Hull(core) => core.inner_radius(),
            Core::Cuboid(core) => core.half().min_element(),
            Core::Cylinder(core) => core.radius().min(core.half_height()),
            Core::Ellipsoid(core) => core.radii().min_element(),
            Core::TaperedCapsule(core) => core.bottom().min(core.top()),
            _ => 0.0,
        }
    }
    fn has_corners(&self) -> bool {
        self.is_polytope()
    }
}

/// A vertex of the difference: a point of A minus a point of B.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex {
    /// `a − b`, scaled.
    pub(crate) w: DVec3,
    /// The point of A.
    pub(crate) a: DVec3,
    /// The point of B, in A's frame.
    pub(crate) b: DVec3,
    /// The vertex indices in A and in B.
    pub(crate) ids: [u32; 2],
}

impl Vertex {
    pub(crate) const NONE: Self =
        Self { w: DVec3::ZERO, a: DVec3::ZERO, b: DVec3::ZERO, ids: [0; 2] };

    /// The same corner of the difference: the same numbered vertices, or, on curved bodies, the same coordinates.
    #[inline(always)]
    pub(crate) fn same(&self, other: &Self) -> bool {
        self.ids == other.ids
            && (self.ids[0] != SupportPoint::CURVED && self.ids[1] != SupportPoint::CURVED
                || self.w == other.w)
    }
}

/// A − B, with B posed in A's frame, all lengths multiplied by a power of two that keeps degree-four products in range.
#[derive(Clone, Copy)]
pub(crate) struct Difference<'a, A: Body, B: Body> {
    pub(crate) a: A,
    pub(crate) b: B,
    pub(crate) pose: &'a Pose,
    /// One, unless the bodies are extremely large or small.
    pub(crate) factor: f64,
    /// A magnitude that no scaled coordinate exceeds: rounding errors are multiples of its ulp.
    pub(crate) scale: f64,
}

/// Scales within 2^-100 … 2^100 are left alone: their fourth powers are ordinary numbers.
const ORDINARY: std::ops::Range<f64> =
    f64::from_bits((1023 - 100) << 52)..f64::from_bits((1023 + 100) << 52);

impl<'a, A: Body, B: Body> Difference<'a, A, B> {
    #[inline(always)]
    pub(crate) fn new(a: A, b: B, pose: &'a Pose) -> Self {
        let size = |v: DVec3| v.abs().element_sum();
        let scale = a.radius()
            + size(a.center())
            + b.radius()
            + size(b.center())
            + size(pose.translation());
        if ORDINARY.contains(&scale) {
            return Self { a, b, pose, factor: 1.0, scale };
        }
        // Products with subnormal numbers are off by units in their last place, however small the numbers are.
        let scale = scale + 2.0 * f64::MIN_POSITIVE;
        let factor = power_of_two_near_inverse(scale);
        Self { a, b, pose, factor, scale: scale * factor }
    }

    /// The vertex farthest along the direction; `near` gives the vertices to start from on large hulls.
    #[inline(always)]
    pub(crate) fn support<S: Simd>(&self, simd: S, direction: DVec3, near: [u32; 2]) -> Vertex {
        let a = self.a.support_in(simd, direction, near[0]);
        let b = self.b.support_in(simd, self.pose.inverse_rotate(-direction), near[1]);
        let point = self.pose.transform_point(b.point);
        let w = (a.point - point) * self.factor;
        Vertex { w, a: a.point, b: point, ids: [a.vertex, b.vertex] }
    }

    /// True if both bodies are polytopes.
    #[inline(always)]
    pub(crate) fn has_corners(&self) -> bool {
        self.a.has_corners() && self.b.has_corners()
    }

    /// The difference of the centres, as a point of A − B to start from.
    #[inline(always)]
    pub(crate) fn center_vertex(&self) -> Vertex {
        self.point_vertex([self.a.center(), self.pose.transform_point(self.b.center())])
    }

    /// A point of A minus one of B, both in A's frame.
    #[inline(always)]
    pub(crate) fn point_vertex(&self, [a, b]: [DVec3; 2]) -> Vertex {
        Vertex { w: (a - b) * self.factor, a, b, ids: [SupportPoint::CURVED; 2] }
    }

    /// From B's centre to A's centre: the centre of the difference.
    #[inline(always)]
    pub(crate) fn center(&self) -> DVec3 {
        (self.a.center() - self.pose.transform_point(self.b.center())) * self.factor
    }
}

/// Squares of lengths in this range neither overflow nor lose digits.
const ORDINARY_SQUARES: [f64; 2] = [1e-200, 1e200];

/// A unit vector along `v`, or `fallback` where `v` vanishes; safe from overflow and underflow.
#[inline]
pub(crate) fn unit_or(v: DVec3, fallback: DVec3) -> DVec3 {
    let square = v.length_squared();
    if square > ORDINARY_SQUARES[0] && square < ORDINARY_SQUARES[1] {
        return v / square.sqrt();
    }
    let largest = v.abs().max_element();
    if !(largest > 0.0 && largest.is_finite()) {
        return fallback;
    }
    let scaled = v * power_of_two_near_inverse(largest);
    scaled / safe_length(scaled)
}
