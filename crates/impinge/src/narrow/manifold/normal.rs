//! Normals that a mesh can have: no ghosts at edges inside of a flat or hollow surface.
//!
//! A triangle taken alone has edges and corners all around, and something that slides over a floor of triangles is held up by edges that
//! no one can feel. The surface as a whole has a normal n at a point only if nothing of it around that point rises along n: at an edge the
//! faces that share it, at a corner all faces around it. That is the polar cone of the surface there, the set of normals of the
//! Voronoi region of the edge or corner.

use crate::mesh::{Adjacency, Mesh, Mode};
use crate::query::MeshRef;
use impinge_geom::glam::DVec3;
use impinge_geom::number::tolerance::{OVER_TRIANGLE, RISING, TRIANGLE_NORMAL};

/// What a normal is to a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// That of the face, up to rounding; here it is as it should be.
    Face(DVec3),
    /// One that an edge or a corner of the surface has.
    Feature,
    /// One that only the triangle alone has, not the surface.
    Ghost,
    /// Into the solid.
    Back,
}

/// A mesh with its neighbourhoods.
#[derive(Clone, Copy)]
pub(super) struct Skin<'m> {
    pub(super) mesh: &'m Mesh,
    adjacency: &'m Adjacency,
    pub(super) solid: bool,
}

impl<'m> Skin<'m> {
    pub(super) fn new(part: MeshRef<'m>) -> Self {
        let mesh = part.mesh();
        // Without an inside there is no back.
        let solid = part.mode() == Mode::Solid && mesh.is_closed();
        Self { mesh, adjacency: mesh.adjacency(), solid }
    }

    /// The normal of a face; none if it has no area.
    pub(super) fn face_normal(&self, face: u32) -> Option<DVec3> {
        let [a, b, c] = self.mesh.corners(face);
        (b - a).cross(c - a).try_normalize()
    }

    /// What a normal out of the surface is at a face.
    pub(super) fn judge(&self, face: u32, normal: DVec3) -> Kind {
        let Some(flat) = self.face_normal(face) else { return Kind::Feature };
        let cosine = normal.dot(flat);
        if cosine >= TRIANGLE_NORMAL {
            return Kind::Face(flat);
        }
        if cosine <= -TRIANGLE_NORMAL {
            return if self.solid { Kind::Back } else { Kind::Face(-flat) };
        }
        let corners = self.mesh.corners(face);
        let heights = corners.map(|corner| normal.dot(corner));
        let size = (corners[1] - corners[0]).length().max((corners[2] - corners[0]).length());
        let top = heights.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let is_top = heights.map(|height| height >= top - RISING * size);
        let ghost = match is_top {
            [true, true, true] => false,
            [true, true, false] => self.rises_at_edge(face, 0, normal),
            [false, true, true] => self.rises_at_edge(face, 1, normal),
            [true, false, true] => self.rises_at_edge(face, 2, normal),
            [true, false, false] => self.rises_at_corner(face, 0, normal),
            [false, true, false] => self.rises_at_corner(face, 1, normal),
            [false, false, true] => self.rises_at_corner(face, 2, normal),
            [false, false, false] => true,
        };
        if ghost { Kind::Ghost } else { Kind::Feature }
    }

    /// Does a face at this edge rise along the normal?
    fn rises_at_edge(&self, face: u32, k: usize, normal: DVec3) -> bool {
        let base = self.mesh.corners(face)[k];
        self.adjacency.at_edge(face, k).iter().any(|other| self.rises(*other, base, normal))
    }

    /// Does a face at this corner rise along the normal?
    fn rises_at_corner(&self, face: u32, k: usize, normal: DVec3) -> bool {
        let base = self.mesh.corners(face)[k];
        self.adjacency.at_corner(face, k).iter().any(|other| self.rises(*other, base, normal))
    }

    fn rises(&self, face: u32, base: DVec3, normal: DVec3) -> bool {
        self.mesh.corners(face).into_iter().any(|corner| {
            let way = corner - base;
            normal.dot(way) > RISING * way.length()
        })
    }

    /// True if a point of the face's plane is over the face, up to rounding.
    pub(super) fn is_over(&self, face: u32, flat: DVec3, point: DVec3) -> bool {
        let corners = self.mesh.corners(face);
        (0..3).all(|k| {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            let (side, way) = (to - from, point - from);
            side.cross(way).dot(flat)
                >= -OVER_TRIANGLE * side.length() * (side.length() + way.length())
        })
    }
}
