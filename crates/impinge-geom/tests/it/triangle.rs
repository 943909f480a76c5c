//! Triangle against triangle, on adversarial pairs of every kind, against exact arithmetic.

use crate::random::Random;
use crate::triangle_oracle::oracle_verdict;
use crate::triangle_pairs::{KINDS, Kind, pair};
use glam::DVec3;
use impinge_geom::triangle::{TriangleVerdict, verdict};

/// How often each verdict was seen.
fn tally(counts: &mut [usize; 3], verdict: TriangleVerdict) {
    counts[verdict as usize] += 1;
}

#[test]
fn verdicts_are_exact() {
    let mut random = Random::new(21);
    for kind in KINDS {
        let mut counts = [0; 3];
        for _ in 0..3_000 {
            let (a, b) = pair(kind, &mut random);
            let expected = oracle_verdict(&a, &b);
            tally(&mut counts, expected);
            assert_eq!(verdict(&a, &b), expected, "{kind:?} {a:?} {b:?}");
            assert_eq!(verdict(&b, &a), expected, "{kind:?} {b:?} {a:?}");
        }
        let rare = if kind == Kind::Random { 1 } else { 0 };
        assert!(counts.iter().filter(|c| **c < 100).count() <= rare, "{kind:?} {counts:?}");
    }
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
