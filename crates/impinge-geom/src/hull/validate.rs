//! Checks a finished hull with exact predicates, in time O(n) for all but hulls without depth.
//!
//! After Mehlhorn et al., "Checking geometric programs or verification of geometric structures" (1996): a closed surface of
//! flat convex polygons that is convex at every edge, has a point strictly below all its face planes, and is hit once by a ray
//! from that point, is the surface of a convex polytope.

use super::Hull;
use crate::predicate::{are_collinear, orient2d, orient3d};
use glam::{DVec2, DVec3, Vec3Swizzles as _};
use std::fmt;

/// What [`Hull::validate`] found wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HullFault {
    /// The counts do not fit the dimension, or V − E + F is not 2.
    Counts,
    /// A face's loop, an edge and the lists around vertices disagree, or an edge has not exactly two sides.
    NotClosed {
        /// The edge's first vertex.
        from: u32,
        /// The edge's second vertex.
        to: u32,
    },
    /// The vertices of a face do not lie in one plane, or its loop is not strictly convex.
    NotFlat {
        /// The face.
        face: u32,
    },
    /// A vertex is not strictly below the plane of a face that it does not belong to.
    NotConvex {
        /// The face.
        face: u32,
        /// The vertex.
        vertex: u32,
    },
    /// The surface covers directions from its inside more than once.
    Folded,
    /// A point lies outside.
    Outside {
        /// The index of the point.
        point: usize,
    },
}

impl fmt::Display for HullFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Counts => write!(f, "the counts of vertices, edges and faces do not fit"),
            Self::NotClosed { from, to } => {
                write!(f, "the edge from vertex {from} to {to} has not exactly two sides")
            }
            Self::NotFlat { face } => write!(f, "face {face} is not a flat, convex polygon"),
            Self::NotConvex { face, vertex } => {
                write!(f, "vertex {vertex} is not strictly below face {face}")
            }
            Self::Folded => write!(f, "the surface is folded over itself"),
            Self::Outside { point } => write!(f, "point {point} lies outside"),
        }
    }
}

impl std::error::Error for HullFault {}

/// Hulls with at most this many pairs of a face and a vertex are checked pair by pair.
const ALL_PAIRS: usize = 1 << 16;

impl Hull {
    /// Checks that the hull is closed, flat in every face, strictly convex at every edge and vertex, and consistent.
    ///
    /// Every hull passes; the function is there to be called in tests, and on hulls of doubtful origin.
    ///
    /// ```
    /// use impinge_geom::hull::Hull;
    /// let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.1, 0.1, 0.1]];
    /// let hull = Hull::new(&points)?;
    /// assert_eq!(hull.validate(), Ok(()));
    /// assert_eq!(hull.validate_containing(&points), Ok(()));
    /// assert!(hull.validate_containing(&[[1.0, 1.0, 0.0]]).is_err());
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn validate(&self) -> Result<(), HullFault> {
        let (v, e, f) = (self.vertices.len(), self.edges.len(), self.face_count());
        let fits = match self.dimension {
            0 => (v, e, f) == (1, 0, 0),
            1 => (v, e, f) == (2, 1, 0) && self.vertices[0] != self.vertices[1],
            2 => v >= 3 && e == v && f == 2,
            _ => v >= 4 && e >= 6 && f >= 4 && v + f == e + 2,
        };
        if !fits || self.input_indices.len() != v {
            return Err(HullFault::Counts);
        }
        if self.dimension < 2 {
            return Ok(());
        }
        self.validate_edges()?;
        for face in 0..f as u32 {
            self.validate_face(face)?;
        }
        if self.dimension == 3 { self.validate_convexity() } else { Ok(()) }
    }

    /// As [`Hull::validate`], and that no point of the list lies outside. NaN and infinities are outside.
    pub fn validate_containing(&self, points: &[[f64; 3]]) -> Result<(), HullFault> {
        self.validate()?;
        let locator = super::locate::Locator::new(self);
        for (index, point) in points.iter().enumerate() {
            let position = DVec3::from_array(*point);
            let corner = self.input_indices.binary_search(&(index as u32)).ok();
            let is_vertex = corner.is_some_and(|vertex| self.vertices[vertex] == position);
            let inside = is_vertex || (position.is_finite() && locator.contains(position));
            if !inside {
                return Err(HullFault::Outside { point: index });
            }
        }
        Ok(())
    }

    /// Every directed edge of the loops is one side of one edge, and every side of every edge is in one loop.
    fn validate_edges(&self) -> Result<(), HullFault> {
        if self.loops.len() != 2 * self.edges.len() || self.neighbours.len() != self.loops.len() {
            return Err(HullFault::Counts);
        }
        for face in 0..self.face_count() as u32 {
            let corners = self.face(face);
            for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                let (from, to) = (*from, *to);
                let side = usize::from(from > to);
                let fits = self.edge_between(from, to).is_some_and(|edge| {
                    self.edge_faces(edge)[side] == face
                        && self.edges[edge as usize] == [from.min(to), from.max(to)]
                });
                if !fits {
                    return Err(HullFault::NotClosed { from, to });
                }
            }
        }
        Ok(())
    }

    /// The loop of a face lies in one plane and is strictly convex: it always turns the same way, and only once around.
    fn validate_face(&self, face: u32) -> Result<(), HullFault> {
        let fault = Err(HullFault::NotFlat { face });
        let corners: Vec<DVec3> =
            self.face(face).iter().map(|v| self.vertices[*v as usize]).collect();
        let [a, b, c, ..] = corners[..] else { return fault };
        if are_collinear(a, b, c) || corners.iter().any(|d| orient3d(a, b, c, *d) != 0) {
            return fault;
        }
        let shadows = [DVec3::yz, DVec3::zx, DVec3::xy];
        let turn = |shadow: fn(DVec3) -> DVec2, [a, b, c]: [DVec3; 3]| {
            orient2d(shadow(a), shadow(b), shadow(c))
        };
        let Some(shadow) =
            shadows.map(|s| s as fn(DVec3) -> DVec2).into_iter().find(|s| turn(*s, [a, b, c]) != 0)
        else {
            return fault;
        };
        let sign = turn(shadow, [a, b, c]);
        let count = corners.len();
        let mut lowest = 0;
        for index in 0..count {
            let three = [0, 1, 2].map(|k| corners[(index + k) % count]);
            if turn(shadow, three) != sign {
                return fault;
            }
            let [before, here, after] = three.map(|p| shadow(p).to_array());
            lowest += u32::from(here < before && here < after);
        }
        if lowest == 1 { Ok(()) } else { fault }
    }

    /// The solid lies strictly below each of its face planes, but for the vertices of the face.
    fn validate_convexity(&self) -> Result<(), HullFault> {
        for (edge, faces) in self.edges.iter().zip(&self.edge_faces) {
            for (face, other) in [(faces[0], faces[1]), (faces[1], faces[0])] {
                let outer = self.face(other).iter().find(|v| !edge.contains(v));
                if let Some(vertex) = outer.filter(|v| !self.is_below(face, **v)) {
                    return Err(HullFault::NotConvex { face, vertex: *vertex });
                }
            }
        }
        let small = self.vertices.len() * self.face_count() <= ALL_PAIRS;
        if small || !self.is_strictly_inside(self.center()) {
            return self.validate_all_pairs();
        }
        if self.is_covered_once_from(self.center()) { Ok(()) } else { Err(HullFault::Folded) }
    }

    fn validate_all_pairs(&self) -> Result<(), HullFault> {
        for face in 0..self.face_count() as u32 {
            for vertex in 0..self.vertices.len() as u32 {
                if !self.face(face).contains(&vertex) && !self.is_below(face, vertex) {
                    return Err(HullFault::NotConvex { face, vertex });
                }
            }
        }
        Ok(())
    }

    /// Three corners of a face, which are never collinear.
    pub(super) fn face_plane(&self, face: u32) -> Option<[DVec3; 3]> {
        let [a, b, c, ..] = self.face(face) else { return None };
        Some([a, b, c].map(|v| self.vertices[*v as usize]))
    }

    fn is_below(&self, face: u32, vertex: u32) -> bool {
        self.face_plane(face)
            .is_some_and(|[a, b, c]| orient3d(a, b, c, self.vertices[vertex as usize]) > 0)
    }

    /// True if the point is strictly below all face planes.
    pub(super) fn is_strictly_inside(&self, point: DVec3) -> bool {
        (0..self.face_count() as u32)
            .all(|face| self.face_plane(face).is_some_and(|[a, b, c]| orient3d(a, b, c, point) > 0))
    }

    /// True if a ray from the point meets exactly one triangle. The ray goes through the middle of a triangle; if it happens to
    /// meet an edge somewhere, another one is tried.
    fn is_covered_once_from(&self, origin: DVec3) -> bool {
        let corners = |triangle: &[u32; 3]| triangle.map(|v| self.vertices[v as usize]);
        for aim in self.triangles.iter().take(100) {
            let [a, b, c] = corners(aim);
            let target = a + ((b - a) + (c - a)) / 3.0;
            let (mut hits, mut grazes) = (0, false);
            for triangle in &self.triangles {
                let [a, b, c] = corners(triangle);
                let sides = [(a, b), (b, c), (c, a)].map(|(u, v)| orient3d(v, u, origin, target));
                hits += u32::from(sides.iter().all(|s| *s > 0));
                grazes |= sides.iter().all(|s| *s >= 0) && sides.contains(&0);
            }
            if !grazes {
                return hits == 1;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{Hull, HullFault};
    use crate::testing::Random;

    fn corners_of_a_box() -> Hull {
        let corner = |i: u32| [f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)];
        Hull::new(&[0, 1, 2, 3, 4, 5, 6, 7].map(corner)).unwrap()
    }

    /// A sphere with too many faces for pairs to be checked one by one.
    fn sphere() -> Hull {
        let mut random = Random::new(3);
        Hull::new(&(0..300).map(|_| random.unit().to_array()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn finds_a_moved_vertex() {
        for mut hull in [corners_of_a_box(), sphere()] {
            assert_eq!(hull.validate(), Ok(()));
            let middle = hull.center();
            hull.vertices[1] = middle;
            assert!(matches!(
                hull.validate(),
                Err(HullFault::NotFlat { .. } | HullFault::NotConvex { .. })
            ));
        }
    }

    #[test]
    fn finds_faces_turned_inside_out() {
        let mut hull = corners_of_a_box();
        for ends in hull.face_starts.windows(2) {
            hull.loops[ends[0] as usize..ends[1] as usize].reverse();
        }
        hull.edge_faces.iter_mut().for_each(|faces| faces.reverse());
        assert!(matches!(hull.validate(), Err(HullFault::NotConvex { .. })));
    }

    #[test]
    fn finds_a_hole() {
        let mut hull = corners_of_a_box();
        hull.loops.swap(0, 1);
        assert!(matches!(hull.validate(), Err(HullFault::NotClosed { .. })));
        let mut hull = corners_of_a_box();
        hull.edges.pop();
        assert_eq!(hull.validate(), Err(HullFault::Counts));
    }

    #[test]
    fn finds_a_flat_corner() {
        let mut hull =
            Hull::new(&[[0.0; 3], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0]]).unwrap();
        assert_eq!(hull.validate(), Ok(()));
        hull.vertices[1] = glam::DVec3::new(1.0, 1.0, 0.0);
        assert_eq!(hull.validate(), Err(HullFault::NotFlat { face: 0 }));
    }

    #[test]
    fn finds_points_outside() {
        for hull in [corners_of_a_box(), sphere()] {
            for face in 0..hull.face_count() as u32 {
                let [a, b, c] = hull.face_plane(face).unwrap();
                let middle = a + ((b - a) + (c - a)) / 3.0;
                let normal = hull.face_normal(face);
                let inside = middle - normal * 1e-9;
                let outside = middle + normal * 1e-9;
                assert_eq!(hull.validate_containing(&[inside.to_array()]), Ok(()));
                let fault = HullFault::Outside { point: 0 };
                assert_eq!(hull.validate_containing(&[outside.to_array()]), Err(fault));
            }
        }
        let hull = corners_of_a_box();
        assert!(hull.validate_containing(&[[0.5, 0.5, 1.0f64.next_up()]]).is_err());
        assert!(hull.validate_containing(&[[0.5, 1.0, 1.0]]).is_ok());
        assert!(hull.validate_containing(&[[f64::NAN; 3]]).is_err());
    }
}
