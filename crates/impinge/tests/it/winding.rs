//! Winding numbers against the sum of solid angles, at points that share coordinates with vertices, edges and faces.

use crate::solids::{block, both, mesh, tetrahedron, torus, turned_over, unwelded};
use crate::soup::{Numbers, Raw};
use impinge::geom::glam::DVec3;
use impinge::geom::triangle;
use impinge::mesh::{Scratch, Winding, generalised_winding, winding};

/// Exact numbers at all points of a lattice, and at random ones.
fn check(raw: &Raw, lattice: impl Fn(i32) -> f64, steps: i32) -> [usize; 3] {
    let mesh = mesh(raw);
    let mut scratch = Scratch::default();
    let mut counts = [0; 3];
    for k in 0..steps * steps * steps {
        let p =
            DVec3::new(lattice(k % steps), lattice(k / steps % steps), lattice(k / steps / steps));
        let on = (0..raw.1.len() as u32).find(|face| {
            let (closest, _) = triangle::closest_point(&mesh.corners(*face), p);
            closest.distance(p) < 1e-12
        });
        match winding(&mesh, p, &mut scratch) {
            Winding::Surface(face) => {
                assert_eq!(Some(face), on, "{p}");
                counts[0] += 1;
            }
            Winding::Number(number) => {
                assert_eq!(on, None, "{p}");
                let expected = generalised_winding(&mesh, p);
                assert!((expected - number as f64).abs() < 1e-9, "{p}: {number} for {expected}");
                counts[if number == 0 { 1 } else { 2 }] += 1;
            }
            Winding::Estimate(_) => panic!("the mesh is closed"),
        }
    }
    counts
}

#[test]
fn boxes_nested_overlapping_and_turned_over() {
    let a = block([0.0; 3], [4.0; 3], 4, false);
    let b = block([1.0; 3], [3.0; 3], 2, true);
    let c = block([2.0, 1.0, 0.0], [6.0, 3.0, 2.0], 1, true);
    for raw in [
        a.clone(),
        unwelded(&a),
        both(&a, &b),
        both(&a, &turned_over(&b)),
        both(&a, &c),
        both(&both(&a, &turned_over(&c)), &b),
    ] {
        let counts = check(&raw, |k| f64::from(k) * 0.5 - 1.0, 16);
        assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
    }
}

#[test]
fn tetrahedra_on_a_lattice() {
    let mut numbers = Numbers::new(5);
    let mut sum = [0; 3];
    for _ in 0..60 {
        let raw = tetrahedron(&mut numbers, 6);
        let counts = check(&raw, f64::from, 6);
        sum = [0, 1, 2].map(|k| sum[k] + counts[k]);
    }
    assert!(sum[0] > 300 && sum[2] > 20, "{sum:?}");
}

#[test]
fn a_torus_has_a_hole() {
    let counts = check(&torus(3.0, 1.0, 16, 12), |k| f64::from(k) * 0.5 - 4.03, 17);
    assert!(counts[2] > 100, "{counts:?}");
    let mesh = mesh(&torus(3.0, 1.0, 16, 12));
    assert_eq!(winding(&mesh, DVec3::ZERO, &mut Scratch::default()), Winding::Number(0));
}

#[test]
fn large_coordinates_and_points_far_away() {
    let (low, high) = (1e7, 1e7 + 2.0);
    let mesh = mesh(&block([low; 3], [high; 3], 3, false));
    let mut scratch = Scratch::default();
    let mut at = |x: f64| winding(&mesh, DVec3::new(x, low + 1.0, low + 1.0), &mut scratch);
    assert_eq!(at(high.next_down()), Winding::Number(1));
    assert!(matches!(at(high), Winding::Surface(_)));
    assert_eq!(at(high.next_up()), Winding::Number(0));
    assert_eq!(
        (at(-1e200), at(1e200), at(f64::NAN)),
        (Winding::Number(0), Winding::Number(0), Winding::Number(0))
    );
}

#[test]
fn open_meshes_are_estimated() {
    let mut raw = block([0.0; 3], [1.0; 3], 4, false);
    raw.1.pop();
    let mesh = mesh(&raw);
    let mut scratch = Scratch::default();
    let mut at = |x: f64| winding(&mesh, DVec3::new(x, 0.4, 0.4), &mut scratch);
    let (inside, outside) = (at(0.5), at(3.0));
    assert!(inside.is_inside() && !outside.is_inside());
    assert!(matches!(inside, Winding::Estimate(number) if number > 0.9 && number < 1.0));
    assert!(matches!(at(0.0), Winding::Surface(_)));
}
