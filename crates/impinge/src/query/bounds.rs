//! Boxes in the world around parts.

use super::part::PartRef;
use impinge_geom::glam::DVec3;
use impinge_geom::number::tolerance::TOUCHING;
use impinge_geom::shape::Core;
use impinge_geom::{DAabb, Pose, Shape, Support as _};

impl PartRef<'_> {
    /// A box in the world around the part at `pose`, possibly unbounded. It holds all that counts as touching.
    pub(crate) fn bounds(self, pose: &Pose) -> DAabb {
        self.fold(
            |shape| of_shape(shape, pose),
            |mesh| {
                let (low, high) = mesh.bounds();
                let (center, half) = ((low + high) * 0.5, (high - low) * 0.5);
                DAabb::around(pose.transform_point(center), turned_half(pose, half))
                    .grown(slack(part_reach(low, high), pose))
            },
        )
    }
}

fn of_shape(shape: &Shape, pose: &Pose) -> DAabb {
    let (core, radius) = shape.split();
    let grown = radius + slack(shape.bounding_radius(), pose);
    match core {
        Core::Point => DAabb::around(pose.translation(), DVec3::splat(grown)),
        Core::Cuboid(core) => {
            DAabb::around(pose.translation(), turned_half(pose, core.half())).grown(grown)
        }
        Core::Plane(_) => DAabb::EVERYTHING,
        Core::HalfSpace(core) => {
            of_half_space(pose.rotate(core.normal()), core.offset() + radius, pose)
        }
        _ => {
            let far =
                |axis: DVec3| pose.transform_point(core.support(pose.inverse_rotate(axis)).point);
            let axes = [DVec3::X, DVec3::Y, DVec3::Z];
            let high = DVec3::from(axes.map(|axis| far(axis).dot(axis)));
            let low = DVec3::from(axes.map(|axis| far(-axis).dot(axis)));
            DAabb { low, high }.grown(grown)
        }
    }
}

/// A half-space that looks along an axis of the world, such as a level floor, ends there; others are everywhere.
fn of_half_space(normal: DVec3, offset: f64, pose: &Pose) -> DAabb {
    let mut all = DAabb::EVERYTHING;
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
