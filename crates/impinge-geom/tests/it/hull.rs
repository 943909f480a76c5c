//! Hulls against brute force, on every kind of degeneracy and at every scale.

use crate::hull_oracle::{Expected, expected};
use crate::integers::{cross, dot, integers, minus, sign};
use crate::random::{Random, scaled};
use glam::DVec3;
use impinge_geom::hull::Hull;
use num_bigint::BigInt;

pub(crate) fn arrays(points: &[DVec3]) -> Vec<[f64; 3]> {
    points.iter().map(|p| p.to_array()).collect()
}

/// What the hull says, in the terms of the oracle.
fn found(hull: &Hull) -> Expected {
    let input = |v: &u32| hull.input_indices()[*v as usize];
    let faces = (0..hull.face_count() as u32).map(|face| {
        let mut corners: Vec<u32> = hull.face(face).iter().map(input).collect();
        corners.sort_unstable();
        corners
    });
    Expected {
        dimension: hull.dimension(),
        vertices: hull.input_indices().to_vec(),
        faces: faces.collect(),
        edges: hull.edges().iter().map(|e| [input(&e[0]), input(&e[1])]).collect(),
    }
}

/// Everything that must hold for the hull of a few points.
fn check(points: &[DVec3]) {
    let input = arrays(points);
    let hull = Hull::new(&input).unwrap();
    assert_eq!(found(&hull), expected(points), "{points:?}");
    assert_eq!(hull.validate_containing(&input), Ok(()), "{points:?}");
    check_measure(&hull);
    for edge in 0..hull.edges().len() as u32 {
        let [u, v] = hull.edges()[edge as usize];
        assert_eq!(hull.edge_between(v, u), Some(edge));
        assert!(hull.neighbours(u).contains(&v) && hull.neighbours(v).contains(&u));
        if hull.dimension() >= 2 {
            let [left, right] = hull.edge_faces(edge);
            assert!(left != right && hull.face_with(&[u, v]) == Some(left.min(right)));
        }
    }
}

/// Loops turn outwards, the outer ball holds all vertices, the inner ball is inside all faces; in integers of any length.
fn check_measure(hull: &Hull) {
    let mut all = hull.vertices().to_vec();
    all.push(hull.center());
    all.push(DVec3::new(hull.radius(), hull.inner_radius(), hull.bounding_radius()));
    let (all, _) = integers(&all);
    let [.., center, radii] = &all[..] else { unreachable!() };
    let count = hull.vertices().len();
    for vertex in &all[..count] {
        let arm = minus(vertex, center);
        assert!(dot(&arm, &arm) <= &radii[0] * &radii[0], "the outer ball is too small: {hull:?}");
        assert!(dot(vertex, vertex) <= &radii[2] * &radii[2], "the ball around the origin");
    }
    for face in 0..hull.face_count() as u32 {
        let [a, b, c] = [0, 1, 2].map(|k| &all[hull.face(face)[k] as usize]);
        let normal = cross(&minus(b, a), &minus(c, a));
        if hull.dimension() == 3 {
            let outward = all[..count].iter().all(|v| sign(&dot(&normal, &minus(v, a))) <= 0);
            assert!(outward, "face {face} looks inwards: {hull:?}");
        }
        if hull.inner_radius() > 0.0 {
            let depth = dot(&normal, &minus(a, center));
            let room = &depth * &depth - &radii[1] * &radii[1] * dot(&normal, &normal);
            assert!(depth > BigInt::ZERO && room >= BigInt::ZERO, "the inner ball: {hull:?}");
        }
        let unit = hull.face_normal(face);
        assert!((unit.length() - 1.0).abs() < 1e-15);
        let largest =
            hull.vertices().iter().map(|v| unit.dot(*v)).fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(hull.face_offset(face), largest);
    }
}

#[test]
fn subsets_of_small_grids() {
    let mut random = Random::new(1);
    for round in 0..4000u64 {
        let side = 2 + round % 3;
        let count = 1 + random.below(12);
        let points: Vec<DVec3> = (0..count).map(|_| random.grid_point(side)).collect();
        check(&points);
    }
}

#[test]
fn grids_nudged_by_one_unit_in_the_last_place() {
    let mut random = Random::new(2);
    for _ in 0..1000 {
        let count = 1 + random.below(10);
        let shift = random.point();
        let points: Vec<DVec3> = (0..count)
            .map(|_| {
                let p = random.grid_point(3) + shift;
                random.nudged_point(p)
            })
            .collect();
        check(&points);
    }
}

#[test]
fn nearly_and_exactly_flat_sets() {
    let mut random = Random::new(3);
    for round in 0..1000 {
        let (u, v, w) = (random.point(), random.point(), random.point());
        let count = 3 + random.below(8);
        let points: Vec<DVec3> = (0..count)
            .map(|_| {
                let (a, b) = (random.below(4) as f64, random.below(4) as f64);
                match round % 3 {
                    0 => u + v * a + w * b,
                    1 => u + v * a,
                    // Exactly flat, in a plane that no axis lies in.
                    _ => DVec3::new(a, b, 3.0 * a - 5.0 * b + 1.0) * 0.125,
                }
            })
            .collect();
        check(&points);
    }
}

#[test]
fn from_subnormal_numbers_to_the_largest() {
    let mut random = Random::new(4);
    for round in 0..1000 {
        let count = 1 + random.below(10);
        let points: Vec<DVec3> = (0..count)
            .map(|_| match round % 5 {
                0 => random.grid_point(4) * f64::from_bits(1),
                1 => random.grid_point(3) * scaled(1.0, 248),
                2 => random.point() * scaled(1.0, 249),
                3 => random.point() * scaled(1.0, -1060),
                _ => {
                    let number = |r: &mut Random| match r.below(4) {
                        0 => 0.0,
                        1 => r.with_exponent(-1070, -1000),
                        2 => r.with_exponent(200, 249),
                        _ => r.with_exponent(-1070, 249),
                    };
                    DVec3::new(number(&mut random), number(&mut random), number(&mut random))
                }
            })
            .collect();
        check(&points);
    }
}

#[test]
fn many_duplicates_and_negative_zeros() {
    let mut random = Random::new(5);
    for _ in 0..200 {
        let few: Vec<DVec3> = (0..5).map(|_| random.grid_point(2) - DVec3::ONE).collect();
        let points: Vec<DVec3> = (0..12)
            .map(|_| {
                let p = few[random.below(5) as usize];
                if random.below(2) == 0 { p * 1.0 } else { p + DVec3::splat(-0.0) }
            })
            .map(|p| DVec3::new(p.x, if p.y == 0.0 { -0.0 } else { p.y }, p.z))
            .collect();
        check(&points);
    }
}

/// A hull of too many points for the oracle, validated; with the expected number of vertices where it is known.
#[allow(clippy::print_stdout)]
fn check_large(name: &str, points: Vec<[f64; 3]>, vertices: Option<usize>) {
    let start = std::time::Instant::now();
    let hull = Hull::new(&points).unwrap();
    let built = start.elapsed();
    assert_eq!(hull.validate_containing(&points), Ok(()), "{name}");
    let counts = (hull.vertices().len(), hull.edges().len(), hull.face_count());
    println!(
        "{name}: {} points, {counts:?} vertices, edges, faces; built in {built:.3?}, checked in {:.3?}",
        points.len(),
        start.elapsed() - built
    );
    if let Some(vertices) = vertices {
        assert_eq!(hull.vertices().len(), vertices, "{name}");
    }
}

fn large_sets(n: usize) {
    let mut random = Random::new(6);
    let mut ball = || loop {
        let p = random.point();
        if p.length_squared() < 1.0 && p.length_squared() > 0.01 {
            return p;
        }
    };
    check_large("ball", (0..n).map(|_| ball().to_array()).collect(), None);
    check_large("sphere", (0..n).map(|_| ball().normalize().to_array()).collect(), None);
    let side = n.isqrt();
    let grid = |i: usize| ((i % side) as f64, (i / side) as f64);
    let flat = (0..side * side).map(|i| [grid(i).0, grid(i).1, 0.0]).collect();
    check_large("flat grid", flat, Some(4));
    let tilted = (0..side * side).map(grid).map(|(x, y)| [x, y, 3.0 * x + 5.0 * y]).collect();
    check_large("tilted grid", tilted, Some(4));
    // So thin that no f64 point is inside: every point is compared with every face, so only some are.
    let rounded: Vec<[f64; 3]> =
        (0..n).map(|_| ball()).map(|p| [p.x, p.y, 0.3 * p.x + 0.7 * p.y]).collect();
    let hull = Hull::new(&rounded).unwrap();
    let some: Vec<[f64; 3]> = rounded.into_iter().step_by(n.div_ceil(1000)).collect();
    assert_eq!(hull.validate_containing(&some), Ok(()));
    let corners = 64;
    let prism = (0..n)
        .map(|i| {
            let (x, y) = on_circle(i % corners, corners);
            [x, y, (i / corners) as f64]
        })
        .collect();
    check_large("prism", prism, Some(2 * corners));
    let drum = (0..n)
        .map(|i| {
            let (x, y) = on_circle(i / 10, n / 10);
            [x, y, (i % 10) as f64]
        })
        .collect();
    check_large("drum", drum, Some(n / 5));
    let cube = (0..n)
        .map(|i| {
            let p = ball();
            let mut point = p.to_array();
            point[i % 3] = if i % 2 == 0 { 1.0 } else { -1.0 };
            point
        })
        .collect();
    check_large("faces of a box", cube, None);
    let spike = (0..n)
        .map(|i| {
            let (x, y) = on_circle(i, n);
            if i % 2 == 0 { [x, y, 0.0] } else { [0.0, 0.0, i as f64 / n as f64] }
        })
        .collect();
    check_large("spike", spike, Some(n / 2 + 1));
}

/// Points of the unit circle up to rounding, by rational parameters in each quadrant: the same on every platform.
fn on_circle(i: usize, count: usize) -> (f64, f64) {
    let position = 4.0 * i as f64 / count as f64;
    let t = position.fract();
    let (c, s) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
    match position as usize {
        0 => (c, s),
        1 => (-s, c),
        2 => (-c, -s),
        _ => (s, -c),
    }
}

#[test]
fn large_sets_are_valid() {
    large_sets(20_000);
}

#[test]
fn a_hundred_thousand_points() {
    let mut random = Random::new(7);
    let points: Vec<[f64; 3]> = (0..100_000).map(|_| random.point().to_array()).collect();
    check_large("box", points, None);
}

#[test]
#[ignore = "takes a minute: cargo test --release -p impinge-geom --test it million -- --ignored --nocapture"]
fn million_points() {
    large_sets(1_000_000);
}

#[test]
fn bad_input_is_refused_by_index() {
    let message = |points: &[[f64; 3]]| Hull::new(points).unwrap_err().to_string();
    assert_eq!(message(&[]), "points is empty: give at least one point");
    assert_eq!(message(&[[0.0; 3], [0.0, f64::NAN, 0.0]]), "points[1] is not a finite number");
    assert_eq!(message(&[[0.0, 0.0, f64::INFINITY]]), "points[0] is not a finite number");
    assert!(
        message(&[[0.0; 3], [0.0; 3], [scaled(1.0, 251), 0.0, 0.0]]).starts_with("points[2] is ")
    );
}

#[test]
fn the_order_of_points_changes_only_numbers() {
    let mut random = Random::new(11);
    for _ in 0..100 {
        let mut points: Vec<DVec3> = (0..30).map(|_| random.grid_point(4)).collect();
        points.sort_by(|a, b| a.to_array().partial_cmp(&b.to_array()).unwrap());
        points.dedup();
        let sorted = Hull::new(&arrays(&points)).unwrap();
        let mut shuffled = points.clone();
        for i in (1..shuffled.len()).rev() {
            shuffled.swap(i, random.below(i as u64 + 1) as usize);
        }
        let other = Hull::new(&arrays(&shuffled)).unwrap();
        let mut vertices = other.vertices().to_vec();
        vertices.sort_by(|a, b| a.to_array().partial_cmp(&b.to_array()).unwrap());
        assert_eq!(sorted.vertices(), vertices);
        assert_eq!(
            (sorted.edges().len(), sorted.face_count()),
            (other.edges().len(), other.face_count())
        );
    }
}
