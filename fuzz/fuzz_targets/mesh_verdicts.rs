//! Two small meshes on a grid: verdicts, distances and pairs of triangles agree with each triangle against each, and with the meshes exchanged.
#![no_main]

use impinge::geom::Verdict;
use impinge::geom::glam::DVec3;
use impinge::geom::triangle::{self, TriangleVerdict};
use impinge::mesh::Mode;
use impinge::query::{self, MeshPart, Workspace};
use impinge::{Mesh, Pose};
use std::sync::Arc;

/// Faces of a mesh at most, so that a run is quick.
const MOST: usize = 24;

fn number(byte: u8) -> f64 {
    let grid = f64::from(byte % 8) - 3.0;
    match byte / 8 {
        0..24 => grid,
        24..27 => grid.next_up(),
        27..30 => grid.next_down(),
        _ => grid * 0.5 + 0.25,
    }
}

fn mesh(bytes: &[u8]) -> Option<Mesh> {
    let corners: Vec<[f64; 3]> =
        bytes.chunks_exact(3).take(3 * MOST).map(|c| [number(c[0]), number(c[1]), number(c[2])]).collect();
    let count = corners.len() as u32 / 3;
    let faces: Vec<[u32; 3]> = (0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Mesh::new(&corners, &faces).ok()
}

fn faces(mesh: &Mesh) -> Vec<[DVec3; 3]> {
    mesh.triangles().iter().map(|face| face.map(|k| mesh.vertices()[k as usize])).collect()
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (one, two) = bytes.split_at(bytes.len() / 2);
    let (Some(a), Some(b)) = (mesh(one), mesh(two)) else { return };
    let mut crossing = 0;
    let mut meeting = 0;
    let mut least = f64::INFINITY;
    for f in faces(&a) {
        for g in faces(&b) {
            match triangle::verdict(&f, &g) {
                TriangleVerdict::Crossing => (crossing, meeting) = (crossing + 1, meeting + 1),
                TriangleVerdict::Touching => meeting += 1,
                TriangleVerdict::Separated => {}
            }
            least = least.min(triangle::distance(&f, &g).distance);
        }
    }
    let health = a.health();
    assert!(health.self_intersecting.iter().all(|[i, j]| i < j));
    let (a, b) = (Arc::new(a), Arc::new(b));
    let surface = |mesh: &Arc<Mesh>| MeshPart::new(mesh.clone(), Mode::Surface);
    let (x, y) = (surface(&a), surface(&b));
    let (here, workspace) = (Pose::IDENTITY, &mut Workspace::default());
    let pairs = query::triangle_pairs_with(&here, &x, &here, &y, workspace);
    assert_eq!(pairs.len(), meeting);
    let verdict = query::relation_with(&here, &x, &here, &y, workspace).verdict;
    let expected = match (crossing, meeting) {
        (0, 0) => Verdict::Separated,
        (0, _) => Verdict::Touching,
        _ => Verdict::Penetrating,
    };
    assert_eq!(verdict, expected);
    assert_eq!(query::relation_with(&here, &y, &here, &x, workspace).verdict, expected.flipped());
    let distance = query::distance_with(&here, &x, &here, &y, workspace).distance;
    assert!((distance - least).abs() <= 1e-12 * least.max(8.0), "{distance} {least}");
    assert_eq!(distance == 0.0, meeting > 0);
    // Solids: the same seen from the other.
    let solid = |mesh: &Arc<Mesh>| MeshPart::new(mesh.clone(), Mode::Solid);
    let relation = query::relation_with(&here, &solid(&a), &here, &solid(&b), workspace);
    let other = query::relation_with(&here, &solid(&b), &here, &solid(&a), workspace);
    assert_eq!(relation.certainty, other.certainty);
    // Of two that are one, either may be said to lie in the other.
    let same = matches!((relation.verdict, other.verdict), (Verdict::Contained(_), Verdict::Contained(_)));
    assert!(same || relation.verdict == other.verdict.flipped());
});
