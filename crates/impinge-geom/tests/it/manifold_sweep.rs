//! Contact manifolds over all kinds of shapes: what every one of them promises.

use crate::manifold::{at, contact, sorted, turned};
use crate::random::Random;
use glam::DVec3;
use impinge_geom::pair::{self, Cache, LocalManifold};
use impinge_geom::shape::Core;
use impinge_geom::{Pose, Shape, point};

/// True for shapes with lines on curved sides.
fn is_curved(shape: &Shape) -> bool {
    matches!(shape.split().0, Core::Cylinder(_) | Core::Cone(_) | Core::TaperedCapsule(_))
}

/// What every manifold promises.
pub(crate) fn check(
    a: &Shape,
    b: &Shape,
    pose: &Pose,
    margin: f64,
    manifold: &LocalManifold,
    case: &str,
) {
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
        let off_b = point::signed_distance(b, pose.inverse_transform_point(p.on_b));
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

pub(crate) fn shapes() -> Vec<Shape> {
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
            if (there.normal + pose.rotate(here.normal)).length() > 1e-6
                || there.points().len() == 4
                || flat(a) && flat(b)
            {
                continue;
            }
            compared += 1;
            // Where the normal of a curved side is known to half the digits, so is where its line meets an edge; flat ellipsoids
            // touch faces anywhere.
            if [a, b]
                .into_iter()
                .any(|shape| is_curved(shape) || matches!(shape.split().0, Core::Ellipsoid(_)))
            {
                let [there, here] = [there.points()[0].distance, here.points()[0].distance];
                assert!((there - here).abs() < 1e-6, "{there} {here}");
                continue;
            }
            let case = format!("{} {} {pose:?}", short(a), short(b));
            assert_eq!(there.points().len(), here.points().len(), "{case}");
            for p in there.points() {
                let same = |q: &&pair::ContactPoint| {
                    (pose.transform_point(q.on_b) - p.on_a).length() < 1e-5
                        && (pose.transform_point(q.on_a) - p.on_b).length() < 1e-5
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
