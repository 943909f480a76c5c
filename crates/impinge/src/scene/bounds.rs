//! Boxes around parts and bodies in the world, for the broad phase.

use super::{Body, Collider, Part};
use impinge_geom::glam::DVec3;
use impinge_geom::number::tolerance::TOUCHING;
use impinge_geom::shape::Core;
use impinge_geom::{Pose, Shape, Support as _};

/// A box along the axes of the world, possibly unbounded. It holds all that counts as touching what is inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WorldBox {
    pub(crate) low: DVec3,
    pub(crate) high: DVec3,
}

impl WorldBox {
    pub(crate) const EVERYTHING: Self = Self { low: DVec3::NEG_INFINITY, high: DVec3::INFINITY };
    pub(crate) const NOTHING: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    pub(crate) fn grown(&self, by: f64) -> Self {
        Self { low: self.low - by, high: self.high + by }
    }

    pub(crate) fn joined(&self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    /// No point of the one is nearer to a point of the other than this.
    pub(crate) fn gap(&self, other: &Self) -> f64 {
        let apart = (self.low - other.high).max(other.low - self.high).max(DVec3::ZERO);
        apart.length() * (1.0 - 4.0 * f64::EPSILON)
    }

    /// Of a body in its place.
    pub(crate) fn of_body(body: &Body) -> Self {
        Self::of_collider(&body.collider, &body.pose)
    }

    pub(crate) fn of_collider(collider: &Collider, pose: &Pose) -> Self {
        collider.children().iter().fold(Self::NOTHING, |all, child| {
            all.joined(&Self::of_part(&child.part, &collider.place(child, pose)))
        })
    }

    /// Of a part in its place.
    pub(crate) fn of_part(part: &Part, pose: &Pose) -> Self {
        match part {
            Part::Shape(shape) => Self::of_shape(shape, pose),
            Part::Mesh(part) => {
                let (low, high) = part.bounds();
                let (center, half) = ((low + high) * 0.5, (high - low) * 0.5);
                Self::around(pose.map(center), turned_half(pose, half))
                    .grown(slack(part_reach(low, high), pose))
            }
        }
    }

    fn of_shape(shape: &Shape, pose: &Pose) -> Self {
        let (core, radius) = shape.split();
        let grown = radius + slack(shape.bounding_radius(), pose);
        match core {
            Core::Point => Self::around(pose.translation(), DVec3::splat(grown)),
            Core::Cuboid(core) => {
                Self::around(pose.translation(), turned_half(pose, core.half())).grown(grown)
            }
            Core::Plane(_) => Self::EVERYTHING,
            Core::HalfSpace(core) => {
                Self::of_half_space(pose.turn(core.normal()), core.offset() + radius, pose)
            }
            _ => {
                let far = |axis: DVec3| pose.map(core.support(pose.turn_back(axis)).point);
                let axes = [DVec3::X, DVec3::Y, DVec3::Z];
                let high = DVec3::from(axes.map(|axis| far(axis).dot(axis)));
                let low = DVec3::from(axes.map(|axis| far(-axis).dot(axis)));
                Self { low, high }.grown(grown)
            }
        }
    }

    /// A half-space that looks along an axis of the world, such as a level floor, ends there; others are everywhere.
    fn of_half_space(normal: DVec3, offset: f64, pose: &Pose) -> Self {
        let mut all = Self::EVERYTHING;
        for (axis, unit) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
            let end = offset + slack(offset.abs(), pose);
            if normal == unit {
                all.high[axis] = pose.translation()[axis] + end;
            } else if normal == -unit {
                all.low[axis] = pose.translation()[axis] - end;
            }
        }
        all
    }

    fn around(center: DVec3, half: DVec3) -> Self {
        Self { low: center - half, high: center + half }
    }
}

/// No vertex between two corners is farther from the origin.
fn part_reach(low: DVec3, high: DVec3) -> f64 {
    low.abs().max(high.abs()).element_sum()
}

/// What counts as touching, and more than is lost to rounding on the way into the world.
fn slack(reach: f64, pose: &Pose) -> f64 {
    let reach = if reach.is_finite() { reach } else { 0.0 };
    4.0 * TOUCHING * (reach + pose.translation().abs().max_element())
}

/// The half extents of the least box along the axes of the world around a turned box.
fn turned_half(pose: &Pose, half: DVec3) -> DVec3 {
    let rotation = pose.rotation();
    rotation.x_axis.abs() * half.x + rotation.y_axis.abs() * half.y + rotation.z_axis.abs() * half.z
}
