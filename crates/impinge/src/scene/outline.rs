//! The outline of a collider, for the volumes that stand for bodies.

use super::{Collider, Part};
use crate::broad::{ObjectVolume, Outline};
use impinge_geom::Support as _;
use impinge_geom::glam::DVec3;

/// Directions of an apex map along each side of its cube.
const RESOLUTION: usize = 8;

/// The outline of a collider, if the volume asks for one and the collider has an end.
pub(super) fn of_collider(collider: &Collider, volume: ObjectVolume) -> Option<Outline> {
    if volume == ObjectVolume::ExactBox {
        return None;
    }
    let children = collider.children();
    if children.iter().any(|child| !child.part.reach().is_finite()) {
        return None;
    }
    let resolution = if volume == ObjectVolume::ApexMap { RESOLUTION } else { 0 };
    let reach = |child: &super::Child| child.pose.translation().length() + child.part.reach();
    // A little more, for the rounding of the sum.
    let radius = children.iter().map(reach).fold(0.0, f64::max) * (1.0 + 1e-12);
    let support = |direction: DVec3| {
        let ends = children.iter().map(|child| {
            let own = child.pose.turn_back(direction);
            child.pose.map(farthest(&child.part, own))
        });
        let farther =
            |best: DVec3, p: DVec3| if p.dot(direction) > best.dot(direction) { p } else { best };
        ends.reduce(farther).unwrap_or(DVec3::ZERO)
    };
    Outline::of_support(DVec3::ZERO, radius, resolution, support).ok()
}

/// The farthest point of a part along a direction; of a mesh, the farthest corner of its box, which is no nearer.
fn farthest(part: &Part, direction: DVec3) -> DVec3 {
    match part {
        Part::Shape(shape) => {
            let (core, radius) = shape.split();
            core.support(direction).point + direction.normalize_or_zero() * (radius * (1.0 + 1e-12))
        }
        Part::Mesh(mesh) => {
            let (low, high) = mesh.bounds();
            DVec3::select(direction.cmpgt(DVec3::ZERO), high, low)
        }
    }
}
