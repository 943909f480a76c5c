//! Improper pairs are those whose common points are not all of the corners and edges that they share.

use crate::solids::{block, both, mesh, torus};
use crate::soup::{Numbers, Raw};
use impinge::Mesh;
use impinge::geom::glam::DVec3;
use impinge::geom::triangle::{closest_point, intersection};
use impinge::mesh::{Scratch, self_intersections};

/// By the corners of the intersection, on small lattices, where a point that is not shared is far from those that are.
fn is_improper(f: [DVec3; 3], g: [DVec3; 3]) -> bool {
    let shared: Vec<DVec3> = f.into_iter().filter(|p| g.contains(p)).collect();
    let flat = (f[1] - f[0]).cross(f[2] - f[0]) == DVec3::ZERO;
    let hull = match shared.as_slice() {
        [] => return !intersection(&f, &g).points().is_empty(),
        [v] => [*v; 3],
        [u, v] => [*u, *v, *v],
        [u, v, w] if u == v || v == w || u == w => [*u, *v, *w],
        _ => return !flat,
    };
    intersection(&f, &g).points().iter().any(|p| closest_point(&hull, *p).0.distance(*p) > 1e-7)
}

fn expected(mesh: &Mesh) -> Vec<[u32; 2]> {
    let count = mesh.triangles().len() as u32;
    // Of faces with the same corners the later ones are each a pair with the first, and with no other face.
    let sorted = |face: u32| {
        let mut corners = mesh.corners(face).map(|p| p.to_array());
        corners.sort_by(|p, q| p.partial_cmp(q).unwrap());
        corners
    };
    let first = |face: u32| (0..face).find(|&other| sorted(other) == sorted(face));
    let counts =
        |[i, j]: &[u32; 2]| first(*i).is_none() && first(*j).is_none_or(|first| first == *i);
    let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| [i, j])).filter(counts);
    pairs.filter(|[i, j]| is_improper(mesh.corners(*i), mesh.corners(*j))).collect()
}

#[test]
fn lattice_soups_as_by_brute_force() {
    let mut numbers = Numbers::new(11);
    let (mut scratch, mut found) = (Scratch::default(), Vec::new());
    let (mut improper, mut proper) = (0, 0);
    for round in 0..400 {
        // Few vertices on a small lattice: corners, edges and planes are shared all the time, some faces have no area.
        let size = [3, 4, 6][round % 3];
        let vertices: Vec<[f64; 3]> =
            (0..9).map(|_| [(); 3].map(|()| numbers.below(size) as f64)).collect();
        let faces = (0..8).map(|_| [(); 3].map(|()| numbers.below(9) as u32)).collect();
        let raw: Raw = (vertices, faces);
        let mesh = mesh(&raw);
        self_intersections(&mesh, &mut scratch, &mut found);
        let expected = expected(&mesh);
        assert_eq!(found, expected, "{raw:?}");
        improper += expected.len();
        proper += 28 - expected.len();
    }
    assert!(improper > 1000 && proper > 1000, "{improper} {proper}");
}

#[test]
fn flat_neighbours_meet_properly_and_folded_ones_do_not() {
    let (mut scratch, mut found) = (Scratch::default(), Vec::new());
    self_intersections(&mesh(&block([0.0; 3], [1.0; 3], 6, true)), &mut scratch, &mut found);
    assert!(found.is_empty());
    self_intersections(&mesh(&torus(3.0, 1.0, 40, 20)), &mut scratch, &mut found);
    assert!(found.is_empty());
    let corners = vec![[0.0; 3], [4.0, 0.0, 0.0], [1.0, 3.0, 0.0], [3.0, 2.0, 0.0]];
    self_intersections(&mesh(&(corners, vec![[0, 1, 2], [1, 0, 3]])), &mut scratch, &mut found);
    assert_eq!(found, [[0, 1]]);
}

#[test]
fn overlapping_boxes_in_one_mesh_are_found() {
    let a = block([0.0; 3], [2.0; 3], 2, false);
    let raw = both(&a, &block([1.0, 0.5, 0.25], [3.0, 2.5, 2.25], 2, true));
    let (mut scratch, mut found) = (Scratch::default(), Vec::new());
    let mesh = mesh(&raw);
    self_intersections(&mesh, &mut scratch, &mut found);
    assert!(!found.is_empty());
    assert_eq!(found, expected(&mesh));
    assert!(found.iter().all(|[i, j]| *i < 48 && *j >= 48));
}
