//! Whether a convex solid is free of another one, without a list of the faces that meet: a pin in its bore, a bolt in a stack of plates.
//!
//! Let Y be convex. If some face of Y has a face f of X on the outer side of its plane or in it, f has no point inside of Y. If that holds for every face of X, the inside of Y
//! is free of X's surface, so that it lies in X or outside as a whole, which one point tells.

use super::column::Placed;
use super::winding::winding_of;
use super::{Scratch, Winding};
use impinge_geom::DAabb;
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::predicate::orient3d;
use std::ops::ControlFlow;

/// The plane of a face, about: only a hint which face to ask.
#[derive(Clone, Copy, Debug)]
pub(super) struct OuterPlane {
    normal: DVec3,
    offset: f64,
    face: u32,
}

/// Planes of neighbours are taken for one if their normals and offsets differ by no more than this, as a share.
const SAME: f64 = 1e-12;

/// True if one of two closed meshes is convex, and no inner point of it is in the other one. Exact.
pub(super) fn is_free<B: Bound>(placed: &[Placed<'_, B>; 2], scratch: &mut Scratch) -> bool {
    let mut planes = std::mem::take(&mut scratch.planes);
    let is_free = [0, 1].into_iter().any(|host| {
        let (x, y) = (&placed[1 - host], &placed[host]);
        // Moved coordinates are rounded, and their faces a little askew.
        y.is_as_stored()
            && y.mesh.star().is_some_and(|star| {
                star.is_convex
                    && is_outside(x, y, star.filled.back, &mut planes, scratch)
                    && winding_of(x, star.center, scratch) == Winding::Number(0)
            })
    });
    scratch.planes = planes;
    is_free
}

/// True if the plane of some face of Y parts every face of X from it. `back` tells that Y is behind its faces.
fn is_outside<B: Bound>(
    x: &Placed<'_, B>,
    y: &Placed<'_, B>,
    back: bool,
    planes: &mut Vec<OuterPlane>,
    scratch: &mut Scratch,
) -> bool {
    find_planes(y, back, planes);
    let bounds = y.mesh.bounds();
    let turn = if back { 1 } else { -1 };
    let parts = |plane: &OuterPlane, corners: &[DVec3; 3]| {
        let [a, b, c] = y.corners(plane.face);
        corners.iter().all(|p| orient3d(a, b, c, *p) * turn <= 0)
    };
    // Neighbours are often parted by the same plane, or by the next one.
    let (mut is_outside, mut last) = (true, 0);
    x.within((bounds.low, bounds.high), &mut scratch.places, |mesh, leaf| {
        for &face in mesh.tree.leaf(leaf) {
            let corners = x.corners(face);
            if !DAabb::of_points(corners).overlaps(&bounds) {
                continue;
            }
            if planes.get(last).is_some_and(|plane| parts(plane, &corners)) {
                continue;
            }
            last = farthest(planes, &corners);
            is_outside = planes.get(last).is_some_and(|plane| parts(plane, &corners));
            if !is_outside {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    is_outside
}

/// The planes of all faces, those of neighbours in one plane once.
fn find_planes<B: Bound>(y: &Placed<'_, B>, back: bool, planes: &mut Vec<OuterPlane>) {
    planes.clear();
    let size = y.mesh.bounds();
    let size = size.low.abs().max(size.high.abs()).max_element();
    for face in 0..y.mesh.triangles.len() as u32 {
        let [a, b, c] = y.corners(face);
        let outer = if back { (b - a).cross(c - a) } else { (c - a).cross(b - a) };
        let normal = outer.normalize_or_zero();
        let plane = OuterPlane { normal, offset: normal.dot(a), face };
        let is_same = planes.last().is_some_and(|last| {
            (last.normal - normal).abs().max_element() <= SAME
                && (last.offset - plane.offset).abs() <= SAME * size
        });
        if !is_same {
            planes.push(plane);
        }
    }
}

/// The plane over which the lowest of some points is the highest.
fn farthest(planes: &[OuterPlane], corners: &[DVec3; 3]) -> usize {
    let (mut best, mut found) = (f64::NEG_INFINITY, usize::MAX);
    for (index, plane) in planes.iter().enumerate() {
        let mut lowest = f64::INFINITY;
        for corner in corners {
            let height = plane.normal.dot(*corner) - plane.offset;
            lowest = if height < lowest { height } else { lowest };
            // Of most planes the first corner is lower already.
            if lowest <= best {
                break;
            }
        }
        if lowest > best {
            (best, found) = (lowest, index);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Mesh, Mode, ScaledPose, verdict};
    use impinge_geom::{Pose, Verdict};

    /// A plate with a square hole, or none, drawn out from one height to another.
    fn plate(half: f64, hole: f64, [low, high]: [f64; 2]) -> Mesh {
        let square = |half: f64, z: f64| {
            [[-half, -half, z], [half, -half, z], [half, half, z], [-half, half, z]]
        };
        let mut vertices = [square(half, low), square(half, high)].concat();
        let mut faces: Vec<[u32; 3]> = Vec::new();
        let mut side = |[a, b, c, d]: [u32; 4]| faces.extend([[a, b, c], [a, c, d]]);
        for k in 0..4 {
            let next = (k + 1) % 4;
            side([k, next, next + 4, k + 4]);
            if hole > 0.0 {
                side([8 + next, 8 + k, k + 12, next + 12]);
                side([next, k, 8 + k, 8 + next]);
                side([4 + k, 4 + next, 12 + next, 12 + k]);
            }
        }
        if hole > 0.0 {
            vertices.extend([square(hole, low), square(hole, high)].concat());
        } else {
            side([3, 2, 1, 0]);
            side([4, 5, 6, 7]);
        }
        Mesh::new(&vertices, &faces).unwrap()
    }

    #[test]
    fn a_pin_of_the_size_of_its_hole_is_free() {
        let scratch = &mut Scratch::default();
        let here: ScaledPose = Pose::IDENTITY.into();
        let bored = plate(3.0, 1.0, [0.0, 1.0]);
        let cases = [
            (1.0, [-1.0, 2.0], true, Verdict::Touching),
            (1.0, [0.0, 1.0], true, Verdict::Touching),
            (1.0f64.next_up(), [-1.0, 2.0], false, Verdict::Penetrating),
            (1.0f64.next_up(), [1.0, 2.0], true, Verdict::Touching),
            (2.0, [0.25, 0.5], false, Verdict::Penetrating),
        ];
        for (half, ends, expected, meet) in cases {
            let pin = plate(half, 0.0, ends);
            assert!(pin.star().is_some_and(|star| star.is_convex));
            assert!(bored.star().is_none());
            let placed = [Placed::here(&bored), Placed::there(&pin, &here)];
            assert_eq!(is_free(&placed, scratch), expected, "{half} {ends:?}");
            assert_eq!(is_free(&[placed[1], placed[0]], scratch), expected, "{half} {ends:?}");
            let found = verdict(&bored, &pin, &here, Mode::Solid, scratch).verdict;
            assert_eq!(found, meet, "{half} {ends:?}");
        }
        // One inside the other, its faces flush with those around it.
        let (inner, outer) = (plate(1.0, 0.0, [0.0, 1.0]), plate(3.0, 0.0, [0.0, 1.0]));
        assert!(!is_free(&[Placed::here(&inner), Placed::here(&outer)], scratch));
        // A pin that was turned is a little askew: nothing is said of it, and the pairs decide.
        let turned = Pose::from_axis_angle([0.0, 0.0, 1.0], 0.3, [0.0; 3]).unwrap().into();
        let pin = plate(1.0, 0.0, [0.0, 1.0]);
        assert!(!is_free(&[Placed::here(&bored), Placed::there(&pin, &turned)], scratch));
    }
}
