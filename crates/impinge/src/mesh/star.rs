//! Solids that one point sees all of: boxes, prisms, cylinders and whatever else is convex are told at a glance, without a search for faces that meet.
//!
//! Let o be a point that is strictly behind every face, or strictly in front of every one, let every edge have two faces that run along it in opposite directions,
//! and let the winding number of o be 1 or −1. Seen from o the faces are triangles of the sphere that all turn alike, so that as many of them cover almost any
//! direction as the winding number says: one. Their insides are disjoint, then; on both sides of an edge its own two faces are all that is seen, and around a corner one ring of
//! faces. So no face meets another one beyond the corners and edges that they share: all are clean, and the solid is what they enclose, on one side of each.
//!
//! If besides at no edge one face rises over the plane of the other, the solid is convex in a neighbourhood of each of its points, and so convex (Tietze and
//! Nakajima, 1928).

use super::boundary::Filled;
use super::column::Placed;
use super::topology::Sides;
use super::winding::winding_of;
use super::{Mesh, Scratch, Winding};
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::predicate::orient3d;

/// What is known of a solid that one point sees all of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Star {
    /// That point, strictly inside.
    pub(super) center: DVec3,
    /// On which side of every face the solid is.
    pub(super) filled: Filled,
    /// All of it is behind the plane of every face.
    pub(super) is_convex: bool,
}

impl<B: Bound> Mesh<B> {
    /// What is known of the mesh if the mean of its vertices sees all of it; found on the first call and kept.
    pub(super) fn star(&self) -> Option<Star> {
        *self.lazy.star.get_or_init(|| star(self))
    }
}

fn star<B: Bound>(mesh: &Mesh<B>) -> Option<Star> {
    let (mut sum, mut count) = (DVec3::ZERO, 0.0);
    for vertex in mesh.used_vertices() {
        sum += vertex;
        count += 1.0;
    }
    let center = sum / count;
    let mut sides = (0..mesh.triangles.len() as u32).map(|face| {
        let [a, b, c] = mesh.corners(face);
        orient3d(a, b, c, center)
    });
    let side = sides.next().filter(|side| *side != 0)?;
    if !center.is_finite() || sides.any(|other| other != side) {
        return None;
    }
    let faces = mesh.welded_faces();
    let sides = Sides::new(faces.iter().copied());
    let is_pair = |edge: &[super::topology::Side]| matches!(edge, [one, two] if one.forward != two.forward && one.face != two.face);
    if !sides.edges().all(is_pair) {
        return None;
    }
    let winding = winding_of(&Placed::here(mesh), center, &mut Scratch::default());
    if !matches!(winding, Winding::Number(1 | -1)) {
        return None;
    }
    let is_convex = sides.edges().all(|edge| {
        let &[one, two] = edge else { return false };
        let [a, b, c] = mesh.corners(one.face);
        let ends = edge[0].ends;
        let corners = faces.get(two.face as usize).copied().unwrap_or_default();
        let opposite = (0..3).find(|&k| !ends.contains(&corners[k]));
        opposite.is_some_and(|k| orient3d(a, b, c, mesh.corners(two.face)[k]) * side >= 0)
    });
    let filled = Filled { front: side < 0, back: side > 0 };
    Some(Star { center, filled, is_convex })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A prism about the z axis, closed by fans about the middles of its ends; its outline goes round `turns` times.
    fn prism(radii: &[f64], turns: f64) -> Mesh {
        let n = radii.len() as u32;
        let mut vertices = vec![[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]];
        for z in [-1.0, 1.0] {
            vertices.extend(radii.iter().enumerate().map(|(k, radius)| {
                let angle = std::f64::consts::TAU * turns * k as f64 / f64::from(n);
                [radius * angle.cos(), radius * angle.sin(), z]
            }));
        }
        let mut faces = Vec::new();
        for k in 0..n {
            let (own, next) = (2 + k, 2 + (k + 1) % n);
            faces.extend([[0, next, own], [1, own + n, next + n]]);
            faces.extend([[own, next, next + n], [own, next + n, own + n]]);
        }
        Mesh::new(&vertices, &faces).unwrap()
    }

    #[test]
    fn stars_are_told_from_what_overlaps_itself() {
        let square = prism(&[1.0; 4], 1.0);
        let star = square.star().unwrap();
        assert!(star.filled.back && !star.filled.front);
        let notched = prism(&[2.0, 1.0, 2.0, 1.0, 2.0, 1.0], 1.0).star().unwrap();
        assert!(!notched.is_convex);
        // Its five points are gone round twice: every face is seen from behind, and overlaps others.
        assert!(prism(&[1.0; 5], 2.0).star().is_none());
        let corners = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
        let outward = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let solid: Mesh = Mesh::new(&corners, &outward).unwrap();
        assert!(solid.star().unwrap().is_convex);
        let turned: Mesh = Mesh::new(&corners, &outward.map(|[a, b, c]| [a, c, b])).unwrap();
        let star = turned.star().unwrap();
        assert!(star.is_convex && star.filled.front && !star.filled.back);
        // Two solids apart: one of them does not have the middle of both behind its faces.
        let beside = corners.map(|p| p.map(|x| x + 9.0));
        let apart = [outward, outward.map(|face| face.map(|k| k + 4))].concat();
        let apart: Mesh = Mesh::new(&[corners, beside].concat(), &apart).unwrap();
        assert!(apart.is_closed() && apart.star().is_none());
        let twice: Vec<[u32; 3]> = [outward, outward].concat();
        assert!(Mesh::<impinge_geom::bound::Obb>::new(&corners, &twice).unwrap().star().is_none());
    }
}
