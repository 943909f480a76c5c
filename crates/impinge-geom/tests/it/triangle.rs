//! Triangle against triangle, on adversarial pairs of every kind, against exact arithmetic.

use crate::random::{Random, scaled};
use crate::triangle_oracle::{oracle_distance, oracle_verdict};
use crate::triangle_pairs::{KINDS, Kind, pair, scaled_pair};
use glam::DVec3;
use impinge_geom::triangle::{TriangleVerdict, closest_point, distance, verdict};
use impinge_geom::{Feature, FeatureKind};

/// How often each verdict was seen.
fn tally(counts: &mut [usize; 3], verdict: TriangleVerdict) {
    counts[verdict as usize] += 1;
}

#[test]
fn verdicts_are_exact() {
    let mut random = Random::new(21);
    for kind in KINDS {
        let mut counts = [0; 3];
        for _ in 0..2_000 {
            let (a, b) = pair(kind, &mut random);
            let expected = oracle_verdict(&a, &b);
            tally(&mut counts, expected);
            assert_eq!(verdict(&a, &b), expected, "{kind:?} {a:?} {b:?}");
            assert_eq!(verdict(&b, &a), expected, "{kind:?} {b:?} {a:?}");
        }
        let rare = if matches!(kind, Kind::Random | Kind::Layered) { 2 } else { 0 };
        assert!(counts.iter().filter(|c| **c < 30).count() <= rare, "{kind:?} {counts:?}");
    }
}

/// Axes of very different scales: products of two small differences underflow, and a large one lifts what is left of them.
#[test]
fn verdicts_are_exact_where_products_underflow() {
    let mut random = Random::new(26);
    let mut counts = [0; 3];
    for round in 0..3_000 {
        let (a, b) = scaled_pair(KINDS[round % KINDS.len()], 0, &mut random);
        let mut exponents = [-537, -536 - random.below(4) as i32, 200 + random.below(30) as i32];
        exponents.rotate_left(round % 3);
        let stretched = |t: [DVec3; 3]| {
            t.map(|p| DVec3::from_array([0, 1, 2].map(|k| scaled(p[k], exponents[k]))))
        };
        let (a, b) = (stretched(a), stretched(b));
        let expected = oracle_verdict(&a, &b);
        tally(&mut counts, expected);
        assert_eq!(verdict(&a, &b), expected, "{a:?} {b:?}");
    }
    assert!(counts.iter().all(|c| *c > 100), "{counts:?}");
}

#[test]
fn verdicts_do_not_depend_on_the_order_of_corners() {
    let mut random = Random::new(22);
    for round in 0..7_000 {
        let (a, b) = pair(KINDS[round % KINDS.len()], &mut random);
        let expected = verdict(&a, &b);
        for turned in [[a[1], a[2], a[0]], [a[2], a[1], a[0]], [a[1], a[0], a[2]]] {
            for other in [[b[2], b[0], b[1]], [b[0], b[2], b[1]], [b[2], b[1], b[0]]] {
                assert_eq!(verdict(&turned, &other), expected, "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn all_triangles_of_a_cube_against_all() {
    let corner = |k: usize| DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2 & 1) as f64);
    let triangle = |k: usize| [corner(k & 7), corner(k >> 3 & 7), corner(k >> 6)];
    // By symmetry the first corner may stay at the origin and the corners may be sorted.
    let sorted = |k: &usize| k & 7 <= k >> 3 & 7 && k >> 3 & 7 <= k >> 6;
    let mut counts = [0; 3];
    for first in (0..512).filter(|k| k & 7 == 0).filter(sorted) {
        for second in (0..512).filter(sorted) {
            let (a, b) = (triangle(first), triangle(second));
            let expected = oracle_verdict(&a, &b);
            tally(&mut counts, expected);
            assert_eq!(verdict(&a, &b), expected, "{a:?} {b:?}");
        }
    }
    assert!(counts.iter().all(|c| *c > 10), "{counts:?}");
}

/// The largest coordinate difference among all corners.
fn extent(a: &[DVec3; 3], b: &[DVec3; 3]) -> f64 {
    let all = || a.iter().chain(b);
    let low = all().copied().reduce(DVec3::min).unwrap();
    let high = all().copied().reduce(DVec3::max).unwrap();
    (high - low).max_element()
}

#[test]
fn distances_are_right() {
    let mut random = Random::new(23);
    let mut worst = 0.0f64;
    for kind in KINDS {
        for _ in 0..700 {
            let (a, b) = pair(kind, &mut random);
            let answer = distance(&a, &b);
            if oracle_verdict(&a, &b) != TriangleVerdict::Separated {
                assert_eq!(answer.distance, 0.0, "{kind:?} {a:?} {b:?}");
                continue;
            }
            let expected = oracle_distance(&a, &b);
            assert!(answer.distance > 0.0, "{kind:?} {a:?} {b:?}");
            let scale = extent(&a, &b).max(expected);
            let error = (answer.distance - expected).abs() - f64::MIN_POSITIVE;
            assert!(error <= 1e-12 * scale, "{kind:?} {a:?} {b:?}: {answer:?} {expected}");
            worst = worst.max(error / scale);
        }
    }
    println!("largest error: {worst:e} of the extent");
}

/// The distance of a point from a feature of a triangle, by an independent and slow search.
fn distance_from(triangle: &[DVec3; 3], feature: Feature, point: DVec3) -> f64 {
    let index = feature.index as usize;
    match feature.kind {
        FeatureKind::Vertex => triangle[index].distance(point),
        FeatureKind::Edge => oracle_distance(
            &[triangle[index], triangle[(index + 1) % 3], triangle[index]],
            &[point; 3],
        ),
        FeatureKind::Face => oracle_distance(triangle, &[point; 3]),
        FeatureKind::Surface => f64::INFINITY,
    }
}

#[test]
fn points_lie_on_their_features() {
    let mut random = Random::new(24);
    let mut seen = [0; 9];
    for round in 0..4_000 {
        let (a, b) = pair(KINDS[round % KINDS.len()], &mut random);
        let answer = distance(&a, &b);
        let largest = a.iter().chain(&b).fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
        let tolerance = 1e-14 * largest + f64::MIN_POSITIVE;
        let [p, q] = answer.points;
        // Small numbers are enlarged first, so that their squares do not vanish.
        let factor = if largest < 1e-150 { 2f64.powi(500) } else { 1.0 };
        let apart = (p * factor).distance(q * factor) / factor;
        assert!((apart - answer.distance).abs() < tolerance, "{a:?} {b:?} {answer:?}");
        for (triangle, point, feature) in [(&a, p, answer.features[0]), (&b, q, answer.features[1])]
        {
            let off = distance_from(triangle, feature, point);
            assert!(off < tolerance, "{a:?} {b:?} {answer:?} {off}");
        }
        seen[answer.features[0].kind as usize * 3 + answer.features[1].kind as usize] += 1;
    }
    // All pairs of kinds but two faces, which never hold the one pair of closest points.
    assert!(seen[..8].iter().all(|n| *n > 20) && seen[8] == 0, "{seen:?}");
}

#[test]
fn closest_point_of_a_triangle() {
    let mut random = Random::new(25);
    for round in 0..3_000 {
        let (a, b) = pair(KINDS[round % KINDS.len()], &mut random);
        let (point, feature) = closest_point(&a, b[0]);
        let expected = oracle_distance(&a, &[b[0]; 3]);
        let largest = a.iter().chain(&b).fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
        let tolerance = 1e-14 * largest + f64::MIN_POSITIVE;
        let factor = if largest < 1e-150 { 2f64.powi(500) } else { 1.0 };
        let apart = (point * factor).distance(b[0] * factor) / factor;
        assert!((apart - expected).abs() < tolerance, "{a:?} {}: {point} {expected}", b[0]);
        assert!(distance_from(&a, feature, point) < tolerance, "{a:?} {} {feature:?}", b[0]);
    }
}
