//! The exact predicates against determinants of integers, from subnormal numbers to 2^250.

use crate::integers::{cross, dot, integers, minus, sign};
use crate::random::{Random, scaled};
use glam::{DVec2, DVec3};
use impinge_geom::predicate::{orient2d, orient3d};

fn expected_3d(points: &[DVec3; 4]) -> i32 {
    let (v, _) = integers(points);
    let [p, q, r] = [0, 1, 2].map(|i| minus(&v[i], &v[3]));
    sign(&dot(&p, &cross(&q, &r)))
}

fn expected_2d(points: &[DVec2; 3]) -> i32 {
    let (v, _) = integers(&points.map(|p| p.extend(0.0)));
    sign(&cross(&minus(&v[1], &v[0]), &minus(&v[2], &v[0]))[2])
}

/// Checks all four points, in some orders, and the shadows of three of them.
fn check(points: [DVec3; 4], counts: &mut [usize; 3]) {
    let [a, b, c, d] = points;
    let expected = expected_3d(&points);
    counts[(expected + 1) as usize] += 1;
    assert_eq!(orient3d(a, b, c, d), expected, "{points:?}");
    assert_eq!(orient3d(b, a, c, d), -expected, "{points:?}");
    assert_eq!(orient3d(d, b, c, a), -expected, "{points:?}");
    let shadows: [fn(DVec3) -> DVec2; 3] =
        [DVec3::truncate, |p| DVec2::new(p.y, p.z), |p| DVec2::new(p.z, p.x)];
    for shadow in shadows {
        let flat = [shadow(a), shadow(b), shadow(c)];
        let expected = expected_2d(&flat);
        assert_eq!(orient2d(flat[0], flat[1], flat[2]), expected, "{flat:?}");
        assert_eq!(orient2d(flat[1], flat[0], flat[2]), -expected, "{flat:?}");
    }
}

#[test]
fn every_scale() {
    let mut random = Random::new(1);
    let mut counts = [0; 3];
    for exponent in (-1074..=250).step_by(4) {
        for _ in 0..8 {
            check([0; 4].map(|_| random.point().map(|v| scaled(v, exponent))), &mut counts);
            check(
                [0; 4].map(|_| random.grid_point(3).map(|v| scaled(v, exponent - 2))),
                &mut counts,
            );
        }
    }
    assert!(counts.iter().all(|c| *c > 500), "{counts:?}");
}

#[test]
fn mixed_scales() {
    let mut random = Random::new(2);
    let mut counts = [0; 3];
    for _ in 0..10_000 {
        let (low, high) =
            [(-1074, 250), (-400, 250), (-1074, -1000), (-60, 60)][random.below(4) as usize];
        let mut number =
            || if random.below(8) == 0 { 0.0 } else { random.with_exponent(low, high) };
        let points = [0; 4].map(|_| DVec3::new(number(), number(), number()));
        check(points, &mut counts);
    }
    assert!(counts[0] > 1000 && counts[2] > 1000, "{counts:?}");
}

#[test]
fn one_unit_in_the_last_place_off_a_plane() {
    let mut random = Random::new(3);
    let mut counts = [0; 3];
    for round in 0..12_000 {
        let exponent = [0, 0, 0, -330, -900, 248][round % 6];
        // Small integers span planes that hold many representable points; neighbours lie just beside.
        let corner = random.grid_point(9);
        let (u, v) = (random.grid_point(9) - corner, random.grid_point(9) - corner);
        let offset = if round % 4 == 0 { DVec3::splat(4_194_304.0) } else { DVec3::ZERO };
        let mut place = || {
            let (s, t) = (random.below(64) as f64 / 8.0, random.below(64) as f64 / 8.0);
            let exact = (corner + u * s + v * t + offset).map(|x| scaled(x, exponent));
            if random.below(4) == 0 { random.nudged_point(exact) } else { exact }
        };
        check([place(), place(), place(), place()], &mut counts);
    }
    assert!(counts.iter().all(|c| *c > 200), "{counts:?}");
}

/// Two products underflow, and a factor of 2^250 lifts their rounding errors far above the result's own scale.
#[test]
fn underflow_lifted_by_a_large_factor() {
    let tiny = 2f64.powi(-537);
    let mut random = Random::new(4);
    let mut counts = [0; 3];
    for _ in 0..4_000 {
        let mut small = || tiny * random.signed();
        let (b, c, a) = ([small(), small()], [small(), small()], [small(), small()]);
        let mut large = || 2f64.powi(249) * random.signed();
        let points = [
            DVec3::new(a[0], a[1], large()),
            DVec3::new(b[0], b[1], large()),
            DVec3::new(c[0], c[1], large()),
            DVec3::ZERO,
        ];
        check(points, &mut counts);
    }
    assert!(counts[0] > 500 && counts[2] > 500, "{counts:?}");
}
