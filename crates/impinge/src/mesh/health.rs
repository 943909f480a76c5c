//! Defects of a mesh.

use super::self_intersection::{first_self_intersections, firsts};
use super::topology::{Sides, hanging_together, weld};
use super::{Mesh, Scratch};
use impinge_geom::bound::Bound;
use impinge_geom::predicate::are_collinear;
use std::fmt;

/// Self-intersecting pairs that are listed: every face of a crossing polygon may meet every other.
const MOST_PAIRS: usize = 1 << 14;

/// An edge with a defect, and its faces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeReport {
    /// The vertices at its ends: of several at one position, the first.
    pub vertices: [u32; 2],
    /// Its faces, ascending.
    pub faces: Vec<u32>,
}

/// Defects of a mesh, with the indices of the faces. Vertices at exactly the same position count as one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Health {
    /// Number of faces.
    pub faces: usize,
    /// Number of connected components: faces that share a vertex belong together.
    pub components: usize,
    /// Faces without area.
    pub degenerate: Vec<u32>,
    /// Faces with the same corners as an earlier one, in any order: the later face, and the first.
    pub duplicate: Vec<[u32; 2]>,
    /// Boundary edges: edges of a single face.
    pub open: Vec<EdgeReport>,
    /// Edges along which two faces run in the same direction: one of them is flipped.
    pub inconsistent: Vec<EdgeReport>,
    /// Edges of more than two faces.
    pub non_manifold: Vec<EdgeReport>,
    /// Pairs of faces that intersect beyond the corners and edges they share; of faces with the same corners the first stands for all.
    pub self_intersecting: Vec<[u32; 2]>,
    /// True if there are more of them than are listed: the search ends after some ten thousand.
    pub self_intersecting_is_cut_short: bool,
    /// Vertices that no face uses.
    pub unreferenced: Vec<u32>,
    closed: bool,
}

impl Health {
    /// True if the surface has no boundary: every edge is traversed as often one way as the other. Every point off the surface then has a
    /// winding number, and solid queries are exact.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// True if the mesh is the boundary of a solid: closed and manifold, without degenerate faces or self-intersections.
    pub fn is_solid(&self) -> bool {
        self.closed
            && self.degenerate.is_empty()
            && self.non_manifold.is_empty()
            && self.self_intersecting.is_empty()
    }
}

/// A few lines for people; faces and edges by their number, with the first as an example.
impl fmt::Display for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match (self.is_solid(), self.closed) {
            (true, _) => "solid",
            (false, true) => "closed",
            _ => "open",
        };
        let (faces, pieces) = (self.faces, self.components);
        write!(f, "{state}: {faces} faces in {pieces} {}", plural(pieces, "piece"))?;
        let edges = [
            (&self.open, "open edge"),
            (&self.inconsistent, "inconsistently oriented edge"),
            (&self.non_manifold, "non-manifold edge"),
        ];
        let singles = |f: &mut fmt::Formatter<'_>, list: &[u32], what: &str| match list {
            [] => Ok(()),
            [first, ..] => {
                write!(f, "\n{} {}, the first is {first}", list.len(), plural(list.len(), what))
            }
        };
        let pairs = |f: &mut fmt::Formatter<'_>, list: &[[u32; 2]], what: &str| match list {
            [] => Ok(()),
            [[a, b], ..] => {
                write!(
                    f,
                    "\n{} {}, the first is {a} with {b}",
                    list.len(),
                    plural(list.len(), what)
                )
            }
        };
        singles(f, &self.degenerate, "degenerate face")?;
        pairs(f, &self.duplicate, "duplicate face")?;
        for (list, what) in edges {
            if let [first, ..] = list.as_slice() {
                let ([u, v], count) = (first.vertices, list.len());
                let what = plural(count, what);
                write!(
                    f,
                    "\n{count} {what}, the first from vertex {u} to {v}, of face {}",
                    first.faces[0]
                )?;
            }
        }
        pairs(f, &self.self_intersecting, "self-intersecting pair")?;
        if self.self_intersecting_is_cut_short {
            write!(f, ", and there are more")?;
        }
        singles(f, &self.unreferenced, "vertex without a face")
    }
}

/// The words for one or many.
fn plural(count: usize, one: &str) -> String {
    match (count, one) {
        (1, _) => one.to_string(),
        (_, "vertex without a face") => "vertices without a face".to_string(),
        _ => format!("{one}s"),
    }
}

impl<B: Bound> Mesh<B> {
    /// Checks the mesh for every defect. Takes about as long as building it, or a few times that.
    ///
    /// ```
    /// use impinge::mesh::Mesh;
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let mesh: Mesh = Mesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3], [0, 0, 1]])?;
    /// let health = mesh.health();
    /// assert!(health.is_closed() && !health.is_solid());
    /// assert_eq!(health.degenerate, [4]);
    /// assert!(health.to_string().starts_with("closed: 5 faces in 1 piece\n1 degenerate face, the first is 4"));
    /// # Ok::<(), impinge::mesh::MeshError>(())
    /// ```
    pub fn health(&self) -> Health {
        let welded = weld(&self.vertices);
        let faces: Vec<[u32; 3]> =
            self.triangles.iter().map(|face| face.map(|v| welded[v as usize])).collect();
        let sides = Sides::new(faces.iter().copied());
        let (mut open, mut inconsistent, mut non_manifold) = (Vec::new(), Vec::new(), Vec::new());
        for edge in sides.edges() {
            let list = match edge {
                [_] => &mut open,
                [a, b] if a.forward == b.forward => &mut inconsistent,
                [_, _] => continue,
                _ => &mut non_manifold,
            };
            let mut faces: Vec<u32> = edge.iter().map(|side| side.face).collect();
            faces.dedup();
            list.push(EdgeReport { vertices: edge[0].ends, faces });
        }
        let mut self_intersecting = Vec::new();
        let cut_short = first_self_intersections(
            self,
            (&faces, &firsts(&faces)),
            &mut Scratch::default(),
            &mut self_intersecting,
            MOST_PAIRS,
        );
        Health {
            faces: faces.len(),
            components: components(&faces, welded.len()),
            degenerate: self.degenerate_faces().collect(),
            duplicate: duplicates(&faces),
            open,
            inconsistent,
            non_manifold,
            self_intersecting,
            self_intersecting_is_cut_short: cut_short,
            unreferenced: self.unused_vertices().to_vec(),
            closed: sides.are_balanced(),
        }
    }

    /// The faces without area.
    pub(super) fn degenerate_faces(&self) -> impl Iterator<Item = u32> {
        (0..self.triangles.len() as u32).filter(|face| {
            let [a, b, c] = self.corners(*face);
            are_collinear(a, b, c)
        })
    }
}

/// How many sets of faces do not share a vertex.
fn components(faces: &[[u32; 3]], vertices: usize) -> usize {
    let mut roots = hanging_together(faces, vertices);
    roots.sort_unstable();
    roots.dedup();
    roots.len()
}

/// The faces with the same corners as an earlier one, and the first such.
fn duplicates(faces: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let mut named: Vec<([u32; 3], u32)> = faces
        .iter()
        .enumerate()
        .map(|(face, corners)| {
            let mut corners = *corners;
            corners.sort_unstable();
            (corners, face as u32)
        })
        .collect();
    named.sort_unstable();
    let same = named.chunk_by(|a, b| a.0 == b.0);
    let mut found: Vec<[u32; 2]> =
        same.flat_map(|group| group[1..].iter().map(|later| [later.1, group[0].1])).collect();
    found.sort_unstable();
    found
}
