//! What faces share, by the positions of their corners: indices do not tell, since many files repeat a vertex per face.

use super::Mesh;
use impinge_geom::bound::Bound;
use impinge_geom::glam::DVec3;
use std::hash::{BuildHasher, RandomState};

/// For every vertex the first one at the same position.
///
/// A table with linear probing, at most half full. Its hash is seeded, so that no file can be made to collide on purpose; the answer does not depend on it.
pub(super) fn weld(vertices: &[DVec3]) -> Vec<u32> {
    const FREE: u32 = u32::MAX;
    let random = RandomState::new();
    let seed = [random.hash_one(1u8), random.hash_one(2u8)];
    let mut slots = vec![FREE; (2 * vertices.len()).next_power_of_two()];
    let mask = slots.len() - 1;
    let first_of = |(index, vertex): (usize, &DVec3)| {
        let mut slot = position_hash(vertex, seed) as usize & mask;
        loop {
            match slots[slot] {
                FREE => {
                    slots[slot] = index as u32;
                    return index as u32;
                }
                first if vertices[first as usize] == *vertex => return first,
                _ => slot = (slot + 1) & mask,
            }
        }
    };
    vertices.iter().enumerate().map(first_of).collect()
}

/// Two folded products: the high half of a product depends on all bits below it. The zeros of both signs are one.
fn position_hash(vertex: &DVec3, [first, second]: [u64; 2]) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let [x, y, z] = vertex.to_array().map(|value| (value + 0.0).to_bits());
    fold(fold(x ^ first, y ^ second) ^ z, first | 1)
}

/// One side of a face: an edge between two welded vertices, the smaller first, and whether the face runs along it so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    pub(super) ends: [u32; 2],
    pub(super) face: u32,
    pub(super) forward: bool,
}

/// The faces' sides, those of one edge next to each other, by ascending edge and face. Sides without length are left out.
pub(super) struct Sides {
    sides: Vec<Side>,
}

impl Sides {
    /// By counting those of each vertex: a sort of all takes longer than everything else that is done with them.
    pub(super) fn new(faces: impl Iterator<Item = [u32; 3]>) -> Self {
        let mut sides = Vec::with_capacity(3 * faces.size_hint().0);
        let mut starts: Vec<usize> = Vec::new();
        for (face, [a, b, c]) in faces.enumerate() {
            for (u, v) in [(a, b), (b, c), (c, a)] {
                if u != v {
                    let (ends, face) = ([u.min(v), u.max(v)], face as u32);
                    sides.push(Side { ends, face, forward: u < v });
                    // The count of those at a vertex, one place further on.
                    let next = ends[0] as usize + 1;
                    if next >= starts.len() {
                        starts.resize(next + 1, 0);
                    }
                    starts[next] += 1;
                }
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        // Each goes to the next free place of its vertex; then `starts[v]` is where those of v end.
        let mut sorted = vec![Side { ends: [0; 2], face: 0, forward: false }; sides.len()];
        for side in &sides {
            let place = &mut starts[side.ends[0] as usize];
            sorted[*place] = *side;
            *place += 1;
        }
        let mut start = 0;
        for end in starts {
            sorted[start..end].sort_unstable();
            start = end;
        }
        Self { sides: sorted }
    }

    /// The sides at each edge.
    pub(super) fn edges(&self) -> impl Iterator<Item = &[Side]> {
        self.sides.chunk_by(|a, b| a.ends == b.ends)
    }

    /// True if every edge is run along as often one way as the other: then the surface has no border, and every point
    /// off it has a winding number.
    pub(super) fn are_balanced(&self) -> bool {
        self.edges().all(|edge| 2 * edge.iter().filter(|side| side.forward).count() == edge.len())
    }
}

impl<B: Bound> Mesh<B> {
    /// The faces by welded vertices.
    pub(super) fn welded_faces(&self) -> Vec<[u32; 3]> {
        let welded = weld(&self.vertices);
        let name = |index: u32| welded.get(index as usize).copied().unwrap_or_default();
        self.triangles.iter().map(|face| face.map(name)).collect()
    }

    /// The first face of each part of the surface: of each set of faces that hang together by vertices. Found on the first call and kept.
    pub(super) fn first_of_each_part(&self) -> &[u32] {
        self.lazy.first_of_each_part.get_or_init(|| {
            let marks = hanging_together(&self.welded_faces(), self.vertices.len());
            let mut is_known = vec![false; self.vertices.len()];
            let mut first = Vec::new();
            for (face, mark) in (0..).zip(marks) {
                if !std::mem::replace(&mut is_known[mark as usize], true) {
                    first.push(face);
                }
            }
            first.into()
        })
    }

    /// True if the surface has no border: every edge, by position, is run along as often one way as the other.
    ///
    /// Found on the first call and kept.
    ///
    /// ```
    /// use impinge::mesh::Mesh;
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    /// let (whole, open): (Mesh, Mesh) = (Mesh::new(&corners, &faces)?, Mesh::new(&corners, &faces[1..])?);
    /// assert!(whole.is_closed() && !open.is_closed());
    /// # Ok::<(), impinge::mesh::MeshError>(())
    /// ```
    pub fn is_closed(&self) -> bool {
        *self.lazy.closed.get_or_init(|| Sides::new(self.welded_faces().into_iter()).are_balanced())
    }
}

/// Sets that are joined: which things hang together.
pub(super) struct Joined {
    parent: Vec<u32>,
}

impl Joined {
    pub(super) fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect() }
    }

    /// The smallest member of the set.
    pub(super) fn root(&mut self, mut member: u32) -> u32 {
        while self.parent[member as usize] != member {
            let above = self.parent[member as usize];
            self.parent[member as usize] = self.parent[above as usize];
            member = above;
        }
        member
    }

    pub(super) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}

/// For each face the smallest vertex of all that hang together with it, from face to face by shared vertices.
pub(super) fn hanging_together(faces: &[[u32; 3]], vertices: usize) -> Vec<u32> {
    let mut joined = Joined::new(vertices);
    for [a, b, c] in faces {
        joined.join(*a, *b);
        joined.join(*b, *c);
    }
    faces.iter().map(|face| joined.root(face[0])).collect()
}
