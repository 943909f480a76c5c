//! The tetrahedron that EPA begins with, from the vertices that GJK ended with.

use super::difference::{Body, Difference, Vertex, unit_or};
use crate::predicate::{are_collinear, orient3d};
use crate::simd::Simd;
use glam::DVec3;

/// On which side of the first three corners is the point? Positive in front, exactly.
#[inline(always)]
pub(super) fn side(corners: &[Vertex; 4], point: DVec3) -> i32 {
    -orient3d(corners[0].w, corners[1].w, corners[2].w, point)
}

/// Adds corners until the tetrahedron has volume; the first `count` are given. `None` if A − B is flat.
#[inline(never)]
pub(super) fn complete<S: Simd, A: Body, B: Body>(
    simd: S,
    difference: &Difference<'_, A, B>,
    corners: &mut [Vertex; 4],
    count: usize,
) -> Option<()> {
    let axes = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let support = |direction: DVec3| difference.support(simd, direction, [0, 0]);
    let enough = PLUMP * difference.scale;
    let mut count = count;
    if count >= 2 && corners[0].w == corners[1].w {
        count = 1;
    }
    let first = corners[0].w;
    if count < 2 {
        let length = |w: DVec3| if w == first { 0.0 } else { (w - first).length() };
        corners[1] = far_enough(axes.clone().map(support), enough, length)?;
        count = 2;
    }
    let along = corners[1].w - first;
    if count >= 3 && are_collinear(first, corners[1].w, corners[2].w) {
        count = 2;
    }
    if count < 3 {
        let across = unit_or(along.cross(smallest_axis(along)), DVec3::X);
        let up = unit_or(across.cross(along), DVec3::Y);
        let around =
            [across, -across, up, -up, across + up, -across - up, across - up, up - across];
        let unit = unit_or(along, DVec3::X);
        let beside = |w: DVec3| {
            let beside = (w - first).cross(unit).length();
            let is_flat = beside <= enough && are_collinear(first, corners[1].w, w);
            if is_flat { 0.0 } else { beside.max(f64::MIN_POSITIVE) }
        };
        let candidates = around.into_iter().chain(axes.clone()).map(support);
        corners[2] = far_enough(candidates, enough, beside)?;
    }
    let normal = unit_or(along.cross(corners[2].w - first), DVec3::Z);
    let above = |w: DVec3| {
        let height = (w - first).dot(normal).abs();
        let is_flat = height <= enough && side(corners, w) == 0;
        if is_flat { 0.0 } else { height.max(f64::MIN_POSITIVE) }
    };
    let candidates = [normal, -normal].into_iter().chain(axes).map(support);
    corners[3] = far_enough(candidates, enough, above)?;
    Some(())
}

/// Corners of the first tetrahedron that are nearer to the others than this times the scale, 2^-20, are taken only if there are
/// none that are farther: of bodies with an extent near zero they span next to nothing.
const PLUMP: f64 = f64::from_bits((1023 - 20) << 52);

/// The first vertex that is far enough, or the farthest; `None` if all are at distance zero.
fn far_enough(
    vertices: impl Iterator<Item = Vertex>,
    enough: f64,
    distance: impl Fn(DVec3) -> f64,
) -> Option<Vertex> {
    let mut best = (0.0, None);
    for vertex in vertices {
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
