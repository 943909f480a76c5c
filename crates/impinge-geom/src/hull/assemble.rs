//! From an outline in input indices to the finished hull: canonical numbers, edges, and what is around each vertex.

use super::build::Outline;
use super::measure::Measure;
use super::support::SupportBlocks;
use super::{Hull, range};
use glam::DVec3;

impl Hull {
    /// Numbers the outline and derives everything else from it.
    pub(super) fn assemble(points: &[DVec3], outline: &Outline) -> Self {
        let vertices: Vec<DVec3> = outline.corners.iter().map(|i| points[*i as usize]).collect();
        let (face_starts, loops) = canonical_loops(points.len(), outline);
        let mut triangles = Vec::new();
        for face in face_starts.windows(2) {
            let corners = &loops[face[0] as usize..face[1] as usize];
            triangles.extend(corners.windows(2).skip(1).map(|w| [corners[0], w[0], w[1]]));
        }
        let around = Around::new(vertices.len(), &face_starts, &loops);
        let mut hull = Self {
            dimension: outline.dimension,
            vertices,
            input_indices: outline.corners.clone(),
            face_starts,
            loops,
            triangles,
            edges: around.edges,
            edge_faces: around.edge_faces,
            around_starts: around.starts,
            neighbours: around.neighbours,
            around_faces: around.faces,
            around_edges: around.edge_of,
            measure: Measure::default(),
            blocks: SupportBlocks::default(),
        };
        hull.blocks = SupportBlocks::new(&hull.vertices);
        hull.measure = Measure::new(&hull);
        hull
    }
}

/// The loops in vertex numbers, each from its smallest vertex, sorted; with their starts.
fn canonical_loops(point_count: usize, outline: &Outline) -> (Vec<u32>, Vec<u32>) {
    let mut number = vec![Hull::NONE; point_count];
    for (vertex, index) in outline.corners.iter().enumerate() {
        number[*index as usize] = vertex as u32;
    }
    let loops: Vec<u32> = outline.loops.iter().map(|index| number[*index as usize]).collect();
    // A directed edge belongs to one loop only, so the first two vertices decide the order.
    let mut order = Vec::with_capacity(outline.starts.len());
    for face in 0..outline.starts.len() as u32 - 1 {
        let Some(corners) = range(&outline.starts, face).map(|r| &loops[r]) else { continue };
        let Some(place) = (0..corners.len()).min_by_key(|i| corners[*i]) else { continue };
        let second = corners[(place + 1) % corners.len()];
        order.push((corners[place], second, place as u32, face));
    }
    order.sort_unstable();
    let mut sorted = Vec::with_capacity(loops.len());
    let mut starts = Vec::with_capacity(outline.starts.len());
    starts.push(0);
    for (_, _, place, face) in order {
        let Some(corners) = range(&outline.starts, face).map(|r| &loops[r]) else { continue };
        let (before, after) = corners.split_at(place as usize);
        sorted.extend_from_slice(after);
        sorted.extend_from_slice(before);
        starts.push(sorted.len() as u32);
    }
    (starts, sorted)
}

/// The edges, and the neighbours, faces and edges around every vertex.
struct Around {
    edges: Vec<[u32; 2]>,
    edge_faces: Vec<[u32; 2]>,
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    faces: Vec<u32>,
    edge_of: Vec<u32>,
}

impl Around {
    fn new(vertex_count: usize, face_starts: &[u32], loops: &[u32]) -> Self {
        if face_starts.len() < 2 {
            return Self::without_faces(vertex_count);
        }
        // Every vertex starts as many directed edges as it has neighbours.
        let mut starts = vec![0u32; vertex_count + 1];
        for vertex in loops {
            starts[*vertex as usize + 1] += 1;
        }
        for vertex in 0..vertex_count {
            starts[vertex + 1] += starts[vertex];
        }
        let mut fill = starts.clone();
        let mut entries = vec![(0u32, 0u32); loops.len()];
        for (face, ends) in face_starts.windows(2).enumerate() {
            let corners = &loops[ends[0] as usize..ends[1] as usize];
            for (place, from) in corners.iter().enumerate() {
                let to = corners[(place + 1) % corners.len()];
                let slot = &mut fill[*from as usize];
                entries[*slot as usize] = (to, face as u32);
                *slot += 1;
            }
        }
        let (mut edges, mut edge_faces) = (Vec::new(), Vec::new());
        let mut edge_of = vec![Hull::NONE; loops.len()];
        // The next place of a vertex whose edge comes from a smaller vertex: those come in ascending order.
        let mut fill = starts.clone();
        for from in 0..vertex_count {
            let place = starts[from] as usize..starts[from + 1] as usize;
            entries[place.clone()].sort_unstable();
            for index in place {
                let (to, face) = entries[index];
                if to as usize > from {
                    edge_of[index] = edges.len() as u32;
                    let back = &mut fill[to as usize];
                    edge_of[*back as usize] = edges.len() as u32;
                    *back += 1;
                    edges.push([from as u32, to]);
                    edge_faces.push([face, Hull::NONE]);
                } else {
                    edge_faces[edge_of[index] as usize][1] = face;
                }
            }
        }
        let neighbours = entries.iter().map(|entry| entry.0).collect();
        let faces = entries.iter().map(|entry| entry.1).collect();
        Self { edges, edge_faces, starts, neighbours, faces, edge_of }
    }

    /// One vertex, or two with an edge between them.
    fn without_faces(vertex_count: usize) -> Self {
        let segment = vertex_count == 2;
        let pick = |values: Vec<u32>| if segment { values } else { Vec::new() };
        Self {
            edges: if segment { vec![[0, 1]] } else { Vec::new() },
            edge_faces: if segment { vec![[Hull::NONE; 2]] } else { Vec::new() },
            starts: if segment { vec![0, 1, 2] } else { vec![0, 0] },
            neighbours: pick(vec![1, 0]),
            faces: Vec::new(),
            edge_of: pick(vec![0, 0]),
        }
    }
}
