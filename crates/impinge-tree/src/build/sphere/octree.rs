//! The spheres around the eight cells of a cube that holds a list's centres.
//!
//! The cube begins in the lowest corner of the list's own box: lists that are thinner than half the cube are not cut lengthwise.

use super::ball::Ball;
use crate::build::centers;
use crate::build::reference::Reference;
use impinge_geom::glam::Vec3A;

/// They have one radius, so that each item goes to the cell that its centre is in.
pub(super) fn spheres(list: &[Reference]) -> Vec<Ball> {
    let centers = centers(list);
    // The centres are doubled.
    let (low, high) = (Vec3A::from_vec4(centers.low) * 0.5, Vec3A::from_vec4(centers.high) * 0.5);
    let quarter = (high - low).max_element() * 0.25;
    let cell = |k: u32| {
        let along = |bit: u32| if k >> bit & 1 == 0 { quarter } else { 3.0 * quarter };
        let center = low + Vec3A::new(along(0), along(1), along(2));
        Ball { center, radius: Vec3A::splat(quarter).length() }
    };
    (0..super::MOST as u32).map(cell).collect()
}
