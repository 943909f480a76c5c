//! The outline of a geometry, for the volumes that bound bodies.

use crate::broad::{ObjectVolume, Outline};
use crate::query::{Child, Geometry, Part};
use impinge_geom::Support as _;
use impinge_geom::glam::DVec3;

/// Directions of an apex map along each side of its cube.
const RESOLUTION: usize = 8;

/// More than the rounding of a sum takes from a reach.
const ROUNDING: f64 = 1.0 + 1e-12;

/// The outline of a geometry, if the volume asks for one and the geometry has an end.
pub(super) fn of_geometry(geometry: &Geometry, volume: ObjectVolume) -> Option<Outline> {
    if volume == ObjectVolume::ExactBox {
        return None;
    }
    let children = geometry.children();
    if children.iter().any(|child| !child.part.bounding_radius().is_finite()) {
        return None;
    }
    let resolution = if volume == ObjectVolume::ApexMap { RESOLUTION } else { 0 };
    let reach = |child: &Child| child.pose.translation().length() + child.part.bounding_radius();
    let radius = children.iter().map(reach).fold(0.0, f64::max) * ROUNDING;
    let support = |direction: DVec3| {
        let ends = children.iter().map(|child| {
            let own = child.pose.inverse_rotate(direction);
            child.pose.transform_point(farthest(&child.part, own))
        });
        let farther =
            |best: DVec3, p: DVec3| if p.dot(direction) > best.dot(direction) { p } else { best };
        ends.reduce(farther).unwrap_or(DVec3::ZERO)
    };
    Outline::of_support(DVec3::ZERO, radius, resolution, support).ok()
}

/// The farthest point of a part along a direction; of a mesh, the farthest corner of its box, which is no nearer.
fn farthest(part: &Part, direction: DVec3) -> DVec3 {
    part.as_ref().fold(
        |shape| {
            let (core, radius) = shape.split();
            core.support(direction).point + direction.normalize_or_zero() * (radius * ROUNDING)
        },
        |mesh| {
            let (low, high) = mesh.bounds();
            DVec3::select(direction.cmpgt(DVec3::ZERO), high, low)
        },
    )
}
