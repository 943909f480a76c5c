//! The tetrahedron that EPA begins with, from the vertices that GJK ended with.

use super::difference::{Vertex, unit_or};
use crate::predicate::{are_collinear, orient3d};
use glam::DVec3;

/// On which side of the first three corners is the point? Positive in front, exactly.
#[inline(always)]
pub(super) fn side(corners: &[Vertex; 4], point: DVec3) -> i32 {
    -orient3d(corners[0].w, corners[1].w, corners[2].w, point)
}

/// Adds corners until the tetrahedron has volume; the first `count` are given. `None` if A − B is flat.
#[inline(never)]
pub(super) fn complete(
    support: &dyn Fn(DVec3) -> Vertex,
    scale: f64,
    corners: &mut [Vertex; 4],
    count: usize,
) -> Option<()> {
    let [x, y, z] = DVec3::AXES;
    let axes = [x, -x, y, -y, z, -z];
    let enough = PLUMP * scale;
    let mut count = count;
    if count >= 2 && corners[0].w == corners[1].w {
        count = 1;
    }
    let first = corners[0].w;
    if count < 2 {
        let length = |w: DVec3| if w == first { 0.0 } else { (w - first).length() };
        corners[1] = far_enough(&axes, support, enough, &length)?;
        count = 2;
    }
    let along = corners[1].w - first;
    if count >= 3 && are_collinear(first, corners[1].w, corners[2].w) {
        count = 2;
    }
    if count < 3 {
        let across = unit_or(along.cross(smallest_axis(along)), DVec3::X);
        let up = unit_or(across.cross(along), DVec3::Y);
        let diagonals = [across + up, -across - up, across - up, up - across];
        let unit = unit_or(along, DVec3::X);
        let beside = |w: DVec3| {
            let beside = (w - first).cross(unit).length();
            let is_flat = beside <= enough && are_collinear(first, corners[1].w, w);
            if is_flat { 0.0 } else { beside.max(f64::MIN_POSITIVE) }
        };
        let [d, e, f, g] = diagonals;
        let around = [across, -across, up, -up, d, e, f, g, x, -x, y, -y, z, -z];
        corners[2] = far_enough(&around, support, enough, &beside)?;
    }
    let normal = unit_or(along.cross(corners[2].w - first), DVec3::Z);
    let above = |w: DVec3| {
        let height = (w - first).dot(normal).abs();
        let is_flat = height <= enough && side(corners, w) == 0;
        if is_flat { 0.0 } else { height.max(f64::MIN_POSITIVE) }
    };
    let candidates = [normal, -normal, x, -x, y, -y, z, -z];
    corners[3] = far_enough(&candidates, support, enough, &above)?;
    Some(())
}

/// Corners of the first tetrahedron that are nearer to the others than this times the scale, 2^-20, are taken only if there are
/// none that are farther: of bodies with an extent near zero they span next to nothing.
const PLUMP: f64 = f64::from_bits((1023 - 20) << 52);

/// The first vertex that is far enough, or the farthest; `None` if all are at distance zero.
fn far_enough(
    directions: &[DVec3],
    support: &dyn Fn(DVec3) -> Vertex,
    enough: f64,
    distance: &dyn Fn(DVec3) -> f64,
) -> Option<Vertex> {
    let mut best = (0.0, None);
    for &direction in directions {
        let vertex = support(direction);
        let distance = distance(vertex.w);
        if distance > best.0 {
            best = (distance, Some(vertex));
        }
        if distance > enough {
            break;
        }
    }
    best.1
}

/// The coordinate axis along which the vector is shortest.
fn smallest_axis(v: DVec3) -> DVec3 {
    let v = v.abs();
    if v.x <= v.y && v.x <= v.z {
        DVec3::X
    } else if v.y <= v.z {
        DVec3::Y
    } else {
        DVec3::Z
    }
}
