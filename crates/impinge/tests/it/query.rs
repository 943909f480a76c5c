//! The front door: the same answers for a box as a shape and as a mesh, from either side, one by one and in batches, with a fresh and
//! with a used workspace; and each verb agrees with the others.

use crate::soup::{Numbers, boxes};
use impinge::geom::glam::DVec3;
use impinge::geom::ray::Ray;
use impinge::geom::{Certainty, Inside, Verdict};
use impinge::mesh::Mode;
use impinge::query::{self, MeshPart, Part, Workspace};
use impinge::{Geometry, Mesh, Pose, Shape};

/// A closed box by its half extents.
fn box_mesh(half: [f64; 3]) -> Mesh {
    let (vertices, faces) = boxes(&[[half.map(|x| -x), half]]);
    Mesh::new(&vertices, &faces).expect("valid")
}

/// Bodies of every kind.
fn bodies() -> Vec<Geometry> {
    let scaled = MeshPart::new(box_mesh([0.25, 0.5, 0.1]).into(), Mode::Solid).with_scale(2.0);
    let shape = |shape: Result<Shape, _>| shape.expect("valid");
    let at = |x: f64| Pose::from_translation([x, 0.0, 0.2]).expect("valid");
    let ball = Part::from(shape(Shape::sphere(0.4)));
    let block = Part::from(MeshPart::new(box_mesh([0.3; 3]).into(), Mode::Solid));
    vec![
        shape(Shape::cuboid([0.5, 0.75, 0.25])).into(),
        shape(Shape::capsule(0.3, 0.5)).into(),
        box_mesh([0.5, 0.75, 0.25]).into(),
        Geometry::mesh(box_mesh([0.6, 0.4, 0.5]), Mode::Surface),
        scaled.expect("valid").into(),
        Geometry::compound([(3, at(-0.4), ball), (8, at(0.5), block)]).expect("valid"),
    ]
}

#[test]
fn verbs_agree_with_each_other_from_both_sides() {
    let (bodies, mut numbers) = (bodies(), Numbers::new(3));
    let mut workspace = Workspace::default();
    let (mut met, mut apart) = (0, 0);
    for round in 0..400 {
        let (a, b) = (&bodies[round % 6], &bodies[round / 6 % 6]);
        let (at_a, at_b) = (numbers.pose(0.2), numbers.pose(1.6));
        let relation = query::relation(&at_a, a, &at_b, b);
        let meets = relation.verdict != Verdict::Separated;
        (met, apart) = (met + usize::from(meets), apart + usize::from(!meets));
        assert_eq!(query::intersects(&at_a, a, &at_b, b), meets, "{round}");
        assert_eq!(
            query::relation(&at_b, b, &at_a, a).verdict,
            relation.verdict.flipped(),
            "{round}"
        );
        let gap = query::distance(&at_a, a, &at_b, b);
        assert_eq!(gap.distance > 0.0, !meets, "{round}: {gap:?}");
        let flipped = query::distance(&at_b, b, &at_a, a);
        assert!((flipped.distance - gap.distance).abs() < 1e-9, "{round}");
        let signed = query::signed_distance(&at_a, a, &at_b, b);
        if meets {
            assert!(signed.distance <= 1e-9, "{round}: {relation:?} {signed:?}");
        } else {
            assert!((signed.distance - gap.distance).abs() < 1e-9, "{round}");
            let [p, q] = gap.points;
            assert!(((q - p).length() - gap.distance).abs() < 1e-9, "{round}");
            assert!((p + gap.normal * gap.distance - q).length() < 1e-9, "{round}");
        }
        // Workspaces do not change answers.
        assert_eq!(query::distance_with(&at_a, a, &at_b, b, &mut workspace), gap, "{round}");
        assert_eq!(query::signed_distance_with(&at_a, a, &at_b, b, &mut workspace), signed);
        assert_eq!(query::relation_with(&at_a, a, &at_b, b, &mut workspace), relation);
    }
    assert!(met > 80 && apart > 80, "{met} {apart}");
}

#[test]
fn a_depth_is_a_way_out() {
    let (bodies, mut numbers) = (bodies(), Numbers::new(5));
    let mut tried = 0;
    for round in 0..120 {
        // Compounds give the depth of their deepest pair of parts.
        let (a, b) = (&bodies[round % 5], &bodies[round / 5 % 5]);
        let (at_a, at_b) = (numbers.pose(0.2), numbers.pose(0.7));
        let found = query::signed_distance(&at_a, a, &at_b, b);
        if found.distance >= 0.0 || found.certainty == Certainty::Estimate {
            continue;
        }
        tried += 1;
        let by = at_b.translation() - found.normal * found.distance * (1.0 + 1e-9);
        let moved = at_b.with_translation(by).expect("valid");
        let verdict = query::relation(&at_a, a, &moved, b).verdict;
        assert!(matches!(verdict, Verdict::Separated | Verdict::Touching), "{round}: {found:?}");
    }
    assert!(tried > 40, "{tried}");
}

#[test]
fn a_box_is_a_box_as_a_shape_and_as_a_mesh() {
    let half = [0.5, 0.75, 0.25];
    let (shape, mesh) = (Shape::cuboid(half).expect("valid"), box_mesh(half));
    let others = [Shape::capsule(0.3, 0.5), Shape::cuboid([0.4, 0.2, 0.9]), Shape::sphere(0.2)];
    let mut numbers = Numbers::new(11);
    for round in 0..300 {
        let other = others[round % 3].clone().expect("valid");
        let (at, there) = (numbers.pose(0.3), numbers.pose(1.4));
        let (one, two) = (
            query::signed_distance(&at, &shape, &there, &other),
            query::signed_distance(&at, &mesh, &there, &other),
        );
        if one.distance > 0.0 {
            assert!((one.distance - two.distance).abs() < 1e-9, "{round}: {one:?} {two:?}");
        } else {
            let bound = -one.distance * (1.0 - 1e-9) - 1e-9..=-one.distance * 1.3 + 1e-9;
            assert!(bound.contains(&-two.distance), "{round}: {one:?} {two:?}");
        }
        let verdicts = [
            query::relation(&at, &shape, &there, &other).verdict,
            query::relation(&at, &mesh, &there, &other).verdict,
        ];
        assert_eq!(verdicts[0], verdicts[1], "{round}");
        let point = [0; 3].map(|_| 1.2 * numbers.signed());
        let [p, q] =
            [query::closest_point(&at, &shape, point), query::closest_point(&at, &mesh, point)]
                .map(|found| found.expect("finite"));
        assert!((p.distance - q.distance).abs() < 1e-12, "{round}");
        assert_eq!(
            query::contains_point(&at, &shape, point),
            query::contains_point(&at, &mesh, point)
        );
        let from = DVec3::from([0; 3].map(|_| 3.0 * numbers.signed()));
        let ray = Ray::new(from, DVec3::from(point) - from).expect("valid");
        let [p, q] = [query::cast_ray(&at, &shape, &ray), query::cast_ray(&at, &mesh, &ray)];
        assert_eq!(p.is_some(), q.is_some(), "{round}");
        if let (Some(p), Some(q)) = (p, q) {
            assert!((p.t - q.t).abs() < 1e-9 && (p.normal - q.normal).length() < 1e-9, "{round}");
            assert_eq!(p.inside, q.inside, "{round}");
        }
    }
}

#[test]
fn batches_have_the_bits_of_single_questions() {
    let (bodies, mut numbers) = (bodies(), Numbers::new(13));
    let poses: Vec<[Pose; 2]> = (0..300).map(|_| [numbers.pose(0.3), numbers.pose(1.5)]).collect();
    for (a, b) in [(0, 1), (2, 3), (5, 4), (1, 5)] {
        let (a, b) = (&bodies[a], &bodies[b]);
        let distances = query::distance_batch(a, b, &poses);
        let depths = query::signed_distance_batch(a, b, &poses);
        let (relations, meets) =
            (query::relation_batch(a, b, &poses), query::intersects_batch(a, b, &poses));
        let (pairs, contacts) =
            (query::triangle_pairs_batch(a, b, &poses), query::contacts_batch(a, b, &poses, 0.05));
        for (k, [at_a, at_b]) in poses.iter().enumerate() {
            assert_eq!(distances[k], query::distance(at_a, a, at_b, b));
            assert_eq!(depths[k], query::signed_distance(at_a, a, at_b, b));
            assert_eq!(relations[k], query::relation(at_a, a, at_b, b));
            assert_eq!(meets[k], query::intersects(at_a, a, at_b, b));
            assert_eq!(pairs[k], query::triangle_pairs(at_a, a, at_b, b));
            assert_eq!(contacts[k], query::contacts(at_a, a, at_b, b, 0.05));
        }
    }
}

#[test]
fn compounds_answer_for_their_parts() {
    let ball = |radius: f64| Part::from(Shape::sphere(radius).expect("valid"));
    let at = |x: f64| Pose::from_translation([x, 0.0, 0.0]).expect("valid");
    let dumbbell = Geometry::compound([(7, at(-2.0), ball(1.0)), (9, at(2.0), ball(1.0))]);
    let (dumbbell, small) = (dumbbell.expect("valid"), Shape::sphere(0.25).expect("valid"));
    let found = query::distance(&Pose::IDENTITY, &dumbbell, &at(4.0), &small);
    assert_eq!((found.children, found.distance), ([9, 0], 0.75));
    let inside = query::relation(&Pose::IDENTITY, &dumbbell, &at(-2.0), &small);
    assert_eq!(inside.verdict, Verdict::Contained(Inside::B));
    let both =
        query::relation(&at(0.0), &Shape::cuboid([4.0; 3]).expect("valid"), &at(0.0), &dumbbell);
    assert_eq!((both.verdict, both.certainty), (Verdict::Contained(Inside::B), Certainty::Exact));
    let ray = Ray::new([9.0, 0.0, 0.0], [-1.0, 0.0, 0.0]).expect("valid");
    let hit = query::cast_ray(&Pose::IDENTITY, &dumbbell, &ray).expect("hit");
    assert_eq!((hit.child, hit.t), (9, 6.0));
    assert_eq!(query::closest_point(&at(1.0), &dumbbell, [0.0; 3]).expect("finite").child, 7);
}

#[test]
fn contacts_of_resting_boxes_lie_on_both() {
    let (floor, block) = (box_mesh([4.0, 4.0, 0.5]), Shape::cuboid([0.5; 3]).expect("valid"));
    let on_top = Pose::from_translation([0.3, -0.2, 1.0]).expect("valid");
    let found = query::contacts(&Pose::IDENTITY, &floor, &on_top, &block, 0.01);
    assert!(!found.is_empty());
    for manifold in found {
        assert!((manifold.normal - DVec3::Z).length() < 1e-9, "{manifold:?}");
        for point in &manifold.points {
            assert!(point.points.iter().all(|p| (p.z - 0.5).abs() < 1e-9), "{point:?}");
        }
    }
}

/// Two equal boxes with four flush sides: only along the shift do they part early.
#[test]
fn contacts_of_boxes_in_line_push_along_the_line() {
    let (solid, shape) = (box_mesh([1.0; 3]), Shape::cuboid([1.0; 3]).expect("valid"));
    let bodies = [Geometry::from(solid), shape.into()];
    let turn = Pose::new([0.8, 0.36, -0.48, 0.0], [3.0, -2.0, 1.0]).expect("valid");
    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        for (axis, along) in DVec3::AXES.into_iter().enumerate() {
            for (sign, there) in [(1.0, Pose::IDENTITY), (-1.0, Pose::IDENTITY), (1.0, turn)] {
                let way = sign * along;
                let shift = there.transform_point(0.5 * way).to_array();
                let moved = there.with_translation(shift).expect("valid");
                let found = query::contacts(&there, &bodies[a], &moved, &bodies[b], 0.0);
                assert!(!found.is_empty(), "{a} {b} {axis}");
                let deepest = |manifold: &query::Manifold| {
                    manifold.points.iter().map(|p| p.distance).fold(0.0, f64::min)
                };
                for manifold in &found {
                    let normal = there.inverse_rotate(manifold.normal);
                    assert!((normal - way).length() < 1e-9, "{a} {b} {way}: {manifold:?}");
                    assert!((deepest(manifold) + 1.5).abs() < 1e-9, "{a} {b} {way}: {manifold:?}");
                }
            }
        }
    }
}
