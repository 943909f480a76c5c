//! Joins triangles that lie exactly in one plane to faces, and drops vertices that are not extreme.

use super::build::Outline;
use super::lattice::Lattice;
use super::quickhull::Triangle;
use glam::DVec3;

/// The faces of a closed, convex surface of triangles.
///
/// Two neighbours with a common plane belong to one face, and as the surface is convex, triangles of one plane are connected
/// through such neighbours. A vertex is extreme iff at least three faces meet there; with two it is inside an edge, with
/// one inside a face. So the loop of a face passes an extreme vertex exactly where the face on the other side changes.
pub(super) fn faces(points: &[DVec3], lattice: Lattice, triangles: &[Triangle]) -> Outline {
    let face_of = face_of_triangles(points, lattice, triangles);
    let across = |triangle: usize, side: usize| triangles[triangle].across[side] as usize;
    let mut done = vec![false; triangles.len()];
    let mut is_corner = vec![false; points.len()];
    let (mut starts, mut loops) = (vec![0], Vec::new());
    for (first, triangle) in triangles.iter().enumerate() {
        for side in 0..3 {
            let face = face_of[first];
            if !triangle.is_alive() || done[face as usize] || face_of[across(first, side)] == face {
                continue;
            }
            // Walk along the border of the face, starting with this side.
            done[face as usize] = true;
            let begin = loops.len();
            let (mut at, mut edge) = (first, side);
            let mut behind = NOT_YET;
            let mut first_behind = NOT_YET;
            loop {
                let other = face_of[across(at, edge)];
                if behind != NOT_YET && other != behind {
                    loops.push(triangles[at].corners[edge]);
                }
                if first_behind == NOT_YET {
                    first_behind = other;
                }
                behind = other;
                let pivot = triangles[at].corners[(edge + 1) % 3];
                edge = (edge + 1) % 3;
                while face_of[across(at, edge)] == face {
                    at = across(at, edge);
                    edge = triangles[at].corners.iter().position(|c| *c == pivot).unwrap_or(0);
                }
                if (at, edge) == (first, side) {
                    break;
                }
            }
            if first_behind != behind {
                loops.push(triangle.corners[side]);
            }
            for corner in &loops[begin..] {
                is_corner[*corner as usize] = true;
            }
            starts.push(loops.len() as u32);
        }
    }
    let corners = (0..points.len() as u32).filter(|index| is_corner[*index as usize]).collect();
    Outline { dimension: 3, corners, starts, loops }
}

/// No face seen behind the border yet.
const NOT_YET: u32 = u32::MAX;

/// For every triangle the number of its face: the smallest index of a triangle that belongs to it.
fn face_of_triangles(points: &[DVec3], lattice: Lattice, triangles: &[Triangle]) -> Vec<u32> {
    let mut face_of = vec![NOT_YET; triangles.len()];
    let mut stack = Vec::new();
    for start in 0..triangles.len() {
        if face_of[start] != NOT_YET || !triangles[start].is_alive() {
            continue;
        }
        face_of[start] = start as u32;
        stack.push(start);
        // All are compared with the first triangle: what is coplanar with it through a chain of neighbours is in its plane.
        let [a, b, c] = triangles[start].corners.map(|index| points[index as usize]);
        while let Some(at) = stack.pop() {
            for (side, other) in triangles[at].across.into_iter().enumerate() {
                let other = other as usize;
                if face_of[other] != NOT_YET {
                    continue;
                }
                let shared = [triangles[at].corners[side], triangles[at].corners[(side + 1) % 3]];
                let opposite = triangles[other].corners.into_iter().find(|c| !shared.contains(c));
                if opposite.is_some_and(|d| lattice.side(a, b, c, points[d as usize]) == 0) {
                    face_of[other] = start as u32;
                    stack.push(other);
                }
            }
        }
    }
    face_of
}
