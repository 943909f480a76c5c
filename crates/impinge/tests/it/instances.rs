//! Instances answer as their meshes do where their vertices are, in the world.

use crate::solids::{block, mesh, torus};
use crate::soup::Numbers;
use impinge::geom::triangle;
use impinge::geom::{Inside, Pose, Verdict};
use impinge::mesh::{self, Instance, Mode, Scratch};
use std::sync::Arc;

#[test]
fn distances_are_those_of_the_world() {
    let mut numbers = Numbers::new(41);
    let mut scratch = Scratch::default();
    let ring = Arc::new(mesh(&torus(1.0, 0.3, 10, 6)));
    for _ in 0..20 {
        let place = |numbers: &mut Numbers| {
            let scale = 0.5 + numbers.below(8) as f64 / 4.0;
            Instance::new(ring.clone(), numbers.pose(4.0), scale).expect("valid")
        };
        let (a, b) = (place(&mut numbers), place(&mut numbers));
        let found = a.distance(&b, &mut scratch);
        let faces = 0..ring.triangles().len() as u32;
        let corners = |i: &Instance, face| ring.corners(face).map(|p| i.to_world(p));
        let pairs = faces.clone().flat_map(|i| faces.clone().map(move |j| (i, j)));
        let least = pairs
            .map(|(i, j)| triangle::distance(&corners(&a, i), &corners(&b, j)).distance)
            .fold(f64::INFINITY, f64::min);
        assert!((found.distance - least).abs() < 1e-12, "{} {least}", found.distance);
        assert!((found.points[0].distance(found.points[1]) - least).abs() < 1e-12);
    }
}

#[test]
fn scales_and_verdicts() {
    let cube = Arc::new(mesh(&block([0.0; 3], [1.0; 3], 1, false)));
    let at = |x: f64, scale: f64| {
        let pose = Pose::from_translation([x, 0.0, 0.0]).expect("valid");
        Instance::new(cube.clone(), pose, scale).expect("valid")
    };
    let mut scratch = Scratch::default();
    let mut ask = |a: &Instance, b: &Instance| a.verdict(b, Mode::Solid, &mut scratch).verdict;
    assert_eq!(ask(&at(0.0, 4.0), &at(1.0, 2.0)), Verdict::Contained(Inside::B));
    assert_eq!(ask(&at(1.0, 2.0), &at(0.0, 4.0)), Verdict::Contained(Inside::A));
    assert_eq!(ask(&at(0.0, 4.0), &at(3.0, 2.0)), Verdict::Penetrating);
    assert_eq!(ask(&at(0.0, 4.0), &at(4.0, 2.0)), Verdict::Touching);
    assert_eq!(ask(&at(0.0, 4.0), &at(4.5, 2.0)), Verdict::Separated);
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e30] {
        assert!(Instance::new(cube.clone(), Pose::IDENTITY, scale).is_err(), "{scale}");
    }
}

#[test]
fn contacts_lie_on_both_triangles() {
    let (a, b) = (mesh(&torus(1.0, 0.4, 12, 8)), mesh(&block([0.0; 3], [1.0; 3], 2, false)));
    let mut numbers = Numbers::new(43);
    let (mut scratch, mut found, mut pairs) = (Scratch::default(), Vec::new(), Vec::new());
    let mut count = 0;
    for _ in 0..20 {
        let place = mesh::ScaledPose::from(numbers.pose(1.0));
        mesh::contacts(&a, &b, &place, &mut scratch, &mut found);
        mesh::pairs(&a, &b, &place, &mut scratch, &mut pairs);
        let named: Vec<_> =
            found.iter().map(|c| (c.triangles[0], c.triangles[1], c.verdict)).collect();
        assert_eq!(named, pairs);
        for contact in &found {
            let corners = b.corners(contact.triangles[1]).map(|p| place.transform_point(p));
            for point in contact.intersection.points() {
                let far =
                    |corners: &[_; 3]| triangle::closest_point(corners, *point).0.distance(*point);
                assert!(far(&a.corners(contact.triangles[0])) < 1e-12 && far(&corners) < 1e-12);
                count += 1;
            }
        }
    }
    assert!(count > 200, "{count}");
}
