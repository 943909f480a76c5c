//! Contact manifolds: known contacts, and properties over all kinds of shapes.

use crate::random::Random;
use glam::{DQuat, DVec3};
use impinge_geom::pair::{self, Cache, Manifold};
use impinge_geom::shape::Core;
use impinge_geom::{FeatureKind, Pose, Shape, point};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation([x, y, z]).unwrap()
}

fn turned(axis: DVec3, angle: f64, place: DVec3) -> Pose {
    let q = DQuat::from_axis_angle(axis.normalize(), angle);
    Pose::new([q.w, q.x, q.y, q.z], place.to_array()).unwrap()
}

fn contact(a: &Shape, b: &Shape, pose: &Pose, margin: f64) -> Manifold {
    pair::manifold(a, b, pose, margin, &mut Cache::default()).unwrap()
}

/// The points on A, sorted.
fn sorted(manifold: &Manifold) -> Vec<DVec3> {
    let mut points: Vec<DVec3> = manifold.points().iter().map(|p| p.on_a).collect();
    points.sort_by(|p, q| p.to_array().partial_cmp(&q.to_array()).unwrap());
    points
}

fn assert_points(manifold: &Manifold, expected: &[[f64; 3]]) {
    let found = sorted(manifold);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (point, expected) in found.iter().zip(expected) {
        assert!((*point - DVec3::from_array(*expected)).length() < 1e-12, "{found:?}");
    }
}

/// True for shapes with lines on curved sides.
fn is_curved(shape: &Shape) -> bool {
    matches!(shape.split().0, Core::Cylinder(_) | Core::Cone(_) | Core::TaperedCapsule(_))
}

/// What every manifold promises.
fn check(a: &Shape, b: &Shape, pose: &Pose, margin: f64, manifold: &Manifold, case: &str) {
    let found = pair::signed_distance(a, b, pose, &mut Cache::default()).unwrap();
    let scale = [a, b].map(Shape::bounding_radius).into_iter().filter(|r| r.is_finite());
    let scale = scale.fold(pose.translation().length(), f64::max) + 1.0;
    let (points, normal) = (manifold.points(), manifold.normal);
    assert!((1..=4).contains(&points.len()), "{case}");
    assert!((normal.length() - 1.0).abs() < 1e-12, "{case}: {normal}");
    let loose = scale * if is_curved(a) || is_curved(b) { 1e-6 } else { 1e-9 };
    let loose = loose + 2.0 * found.uncertainty;
    let deepest = points[0].distance;
    assert!((deepest - found.distance).abs() <= loose, "{case}: {deepest} {}", found.distance);
    for p in points {
        assert!(p.on_a.is_finite() && p.on_b.is_finite(), "{case}");
        assert!(p.distance >= deepest - loose, "{case}: {} {deepest}", p.distance);
        assert!(p.distance <= margin.max(found.distance) + loose, "{case}: {}", p.distance);
        let along = (p.on_b - p.on_a).dot(normal);
        assert!((along - p.distance).abs() <= loose, "{case}: {along} {}", p.distance);
        let off_a = point::signed_distance(a, p.on_a);
        let off_b = point::signed_distance(b, pose.map_back(p.on_b));
        assert!(
            off_a.distance.abs() <= loose + off_a.uncertainty,
            "{case}: A {} {points:?} {normal} {found:?}",
            off_a.distance
        );
        assert!(
            off_b.distance.abs() <= loose + off_b.uncertainty,
            "{case}: B {} {points:?} {normal} {found:?}",
            off_b.distance
        );
    }
    for (k, p) in points.iter().enumerate() {
        for q in &points[..k] {
            assert_ne!(p.features, q.features, "{case}: {points:?}");
        }
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
        let mut mapped: Vec<DVec3> = back.points().iter().map(|p| pose.map(p.on_b)).collect();
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
fn area(manifold: &Manifold) -> f64 {
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
    assert!((a.turn(found.normal) - DVec3::Z).length() < 1e-12);
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

fn shapes() -> Vec<Shape> {
    let mut random = Random::new(1);
    let cloud: Vec<[f64; 3]> = (0..20).map(|_| random.point().to_array()).collect();
    let prism: Vec<[f64; 3]> = (0..24)
        .map(|k| {
            let (sine, cosine) = (f64::from(k / 2) * std::f64::consts::TAU / 12.0).sin_cos();
            [cosine, sine, if k % 2 == 0 { 0.5 } else { -0.5 }]
        })
        .collect();
    let plain = [
        Shape::sphere(0.8),
        Shape::sphere(0.0),
        Shape::capsule(0.4, 1.0),
        Shape::capsule(0.4, 0.0),
        Shape::capsule(0.0, 1.0),
        Shape::tapered_capsule(0.7, 0.3, 0.9),
        Shape::tapered_capsule(0.9, 0.1, 0.5),
        Shape::cuboid([0.6, 0.9, 1.2]),
        Shape::cuboid([1.0, 1.0, 0.0]),
        Shape::cuboid([0.0, 1.0, 0.0]),
        Shape::cuboid([0.0; 3]),
        Shape::cylinder(0.7, 0.9),
        Shape::cylinder(1.2, 0.2),
        Shape::cylinder(0.7, 0.0),
        Shape::cylinder(0.0, 0.9),
        Shape::cone(0.8, 0.7),
        Shape::cone(0.8, 0.0),
        Shape::cone(0.0, 0.7),
        Shape::ellipsoid([0.5, 0.8, 1.1]),
        Shape::ellipsoid([0.5, 0.8, 0.0]),
        Shape::segment([[0.5, 0.2, -1.0], [-0.3, 1.0, 0.7]]),
        Shape::segment([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]),
        Shape::segment([[0.5, 0.2, -1.0], [0.5, 0.2, -1.0]]),
        Shape::triangle([[0.5, 0.2, -1.0], [-0.3, 1.0, 0.7], [1.0, -1.0, 0.3]]),
        Shape::triangle([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, -1.0, 0.0]]),
        Shape::triangle([[0.0; 3], [0.5, 0.5, 0.5], [1.0, 1.0, 1.0]]),
        Shape::plane([0.0, 0.0, 2.0], 0.2),
        Shape::half_space([0.0, 0.0, 1.0], 0.0),
        Shape::half_space([1.0, 2.0, 0.5], 0.5),
        Shape::hull(&cloud),
        Shape::hull(&prism),
        Shape::hull(&cloud[..4]),
        Shape::hull(&cloud[..3]),
        Shape::hull(&cloud[..2]),
        Shape::hull(&cloud[..1]),
    ];
    let mut all: Vec<Shape> = plain.into_iter().map(Result::unwrap).collect();
    let rounded: Vec<Shape> = all.iter().map(|shape| shape.clone().rounded(0.2).unwrap()).collect();
    all.extend(rounded);
    all
}

/// The kind of a shape.
fn short(shape: &Shape) -> String {
    format!("{shape:?}").chars().take(90).collect()
}

/// Free poses, and poses in which many faces and edges are parallel.
fn pose(random: &mut Random) -> Pose {
    let place = random.point() * 1.6;
    match random.below(3) {
        0 => at(place.x, place.y, place.z),
        1 => {
            let axis = [DVec3::X, DVec3::Y, DVec3::Z][random.below(3) as usize];
            let quarter = std::f64::consts::FRAC_PI_2 * random.below(4) as f64;
            turned(axis + random.point() * 1e-3 * random.below(2) as f64, quarter, place)
        }
        _ => turned(random.point() + DVec3::splat(1e-3), 3.0 * random.signed(), place),
    }
}

#[test]
fn every_pair_keeps_the_promises() {
    let (shapes, mut random) = (shapes(), Random::new(3));
    let mut cache = Cache::default();
    let mut counts = [0; 5];
    for (i, a) in shapes.iter().enumerate() {
        for (j, b) in shapes.iter().enumerate() {
            for _ in 0..6 {
                let pose = pose(&mut random);
                let margin = 0.3 * random.signed();
                cache.set_warm_start(Default::default());
                let found = pair::manifold(a, b, &pose, margin, &mut cache);
                let distance = pair::signed_distance(a, b, &pose, &mut Cache::default());
                let case = format!("{i} {j} {} {} {pose:?} {margin}", short(a), short(b));
                assert_eq!(
                    found.is_some(),
                    distance.is_some_and(|d| d.distance <= margin),
                    "{case}"
                );
                if let Some(found) = found {
                    check(a, b, &pose, margin, &found, &case);
                    counts[found.points().len()] += 1;
                }
            }
        }
    }
    assert!(counts[1..].iter().all(|count| *count > 100), "{counts:?}");
}

#[test]
fn swapping_the_bodies_gives_the_same_points() {
    let (shapes, mut random) = (shapes(), Random::new(4));
    let mut compared = 0;
    for a in &shapes {
        for b in &shapes {
            let pose = pose(&mut random);
            let back = pose.inverse();
            let there = pair::manifold(a, b, &pose, 0.1, &mut Cache::default());
            let here = pair::manifold(b, a, &back, 0.1, &mut Cache::default());
            assert_eq!(there.is_some(), here.is_some(), "{} {} {pose:?}", short(a), short(b));
            let (Some(there), Some(here)) = (there, here) else { continue };
            // Where several normals are as good, or more than four points are found, the choice is free.
            let flat =
                |shape: &Shape| matches!(shape.split().0, Core::Plane(_) | Core::HalfSpace(_));
            if (there.normal + pose.turn(here.normal)).length() > 1e-6
                || there.points().len() == 4
                || flat(a) && flat(b)
            {
                continue;
            }
            compared += 1;
            // Where the normal of a curved side is known to half the digits, so is where its line meets an edge.
            if is_curved(a) || is_curved(b) {
                let [there, here] = [there.points()[0].distance, here.points()[0].distance];
                assert!((there - here).abs() < 1e-6, "{there} {here}");
                continue;
            }
            let case = format!("{} {} {pose:?}", short(a), short(b));
            assert_eq!(there.points().len(), here.points().len(), "{case}");
            for p in there.points() {
                let same = |q: &&pair::ContactPoint| {
                    (pose.map(q.on_b) - p.on_a).length() < 1e-5
                        && (pose.map(q.on_a) - p.on_b).length() < 1e-5
                };
                assert!(
                    here.points().iter().any(|q| same(&q)),
                    "{case}: {p:?} {:?}",
                    here.points()
                );
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn sizes_far_from_one_give_the_same_contact() {
    for exponent in [-1000, -500, -120, 120, 240] {
        let unit = 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
        let scaled = |x: f64, y: f64, z: f64| [x * unit, y * unit, z * unit];
        let a = Shape::cuboid(scaled(1.0, 2.0, 0.5)).unwrap();
        let b = Shape::cylinder(0.5 * unit, unit).unwrap();
        let found = contact(&a, &a, &Pose::from_translation(scaled(0.5, 1.0, 0.75)).unwrap(), 0.0);
        assert_eq!((found.points().len(), found.normal), (4, DVec3::Z), "2^{exponent}");
        assert!(found.points().iter().all(|p| p.distance == -0.25 * unit));
        let pose = Pose::from_translation(scaled(0.0, 0.0, 1.375)).unwrap();
        let found = contact(&a, &b, &pose, 0.0);
        assert!(found.points().len() >= 3, "2^{exponent}");
        assert!(found.points().iter().all(|p| p.distance == -0.125 * unit));
        let c = Shape::capsule(0.5 * unit, unit).unwrap();
        let found = contact(&c, &c, &Pose::from_translation(scaled(0.75, 0.0, 0.5)).unwrap(), 0.0);
        assert_eq!(
            sorted(&found),
            [-0.5, 1.0].map(|z| DVec3::new(0.5, 0.0, z) * unit),
            "2^{exponent}"
        );
    }
}

#[test]
fn no_size_gives_what_is_not_a_number() {
    let mut random = Random::new(6);
    for exponent in [-1074, -1070, -1030, -1022, -900, -520, -260, 100, 200, 247] {
        let unit = 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
        let scaled = |v: DVec3| (v * unit).to_array();
        for _ in 0..300 {
            let mut shape = || {
                let v = random.point().abs() + DVec3::splat(0.25);
                let [x, y, z] = scaled(v);
                let shape = match random.below(7) {
                    0 => Shape::capsule(x, y),
                    1 => Shape::cuboid([x, y, z]),
                    2 => Shape::cylinder(x, y),
                    3 => Shape::cone(x, y),
                    4 => Shape::tapered_capsule(x, y, z),
                    5 => Shape::triangle([0; 3].map(|_| scaled(random.point()))),
                    _ => Shape::hull(&[0; 8].map(|_| scaled(random.point()))),
                };
                shape.unwrap().rounded(x * random.below(2) as f64).unwrap()
            };
            let (a, b) = (shape(), shape());
            let free = pose(&mut random);
            let q = free.quaternion();
            let pose = Pose::new(q, scaled(free.translation())).unwrap();
            let case = format!("2^{exponent} {} {} {pose:?}", short(&a), short(&b));
            for margin in [0.0, f64::INFINITY] {
                let Some(found) = pair::manifold(&a, &b, &pose, margin, &mut Cache::default())
                else {
                    continue;
                };
                assert!(found.normal.is_finite(), "{case}");
                for p in found.points() {
                    assert!(p.on_a.is_finite() && p.on_b.is_finite(), "{case} {p:?}");
                    assert!(p.distance.is_finite(), "{case} {p:?}");
                }
            }
        }
    }
}
