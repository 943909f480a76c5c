//! Certificates that two solids whose surfaces meet have no inner point in common, by the signs of corners over planes of faces: nothing is cut.
//!
//! 1. The plane of one of the faces that meet has one mesh on each side: most faces that are drawn flush.
//! 2. Nowhere does the surface of one, X, enter the other, Y, from where they meet. Then the layer just below Y's surface is free of X's surface, so that each
//!    of its patches lies in X or outside as a whole, which one vertex tells. Faces that were drawn flush and then turned are bent by rounding, and no plane
//!    is between them; but where they meet the planes of single faces are.
//!
//! That no face f of X enters Y near a face g that it meets follows from one of these; `docs/maths/solid-verdict.md` has the proof.
//!
//! * f is a face of Y as well;
//! * f does not reach below the plane of g;
//! * it does not reach below the plane of a neighbour of g, below which g does: they meet at most along the edge of both, where Y is convex;
//! * they meet in a corner of g alone, or along edges there, and some face around it has all of Y around that corner on one side, and f on the other.

use super::adjacency::Adjacency;
use super::boundary::{Boundary, is_one_sided};
use super::column::Placed;
use super::winding::winding_of;
use super::{Scratch, Winding};
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::predicate::{PlaneSide, orient3d};
use impinge_geom::triangle::{self, TriangleVerdict};

/// Faces of each mesh whose planes are tried.
const PLANES: usize = 8;
/// Faces of a patch of which corners are tried.
const MOST_TRIED: usize = 16;
/// Faces around a corner beyond which no plane is looked for there: every one is asked about every other.
const MOST_AROUND: usize = 128;
/// True if the plane of one of some faces that meet has one mesh on each side, both of them perhaps with points in it: then no inner point is common. Exact.
pub(super) fn by_one_face<B: Bound>(placed: &[Placed<'_, B>; 2], pairs: &[[u32; 2]]) -> bool {
    let step = (pairs.len() / PLANES).max(1);
    pairs.iter().step_by(step).take(PLANES).any(|pair| by_plane_of(placed, *pair))
}

/// True if the plane of one of two faces that meet has one mesh on each side.
pub(super) fn by_plane_of<B: Bound>(placed: &[Placed<'_, B>; 2], pair: [u32; 2]) -> bool {
    [0, 1].into_iter().any(|own| {
        let face = placed[own].corners(pair[own]);
        let own_side = side_of_all(&placed[own], &face);
        // Without a side the face has no area, or the mesh is flat.
        own_side.is_some_and(|own_side| {
            let other_side = side_of_all(&placed[1 - own], &face);
            own_side != 0 && other_side.is_some_and(|side| side != own_side)
        })
    })
}

/// The side of a face's plane on which all vertices of a mesh lie that are not in it: zero if all are, none if they lie on both.
fn side_of_all<B: Bound>(placed: &Placed<'_, B>, face: &[DVec3; 3]) -> Option<i32> {
    let plane = PlaneSide::new(*face);
    if !placed.is_as_stored() {
        return common_side(placed, &plane, |vertex| plane.filter(vertex));
    }
    let bounds = placed.mesh.bounds();
    if let Some(sides) = plane.sides_of_box(&bounds) {
        return (sides != [true; 2]).then_some(i32::from(sides[1]) - i32::from(sides[0]));
    }
    let error = plane.error_within(&bounds);
    common_side(placed, &plane, |vertex| {
        let height = plane.height(vertex);
        (height.abs() > error).then_some(if height > 0.0 { 1 } else { -1 })
    })
}

/// The side of a plane on which all vertices of a mesh lie that are not in it. `sure` tells the side where f64 can.
fn common_side<B: Bound>(
    placed: &Placed<'_, B>,
    plane: &PlaneSide,
    sure: impl Fn(DVec3) -> Option<i32>,
) -> Option<i32> {
    let (mut common, mut is_unsure) = (0, false);
    let mut fits = |side: i32| {
        let fits = side == 0 || common == 0 || side == common;
        common = if side == 0 { common } else { side };
        fits
    };
    // Nothing is asked exactly before f64 has told what it can.
    let is_one_sided = placed.all_vertices(|vertex| match sure(vertex) {
        Some(side) => fits(side),
        None => {
            is_unsure = true;
            true
        }
    });
    let mut settled = |vertex| sure(vertex).is_some() || fits(plane.side(vertex));
    (is_one_sided && (!is_unsure || placed.all_vertices(&mut settled))).then_some(common)
}

/// True if faces around the places where two closed meshes meet show that no inner point is common. `pairs` are all faces that meet, and none of them are
/// known to cross. Exact, and silent where a face bounds nothing or meets others of its own mesh.
pub(super) fn by_many_faces<B: Bound>(
    placed: &[Placed<'_, B>; 2],
    pairs: &mut [[u32; 2]],
    scratch: &mut Scratch,
) -> bool {
    // First the one of fewer faces is entered or not: it alone must be known.
    let [a, b] = placed.map(|placed| placed.mesh.triangles.len());
    let order = if a < b { [1, 0] } else { [0, 1] };
    !pairs.is_empty() && order.into_iter().any(|own| is_not_entered(placed, own, pairs, scratch))
}

/// True if mesh `own`, X, does not enter the other one, Y, and is not below its faces.
fn is_not_entered<B: Bound>(
    placed: &[Placed<'_, B>; 2],
    own: usize,
    pairs: &mut [[u32; 2]],
    scratch: &mut Scratch,
) -> bool {
    let [x, y] = [placed[own], placed[1 - own]];
    let of_y = y.mesh.boundary();
    if !is_plain(of_y) {
        return false;
    }
    pairs.sort_unstable_by_key(|pair| [pair[own], pair[1 - own]]);
    let host = Host::new(y, of_y);
    let mut groups = pairs.chunk_by(|first, second| first[own] == second[own]);
    let keeps_out = groups.all(|group| {
        let face = x.corners(group[0][own]);
        host.keeps_out(&face, group.iter().map(|pair| pair[1 - own]))
    });
    keeps_out && parts_are_outside(&x, pairs.iter().map(|pair| pair[own]), &y, scratch) && {
        pairs.sort_unstable_by_key(|pair| pair[1 - own]);
        layers_are_outside(&y, of_y, pairs.iter().map(|pair| pair[1 - own]), &x, scratch)
    }
}

/// The solid between two faces at an edge that no other face has.
pub(super) struct Wedge {
    faces: [u32; 2],
    /// The corners opposite the edge.
    pub(super) ends: [DVec3; 2],
}

/// True if all faces are clean and bound the solid.
pub(super) fn is_plain(boundary: &Boundary) -> bool {
    boundary.loose.is_empty() && boundary.patches.iter().all(|patch| is_one_sided(patch.filled))
}

/// A solid of which all faces are clean and bound it, and what is on the sides of its faces.
pub(super) struct Host<'m, B: Bound> {
    y: Placed<'m, B>,
    boundary: &'m Boundary,
    neighbours: &'m Adjacency,
}

impl<'m, B: Bound> Host<'m, B> {
    pub(super) fn new(y: Placed<'m, B>, boundary: &'m Boundary) -> Self {
        Self { y, boundary, neighbours: y.mesh.adjacency() }
    }

    pub(super) fn corners(&self, face: u32) -> [DVec3; 3] {
        self.y.corners(face)
    }

    /// The faces around corner k of a face; none if there are many.
    pub(super) fn around(&self, face: u32, k: usize) -> &'m [u32] {
        let around = self.neighbours.at_corner(face, k);
        if around.len() > MOST_AROUND { &[] } else { around }
    }

    /// True if a triangle does not enter from any of the faces that it meets.
    fn keeps_out(&self, face: &[DVec3; 3], mut met: impl Iterator<Item = u32> + Clone) -> bool {
        let is_face = |other: u32| self.y.corners(other).iter().all(|p| face.contains(p));
        met.clone().any(is_face)
            || met.all(|other| {
                self.is_outer(face, other)
                    || (0..3).any(|k| self.is_beyond_edge(face, other, k))
                    || (0..3).any(|k| self.is_beyond_corner(face, other, k))
            })
    }

    /// On which side of a face's plane a point lies: 1 where the solid is, 0 in the plane.
    fn side(&self, face: u32, point: DVec3) -> i32 {
        let [p, q, r] = self.y.corners(face);
        orient3d(p, q, r, point) * self.turn(face)
    }

    /// 1 if the solid is behind a face, else -1.
    fn turn(&self, face: u32) -> i32 {
        if self.is_below(face) { 1 } else { -1 }
    }

    /// True if the solid is behind a face.
    pub(super) fn is_below(&self, face: u32) -> bool {
        self.boundary.filled(face).is_some_and(|filled| filled.back)
    }

    /// The wedge at edge k of a face; none if more than two faces have the edge.
    pub(super) fn wedge(&self, face: u32, k: usize) -> Option<Wedge> {
        let &[first, second] = self.neighbours.at_edge(face, k) else { return None };
        let neighbour = if first == face { second } else { first };
        let corners = self.y.corners(face);
        let ends = [corners[k], corners[(k + 1) % 3]];
        let opposite = self.y.corners(neighbour).into_iter().find(|p| !ends.contains(p))?;
        Some(Wedge { faces: [face, neighbour], ends: [corners[(k + 2) % 3], opposite] })
    }

    /// Whether the half-plane from a wedge's edge through a point is inside of the wedge; none if it is that of one of its faces.
    pub(super) fn holds(&self, wedge: &Wedge, point: DVec3) -> Option<bool> {
        let sides = wedge.faces.map(|face| self.side(face, point));
        // Convex, reflex, or flat: with both faces in one plane.
        let turn = self.side(wedge.faces[0], wedge.ends[1]);
        if turn > 0 {
            match sides {
                [1, 1] => Some(true),
                _ if sides.contains(&-1) => Some(false),
                _ => None,
            }
        } else if turn < 0 {
            match sides {
                [-1, -1] => Some(false),
                _ if sides.contains(&1) => Some(true),
                _ => None,
            }
        } else {
            (sides[0] != 0).then_some(sides[0] > 0)
        }
    }

    /// True if a triangle does not reach below a face's plane.
    fn is_outer(&self, triangle: &[DVec3; 3], face: u32) -> bool {
        let ([p, q, r], turn) = (self.y.corners(face), self.turn(face));
        triangle.iter().all(|point| orient3d(p, q, r, *point) * turn <= 0)
    }

    /// True if a triangle meets a face at most along edge k, where the solid is convex, and is outside of the solid there.
    fn is_beyond_edge(&self, triangle: &[DVec3; 3], face: u32, k: usize) -> bool {
        let &[first, second] = self.neighbours.at_edge(face, k) else { return false };
        let neighbour = if first == face { second } else { first };
        let corners = self.y.corners(face);
        self.side(neighbour, corners[(k + 2) % 3]) > 0
            && self.is_outer(triangle, neighbour)
            && [k, (k + 1) % 3].into_iter().all(|end| self.is_outside_at(triangle, face, end))
    }

    /// True if a triangle meets a face at most in corner k and along one edge there, and is outside of the solid there.
    fn is_beyond_corner(&self, triangle: &[DVec3; 3], face: u32, k: usize) -> bool {
        let corners = self.y.corners(face);
        self.supports(triangle, face, k).any(|plane| {
            let others = [(k + 1) % 3, (k + 2) % 3];
            let is_left = |end: usize| self.side(plane, corners[end]) > 0;
            others.into_iter().any(is_left)
                && others
                    .into_iter()
                    .all(|end| is_left(end) || self.is_outside_at(triangle, face, end))
        })
    }

    /// True if a triangle does not hold corner k of a face, or a plane parts it from the solid there.
    fn is_outside_at(&self, triangle: &[DVec3; 3], face: u32, k: usize) -> bool {
        let corner = self.y.corners(face)[k];
        let holds = triangle.contains(&corner)
            || triangle::verdict(triangle, &[corner; 3]) != TriangleVerdict::Separated;
        !holds || self.supports(triangle, face, k).next().is_some()
    }

    /// The faces around corner k of a face that have the solid there below their planes, and a triangle not below.
    fn supports(&self, triangle: &[DVec3; 3], face: u32, k: usize) -> impl Iterator<Item = u32> {
        let around = self.around(face, k);
        around
            .iter()
            .copied()
            .filter(move |&plane| self.is_outer(triangle, plane) && self.is_under(around, plane))
    }

    /// True if no corner of some faces is above the plane of one.
    fn is_under(&self, faces: &[u32], plane: u32) -> bool {
        let (turn, plane) = (self.turn(plane), PlaneSide::new(self.y.corners(plane)));
        let is_under = |p: DVec3| plane.side(p) * turn >= 0;
        faces.iter().all(|face| self.y.corners(*face).into_iter().all(is_under))
    }

    /// True if the plane of some face around corner k of a face has all of them on one side, and faces of another solid on the other.
    pub(super) fn has_plane_to(&self, face: u32, k: usize, other: &Self, others: &[u32]) -> bool {
        let around = self.around(face, k);
        !others.is_empty()
            && around.iter().any(|&plane| {
                others.iter().all(|face| self.is_outer(&other.corners(*face), plane))
                    && self.is_under(around, plane)
            })
    }

    /// True if the faces around corner k of a face hang together in one ring.
    pub(super) fn is_one_fan(&self, face: u32, k: usize) -> bool {
        let count = self.neighbours.at_corner(face, k).len();
        let center = self.y.corners(face)[k];
        let (mut current, mut edge) = (face, k);
        for passed in 1..=count {
            // Over the edge from the corner to the next one of this face, or, in a face of the other sense, from the one before.
            let &[first, second] = self.neighbours.at_edge(current, edge) else { return false };
            let from = self.y.corners(current);
            let ends = [from[edge], from[(edge + 1) % 3]];
            let next = if first == current { second } else { first };
            let corners = self.y.corners(next);
            let Some(own) = corners.iter().position(|p| *p == center) else { return false };
            // The other edge of the next face at the corner.
            let ahead = corners[(own + 1) % 3];
            edge = if ends.contains(&ahead) { (own + 2) % 3 } else { own };
            current = next;
            if current == face {
                return passed == count;
            }
        }
        false
    }
}

/// True if no part of X's surface that does not meet Y's is inside of Y. `met` are the faces of X that do, ascending.
pub(super) fn parts_are_outside<B: Bound>(
    x: &Placed<'_, B>,
    mut met: impl Iterator<Item = u32>,
    y: &Placed<'_, B>,
    scratch: &mut Scratch,
) -> bool {
    if x.mesh.first_of_each_part().len() == 1 && met.next().is_some() {
        return true;
    }
    let boundary = x.mesh.boundary();
    let mut meets = vec![false; boundary.parts];
    for face in met {
        if let Some(meets) = boundary.part_of(face).and_then(|part| meets.get_mut(part)) {
            *meets = true;
        }
    }
    if meets.iter().all(|meets| *meets) {
        return true;
    }
    x.mesh.first_of_each_part().iter().all(|&face| {
        let part = boundary.part_of(face);
        part.is_some_and(|part| meets.get(part) == Some(&true))
            || !winding_of(y, x.corners(face)[0], scratch).is_inside()
    })
}

/// True if just below no patch of Y's surface is a point of X. `met` are the faces of Y that meet X, ascending. A vertex on X's surface does not tell.
fn layers_are_outside<B: Bound>(
    y: &Placed<'_, B>,
    boundary: &Boundary,
    met: impl Iterator<Item = u32>,
    x: &Placed<'_, B>,
    scratch: &mut Scratch,
) -> bool {
    let mut met = met.peekable();
    let mut left = boundary.patches.len();
    let mut known = vec![false; left];
    for face in 0..y.mesh.triangles.len() as u32 {
        while met.next_if(|other| *other < face).is_some() {}
        let Some(known) = known.get_mut(boundary.patch_of(face) as usize) else { continue };
        if *known || met.peek() == Some(&face) {
            continue;
        }
        match winding_of(x, y.corners(face)[0], scratch) {
            Winding::Number(0) => {}
            _ => return false,
        }
        *known = true;
        left -= 1;
        if left == 0 {
            return true;
        }
    }
    // Every face of some patch meets X: corners that X's surface does not hold tell as well.
    let is_told = |patch: usize, scratch: &mut Scratch| {
        let mut faces = (0..y.mesh.triangles.len() as u32)
            .filter(|face| boundary.patch_of(*face) as usize == patch)
            .take(MOST_TRIED);
        faces.find_map(|face| {
            y.corners(face).into_iter().find_map(|p| match winding_of(x, p, scratch) {
                Winding::Number(number) => Some(number == 0),
                _ => None,
            })
        })
    };
    (0..known.len()).all(|patch| known[patch] || is_told(patch, scratch) == Some(true))
}
