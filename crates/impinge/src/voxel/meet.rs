//! Two grids in their places.

use super::Voxels;
use crate::mesh::ScaledPose;
use impinge_geom::glam::DVec3;

/// What rounding may move a cell by, in cells of either grid.
const ROUNDED: f64 = 1e-9;

/// True if an occupied cell of B, moved by `relative` into A's frame, may overlap an occupied cell of A. Tests the bounding box of the
/// moved cell.
///
/// If two [`Voxels::of_surface`] do not overlap, the surfaces are apart; if they do, the surfaces are within a few cells of each other.
/// Touching cells count as overlapping.
///
/// ```
/// use impinge::{Mesh, Pose, voxel::{Voxels, share_a_cell}};
/// let mesh: Mesh = Mesh::new(&[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]], &[[0, 1, 2]])?;
/// let voxels = Voxels::of_surface(&mesh, 16)?;
/// let beside = Pose::from_translation([3.0, 3.0, 0.0])?;
/// let above = Pose::from_translation([0.0, 0.0, 0.1])?;
/// assert!(!share_a_cell(&voxels, &voxels, &beside.into()));
/// assert!(share_a_cell(&voxels, &voxels, &above.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn share_a_cell(a: &Voxels, b: &Voxels, relative: &ScaledPose) -> bool {
    let turned = DVec3::AXES.map(|axis| relative.pose.rotate(axis).abs());
    let half = (turned[0] + turned[1] + turned[2]) * (0.5 * b.size * relative.scale / a.size);
    // A few roundings of the largest coordinate on the way.
    let high = b.center(b.counts());
    let (scale, pose) = (relative.scale, &relative.pose);
    let points = [b.low * scale, high * scale, pose.translation(), a.low];
    let largest: f64 = points.iter().map(|point| point.abs().max_element()).sum();
    let lost = 16.0 * f64::EPSILON * largest / a.size;
    let wide = half * (1.0 + ROUNDED) + DVec3::splat(ROUNDED + lost);
    b.cells().any(|cell| {
        let center = (relative.transform_point(b.center(cell)) - a.low) / a.size;
        any_occupied(a, center - wide, center + wide)
    })
}

/// True if a cell that the box touches is occupied; its corners are in cells.
fn any_occupied(voxels: &Voxels, low: DVec3, high: DVec3) -> bool {
    let counts = voxels.counts();
    let (mut first, mut end) = ([0; 3], [0; 3]);
    for axis in 0..3 {
        let count = f64::from(counts[axis]);
        if !(high[axis] >= 0.0 && low[axis] <= count) {
            return false;
        }
        first[axis] = low[axis].floor().clamp(0.0, count - 1.0) as u32;
        end[axis] = high[axis].floor().clamp(0.0, count - 1.0) as u32 + 1;
    }
    (first[2]..end[2]).any(|z| {
        (first[1]..end[1]).any(|y| (first[0]..end[0]).any(|x| voxels.is_occupied([x, y, z])))
    })
}
