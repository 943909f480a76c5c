//! The convex volumes to which support planes are added: sphere, box along the axes, box with axes of its own.

use super::SupportPlane;
use crate::Pose;
use crate::bound::{Frame, Moments, Obb, ObbFit, Sphere, SphereFit};
use glam::{DMat3, DVec3};

/// A volume around a body, in f64.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Enclosure {
    /// All points no farther than `radius` from the centre.
    Sphere {
        /// The middle.
        center: DVec3,
        /// The largest distance from it.
        radius: f64,
    },
    /// A box along the axes of the frame.
    Aabb {
        /// The middle.
        center: DVec3,
        /// Half the sides.
        half: DVec3,
    },
    /// A box with axes of its own.
    Obb {
        /// The middle.
        center: DVec3,
        /// Half the sides.
        half: DVec3,
        /// Columns: orthonormal directions of the sides.
        axes: DMat3,
    },
}

/// What the rejection test needs of one body: a volume and a support plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// Contains the body.
    pub volume: Enclosure,
    /// Touches the body.
    pub plane: SupportPlane,
}

/// By how much more than measured a fitted volume reaches, relative to its coordinates.
const GROWN: f64 = 8.0 * f64::EPSILON;

impl Enclosure {
    /// The smallest sphere of the points, up to the rounding of f32 in its centre.
    ///
    /// ```
    /// use impinge_geom::{glam::DVec3, support_plane::Enclosure};
    /// let Enclosure::Sphere { radius, .. } = Enclosure::sphere_of(&[DVec3::ZERO, DVec3::X * 2.0]) else { panic!() };
    /// assert!((1.0..1.001).contains(&radius));
    /// ```
    pub fn sphere_of(points: &[DVec3]) -> Self {
        let frame = frame_of(points);
        let local: Vec<_> = points.iter().map(|p| frame.local(*p)).collect();
        let fitted = Sphere::fit_by(&local, SphereFit::Minimum, 0.0);
        let center = fitted.center().as_dvec3() / frame.factor() + frame.center();
        let square = points.iter().map(|p| p.distance_squared(center)).fold(0.0, f64::max);
        let size = center.abs().max_element() + square.sqrt();
        Self::Sphere { center, radius: square.sqrt() + GROWN * size }
    }

    /// The smallest box of the points along the axes.
    pub fn aabb_of(points: &[DVec3]) -> Self {
        let first = points.first().copied().unwrap_or(DVec3::ZERO);
        let (low, high) =
            points.iter().fold((first, first), |(low, high), p| (low.min(*p), high.max(*p)));
        let center = low + (high - low) * 0.5;
        let size = center.abs() + (high - low);
        Self::Aabb { center, half: (high - center).max(center - low) + size * GROWN }
    }

    /// A box of the points along the axes of their hull's surface.
    pub fn obb_of(points: &[DVec3]) -> Self {
        let frame = frame_of(points);
        let local: Vec<_> = points.iter().map(|p| frame.local(*p)).collect();
        let fitted = Obb::fit_by(&local, &Moments::default(), ObbFit::HullFacets, 0.0);
        let [x, y, _] = fitted.axes.map(|axis| axis.as_dvec3());
        let x = x.normalize_or(DVec3::X);
        let y = (y - x * x.dot(y)).normalize_or(x.any_orthonormal_vector());
        let axes = DMat3::from_cols(x, y, x.cross(y));
        let turned: Vec<DVec3> =
            points.iter().map(|p| axes.transpose() * (*p - frame.center())).collect();
        let along = Self::aabb_of(&turned);
        let center = axes * along.center() + frame.center();
        let size = center.abs().max_element() + along.half().max_element();
        Self::Obb { center, half: along.half() + DVec3::splat(GROWN * size), axes }
    }

    /// The middle.
    #[inline(always)]
    pub fn center(&self) -> DVec3 {
        match self {
            Self::Sphere { center, .. } | Self::Aabb { center, .. } | Self::Obb { center, .. } => {
                *center
            }
        }
    }

    /// The half extents; for a sphere, its radius.
    pub fn half(&self) -> DVec3 {
        match self {
            Self::Sphere { radius, .. } => DVec3::splat(*radius),
            Self::Aabb { half, .. } | Self::Obb { half, .. } => *half,
        }
    }

    /// A direction in the volume's own axes.
    #[inline(always)]
    pub fn local(&self, direction: DVec3) -> DVec3 {
        match self {
            Self::Sphere { .. } | Self::Aabb { .. } => direction,
            Self::Obb { axes, .. } => {
                let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis];
                DVec3::new(x.dot(direction), y.dot(direction), z.dot(direction))
            }
        }
    }

    /// The support value of the volume along a unit vector, from its centre.
    #[inline(always)]
    pub fn support_value(&self, direction: DVec3) -> f64 {
        match self {
            Self::Sphere { radius, .. } => *radius,
            Self::Aabb { half, .. } | Self::Obb { half, .. } => {
                half.dot(self.local(direction).abs())
            }
        }
    }

    /// The support point of the volume along a unit vector.
    pub fn farthest(&self, direction: DVec3) -> DVec3 {
        match self {
            Self::Sphere { center, radius } => *center + direction * *radius,
            Self::Aabb { center, half } => *center + half.copysign(direction),
            Self::Obb { center, half, axes } => {
                *center + *axes * half.copysign(self.local(direction))
            }
        }
    }

    /// The intersection of two boxes along the same axes; `None` where they are apart, or where one is no such box.
    pub fn common(&self, other: &Self) -> Option<Self> {
        let (Self::Aabb { center: c, half: h }, Self::Aabb { center: d, half: k }) = (self, other)
        else {
            return None;
        };
        let (low, high) = ((*c - *h).max(*d - *k), (*c + *h).min(*d + *k));
        let half = (high - low) * 0.5;
        // Half sides are rounded to the coordinates' last place; the margin of the tests is wider.
        (half.min_element() >= 0.0).then(|| Self::Aabb { center: (low + high) * 0.5, half })
    }

    /// The volume after scaling the body about its origin and moving it. An axis-aligned box becomes an oriented one.
    pub fn moved(&self, pose: &Pose, scale: f64) -> Self {
        let center = pose.transform_point(self.center() * scale);
        match self {
            Self::Sphere { radius, .. } => Self::Sphere { center, radius: radius * scale },
            Self::Aabb { half, .. } => {
                Self::Obb { center, half: *half * scale, axes: pose.rotation() }
            }
            Self::Obb { half, axes, .. } => {
                Self::Obb { center, half: *half * scale, axes: pose.rotation() * *axes }
            }
        }
    }

    /// The directions, for the first and the second body, along which section 4.1 looks for planes: for spheres and oriented boxes
    /// from one centre to the other, for boxes along the same axes from each centre to that of the common box.
    ///
    /// Where one box contains the other the latter has no direction for it: then the line of centres serves, and any direction
    /// where the centres are equal.
    ///
    /// ```
    /// use impinge_geom::{glam::DVec3, support_plane::Enclosure};
    /// let a = Enclosure::Sphere { center: DVec3::ZERO, radius: 2.0 };
    /// let b = Enclosure::Sphere { center: DVec3::X, radius: 2.0 };
    /// assert_eq!(a.directions(&b), [DVec3::X, -DVec3::X]);
    /// ```
    pub fn directions(&self, other: &Self) -> [DVec3; 2] {
        let [a, b] = [self.center(), other.center()];
        let line = if a == b { DVec3::X } else { b - a };
        let Some(common) = self.common(other) else { return [line, -line] };
        let towards = |from: DVec3, fallback: DVec3| {
            let direction = common.center() - from;
            if direction == DVec3::ZERO { fallback } else { direction }
        };
        [towards(a, line), towards(b, -line)]
    }
}

fn frame_of(points: &[DVec3]) -> Frame {
    let low = points.iter().fold(DVec3::INFINITY, |low, p| low.min(*p));
    let high = points.iter().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p));
    Frame::new(low, high)
}
