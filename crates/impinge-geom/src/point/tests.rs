//! Properties that every shape keeps, against oracles that know shapes only by their support functions.

use super::{PointDistance, contains, core_signed_distance, signed_distance};
use crate::shape::Shape;
use crate::support::Support;
use crate::testing::{Random, Veiled, bounded_shapes, cpu_nanoseconds};
use glam::DVec3;

/// n·p − h(n): never above the signed distance, and equal to it for the normal at the closest point.
fn height(shape: &Shape, normal: DVec3, p: DVec3) -> f64 {
    let (core, radius) = shape.split();
    normal.dot(p - core.support(normal).point) - radius
}

/// The largest height found by sampling all directions and then climbing from the best one.
fn sampled_distance(shape: &Shape, p: DVec3, random: &mut Random) -> f64 {
    let mut best = (f64::NEG_INFINITY, DVec3::Z);
    let consider = |n: DVec3, best: &mut (f64, DVec3)| {
        let value = height(shape, n, p);
        if value > best.0 {
            *best = (value, n);
        }
    };
    for axis in DVec3::AXES {
        consider(axis, &mut best);
        consider(-axis, &mut best);
    }
    for _ in 0..300 {
        consider(random.unit(), &mut best);
    }
    let mut spread = 0.3;
    while spread > 1e-6 {
        for _ in 0..12 {
            let n = (best.1 + random.unit() * spread).normalize();
            consider(n, &mut best);
        }
        spread *= 0.8;
    }
    best.0
}

fn scale(shape: &Shape, p: DVec3) -> f64 {
    shape.bounding_radius().max(p.length())
}

fn check(name: &str, shape: &Shape, p: DVec3) -> PointDistance {
    let answer = signed_distance(shape, p);
    let tolerance = 4e-15 * scale(shape, p) + 1e-300;
    assert!(answer.distance.is_finite() && answer.point.is_finite(), "{name} {p} {answer:?}");
    assert!((answer.normal.length() - 1.0).abs() < 1e-14, "{name} {p} {answer:?}");
    // The certificate: a supporting plane at this distance, and a point of the body at this distance.
    let planar = height(shape, answer.normal, p);
    assert!((planar - answer.distance).abs() <= tolerance, "{name} {p} {planar:e} {answer:?}");
    let offset = p - answer.normal * answer.distance - answer.point;
    assert!(offset.length() <= 2.0 * tolerance, "{name} {p} {offset:?} {answer:?}");
    let again = signed_distance(shape, answer.point).distance;
    assert!(again.abs() <= 2.0 * tolerance, "{name} {p} {again:e} {answer:?}");
    if answer.distance.abs() > tolerance {
        assert_eq!(contains(shape, p), answer.distance < 0.0, "{name} {p} {answer:?}");
    }
    answer
}

/// Points all around, on the axes, in the coordinate planes, and at support points.
fn asked(shape: &Shape, random: &mut Random) -> DVec3 {
    let reach = shape.bounding_radius().max(1e-3);
    let mut p = random.in_cube() * reach * 1.6;
    match random.below(8) {
        0 => p.x = 0.0,
        1 => (p.x, p.y) = (0.0, 0.0),
        2 => p.z = 0.0,
        3 => p = DVec3::ZERO,
        4 => p = shape.split().0.support(random.unit()).point,
        5 => p *= 0.3,
        6 => p = p.round(),
        _ => {}
    }
    p
}

#[test]
fn every_answer_carries_its_certificate() {
    let mut random = Random::new(1);
    for (name, shape) in bounded_shapes() {
        for _ in 0..2000 {
            let p = asked(&shape, &mut random);
            check(&name, &shape, p);
        }
    }
}

#[test]
fn no_direction_gives_more() {
    let mut random = Random::new(2);
    for (name, shape) in bounded_shapes() {
        for _ in 0..60 {
            let p = asked(&shape, &mut random);
            let answer = signed_distance(&shape, p);
            let sampled = sampled_distance(&shape, p, &mut random);
            let size = scale(&shape, p);
            assert!(sampled <= answer.distance + 4e-15 * size, "{name} {p} {sampled} {answer:?}");
            assert!(sampled >= answer.distance - 5e-2 * size, "{name} {p} {sampled} {answer:?}");
        }
    }
}

#[test]
fn distances_change_no_faster_than_points() {
    let mut random = Random::new(3);
    for (name, shape) in bounded_shapes() {
        for _ in 0..1000 {
            let p = asked(&shape, &mut random);
            let q = p + random.unit()
                * shape.bounding_radius()
                * 10f64.powi(-(random.below(14) as i32));
            let (a, b) = (signed_distance(&shape, p).distance, signed_distance(&shape, q).distance);
            let slack = 4e-15 * scale(&shape, p).max(scale(&shape, q));
            assert!((a - b).abs() <= p.distance(q) + slack, "{name} {p} {q} {a} {b}");
        }
    }
}

#[test]
fn scales_by_powers_of_two() {
    let mut random = Random::new(4);
    for exponent in [-1030, -1000, -600, -500, -300, 120, 247] {
        let factor = 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
        let at = |s: f64| -> Vec<Shape> {
            let n = |v: f64| v * s;
            vec![
                Shape::sphere(n(2.0)).unwrap(),
                Shape::capsule(n(1.0), n(2.0)).unwrap(),
                Shape::tapered_capsule(n(1.0), n(0.5), n(2.0)).unwrap(),
                Shape::cuboid([n(1.0), n(2.0), n(3.0)]).unwrap(),
                Shape::cylinder(n(1.0), n(2.0)).unwrap(),
                Shape::cone(n(1.0), n(2.0)).unwrap(),
                Shape::ellipsoid([n(1.0), n(2.0), n(3.0)]).unwrap(),
                Shape::segment([[n(1.0), 0.0, n(2.0)], [n(-1.0), n(1.0), n(1.0)]]).unwrap(),
                Shape::triangle([[n(1.0), 0.0, n(2.0)], [n(-1.0), n(1.0), n(1.0)], [0.0; 3]])
                    .unwrap(),
                Shape::plane([1.0, 2.0, 2.0], n(3.0)).unwrap(),
                Shape::half_space([1.0, 2.0, 2.0], n(3.0)).unwrap(),
            ]
        };
        for (ordinary, scaled) in at(1.0).iter().zip(at(factor)) {
            for _ in 0..100 {
                let p = (random.in_cube() * 8.0 * 16.0).round() / 16.0;
                let a = signed_distance(ordinary, p);
                let b = signed_distance(&scaled, p * factor);
                assert!(
                    (a.distance - b.distance / factor).abs()
                        <= 1e-14 + 8.0 * f64::from_bits(1) / factor,
                    "{scaled:?} {p} {exponent} {a:?} {b:?}"
                );
                assert!(
                    (a.normal - b.normal).length() <= 1e-9 || a.distance.abs() < 1e-3,
                    "{scaled:?} {p} {a:?} {b:?}"
                );
            }
        }
    }
}

#[test]
fn mixed_magnitudes_stay_numbers() {
    let sizes = [0.0, 5e-324, 1e-310, 1e-200, 1e-100, 1.0, 1e60];
    for a in sizes {
        for b in sizes {
            let shapes = [
                Shape::capsule(a, b),
                Shape::cylinder(a, b),
                Shape::cone(a, b),
                Shape::tapered_capsule(a, b, 1.0),
                Shape::tapered_capsule(1.0, a, b),
                Shape::cuboid([a, b, 1.0]),
                Shape::ellipsoid([a, b, 1.0]),
                Shape::ellipsoid([b, a, a]),
                Shape::segment([[a, b, 0.0], [b, a, a]]),
                Shape::triangle([[a, b, 0.0], [b, a, a], [0.0, a, b]]),
            ];
            for shape in shapes {
                let shape = shape.unwrap();
                for x in sizes {
                    for y in sizes {
                        for p in
                            [DVec3::new(x, y, 0.0), DVec3::new(0.0, -x, y), DVec3::new(y, x, x)]
                        {
                            let answer = signed_distance(&shape, p);
                            let slack = 4e-15 * scale(&shape, p) + 4.0 * f64::from_bits(1);
                            assert!(answer.distance.is_finite() && answer.point.is_finite());
                            assert!(
                                (answer.normal.length() - 1.0).abs() < 1e-14,
                                "{shape:?} {p} {answer:?}"
                            );
                            let back = p - answer.normal * answer.distance - answer.point;
                            assert!(back.length() <= slack, "{shape:?} {p} {answer:?}");
                            if a > 1e-100 && b > 1e-100 || a == 0.0 && b == 0.0 {
                                let planar = height(&shape, answer.normal, p);
                                assert!(
                                    (planar - answer.distance).abs() <= slack,
                                    "{shape:?} {p} {planar} {answer:?}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn exact_values() {
    let at = |shape: Result<Shape, _>, p: [f64; 3]| {
        let shape: Shape = shape.unwrap();
        signed_distance(&shape, DVec3::from_array(p)).distance
    };
    assert_eq!(at(Shape::sphere(2.0), [0.0; 3]), -2.0);
    assert_eq!(at(Shape::capsule(1.0, 2.0), [0.0, 0.0, 0.3]), -1.0);
    assert_eq!(at(Shape::capsule(1.0, 2.0), [3.0, 0.0, 6.0]), 4.0);
    assert_eq!(at(Shape::cuboid([1.0, 2.0, 3.0]), [0.25, 2.0, -1.0]), 0.0);
    assert_eq!(at(Shape::cuboid([0.1, 0.2, 0.3]), [0.1, 0.15, 0.3]), 0.0);
    assert_eq!(at(Shape::cylinder(1.0, 2.0), [4.0, 0.0, 6.0]), 5.0);
    assert_eq!(at(Shape::cylinder(5.0, 2.0), [3.0, 4.0, 0.0]), 0.0);
    assert_eq!(at(Shape::cone(3.0, 2.0), [0.0, 0.0, 5.0]), 3.0);
    assert_eq!(at(Shape::cone(3.0, 2.0), [0.0, 0.0, -5.0]), 3.0);
    assert_eq!(at(Shape::cone(3.0, 2.0), [6.0, 0.0, -6.0]), 5.0);
    assert_eq!(at(Shape::cone(0.0, 2.0), [0.0, 0.0, 5.0]), 3.0);
    assert_eq!(at(Shape::cone(3.0, 0.0), [7.0, 0.0, 0.0]), 4.0);
    assert_eq!(at(Shape::ellipsoid([1.0, 2.0, 3.0]), [0.0; 3]), -1.0);
    assert_eq!(at(Shape::ellipsoid([1.0, 2.0, 3.0]), [0.0, 0.0, 7.0]), 4.0);
    assert_eq!(at(Shape::ellipsoid([1.0, 2.0, 0.0]), [0.0, 1.0, -7.0]), 7.0);
    assert_eq!(at(Shape::ellipsoid([0.0, 2.0, 0.0]), [3.0, 6.0, 0.0]), 5.0);
    assert_eq!(at(Shape::plane([0.0, 0.0, 2.0], 2.0), [9.0, 9.0, -2.0]), 3.0);
    assert_eq!(at(Shape::half_space([0.0, 0.0, 2.0], 2.0), [9.0, 9.0, -2.0]), -3.0);
    let triangle = || Shape::triangle([[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
    assert_eq!(at(triangle(), [1.0, 1.0, -2.0]), 2.0);
    assert_eq!(at(triangle(), [1.0, 1.0, 0.0]), 0.0);
    assert_eq!(at(triangle(), [7.0, 0.0, 4.0]), 5.0);
    assert_eq!(at(triangle().and_then(|t| t.rounded(0.5)), [1.0, 1.0, 0.0]), -0.5);
}

#[test]
fn slivers_keep_their_digits() {
    // The oracle samples the triangle itself: no point of it is closer, and the answer is one of it.
    let mut random = Random::new(5);
    for _ in 0..4000 {
        let (a, b) = (random.in_cube(), random.in_cube());
        let thin = 10f64.powi(-(random.below(17) as i32));
        let c = a + (b - a) * random.real() + random.in_cube() * thin;
        let shape = Shape::triangle([a.to_array(), b.to_array(), c.to_array()]).unwrap();
        let inner = |random: &mut Random| {
            let (u, v) = (random.real(), random.real());
            let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
            a + (b - a) * u + (c - a) * v
        };
        let away = 10f64.powi(-(random.below(17) as i32));
        let p = inner(&mut random) + random.in_cube() * away;
        let answer = signed_distance(&shape, p);
        for _ in 0..50 {
            assert!(answer.distance <= p.distance(inner(&mut random)) + 2e-15);
        }
        // `point` in the triangle: its distance from the edges' hull through a cut parallel to an edge.
        let on = signed_distance(&shape, answer.point).distance;
        assert!(on <= 2e-15, "{a} {b} {c} {p} {on:e} {answer:?}");
        assert!((answer.point.distance(p) - answer.distance).abs() <= 2e-15);
    }
}

#[test]
fn degenerate_triangles_and_exact_membership() {
    let triangle = Shape::triangle([[0.0; 3], [1.0, 1.0, 1.0], [3.0, 3.0, 3.0]]).unwrap();
    assert!(contains(&triangle, DVec3::splat(2.0)));
    assert!(!contains(&triangle, DVec3::splat(3.0 + 1e-15)));
    assert!(!contains(&triangle, DVec3::new(2.0, 2.0, 2.0 + 1e-15)));
    assert_eq!(signed_distance(&triangle, DVec3::splat(5.0)).distance, 12f64.sqrt());
    let third = 1.0 / 3.0;
    let upright =
        Shape::triangle([[third, 0.0, 0.0], [third, 1.0, 0.0], [third, 0.0, 1.0]]).unwrap();
    assert!(contains(&upright, DVec3::new(third, 0.5, 0.5)));
    assert!(!contains(&upright, DVec3::new(third, 0.5, 0.5 + 1e-15)));
    assert!(!contains(&upright, DVec3::new(third + 1e-16, 0.25, 0.25)));
    let segment = Shape::segment([[0.0; 3], [3.0, 6.0, -3.0]]).unwrap();
    assert!(contains(&segment, DVec3::new(1.0, 2.0, -1.0)));
    assert!(!contains(&segment, DVec3::new(-1.0, -2.0, 1.0)));
}

#[test]
fn box_features_name_where_the_point_lies() {
    use crate::answer::{Feature, FeatureKind};
    let mut random = Random::new(6);
    let cuboid = crate::shape::Cuboid::new([1.0, 2.0, 3.0]).unwrap();
    let shape = Shape::Cuboid(cuboid);
    for _ in 0..3000 {
        let p = random.in_cube() * 6.0;
        let PointDistance { feature: Feature { kind, index }, point, .. } =
            signed_distance(&shape, p);
        let on: Vec<usize> =
            (0..3).filter(|k| (point[*k].abs() - cuboid.half()[*k]).abs() < 1e-15).collect();
        let bit = |k: usize| (point[k] >= 0.0) as u32;
        let expected = match (on.as_slice(), kind) {
            ([k], FeatureKind::Face) => 2 * *k as u32 + bit(*k),
            ([j, k], FeatureKind::Edge) => 4 * (3 - j - k) as u32 + bit(*j) + 2 * bit(*k),
            ([_, _, _], FeatureKind::Vertex) => bit(0) + 2 * bit(1) + 4 * bit(2),
            _ => panic!("{p} {kind:?} {on:?}"),
        };
        assert_eq!(index, expected);
    }
}

#[test]
#[ignore = "a measurement"]
fn nanoseconds_per_query() {
    let mut random = Random::new(7);
    for (name, shape) in bounded_shapes() {
        let points: Vec<DVec3> = (0..1000).map(|_| asked(&shape, &mut random)).collect();
        let (core, _) = shape.split();
        let start = cpu_nanoseconds();
        let mut sum = 0.0;
        for _ in 0..1000 {
            for p in &points {
                sum += core_signed_distance(&core, *p).distance;
            }
        }
        println!("{name:40} {:6.1} ns {sum}", (cpu_nanoseconds() - start) / 1e6);
    }
}

#[test]
fn segment_ends_keep_their_numbers() {
    use crate::answer::Feature;
    for (a, b) in [
        ([1.0, 2.0, 3.0], [1.0, 2.0, 7.0]),
        ([1.0, 2.0, 7.0], [1.0, 2.0, 3.0]),
        ([0.0; 3], [1.0; 3]),
    ] {
        let shape = Shape::segment([a, b]).unwrap();
        let (a, b) = (DVec3::from_array(a), DVec3::from_array(b));
        let beyond = (b - a) * 0.25;
        assert_eq!(signed_distance(&shape, a - beyond).feature, Feature::vertex(0));
        assert_eq!(signed_distance(&shape, b + beyond).feature, Feature::vertex(1));
        assert_eq!(signed_distance(&shape, a + beyond).feature, Feature::edge(0));
    }
}

#[test]
fn support_functions_alone_give_the_same_distances() {
    let mut random = Random::new(8);
    for (name, shape) in bounded_shapes() {
        let veiled = Shape::custom(std::sync::Arc::new(Veiled(shape.clone()))).unwrap();
        for _ in 0..15 {
            let p = asked(&shape, &mut random);
            let (known, found) = (signed_distance(&shape, p), signed_distance(&veiled, p));
            let slack = found.uncertainty + 1e-8 * scale(&shape, p);
            let off = (known.distance - found.distance).abs();
            assert!(off <= slack, "{name} {p} {off:e} {known:?} {found:?}");
            // At centres of symmetry every face of the search is the closest, and it stops early.
            assert!(found.uncertainty <= 1e-2 * scale(&shape, p), "{name} {p} {found:?}");
            let planar = height(&shape, found.normal, p);
            let off = (planar - known.distance).abs();
            // On corners and rims there is a normal, but it takes more than the support function to find it.
            let on = known.distance.abs() <= slack;
            assert!(on || off <= 1e-6 * scale(&shape, p), "{name} {p} {found:?} {known:?}");
        }
    }
}
