//! Whether a face of a closed mesh bounds the solid, by what is near it: most pairs of solids need no more of their boundaries.
//!
//! Around a point in front of a face that has no other face near it, space is parted by that face alone, so that the winding number there tells both sides:
//! behind the face it is one more.

use super::boundary::{filled_of, is_one_sided};
use super::column::Placed;
use super::self_intersection::meet_improperly;
use super::winding::winding_of;
use super::{Mesh, Scratch, Winding};
use impinge_geom::DAabb;
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::predicate::{are_collinear, orient3d};
use impinge_geom::triangle::closest_point;
use std::ops::ControlFlow;

/// Faces near a face beyond which all of the boundary is found at once: those about a vertex that thousands share are not compared one by one.
const MOST_NEAR: usize = 256;
/// Faces of a mesh up to which the whole of it is looked at first, from its middle: for one face that takes longer.
const SMALL: usize = 256;
/// How far in front of a face a point is taken, in units in the last place of the largest coordinate: well above the rounding of distances, and a quarter of
/// the radius that must be free of other faces.
const IN_FRONT: f64 = 64.0;

/// What is near a face.
enum Near {
    /// Too much to look at it here.
    Crowd,
    /// The face has no area, or another face meets it beyond the corners and edges that they share.
    Loose,
    /// It is clean. No other face and none of its edges is near the point in front of its middle, if there is one.
    Clean(Option<DVec3>),
}

impl<B: Bound> Mesh<B> {
    /// True if a face of a closed mesh is clean, and the solid is on one side of it alone. Unless all of the boundary is known already, only what is near the
    /// face is looked at: most pairs of solids need no more of it.
    pub(super) fn is_border(&self, face: u32, scratch: &mut Scratch) -> bool {
        if self.lazy.boundary.get().is_some() {
            return self.boundary().filled(face).is_some_and(is_one_sided);
        }
        if self.triangles.len() <= SMALL && self.star().is_some() {
            return true;
        }
        let placed = Placed::here(self);
        match self.look_around(face, scratch) {
            Near::Crowd => self.boundary().filled(face).is_some_and(is_one_sided),
            Near::Loose => false,
            Near::Clean(in_front) => {
                let winding = in_front.map(|point| winding_of(&placed, point, scratch));
                match winding {
                    // Behind the face it is one more.
                    Some(Winding::Number(front)) => front == 0 || front == -1,
                    _ => is_one_sided(filled_of(&placed, face, scratch)),
                }
            }
        }
    }

    fn look_around(&self, face: u32, scratch: &mut Scratch) -> Near {
        let corners @ [a, b, c] = self.corners(face);
        if are_collinear(a, b, c) {
            return Near::Loose;
        }
        let whole = self.bounds();
        let way = IN_FRONT * f64::EPSILON * whole.low.abs().max(whole.high.abs()).max_element();
        let middle = a / 3.0 + b / 3.0 + c / 3.0;
        let point = middle + (b - a).cross(c - a).normalize_or_zero() * way;
        let is_far =
            |triangle: &[DVec3; 3]| closest_point(triangle, point).0.distance(point) > 4.0 * way;
        let mut free = way > f64::MIN_POSITIVE / f64::EPSILON
            && [[a, b, b], [b, c, c], [c, a, a]].iter().all(is_far)
            && orient3d(a, b, c, point) < 0;
        let bounds = DAabb::of_points(corners);
        let grown = bounds.grown(8.0 * way);
        let (mut count, mut clean) = (0, true);
        let placed = Placed::here(self);
        placed.within((grown.low, grown.high), &mut scratch.places, |mesh, leaf| {
            for &other in mesh.tree.leaf(leaf).iter().filter(|&&other| other != face) {
                let others = mesh.corners(other);
                let around = DAabb::of_points(others);
                if !around.overlaps(&grown) {
                    continue;
                }
                count += 1;
                clean = !(around.overlaps(&bounds) && meet_improperly(&corners, &others));
                if !clean || count > MOST_NEAR {
                    return ControlFlow::Break(());
                }
                free = free && is_far(&others);
            }
            ControlFlow::Continue(())
        });
        match (clean, count > MOST_NEAR) {
            (false, _) => Near::Loose,
            (true, true) => Near::Crowd,
            (true, false) => Near::Clean(free.then_some(point)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::boundary::Boundary;

    /// Boxes in one mesh, by their corners, two triangles for each side.
    fn boxes(list: &[[[f64; 3]; 2]]) -> Mesh {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for [low, high] in list {
            let first = vertices.len() as u32;
            for k in 0..8 {
                let side = |axis: usize| if k >> axis & 1 == 1 { high[axis] } else { low[axis] };
                vertices.push([side(0), side(1), side(2)]);
            }
            let sides = [
                [0, 2, 3, 1],
                [4, 5, 7, 6],
                [0, 1, 5, 4],
                [2, 6, 7, 3],
                [0, 4, 6, 2],
                [1, 3, 7, 5],
            ];
            for [a, b, c, d] in sides {
                triangles.extend([[a, b, c], [a, c, d]].map(|face| face.map(|k: u32| first + k)));
            }
        }
        Mesh::new(&vertices, &triangles).unwrap()
    }

    /// A cone with the given number of sides, and a spike through some of them.
    fn pierced_cone(sides: u32) -> Mesh {
        let rim = |k: u32| {
            let turn = f64::from(k) / f64::from(sides) * 4.0;
            // Around a square: no functions of angles are needed.
            let along = turn.fract() * 2.0 - 1.0;
            match turn as u32 {
                0 => [along, -1.0, 0.0],
                1 => [1.0, along, 0.0],
                2 => [-along, 1.0, 0.0],
                _ => [-1.0, -along, 0.0],
            }
        };
        let mut vertices: Vec<[f64; 3]> = (0..sides).map(rim).collect();
        vertices.extend([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]);
        let mut triangles = Vec::new();
        for k in 0..sides {
            let next = (k + 1) % sides;
            triangles.extend([[k, next, sides], [next, k, sides + 1]]);
        }
        let first = vertices.len() as u32;
        vertices.extend([[0.3, 0.2, 0.2], [0.9, 0.3, 0.9], [0.9, 0.2, 0.9], [0.8, 0.3, 0.9]]);
        triangles.extend(
            [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]].map(|face| face.map(|k| first + k)),
        );
        Mesh::new(&vertices, &triangles).unwrap()
    }

    #[test]
    fn near_a_face_is_found_what_the_whole_boundary_says() {
        let unit = [[0.0; 3], [1.0; 3]];
        let meshes = [
            boxes(&[unit]),
            // Crossing, one inside, flush, twice in one place, and flat.
            boxes(&[unit, [[0.5, 0.25, 0.25], [2.0, 0.75, 0.75]], [[3.0; 3], [4.0; 3]]]),
            boxes(&[[[0.0; 3], [4.0; 3]], [[1.0; 3], [2.0; 3]]]),
            boxes(&[unit, [[1.0, 0.0, 0.0], [2.0, 1.0, 1.0]], [[0.0, 0.0, 1.0], [0.5, 0.5, 2.0]]]),
            boxes(&[unit, unit, [[9.0, 0.0, 0.0], [9.0, 1.0, 1.0]]]),
            pierced_cone(40),
            pierced_cone(800),
        ];
        let (mut borders, mut others) = (0, 0);
        for mesh in meshes {
            assert!(mesh.is_closed());
            let boundary: &Boundary = mesh.boundary();
            let count = mesh.triangles.len();
            for face in (0..count as u32).step_by(1 + count / 100) {
                // Too many near may have filled in the whole boundary, which then answers.
                let fresh = Mesh { lazy: Default::default(), ..mesh.clone() };
                let expected = boundary.filled(face).is_some_and(is_one_sided);
                assert_eq!(fresh.is_border(face, &mut Scratch::default()), expected, "{face}");
                borders += u32::from(expected);
                others += u32::from(!expected);
            }
        }
        assert!(borders > 100 && others > 30, "{borders} {others}");
    }
}
