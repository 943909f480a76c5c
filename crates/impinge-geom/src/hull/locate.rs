//! Decides exactly whether points lie in a hull, fast enough for as many points as the hull was built from.

use super::Hull;
use crate::number::error::safe_length;
use crate::predicate::{are_collinear, orient2d, orient3d};
use glam::{DVec2, DVec3, Vec3Swizzles as _};

/// Decides about points of one hull.
pub(super) struct Locator<'a> {
    hull: &'a Hull,
    /// A point strictly inside, if one is known: faces are then found by walking towards them, as seen from it.
    inside: Option<DVec3>,
}

impl<'a> Locator<'a> {
    pub(super) fn new(hull: &'a Hull) -> Self {
        let solid = hull.dimension() == 3 && hull.is_strictly_inside(hull.center());
        Self { hull, inside: solid.then(|| hull.center()) }
    }

    /// True if the finite point lies in the hull or on its border.
    pub(super) fn contains(&self, point: DVec3) -> bool {
        let vertices = self.hull.vertices();
        match self.hull.dimension() {
            0 => point == vertices[0],
            1 => {
                let (a, b) = (vertices[0], vertices[1]);
                let within = point.cmpge(a.min(b)).all() && point.cmple(a.max(b)).all();
                within && are_collinear(a, b, point)
            }
            2 => self.polygon_contains(point),
            _ => self.solid_contains(point),
        }
    }

    fn solid_contains(&self, point: DVec3) -> bool {
        let Some(origin) = self.inside else { return self.is_below_all(point) };
        // Half of the certified ball leaves more than enough room for the rounding of the distance.
        if safe_length(point - origin) < 0.5 * self.hull.inner_radius() {
            return true;
        }
        // Small faces first: out of a large one an edge far from the point may be taken.
        let near = self.hull.vertex_faces(self.hull.vertex_near(point - origin));
        let Some(mut face) = near.iter().copied().min_by_key(|f| self.hull.face(*f).len()) else {
            return self.is_below_all(point);
        };
        for _ in 0..self.hull.face_count() {
            match self.exit(face, origin, point) {
                Some(edge) => {
                    let [left, right] = self.hull.edge_faces(edge);
                    face = if left == face { right } else { left };
                }
                // The ray from the inside through the point leaves through this face.
                None => return self.is_below(face, point),
            }
        }
        self.is_below_all(point)
    }

    fn is_below(&self, face: u32, point: DVec3) -> bool {
        self.hull.face_plane(face).is_some_and(|[a, b, c]| orient3d(a, b, c, point) >= 0)
    }

    fn is_below_all(&self, point: DVec3) -> bool {
        (0..self.hull.face_count() as u32).all(|face| self.is_below(face, point))
    }

    /// An edge of the face beyond which the point lies, as seen from the origin; none if it lies in the cone of the face.
    ///
    /// The planes through the origin, the first corner and each other corner sort the point into the sector of one edge.
    fn exit(&self, face: u32, origin: DVec3, point: DVec3) -> Option<u32> {
        let corners = self.hull.face(face);
        let vertex = |place: usize| self.hull.vertices()[corners[place] as usize];
        let beyond = |from: usize, to: usize| {
            let side = orient3d(vertex(to), vertex(from), origin, point);
            (side < 0).then(|| self.hull.edge_between(corners[from], corners[to])).flatten()
        };
        let last = corners.len() - 1;
        beyond(0, 1).or_else(|| beyond(last, 0)).or_else(|| {
            let (mut low, mut high) = (1, last);
            while high - low > 1 {
                let middle = (low + high) / 2;
                let left = orient3d(vertex(middle), vertex(0), origin, point) >= 0;
                if left { low = middle } else { high = middle }
            }
            beyond(low, high)
        })
    }

    fn polygon_contains(&self, point: DVec3) -> bool {
        let Some([a, b, c]) = self.hull.face_plane(0) else { return false };
        if orient3d(a, b, c, point) != 0 {
            return false;
        }
        let shadows: [fn(DVec3) -> DVec2; 3] = [DVec3::yz, DVec3::zx, DVec3::xy];
        let turn = |shadow: &fn(DVec3) -> DVec2, a, b, c| orient2d(shadow(a), shadow(b), shadow(c));
        let Some(shadow) = shadows.iter().find(|s| turn(s, a, b, c) != 0) else { return false };
        let sign = turn(shadow, a, b, c);
        let corners = self.hull.face(0);
        let vertex = |place: usize| self.hull.vertices()[corners[place] as usize];
        let left =
            |from: usize, to: usize| sign * turn(shadow, vertex(from), vertex(to), point) >= 0;
        let last = corners.len() - 1;
        let (mut low, mut high) = (1, last);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if left(0, middle) { low = middle } else { high = middle }
        }
        left(0, 1) && left(last, 0) && left(low, high)
    }
}
