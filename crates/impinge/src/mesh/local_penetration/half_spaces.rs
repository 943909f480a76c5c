//! Is a mesh a convex solid, and between which planes?
//!
//! A closed mesh is convex if all its vertices lie behind the plane of every face, as seen from outside. Its faces then lie on the surface of the
//! polytope P between these planes. On that surface, a sphere, they form a cycle: it covers every point equally often, and at least once, since all faces
//! look outwards. So the solid is P. Where the planes bound no solid, because P is flat or open, no such cycle exists or the thickness is zero.

use super::cell::Plane;
use crate::mesh::Mesh;
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use impinge_geom::number::tolerance::UNIT_ROUNDOFF;
use std::sync::Arc;

/// Faces of a mesh that is asked, at most: the answer takes as long as their number times that of the vertices.
const MOST_FACES: usize = 2048;
/// Vertices may lie this far before a plane, and planes this close together are one, in units in the last place of the largest coordinate: rounding.
const ROUNDINGS: f64 = 16.0;
/// A solid is thicker than this, in the same units.
const THICKNESS: f64 = 1e6;

impl<B: Bound> Mesh<B> {
    /// The planes of the faces, their normals outwards, if the mesh is a convex solid up to rounding. Found on the first call and kept.
    pub(super) fn half_spaces(&self) -> Option<&[Plane]> {
        self.lazy.half_spaces.get_or_init(|| half_spaces(self).map(Arc::from)).as_deref()
    }
}

fn half_spaces<B: Bound>(mesh: &Mesh<B>) -> Option<Vec<Plane>> {
    if mesh.triangles.len() > MOST_FACES || mesh.triangles.len() < 4 || !mesh.is_closed() {
        return None;
    }
    let vertices: Vec<DVec3> = mesh.used_vertices().collect();
    let bounds = mesh.bounds();
    let ulp = UNIT_ROUNDOFF * bounds.low.abs().max(bounds.high.abs()).max_element();
    let (margin, thickness) = (ROUNDINGS * ulp, THICKNESS * ulp);
    let size = (bounds.high - bounds.low).length();
    let mut planes: Vec<Plane> = Vec::new();
    let mut outwards: Option<bool> = None;
    for face in 0..mesh.triangles.len() as u32 {
        let corners = mesh.corners(face);
        let plane = Plane::of_triangle(&corners)?;
        let outer = if outwards == Some(false) { plane.turned() } else { plane };
        let is_known = |other: &Plane| {
            let height = other.height(corners[0]).abs();
            height + (other.normal - outer.normal).length() * size <= margin
        };
        if planes.iter().any(is_known) {
            continue;
        }
        let [low, high] = vertices.iter().fold([0.0f64; 2], |[low, high], p| {
            let height = plane.height(*p);
            [low.min(height), high.max(height)]
        });
        let looks_out = match (high <= margin, low >= -margin) {
            (true, false) if low < -thickness => true,
            (false, true) if high > thickness => false,
            _ => return None,
        };
        if *outwards.get_or_insert(looks_out) != looks_out {
            return None;
        }
        planes.push(if looks_out { plane } else { plane.turned() });
    }
    Some(planes)
}
