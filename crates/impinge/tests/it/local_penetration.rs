//! Local penetrations: stable under refinement, of shapes and open meshes, ended early; and of random pairs, beside dense sampling.

use crate::fits::{ask, bored, cube, pin};
use crate::solids::mesh;
use crate::soup::Numbers;
use impinge::geom::glam::DVec3;
use impinge::geom::{Certainty, Pose};
use impinge::mesh::{self, Accuracy, Mesh, ScaledPose, Scratch};

#[test]
fn a_pin_that_is_too_large_is_as_deep_as_it_is_too_large() {
    for facets in [64, 512, 4096] {
        let (plate, pin) = (bored(12.0, 5.0, facets, -2.0, 2.0), pin(5.01, facets, -10.0, 10.0));
        let found = ask(&mesh(&plate), &mesh(&pin), &Pose::IDENTITY.into()).unwrap();
        // A corner of the pin is farthest from the bore's; the facets are parallel.
        let depths = [0.01, 0.01 * (std::f64::consts::PI / f64::from(facets)).cos()];
        for (found, depth) in found.depths.iter().zip(depths) {
            assert!(
                found.value <= depth + 1e-9 && found.upper >= depth - 1e-9,
                "{facets}: {found:?}"
            );
            assert!(found.upper - found.value <= 1e-4, "{facets}: {found:?}");
        }
    }
}

#[test]
fn shapes_and_compounds() {
    use impinge::query::{penetration, separation};
    use impinge::{Geometry, Shape};
    let at = |x: f64| Pose::from_translation([x, 0.0, 0.0]).unwrap();
    let (unit, large) = (Shape::sphere(1.0).unwrap(), Shape::sphere(3.0).unwrap());
    let near = |found: f64, depth: f64| (found - depth).abs() <= 0.01 * depth;
    let found = penetration(&at(0.0), &unit, &at(1.5), &unit).unwrap();
    assert!(near(found.in_a, 0.5) && near(found.in_b, 0.5) && found.upper >= 0.5, "{found:?}");
    assert_eq!(separation(&at(0.0), &unit, &at(1.5), &unit).unwrap().value, 0.5);
    let found = penetration(&at(0.0), &large, &at(0.5), &unit).unwrap();
    assert!(near(found.in_a, 3.0) && near(found.in_b, 1.0), "{found:?}");
    assert_eq!(penetration(&at(0.0), &unit, &at(2.5), &unit), None);
    assert_eq!(penetration(&at(0.0), &unit, &at(2.0), &unit), None);
    // A mesh and a ball, both ways round.
    let slab = mesh(&cube([0.0; 3], [1.0, 5.0, 5.0], 1));
    let found = penetration(&at(0.0), &slab, &at(1.75), &unit).unwrap();
    assert!(near(found.in_a, 0.25) && near(found.in_b, 0.25), "{found:?}");
    let turned = penetration(&at(1.75), &unit, &at(0.0), &slab).unwrap();
    assert_eq!((turned.in_a, turned.in_b), (found.in_b, found.in_a));
    // Of a compound the deepest part counts.
    let pair =
        Geometry::compound([(4, at(0.0), unit.clone().into()), (7, at(10.0), unit.clone().into())]);
    let found = penetration(&at(0.0), &pair.unwrap(), &at(8.5), &unit).unwrap();
    assert!(found.children == [7, 0] && near(found.value, 0.5), "{found:?}");
}

#[test]
fn an_open_box_answers_with_an_estimate() {
    // Without its lid it still encloses most of what it did.
    let (vertices, faces) = cube([0.0; 3], [1.0; 3], 1);
    let open: Mesh = Mesh::new(&vertices, &faces[2..]).unwrap();
    let peg = mesh(&cube([1.2, 0.1, 0.1], [0.5, 0.2, 0.2], 1));
    let found = ask(&open, &peg, &Pose::IDENTITY.into()).unwrap();
    assert_eq!(found.certainty, Certainty::Estimate);
    assert!((found.value() - 0.3).abs() < 1e-9, "{found:?}");
    // Two sheets enclose nothing.
    let sheet: Mesh =
        Mesh::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]).unwrap();
    let turned = Pose::from_axis_angle([1.0, 0.0, 0.0], 1.5, [0.1, 0.2, 0.1]).unwrap();
    assert_eq!(ask(&sheet, &sheet, &turned.into()), None);
}

#[test]
fn the_search_ends_when_the_question_is_decided() {
    let (a, b) = (mesh(&cube([0.0; 3], [1.0; 3], 1)), mesh(&cube([1.9, 0.2, 0.1], [1.0; 3], 1)));
    let (here, mut scratch) = (Pose::IDENTITY.into(), Scratch::default());
    for (at, above) in [(0.05, true), (0.15, false)] {
        let accuracy = Accuracy { decide_at: Some(at), ..Accuracy::default() };
        let found = mesh::local_penetration(&a, &b, &here, &accuracy, &mut scratch).unwrap();
        assert_eq!((found.value() > at, found.upper() > at), (above, above), "{found:?}");
    }
    // A known way out ends it, too.
    let accuracy = Accuracy { separation: 0.1 + 1e-12, ..Accuracy::default() };
    let found = mesh::local_penetration(&a, &b, &here, &accuracy, &mut scratch).unwrap();
    assert!((found.value() - 0.1).abs() < 1e-9 && found.upper() < 0.1 + 1e-9, "{found:?}");
}

#[test]
fn no_sample_of_random_pairs_lies_deeper() {
    let mut numbers = Numbers::new(7);
    let mut common = 0;
    for round in 0..12 {
        let half = [0, 1, 2].map(|_| 0.2 + 0.8 * numbers.signed().abs());
        let a = cube([0.0; 3], half, 1 + round % 3);
        let b = pin(0.7, 5 + round, -0.6, 0.6);
        let place = numbers.pose(0.8);
        let Some(found) = ask(&mesh(&a), &mesh(&b), &place.into()) else { continue };
        for (k, depth) in found.depths.iter().enumerate() {
            assert!(depth.upper - depth.value <= 0.01 * depth.value + 1e-12, "{k} {depth:?}");
        }
        let apothem = 0.7 * (std::f64::consts::PI / f64::from(5 + round)).cos();
        for _ in 0..4000 {
            let point = DVec3::new(numbers.signed(), numbers.signed(), numbers.signed());
            let in_a = (DVec3::from(half) - point.abs()).min_element();
            // A ball in the prism: no deeper than the prism itself.
            let there = place.inverse_transform_point(point);
            let in_b = (apothem - there.truncate().length()).min(0.6 - there.z.abs());
            if in_a > 0.0 && in_b > 0.0 {
                common += 1;
                assert!(in_a <= found.depths[0].upper && in_b <= found.depths[1].upper, "{point}");
            }
        }
    }
    assert!(common > 500, "{common}");
}

#[test]
fn a_mesh_that_is_enlarged_about_a_point_far_away_keeps_its_digits() {
    // B is a cube of four millimetres ten thousand kilometres from its origin, a thousand times as large in A, and 1.5 beside it.
    let far = 1e7;
    let (a, b) = (mesh(&cube([far; 3], [2.0; 3], 1)), mesh(&cube([far; 3], [0.002; 3], 1)));
    let shift = [1.5, 0.0, 0.0].map(|x| x - 999.0 * far);
    let place = ScaledPose { pose: Pose::from_translation(shift).unwrap(), scale: 1000.0 };
    let accuracy = Accuracy { relative: 0.0, ..Accuracy::default() };
    let found = mesh::local_penetration(&a, &b, &place, &accuracy, &mut Scratch::default());
    let found = found.unwrap();
    // The vertices of B are rounded there and in A by about a millionth; nothing else may be lost.
    for depth in &found.depths {
        assert!((depth.value - 2.0).abs() < 1e-5, "{found:?}");
        assert!(depth.upper >= depth.value && depth.upper - depth.value < 1e-5, "{found:?}");
    }
}

#[test]
fn an_overlap_as_thin_as_rounding_is_bounded_by_the_way_out() {
    // A pin stands on a block and enters it by a unit in the last place: cells cannot tell that from contact.
    let block = mesh(&cube([0.0, 0.0, -1000.0], [1000.0; 3], 2));
    let stands = mesh(&pin(700.0, 7, -1e-12, 900.0));
    let turn = Pose::new([0.936, 0.0, 0.0, 0.352], [0.3, 0.1, 0.0]).unwrap();
    let found = ask(&block, &stands, &turn.into()).unwrap();
    for depth in &found.depths {
        assert!(depth.value <= 1e-11 && depth.upper <= 1e-8, "{found:?}");
    }
}

#[test]
fn convex_solids_are_measured_by_their_planes() {
    // Two bricks, turned against each other: the deepest point by brute force over a fine lattice, which misses less than its step.
    let halves = [DVec3::new(1.0, 0.6, 0.4), DVec3::new(0.7, 0.5, 0.9)];
    let bricks = halves.map(|half| mesh(&cube([0.0; 3], half.to_array(), 3)));
    let mut numbers = Numbers::new(11);
    for _ in 0..6 {
        let place = numbers.pose(0.7);
        let Some(found) = ask(&bricks[0], &bricks[1], &place.into()) else { continue };
        let inside = |k: usize, p: DVec3| (halves[k] - p.abs()).min_element();
        let mut deepest = [0.0f64; 2];
        let steps = 60;
        for index in 0..steps * steps * steps {
            let at = [index / steps / steps, index / steps % steps, index % steps];
            let p =
                halves[0] * DVec3::from(at.map(|k| f64::from(2 * k + 1) / f64::from(steps) - 1.0));
            let depths = [inside(0, p), inside(1, place.inverse_transform_point(p))];
            if depths[1] >= 0.0 {
                deepest = [deepest[0].max(depths[0]), deepest[1].max(depths[1])];
            }
        }
        for (k, depth) in found.depths.iter().enumerate() {
            assert!(
                deepest[k] <= depth.upper && depth.value < deepest[k] + 0.06,
                "{k} {found:?} {deepest:?}"
            );
            assert!(depth.upper - depth.value < 1e-11 && found.certainty == Certainty::Exact);
        }
    }
}

#[test]
fn convex_solids_whose_boxes_overlap_may_be_apart() {
    // The corner of one cube points at a slanted face of the other, √2 x − 1 from the middle of the first, of which the corner is √2 away.
    let brick = mesh(&cube([0.0; 3], [1.0; 3], 1));
    let turned = |x: f64| {
        Pose::from_axis_angle([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_4, [x, x, 0.0]).unwrap()
    };
    assert_eq!(ask(&brick, &brick, &turned(1.8).into()), None);
    let found = ask(&brick, &brick, &turned(1.5).into()).unwrap();
    let corner = 1.0 - 0.5 * 2f64.sqrt();
    for (depth, known) in found.depths.iter().zip([corner * 0.5f64.sqrt(), corner]) {
        assert!((depth.value - known).abs() < 1e-12, "{found:?}");
    }
}

#[test]
fn open_bodies_that_are_flush_on_all_sides_share_their_insides() {
    // The same wall twice, cut otherwise, each without its lid.
    let open = |cuts: u32| -> Mesh {
        let (vertices, faces) = cube([0.0; 3], [1.0, 0.1, 1.0], cuts);
        Mesh::new(&vertices, &faces[2..]).unwrap()
    };
    let accuracy = Accuracy { decide_at: Some(0.01), ..Accuracy::default() };
    let shifted = Pose::from_translation([1e-7, 1e-7, 0.0]).unwrap();
    let (a, b, mut scratch) = (open(1), open(2), Scratch::default());
    let found = mesh::local_penetration(&a, &b, &shifted.into(), &accuracy, &mut scratch).unwrap();
    assert!(found.value() > 0.09, "{found:?}");
    // Beside each other they touch, by as much as rounding.
    let beside = Pose::from_translation([0.0, 0.2 - 1e-7, 0.0]).unwrap();
    let found = mesh::local_penetration(&a, &b, &beside.into(), &accuracy, &mut scratch).unwrap();
    assert!(found.value() < 2e-7, "{found:?}");
}
