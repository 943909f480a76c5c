//! Axis-aligned bounding boxes in f64.

use crate::bound::Aabb;
use crate::number::outward::{round_down, round_up};
use glam::DVec3;

/// An axis-aligned bounding box in f64, named as glam names its f64 types; [`bound::Aabb`](crate::bound::Aabb) is the f32 volume of hierarchies.
/// Sides may be infinite; a box whose `low` is above its `high` is empty.
///
/// ```
/// use impinge_geom::{DAabb, glam::DVec3};
/// let (a, b) = (DAabb::new(DVec3::ZERO, DVec3::ONE), DAabb::new(DVec3::splat(3.0), DVec3::splat(4.0)));
/// assert!(!a.overlaps(&b) && a.joined(&b).contains(DVec3::splat(2.0)));
/// assert!((a.gap(&b) - 12f64.sqrt()).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DAabb {
    /// The smallest coordinates.
    pub low: DVec3,
    /// The largest coordinates.
    pub high: DVec3,
}

impl DAabb {
    /// All of space.
    pub const EVERYTHING: Self = Self { low: DVec3::NEG_INFINITY, high: DVec3::INFINITY };
    /// The empty box.
    pub const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    /// A box between two corners.
    pub const fn new(low: DVec3, high: DVec3) -> Self {
        Self { low, high }
    }

    /// The smallest box around the points; empty if there are none.
    pub fn of_points(points: impl IntoIterator<Item = DVec3>) -> Self {
        let join = |all: Self, p: DVec3| Self { low: all.low.min(p), high: all.high.max(p) };
        points.into_iter().fold(Self::EMPTY, join)
    }

    /// A box by its centre and half extents.
    pub fn around(center: DVec3, half: DVec3) -> Self {
        Self { low: center - half, high: center + half }
    }

    /// The smallest box in f32 that holds this one, as seen from `origin`.
    ///
    /// ```
    /// use impinge_geom::{DAabb, glam::DVec3};
    /// let far = DAabb::new(DVec3::splat(1e7), DVec3::splat(1e7 + 0.1)).to_f32(DVec3::splat(1e7));
    /// assert!(far.high.x >= 0.1 && far.high.x < 0.11);
    /// ```
    pub fn to_f32(&self, origin: DVec3) -> Aabb {
        let below = (self.low - origin).to_array().map(|x| round_down(x.next_down()));
        let above = (self.high - origin).to_array().map(|x| round_up(x.next_up()));
        Aabb::new(below, above)
    }

    /// The box enlarged by a distance on every side.
    pub fn grown(&self, by: f64) -> Self {
        Self { low: self.low - by, high: self.high + by }
    }

    /// The smallest box around both.
    pub fn joined(&self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// True if the boxes have a point in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    /// True if the point lies in the box.
    pub fn contains(&self, point: DVec3) -> bool {
        self.low.cmple(point).all() && point.cmple(self.high).all()
    }

    /// A lower bound on the distance between a point of one box and a point of the other.
    pub fn gap(&self, other: &Self) -> f64 {
        let apart = (self.low - other.high).max(other.low - self.high).max(DVec3::ZERO);
        apart.length() * (1.0 - 4.0 * f64::EPSILON)
    }
}
