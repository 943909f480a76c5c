//! Which faces are around an edge or a vertex, by the positions of the corners.

use super::Mesh;
use super::topology::Sides;
use impinge_geom::bound::Bound;
use std::sync::Arc;

/// The neighbours of all faces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Adjacency {
    /// The faces by welded vertices.
    faces: Vec<[u32; 3]>,
    /// For each edge of each face (edge k runs from corner k to the next) the bounds of its portion of `sharing`.
    edges: Vec<[[u32; 2]; 3]>,
    sharing: Vec<u32>,
    /// For each welded vertex the end of its portion of `around`.
    ends: Vec<u32>,
    around: Vec<u32>,
}

impl Adjacency {
    fn new(faces: Vec<[u32; 3]>, vertex_count: usize) -> Self {
        let sides = Sides::new(faces.iter().copied());
        let mut edges = vec![[[0; 2]; 3]; faces.len()];
        let mut sharing = Vec::with_capacity(3 * faces.len());
        for edge in sides.edges() {
            let start = sharing.len() as u32;
            sharing.extend(edge.iter().map(|side| side.face));
            for side in edge {
                let corners = faces.get(side.face as usize).copied().unwrap_or_default();
                let place = (0..3).find(|&k| {
                    let (u, v) = (corners[k], corners[(k + 1) % 3]);
                    [u.min(v), u.max(v)] == side.ends
                });
                if let (Some(k), Some(own)) = (place, edges.get_mut(side.face as usize)) {
                    own[k] = [start, sharing.len() as u32];
                }
            }
        }
        // Faces in the order of their vertices: counted, then placed.
        let mut ends = vec![0u32; vertex_count];
        for vertex in faces.iter().flatten() {
            ends[*vertex as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += std::mem::replace(end, sum);
        }
        let mut around = vec![0; 3 * faces.len()];
        for (face, corners) in (0..).zip(&faces) {
            for vertex in corners {
                let place = &mut ends[*vertex as usize];
                around[*place as usize] = face;
                *place += 1;
            }
        }
        Self { faces, edges, sharing, ends, around }
    }

    /// The faces that share edge k of a face, itself among them.
    pub(crate) fn at_edge(&self, face: u32, k: usize) -> &[u32] {
        let portion = self.edges.get(face as usize).and_then(|edges| edges.get(k));
        let [start, end] = portion.copied().unwrap_or_default().map(|index| index as usize);
        self.sharing.get(start..end).unwrap_or_default()
    }

    /// The faces around corner k of a face, itself among them.
    pub(crate) fn at_corner(&self, face: u32, k: usize) -> &[u32] {
        let corners = self.faces.get(face as usize).copied().unwrap_or_default();
        let vertex = corners.get(k).copied().unwrap_or_default() as usize;
        let end = self.ends.get(vertex).copied().unwrap_or_default() as usize;
        let start = vertex.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        self.around.get(start.unwrap_or_default() as usize..end).unwrap_or_default()
    }
}

impl<B: Bound> Mesh<B> {
    /// The neighbours of all faces; found on the first call and kept.
    pub(crate) fn adjacency(&self) -> &Adjacency {
        self.lazy
            .adjacency
            .get_or_init(|| Arc::new(Adjacency::new(self.welded_faces(), self.vertices.len())))
    }
}

#[cfg(test)]
mod tests {
    use super::Mesh;

    #[test]
    fn neighbours_by_position() {
        // Two triangles that repeat the two corners they share.
        let corners = [
            [0.0; 3],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
            [1.0, 0.0, 0.0],
        ];
        let mesh: Mesh = Mesh::new(&corners, &[[0, 1, 2], [3, 4, 5]]).unwrap();
        let adjacency = mesh.adjacency();
        assert_eq!([0, 1, 2].map(|k| adjacency.at_edge(0, k).len()), [1, 2, 1]);
        assert_eq!(adjacency.at_edge(1, 1), [0, 1]);
        assert_eq!([0, 1, 2].map(|k| adjacency.at_corner(0, k).len()), [1, 2, 2]);
        assert_eq!(adjacency.at_corner(1, 0), [1]);
        assert!(adjacency.at_edge(9, 9).is_empty() && adjacency.at_corner(9, 0).len() <= 1);
    }
}
