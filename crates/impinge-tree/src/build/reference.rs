//! What builders move about: a box and the number of its item, in 32 bytes.

use impinge_geom::bound::Aabb;
use impinge_geom::glam::{DVec3, Vec3A, Vec4};
use impinge_geom::simd::{Scalar, Simd};

/// A box as eight lanes: the low corner, the bits of the item's number, the negated high corner, zero. Since the high corner is
/// negated, boxes are joined by one minimum of all lanes.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Reference([f32; 8]);

impl Reference {
    pub(super) fn new(item: usize, volume: Aabb) -> Self {
        let (low, high) = (volume.low, -volume.high);
        Self([low.x, low.y, low.z, f32::from_bits(item as u32), high.x, high.y, high.z, 0.0])
    }

    #[inline(always)]
    pub(super) fn id(&self) -> u32 {
        self.0[3].to_bits()
    }

    /// Twice the centre: a factor that no builder minds.
    #[inline(always)]
    pub(super) fn center(&self) -> Vec4 {
        // The item's bits may be those of a NaN, or of a number so small that arithmetic on it is slow.
        (Vec4::from_slice(&self.0) - Vec4::from_slice(&self.0[4..])).with_w(0.0)
    }
}

/// The box of boxes, or nothing yet; lanes as in a [`Reference`].
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Bounds([f32; 8]);

impl Bounds {
    pub(super) const EMPTY: Self = Self([f32::INFINITY; 8]);

    /// Takes in a box.
    #[inline(always)]
    pub(super) fn add<S: Simd>(&mut self, simd: S, reference: &Reference) {
        let least = simd.min32(simd.load32(&reference.0), simd.load32(&self.0));
        self.0 = simd.store32(least);
    }

    /// Takes in another box of boxes.
    #[inline(always)]
    pub(super) fn join<S: Simd>(&mut self, simd: S, other: &Self) {
        self.0 = simd.store32(simd.min32(simd.load32(&other.0), simd.load32(&self.0)));
    }

    /// Half the surface; infinite for nothing.
    #[inline(always)]
    pub(super) fn area(&self) -> f32 {
        let [a, b, c, _, d, e, f, _] = self.0;
        // All three are negative.
        let (x, y, z) = (a + d, b + e, c + f);
        x * y + y * z + z * x
    }

    /// The box of all of them, for lists that need no dispatch.
    pub(super) fn of(list: &[Reference]) -> Self {
        let mut bounds = Self::EMPTY;
        list.iter().for_each(|reference| bounds.add(Scalar::new(), reference));
        bounds
    }

    /// The middle.
    pub(super) fn center(&self) -> Vec3A {
        let [a, b, c, _, d, e, f, _] = self.0;
        Vec3A::new(a - d, b - e, c - f) * 0.5
    }

    /// From a point, squared; zero inside.
    #[inline(always)]
    pub(super) fn distance_squared(&self, point: Vec3A) -> f32 {
        let [a, b, c, _, d, e, f, _] = self.0;
        let (below, above) = (Vec3A::new(a, b, c) - point, point + Vec3A::new(d, e, f));
        below.max(above).max(Vec3A::ZERO).length_squared()
    }

    /// The lengths of the edges; infinite below zero for nothing.
    #[inline(always)]
    pub(super) fn edges(&self) -> DVec3 {
        let [a, b, c, _, d, e, f, _] = self.0.map(f64::from);
        -DVec3::new(a + d, b + e, c + f)
    }
}

impl From<&Reference> for Bounds {
    fn from(reference: &Reference) -> Self {
        Self(reference.0)
    }
}

/// The bounds of centres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Centers {
    pub(super) low: Vec4,
    pub(super) high: Vec4,
}

impl Centers {
    pub(super) fn of(list: &[Reference]) -> Self {
        let mut centers = Self { low: Vec4::INFINITY, high: Vec4::NEG_INFINITY };
        for reference in list {
            let center = reference.center();
            (centers.low, centers.high) = (centers.low.min(center), centers.high.max(center));
        }
        centers
    }

    pub(super) fn joined(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}
