//! Meshes against shapes of the kernel: a box as a mesh answers as the box, and all triangles as one by one.

use crate::solids::{block, mesh, torus};
use crate::soup::{Numbers, dirty};
use impinge::geom::{Certainty, Pose, Shape, Verdict, pair};
use impinge::mesh::{Mode, Scratch, shape};

fn shapes() -> Vec<Shape> {
    [
        Shape::sphere(0.5),
        Shape::capsule(0.25, 0.5),
        Shape::cuboid([0.5, 0.25, 0.75]),
        Shape::cylinder(0.5, 0.5),
        Shape::hull(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        Shape::cone(0.5, 0.5),
        Shape::cuboid([0.5, 0.5, 0.5]).and_then(|cuboid| cuboid.rounded(0.25)),
        Shape::sphere(3.0),
        Shape::half_space([0.0, 0.0, 1.0], -0.5),
    ]
    .into_iter()
    .map(|shape| shape.expect("valid"))
    .collect()
}

/// The solid verdict on a box given as a mesh is that on the box.
#[test]
fn a_box_of_triangles_is_a_box() {
    let mut numbers = Numbers::new(23);
    let mut scratch = Scratch::default();
    let mut cache = pair::Cache::default();
    let solid = mesh(&block([-1.0; 3], [1.0; 3], 2, false));
    let cuboid = Shape::cuboid([1.0; 3]).expect("valid");
    let mut seen = std::collections::HashMap::new();
    for round in 0..400 {
        let shapes = shapes();
        let body = &shapes[round % shapes.len()];
        // Steps of a quarter make flush contacts.
        let shift = [(); 3].map(|()| numbers.below(17) as f64 * 0.25 - 2.0);
        let pose = match round % 2 {
            0 => Pose::from_translation(shift).expect("valid"),
            _ => numbers.pose(1.5),
        };
        let expected = pair::verdict(&cuboid, body, &pose, &mut cache);
        let found = shape::verdict(&solid, body, &pose, Mode::Solid, &mut scratch);
        assert_eq!(
            (found.verdict, found.certainty),
            (expected, Certainty::Exact),
            "{body:?} {pose:?}"
        );
        *seen.entry(expected).or_insert(0) += 1;
        if expected == Verdict::Separated {
            let apart = pair::distance(&cuboid, body, &pose, &mut cache);
            let distance = shape::distance(&solid, body, &pose, &mut scratch);
            let allowed = 1e-9 + apart.uncertainty + distance.uncertainty;
            let off = (distance.distance - apart.distance).abs();
            assert!(off < allowed, "{body:?} {pose:?}: {apart:?} {distance:?}");
        }
    }
    assert!(seen.len() >= 4, "{seen:?}");
}

#[test]
fn triangles_and_distances_as_by_brute_force() {
    let mut numbers = Numbers::new(31);
    let mut scratch = Scratch::default();
    let mut found = Vec::new();
    let (mut met, mut apart) = (0, 0);
    for round in 0..120 {
        let raw =
            if round % 2 == 0 { dirty(&mut numbers, 60, 0.3) } else { torus(1.5, 0.4, 12, 8) };
        let (mesh, shapes) = (mesh(&raw), shapes());
        let body = &shapes[round % shapes.len()];
        let pose = numbers.pose(2.5);
        shape::triangles(&mesh, body, &pose, &mut scratch, &mut found);
        let (mut expected, mut least) = (Vec::new(), f64::INFINITY);
        for face in 0..mesh.triangles().len() as u32 {
            let triangle =
                Shape::triangle(mesh.corners(face).map(|p| p.to_array())).expect("valid");
            let cache = &mut pair::Cache::default();
            match pair::verdict(&triangle, body, &pose, cache) {
                Verdict::Separated => {}
                verdict => expected.push((face, verdict)),
            }
            least = least.min(pair::distance(&triangle, body, &pose, cache).distance);
        }
        assert_eq!(found, expected, "round {round}");
        assert_eq!(shape::overlap(&mesh, body, &pose, &mut scratch), !expected.is_empty());
        let distance = shape::distance(&mesh, body, &pose, &mut scratch);
        assert!((distance.distance - least).abs() < 1e-12, "round {round}");
        if expected.is_empty() { apart += 1 } else { met += 1 }
    }
    assert!(met > 20 && apart > 20, "{met} {apart}");
}

#[test]
fn a_ball_in_the_hole_of_a_ring_is_outside() {
    let ring = mesh(&torus(3.0, 1.0, 24, 16));
    let mut scratch = Scratch::default();
    let mut ask = |x: f64, mode| {
        let (ball, pose) =
            (Shape::sphere(0.5).expect("valid"), Pose::from_translation([x, 0.0, 0.0]));
        shape::verdict(&ring, &ball, &pose.expect("valid"), mode, &mut scratch).verdict
    };
    assert_eq!(ask(0.0, Mode::Solid), Verdict::Separated);
    assert_eq!(ask(2.0, Mode::Solid), Verdict::Penetrating);
    assert_eq!(ask(3.0, Mode::Surface), Verdict::Separated);
    assert_eq!(ask(3.0, Mode::Solid), Verdict::Contained(impinge::geom::Inside::B));
}
