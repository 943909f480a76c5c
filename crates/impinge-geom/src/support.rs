//! Support functions: the farthest point of a convex body along a direction. All convex algorithms see bodies only through them.

use crate::number::error::power_of_two_near_inverse;
use crate::number::length::{length_and_unit, planar_length};
use crate::shape::Core;
use glam::DVec3;

/// A point of a body that is farthest along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportPoint {
    /// The point, in the body's frame.
    pub point: DVec3,
    /// The vertex index, or [`SupportPoint::CURVED`] where the body has no numbered vertices.
    pub vertex: u32,
}

impl SupportPoint {
    /// The index of points on curved surfaces.
    pub const CURVED: u32 = u32::MAX;
}

/// A closed, bounded, convex body. Implement this to add a shape of your own (see [`Shape::custom`](crate::Shape::custom)).
///
/// The three functions must return finite numbers with magnitudes up to 2^250 for every finite, non-zero direction.
pub trait Support {
    /// A point of the body farthest along `direction`, which is finite, not zero, and not necessarily of unit length.
    fn support(&self, direction: DVec3) -> SupportPoint;

    /// A point of the body, deep inside if there is an inside.
    fn center(&self) -> DVec3;

    /// The radius of a ball around [`Support::center`] that contains the body.
    fn radius(&self) -> f64;
}

/// A box's corner along a direction: bit k of the index is set where coordinate k is positive.
#[inline(always)]
pub(crate) fn cuboid_support(half: DVec3, direction: DVec3) -> SupportPoint {
    let positive = direction.cmpge(DVec3::ZERO);
    SupportPoint { point: DVec3::select(positive, half, -half), vertex: positive.bitmask() }
}

/// The first of the points that is farthest along the direction.
#[inline(always)]
pub(crate) fn points_support<const N: usize>(
    points: &[DVec3; N],
    direction: DVec3,
) -> SupportPoint {
    let mut best = SupportPoint { point: points[0], vertex: 0 };
    let mut value = direction.dot(points[0]);
    for (index, point) in points.iter().enumerate().skip(1) {
        let other = direction.dot(*point);
        if other > value {
            (value, best) = (other, SupportPoint { point: *point, vertex: index as u32 });
        }
    }
    best
}

/// The point at distance `radius` from the z axis, along the direction's shadow on the xy plane, at height zero.
#[inline]
fn rim(radius: f64, direction: DVec3) -> DVec3 {
    let shadow = planar_length(direction.x, direction.y);
    if shadow >= f64::MIN_POSITIVE {
        let inverse = 1.0 / shadow;
        DVec3::new(direction.x * inverse * radius, direction.y * inverse * radius, 0.0)
    } else if shadow > 0.0 {
        // The inverse of a subnormal number may be infinite; the factor is exact.
        rim(radius, direction * f64::from_bits((1023 + 200) << 52))
    } else {
        DVec3::new(radius, 0.0, 0.0)
    }
}

/// The point of an ellipsoid along a direction. The products of tiny radii and short directions are kept from vanishing.
#[inline(always)]
fn ellipsoid_support(radii: DVec3, direction: DVec3) -> DVec3 {
    let along = match length_and_unit(radii * direction) {
        Some((length, unit)) if length > f64::MIN_POSITIVE => Some(unit),
        _ => {
            let factor = |v: DVec3| power_of_two_near_inverse(v.abs().max_element());
            let scaled = (radii * factor(radii)) * (direction * factor(direction));
            length_and_unit(scaled).map(|(_, unit)| unit)
        }
    };
    along.map_or(DVec3::ZERO, |unit| radii * unit)
}

impl Support for Core<'_> {
    #[inline]
    fn support(&self, direction: DVec3) -> SupportPoint {
        let curved = |point| SupportPoint { point, vertex: SupportPoint::CURVED };
        match self {
            Self::Point => SupportPoint { point: DVec3::ZERO, vertex: 0 },
            Self::Segment(core) => points_support(&core.points(), direction),
            Self::Triangle(core) => points_support(&core.points(), direction),
            Self::Cuboid(core) => cuboid_support(core.half(), direction),
            Self::Hull(core) => core.support(direction),
            Self::Cylinder(core) => {
                let z = if direction.z >= 0.0 { core.half_height() } else { -core.half_height() };
                curved(rim(core.radius(), direction).with_z(z))
            }
            Self::Cone(core) => {
                let (radius, height) = (core.radius(), core.half_height());
                let base = rim(radius, direction).with_z(-height);
                let apex = DVec3::new(0.0, 0.0, height);
                curved(if direction.dot(apex - base) >= 0.0 { apex } else { base })
            }
            Self::Ellipsoid(core) => curved(ellipsoid_support(core.radii(), direction)),
            Self::TaperedCapsule(core) => {
                let unit = length_and_unit(direction).map_or(DVec3::Z, |(_, unit)| unit);
                let height = core.half_height();
                let top = unit.z * height + core.top();
                let bottom = -unit.z * height + core.bottom();
                curved(if top >= bottom {
                    unit * core.top() + DVec3::new(0.0, 0.0, height)
                } else {
                    unit * core.bottom() - DVec3::new(0.0, 0.0, height)
                })
            }
            Self::Custom(core) => core.support(direction),
            // Unbounded bodies have closed forms; along their normal this is a point of their boundary.
            Self::Plane(core) => curved(core.normal() * core.offset()),
            Self::HalfSpace(core) => curved(core.normal() * core.offset()),
        }
    }

    fn center(&self) -> DVec3 {
        match self {
            Self::Segment(core) => core.points().into_iter().sum::<DVec3>() / 2.0,
            Self::Triangle(core) => core.points().into_iter().sum::<DVec3>() / 3.0,
            Self::Hull(core) => core.center(),
            Self::Custom(core) => core.center(),
            Self::Cone(core) => DVec3::new(0.0, 0.0, -0.5 * core.half_height()),
            Self::Plane(core) => core.normal() * core.offset(),
            Self::HalfSpace(core) => core.normal() * core.offset(),
            Self::Point
            | Self::Cuboid(_)
            | Self::Cylinder(_)
            | Self::Ellipsoid(_)
            | Self::TaperedCapsule(_) => DVec3::ZERO,
        }
    }

    fn radius(&self) -> f64 {
        match self {
            Self::Hull(core) => core.radius(),
            Self::Custom(core) => core.radius(),
            _ => self.bounding_radius() + crate::number::error::safe_length(self.center()),
        }
    }
}
