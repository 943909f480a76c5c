//! Convex hulls of points: exact construction, and the queries that convex algorithms make of a polytope.
//!
//! The flow is `build` (checks, spatial order, dimension) → `quickhull` or `flat` (which points are extreme) → `merge` (triangles that lie
//! exactly in one plane become one face) → `assemble` (numbering, edges, neighbours) → `measure` (normals, centre, radii).
//! `support` answers the farthest vertex along a direction, `validate` checks a finished hull.

mod assemble;
mod build;
mod exact;
mod fan;
mod flat;
mod lattice;
mod locate;
mod measure;
mod merge;
mod quickhull;
mod support;
mod validate;

pub use validate::HullFault;

use crate::number::error::GeometryError;
use glam::DVec3;
use measure::Measure;
use support::SupportBlocks;

/// The convex hull of points: a point, a segment, a flat polygon or a solid polytope.
///
/// Vertices are the *extreme* points of the input, with their coordinates untouched: points inside, points inside a face or
/// an edge, and duplicates are dropped, and all of that is decided exactly. Faces are whole polygons, not triangles. Order is
/// canonical: vertices by input index, a face's loop from its smallest vertex, faces and edges by their vertices.
///
/// ```
/// use impinge_geom::hull::Hull;
/// let mut points = vec![[0.5, 0.5, 0.5], [0.5, 0.5, 1.0]]; // inside the box, inside one of its faces
/// for i in 0..8u32 {
///     points.push([f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)]);
/// }
/// let hull = Hull::new(&points)?;
/// assert_eq!((hull.vertices().len(), hull.edges().len(), hull.face_count()), (8, 12, 6));
/// assert_eq!(hull.input_indices(), [2, 3, 4, 5, 6, 7, 8, 9]);
/// assert_eq!(hull.validate(), Ok(()));
/// # Ok::<(), impinge_geom::GeometryError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    dimension: u8,
    /// Extreme points, by ascending input index.
    vertices: Vec<DVec3>,
    input_indices: Vec<u32>,
    /// Loop `i` is `loops[face_starts[i]..face_starts[i + 1]]`, counter-clockwise seen from outside.
    face_starts: Vec<u32>,
    loops: Vec<u32>,
    /// Every face as a fan from the first vertex of its loop.
    triangles: Vec<[u32; 3]>,
    /// Each with its smaller vertex first, sorted.
    edges: Vec<[u32; 2]>,
    /// The face on the left of the edge, seen from outside, then the one on its right.
    edge_faces: Vec<[u32; 2]>,
    /// What is around vertex `v` is at `around_starts[v]..around_starts[v + 1]` of the next three, by ascending neighbour.
    around_starts: Vec<u32>,
    neighbours: Vec<u32>,
    around_faces: Vec<u32>,
    around_edges: Vec<u32>,
    measure: Measure,
    blocks: SupportBlocks,
}

impl Hull {
    /// Marks a face or edge that does not exist, such as the faces of a segment's edge.
    pub const NONE: u32 = u32::MAX;

    /// Computes the hull of one or more points.
    ///
    /// Any finite input with magnitudes up to 2^250 has a hull: single, duplicate, collinear and coplanar points, and
    /// coordinates down to the subnormal numbers. Expected time is O(n log n); the result depends on the input alone.
    ///
    /// ```
    /// use impinge_geom::hull::Hull;
    /// let flat = Hull::new(&[[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [1.0, 1.0, 0.0]])?;
    /// assert_eq!((flat.dimension(), flat.vertices().len()), (2, 3));
    /// assert!(Hull::new(&[]).is_err());
    /// assert!(Hull::new(&[[0.0, f64::NAN, 0.0]]).is_err());
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn new(points: &[[f64; 3]]) -> Result<Self, GeometryError> {
        let points = build::check(points)?;
        let outline = build::outline(&points);
        if outline.loops.len() >= Self::NONE as usize {
            // More than 715 million vertices: their edges cannot be numbered.
            return Err(GeometryError::TooMany { argument: "points", count: points.len() });
        }
        Ok(Self::assemble(&points, &outline))
    }

    /// 0 for a point, 1 for a segment, 2 for a flat polygon, 3 for a solid.
    ///
    /// ```
    /// use impinge_geom::hull::Hull;
    /// assert_eq!(Hull::new(&[[1.0; 3], [1.0; 3]])?.dimension(), 0);
    /// assert_eq!(Hull::new(&[[1.0; 3], [2.0; 3], [3.0; 3]])?.dimension(), 1);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn dimension(&self) -> u8 {
        self.dimension
    }

    /// The extreme points, with the coordinates of the input. There is at least one.
    ///
    /// ```
    /// use impinge_geom::{glam::DVec3, hull::Hull};
    /// let hull = Hull::new(&[[0.0; 3], [1.0, 0.0, 0.0], [3.0, 0.0, 0.0]])?;
    /// assert_eq!(hull.vertices(), [DVec3::ZERO, DVec3::new(3.0, 0.0, 0.0)]);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    #[inline]
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// For every vertex, the smallest index of an input point with its coordinates; ascending.
    pub fn input_indices(&self) -> &[u32] {
        &self.input_indices
    }

    /// Number of faces: none for points and segments, two (front and back) for flat polygons.
    #[inline]
    pub fn face_count(&self) -> usize {
        self.measure.normals.len()
    }

    /// The vertices around a face, counter-clockwise seen from outside; empty if there is no such face.
    ///
    /// ```
    /// use impinge_geom::hull::Hull;
    /// let hull = Hull::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?;
    /// assert_eq!(hull.face(0), [0, 1, 3]);
    /// assert_eq!(hull.face_normal(0), -impinge_geom::glam::DVec3::Y);
    /// assert_eq!(hull.face_offset(0), 0.0);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    #[inline]
    pub fn face(&self, face: u32) -> &[u32] {
        range(&self.face_starts, face).and_then(|r| self.loops.get(r)).unwrap_or(&[])
    }

    /// The outward unit normal of a face, zero if there is no such face. Its relative error is below 2^-42.
    #[inline]
    pub fn face_normal(&self, face: u32) -> DVec3 {
        self.measure.normals.get(face as usize).copied().unwrap_or(DVec3::ZERO)
    }

    /// The largest n·v over all vertices, n the computed normal of the face; zero if there is no such face.
    ///
    /// Where the true normal has no representation in f64 the face is slightly tilted against n; n·x ≤ offset still holds for
    /// the whole hull, up to the rounding of the dot product.
    #[inline]
    pub fn face_offset(&self, face: u32) -> f64 {
        self.measure.offsets.get(face as usize).copied().unwrap_or(0.0)
    }

    /// The outward unit normals of all faces.
    #[inline]
    pub fn face_normals(&self) -> &[DVec3] {
        &self.measure.normals
    }

    /// The faces as triangles, counter-clockwise seen from outside, in the order of the faces.
    ///
    /// ```
    /// use impinge_geom::hull::Hull;
    /// let square = Hull::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]])?;
    /// assert_eq!(square.triangles().len(), 4); // two in front, two behind
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The edges, each with its smaller vertex first, sorted.
    ///
    /// ```
    /// use impinge_geom::hull::Hull;
    /// let hull = Hull::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?;
    /// assert_eq!(hull.edges(), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    /// assert_eq!(hull.edge_between(3, 1), Some(4));
    /// assert_eq!(hull.edge_faces(0), [0, 1]);
    /// assert_eq!(hull.neighbours(2), [0, 1, 3]);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    #[inline]
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The two faces at an edge: the one on the left of the way from its first vertex to its second, seen from outside, then
    /// the one on the right. [`Hull::NONE`] where there is none.
    #[inline]
    pub fn edge_faces(&self, edge: u32) -> [u32; 2] {
        self.edge_faces.get(edge as usize).copied().unwrap_or([Self::NONE; 2])
    }

    /// The edge between two vertices, in either order.
    pub fn edge_between(&self, u: u32, v: u32) -> Option<u32> {
        let around = range(&self.around_starts, u)?;
        let place = self.neighbours.get(around.clone())?.binary_search(&v).ok()?;
        self.around_edges.get(around.start + place).copied()
    }

    /// The vertices that share an edge with a vertex, ascending; empty if there is no such vertex.
    #[inline]
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        range(&self.around_starts, vertex).and_then(|r| self.neighbours.get(r)).unwrap_or(&[])
    }

    /// The faces around a vertex, in no particular order: entry `k` is the face on the left of the way to neighbour `k`.
    #[inline]
    pub fn vertex_faces(&self, vertex: u32) -> &[u32] {
        range(&self.around_starts, vertex).and_then(|r| self.around_faces.get(r)).unwrap_or(&[])
    }

    /// The face with the smallest index that has all the given vertices.
    ///
    /// ```
    /// use impinge_geom::hull::Hull;
    /// let hull = Hull::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])?;
    /// let face = hull.face_with(&[3, 1, 2]).unwrap();
    /// assert_eq!(hull.face(face), [1, 2, 3]);
    /// assert_eq!(hull.face_with(&[0, 1, 2, 3]), None);
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    pub fn face_with(&self, vertices: &[u32]) -> Option<u32> {
        let (first, rest) = vertices.split_first()?;
        let has = |face: &u32| rest.iter().all(|v| self.vertex_faces(*v).contains(face));
        self.vertex_faces(*first).iter().copied().filter(has).min()
    }

    /// A point inside: the centroid of the volume for solids, the mean of the vertices otherwise, up to rounding.
    ///
    /// ```
    /// use impinge_geom::{glam::DVec3, hull::Hull};
    /// let hull = Hull::new(&[[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]])?;
    /// assert_eq!(hull.center(), DVec3::ONE);
    /// assert!(hull.radius() >= 11f64.sqrt() && hull.radius() < 3.317);
    /// assert!(hull.inner_radius() > 0.577 && hull.inner_radius() <= 1.0 / 3f64.sqrt());
    /// # Ok::<(), impinge_geom::GeometryError>(())
    /// ```
    #[inline]
    pub fn center(&self) -> DVec3 {
        self.measure.center
    }

    /// The radius, rounded up, of a ball around [`Hull::center`] that contains the hull.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.measure.radius
    }

    /// The radius, rounded down, of a ball around [`Hull::center`] that lies inside the hull; zero for flat hulls.
    #[inline]
    pub fn inner_radius(&self) -> f64 {
        self.measure.inner_radius
    }

    /// The radius, rounded up, of a ball around the origin that contains the hull.
    pub fn bounding_radius(&self) -> f64 {
        self.measure.bounding_radius
    }
}

/// The range of a row in a table of starts, which has one entry more than there are rows.
#[inline]
fn range(starts: &[u32], row: u32) -> Option<std::ops::Range<usize>> {
    let row = row as usize;
    Some(*starts.get(row)? as usize..*starts.get(row + 1)? as usize)
}
