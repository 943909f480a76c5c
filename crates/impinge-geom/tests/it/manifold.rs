//! Contact manifolds of known contacts.

use crate::manifold_sweep::{check, shapes};
use crate::random::Random;
use glam::{DQuat, DVec3};
use impinge_geom::pair::{self, Cache, LocalManifold};
use impinge_geom::{FeatureKind, Pose, Shape};

pub(crate) fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation([x, y, z]).unwrap()
}

pub(crate) fn turned(axis: DVec3, angle: f64, place: DVec3) -> Pose {
    let q = DQuat::from_axis_angle(axis.normalize(), angle);
    Pose::new([q.w, q.x, q.y, q.z], place.to_array()).unwrap()
}

pub(crate) fn contact(a: &Shape, b: &Shape, pose: &Pose, margin: f64) -> LocalManifold {
    pair::manifold(a, b, pose, margin, &mut Cache::default()).unwrap()
}

/// The points on A, sorted.
pub(crate) fn sorted(manifold: &LocalManifold) -> Vec<DVec3> {
    let mut points: Vec<DVec3> = manifold.points().iter().map(|p| p.on_a).collect();
    points.sort_by(|p, q| p.to_array().partial_cmp(&q.to_array()).unwrap());
    points
}

fn assert_points(manifold: &LocalManifold, expected: &[[f64; 3]]) {
    let found = sorted(manifold);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (point, expected) in found.iter().zip(expected) {
        assert!((*point - DVec3::from_array(*expected)).length() < 1e-12, "{found:?}");
    }
}

#[test]
fn a_box_on_a_box_gives_the_corners_of_the_overlap() {
    let (table, block) =
        (Shape::cuboid([2.0, 1.0, 0.5]).unwrap(), Shape::cuboid([1.0, 0.75, 0.25]).unwrap());
    let cases = [
        (
            at(0.5, 0.125, 0.6875),
            -0.0625,
            [[-0.5, -0.625], [-0.5, 0.875], [1.5, -0.625], [1.5, 0.875]],
        ),
        (at(1.5, 0.5, 0.75), 0.0, [[0.5, -0.25], [0.5, 1.0], [2.0, -0.25], [2.0, 1.0]]),
        (at(-2.0, 0.0, 0.8125), 0.0625, [[-2.0, -0.75], [-2.0, 0.75], [-1.0, -0.75], [-1.0, 0.75]]),
    ];
    for (pose, distance, expected) in cases {
        let found = contact(&table, &block, &pose, 0.125);
        assert_eq!(found.normal, DVec3::Z);
        assert!(found.points().iter().all(|p| p.distance == distance));
        assert!(found.points().iter().all(|p| p.on_b == p.on_a + DVec3::Z * distance));
        let expected = expected.map(|[x, y]| DVec3::new(x, y, 0.5));
        assert_eq!(sorted(&found), expected);
        check(&table, &block, &pose, 0.125, &found, "box on box");
        // Seen from the block the same points meet.
        let back = contact(&block, &table, &pose.inverse(), 0.125);
        let mut mapped: Vec<DVec3> =
            back.points().iter().map(|p| pose.transform_point(p.on_b)).collect();
        mapped.sort_by(|p, q| p.to_array().partial_cmp(&q.to_array()).unwrap());
        assert_eq!((back.normal, mapped), (DVec3::NEG_Z, expected.to_vec()));
    }
    assert!(
        pair::manifold(&table, &block, &at(0.0, 0.0, 0.9), 0.125, &mut Cache::default()).is_none()
    );
    let never = pair::manifold(&table, &block, &at(0.0, 0.0, 0.7), f64::NAN, &mut Cache::default());
    assert!(never.is_none());
}

#[test]
fn a_box_turned_by_half_a_right_angle_keeps_four_of_eight() {
    let block = Shape::cuboid([1.0; 3]).unwrap();
    let pose = turned(DVec3::Z, std::f64::consts::FRAC_PI_4, DVec3::new(0.0, 0.0, 1.9));
    let found = contact(&block, &block, &pose, 0.0);
    check(&block, &block, &pose, 0.0, &found, "octagon");
    assert_eq!(found.points().len(), 4);
    let edge = std::f64::consts::SQRT_2 - 1.0;
    for p in found.points() {
        let (x, y) = (p.on_a.x.abs().min(p.on_a.y.abs()), p.on_a.x.abs().max(p.on_a.y.abs()));
        assert!((x - edge).abs() < 1e-12 && (y - 1.0).abs() < 1e-12, "{}", p.on_a);
        assert!(p.features.iter().all(|f| f.kind == FeatureKind::Edge));
        assert!((p.distance + 0.1).abs() < 1e-12);
    }
    // Four of the octagon's corners cover at least half of it.
    assert!(area(&found) > 0.5 * 8.0 * edge);
}

/// The area of the hull of the points, for normals along z.
fn area(manifold: &LocalManifold) -> f64 {
    let mut points: Vec<DVec3> = manifold.points().iter().map(|p| p.on_a).collect();
    let center = points.iter().sum::<DVec3>() / points.len() as f64;
    points.sort_by(|p, q| {
        let angle = |p: &DVec3| (p.y - center.y).atan2(p.x - center.x);
        angle(p).total_cmp(&angle(q))
    });
    let next = |k: usize| points[(k + 1) % points.len()];
    (0..points.len()).map(|k| points[k].cross(next(k)).z / 2.0).sum()
}

#[test]
fn edges_that_cross_give_one_point() {
    let block = Shape::cuboid([1.0; 3]).unwrap();
    let tilted = |axis: DVec3| {
        let q = DQuat::from_axis_angle(axis, std::f64::consts::FRAC_PI_4);
        Pose::new([q.w, q.x, q.y, q.z], [0.0; 3]).unwrap()
    };
    // A's upper edge runs along x, B's lower edge along y.
    let (a, b) = (tilted(DVec3::X), tilted(DVec3::Y));
    let up = Pose::from_translation([0.3, 0.2, 2.0 * std::f64::consts::SQRT_2 - 0.05]).unwrap();
    let pose = a.relative(&up.compose(&b));
    let found = contact(&block, &block, &pose, 0.01);
    assert_eq!(found.points().len(), 1);
    let p = found.points()[0];
    assert!((p.distance + 0.05).abs() < 1e-12);
    assert!(p.features.iter().all(|f| f.kind == FeatureKind::Edge), "{:?}", p.features);
    assert!((a.rotate(found.normal) - DVec3::Z).length() < 1e-12);
}

#[test]
fn an_edge_on_a_face_gives_two_points_and_a_corner_one() {
    let (table, block) =
        (Shape::cuboid([5.0, 5.0, 1.0]).unwrap(), Shape::cuboid([1.0; 3]).unwrap());
    let reach = std::f64::consts::SQRT_2;
    let pose =
        turned(DVec3::Y, std::f64::consts::FRAC_PI_4, DVec3::new(0.0, 0.0, 1.0 + reach - 0.01));
    let found = contact(&table, &block, &pose, 0.0);
    assert_points(&found, &[[0.0, -1.0, 1.0], [0.0, 1.0, 1.0]]);
    let corner = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_Z);
    let place = [0.0, 0.0, 1.0 + 3f64.sqrt() - 0.01];
    let pose = Pose::new([corner.w, corner.x, corner.y, corner.z], place).unwrap();
    let found = contact(&table, &block, &pose, 0.0);
    assert_points(&found, &[[0.0, 0.0, 1.0]]);
}

#[test]
fn capsules_give_two_points_where_they_are_parallel() {
    let (a, b) = (Shape::capsule(0.5, 2.0).unwrap(), Shape::capsule(0.25, 1.0).unwrap());
    let found = contact(&a, &b, &at(0.75, 0.0, 1.5), 0.0);
    assert_eq!(found.normal, DVec3::X);
    assert_points(&found, &[[0.5, 0.0, 0.5], [0.5, 0.0, 2.0]]);
    check(&a, &b, &at(0.75, 0.0, 1.5), 0.0, &found, "parallel capsules");
    // End to end, and at an angle, they touch in one.
    assert_eq!(contact(&a, &b, &at(0.0, 0.0, 3.7), 0.0).points().len(), 1);
    let crossed = turned(DVec3::X, 0.5, DVec3::new(0.7, 0.0, 0.0));
    assert_eq!(contact(&a, &b, &crossed, 0.0).points().len(), 1);
    let almost = turned(DVec3::Y, 0.01, DVec3::new(0.72, 0.0, 0.0));
    let found = contact(&a, &b, &almost, 0.0);
    assert_eq!(found.points().len(), 2);
    check(&a, &b, &almost, 0.0, &found, "almost parallel capsules");
}

#[test]
fn a_lying_capsule_gives_two_points_and_a_standing_one_gives_one() {
    let (table, capsule) =
        (Shape::cuboid([2.0, 2.0, 1.0]).unwrap(), Shape::capsule(0.5, 3.0).unwrap());
    let lying = turned(DVec3::Y, std::f64::consts::FRAC_PI_2, DVec3::new(0.0, 0.5, 1.45));
    let found = contact(&table, &capsule, &lying, 0.0);
    assert_points(&found, &[[-2.0, 0.5, 1.0], [2.0, 0.5, 1.0]]);
    check(&table, &capsule, &lying, 0.0, &found, "lying capsule");
    assert_eq!(contact(&table, &capsule, &at(0.0, 0.0, 4.4), 0.0).points().len(), 1);
    let ground = Shape::half_space([0.0, 0.0, 1.0], 1.0).unwrap();
    let found = contact(&ground, &capsule, &lying, 0.0);
    assert_points(&found, &[[-3.0, 0.5, 1.0], [3.0, 0.5, 1.0]]);
}

#[test]
fn a_ball_gives_one_point() {
    let ball = Shape::sphere(1.0).unwrap();
    for other in shapes() {
        let Some(found) =
            pair::manifold(&other, &ball, &at(0.0, 0.0, 0.5), 0.0, &mut Cache::default())
        else {
            continue;
        };
        assert_eq!(found.points().len(), 1, "{other:?}");
    }
}

#[test]
fn a_standing_cylinder_is_held_by_spread_points() {
    let (table, cylinder) =
        (Shape::cuboid([3.0, 3.0, 1.0]).unwrap(), Shape::cylinder(1.0, 2.0).unwrap());
    for pose in
        [at(0.0, 0.0, 2.99), turned(DVec3::new(1.0, 0.3, 0.0), 0.003, DVec3::new(0.0, 0.0, 2.99))]
    {
        let found = contact(&table, &cylinder, &pose, 0.01);
        check(&table, &cylinder, &pose, 0.01, &found, "cylinder");
        assert!(found.points().len() >= 3);
        assert!(area(&found) > 1.0, "{}", area(&found));
    }
    // Lying on its side it is held by a line.
    let lying = turned(DVec3::X, std::f64::consts::FRAC_PI_2, DVec3::new(0.0, 0.0, 1.99));
    assert_points(&contact(&table, &cylinder, &lying, 0.0), &[[0.0, -2.0, 1.0], [0.0, 2.0, 1.0]]);
}

#[test]
fn features_stay_while_a_box_rocks_on_a_box() {
    let (table, block) =
        (Shape::cuboid([1.0; 3]).unwrap(), Shape::cuboid([0.5, 0.25, 1.0]).unwrap());
    let mut random = Random::new(5);
    let features = |pose: &Pose| {
        let found = contact(&table, &block, pose, 0.05);
        let mut features: Vec<_> = found.points().iter().map(|p| p.features).collect();
        features.sort();
        (features, found.normal)
    };
    let expected = features(&turned(DVec3::Z, 0.3, DVec3::new(0.7, 0.1, 1.99))).0;
    assert_eq!(expected.len(), 4);
    for _ in 0..2000 {
        let axis = DVec3::new(1e-6 * random.signed(), 1e-6 * random.signed(), 1.0);
        let height = 2.0 + 0.01 * random.signed();
        let turn = 0.3 + 1e-4 * random.signed();
        let (found, normal) = features(&turned(axis, turn, DVec3::new(0.7, 0.1, height)));
        assert_eq!(found, expected, "{axis} {height}");
        assert!((normal - DVec3::Z).length() < 1e-5, "{normal}");
    }
}

#[test]
fn the_normal_does_not_waver_at_the_smallest_gaps() {
    let block = Shape::cuboid([1.0, 1.5, 0.75]).unwrap();
    let corners: Vec<[f64; 3]> =
        (0..8u32).map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 1 { 1.0 } else { -1.0 })).collect();
    let hull = Shape::hull(&corners).unwrap();
    let mut random = Random::new(8);
    for _ in 0..2000 {
        let gap = random.with_exponent(-60, -20);
        let (x, y) = (0.3 * random.signed(), 0.3 * random.signed());
        for (a, b, height) in [(&block, &block, 1.5), (&hull, &block, 1.75), (&hull, &hull, 2.0)] {
            let pose = turned(DVec3::Z, random.signed(), DVec3::new(x, y, height + gap));
            let found = contact(a, b, &pose, 0.01);
            assert!((found.normal - DVec3::Z).length() < 1e-12, "{gap}: {}", found.normal);
            assert_eq!(found.points().len(), 4, "{gap}");
        }
    }
}
