//! The intersection of triangles against clipping in exact arithmetic.
//!
//! The oracle writes one triangle as an intersection of half-spaces and clips the other by them, one after the other
//! (Sutherland and Hodgman, "Reentrant polygon clipping", 1974), on homogeneous integer coordinates.

use crate::integers::{Vector, cross, dot, integers, minus, sign};
use crate::random::{Random, scaled};
use crate::triangle_pairs::{KINDS, pair};
use glam::DVec3;
use impinge_geom::triangle::{Intersection, intersection};
use num_bigint::BigInt;

/// A point `vector / weight`, with a positive weight.
#[derive(Clone, PartialEq)]
struct Point {
    vector: Vector,
    weight: BigInt,
}

/// The points with `normal · x ≥ offset`.
struct HalfSpace {
    normal: Vector,
    offset: BigInt,
}

impl HalfSpace {
    fn value(&self, p: &Point) -> BigInt {
        dot(&self.normal, &p.vector) - &self.offset * &p.weight
    }
}

fn is_zero(v: &Vector) -> bool {
    v.iter().all(|c| *c == BigInt::ZERO)
}

/// Half-spaces whose intersection is the hull of the three points.
fn half_spaces(t: &[Vector]) -> Vec<HalfSpace> {
    let mut list = Vec::new();
    let mut above = |normal: Vector, through: &Vector| {
        let offset = dot(&normal, through);
        list.push(HalfSpace { normal, offset });
    };
    let negative = |v: &Vector| [0, 1, 2].map(|k| -&v[k]);
    let normal = cross(&minus(&t[1], &t[0]), &minus(&t[2], &t[0]));
    if !is_zero(&normal) {
        above(negative(&normal), &t[0]);
        for k in 0..3 {
            above(cross(&normal, &minus(&t[(k + 1) % 3], &t[k])), &t[k]);
        }
        above(normal, &t[0]);
        return list;
    }
    // A segment or a point: bounded by its ends along its direction, and by all axes across it.
    let directions = [minus(&t[1], &t[0]), minus(&t[2], &t[0]), minus(&t[2], &t[1])];
    let direction = directions.into_iter().find(|d| !is_zero(d));
    let units = [0, 1, 2].map(|k| [0, 1, 2].map(|i| BigInt::from(i32::from(i == k))));
    for unit in &units {
        let across = direction.as_ref().map_or_else(|| unit.clone(), |d| cross(d, unit));
        above(negative(&across), &t[0]);
        above(across, &t[0]);
    }
    if let Some(direction) = direction {
        let first = t.iter().min_by_key(|p| dot(&direction, p)).unwrap();
        let last = t.iter().max_by_key(|p| dot(&direction, p)).unwrap();
        above(direction.clone(), first);
        above(negative(&direction), last);
    }
    list
}

fn clip(polygon: &[Point], by: &HalfSpace) -> Vec<Point> {
    let mut clipped = Vec::new();
    for (k, p) in polygon.iter().enumerate() {
        let q = &polygon[(k + 1) % polygon.len()];
        let (value_p, value_q) = (by.value(p), by.value(q));
        if value_p >= BigInt::ZERO {
            clipped.push(p.clone());
        }
        if sign(&value_p) * sign(&value_q) < 0 {
            let flip = if value_p < BigInt::ZERO { -1 } else { 1 };
            let combine = |x: &BigInt, y: &BigInt| (y * &value_p - x * &value_q) * flip;
            clipped.push(Point {
                vector: [0, 1, 2].map(|i| combine(&p.vector[i], &q.vector[i])),
                weight: combine(&p.weight, &q.weight),
            });
        }
    }
    clipped
}

/// The corners of the intersection, in order, without repetitions and without points between others.
fn oracle_corners(a: &[DVec3; 3], b: &[DVec3; 3]) -> Vec<DVec3> {
    let (v, exponent) = integers(&[a[0], a[1], a[2], b[0], b[1], b[2]]);
    let mut polygon: Vec<Point> =
        v[..3].iter().map(|p| Point { vector: p.clone(), weight: BigInt::from(1) }).collect();
    for half_space in half_spaces(&v[3..]) {
        polygon = clip(&polygon, &half_space);
    }
    let apart = |p: &Point, q: &Point| -> Vector {
        [0, 1, 2].map(|k| &q.vector[k] * &p.weight - &p.vector[k] * &q.weight)
    };
    let mut corners: Vec<Point> = Vec::new();
    for (k, p) in polygon.iter().enumerate() {
        let repeated = polygon[..k].iter().any(|q| is_zero(&apart(p, q)));
        let between = polygon.iter().any(|q| {
            polygon.iter().any(|r| {
                let (u, v) = (apart(p, q), apart(p, r));
                is_zero(&cross(&u, &v)) && dot(&u, &v) < BigInt::ZERO
            })
        });
        if !repeated && !between {
            corners.push(p.clone());
        }
    }
    corners
        .iter()
        .map(|p| DVec3::from_array([0, 1, 2].map(|k| quotient(&p.vector[k], &p.weight, exponent))))
        .collect()
}

/// `numerator / denominator · 2^exponent` to about 2^-60.
fn quotient(numerator: &BigInt, denominator: &BigInt, exponent: i32) -> f64 {
    let shift = 62 + denominator.bits() as i64 - numerator.bits() as i64;
    let digits = if shift >= 0 {
        (numerator << shift as u64) / denominator
    } else {
        numerator / (denominator << (-shift) as u64)
    };
    let value = digits.iter_u64_digits().next().unwrap_or(0) as f64;
    f64::from(sign(numerator)) * scaled(value, exponent - shift as i32)
}

fn kind(answer: &Intersection) -> &'static str {
    match answer {
        Intersection::Empty => "empty",
        Intersection::Point(_) => "point",
        Intersection::Segment(_) => "segment",
        Intersection::Polygon { .. } => "polygon",
    }
}

#[test]
fn corners_are_those_of_exact_clipping() {
    let mut random = Random::new(31);
    let mut seen = [0; 7];
    let mut worst = 0.0f64;
    for round in 0..16_000 {
        let (a, b) = pair(KINDS[round % KINDS.len()], &mut random);
        let expected = oracle_corners(&a, &b);
        let answer = intersection(&a, &b);
        let points = answer.points();
        assert_eq!(points.len(), expected.len(), "{} {expected:?} {a:?} {b:?}", kind(&answer));
        seen[points.len()] += 1;
        let size = a.iter().chain(&b).fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
        // Two units of the subnormal numbers are free.
        let free = f64::from_bits(2);
        let gap = |p: DVec3, q: DVec3| ((p - q).abs().max_element() - free).max(0.0) / size;
        let nearest = |p: DVec3| {
            (0..expected.len())
                .min_by(|&i, &j| gap(p, expected[i]).total_cmp(&gap(p, expected[j])))
                .unwrap()
        };
        for p in points {
            let error = gap(*p, expected[nearest(*p)]);
            assert!(error < 1e-15, "{error} {a:?} {b:?}: {answer:?} {expected:?}");
            worst = worst.max(error);
        }
        for q in &expected {
            assert!(points.iter().any(|p| gap(*p, *q) < 1e-15), "{a:?} {b:?}: {q} not found");
        }
        let count = expected.len();
        let distinct = (0..count).all(|i| (0..i).all(|j| gap(expected[i], expected[j]) > 1e-9));
        if count >= 3 && distinct {
            let order: Vec<usize> = points.iter().map(|p| nearest(*p)).collect();
            let step = (order[1] + count - order[0]) % count;
            assert!(step == 1 || step == count - 1, "{order:?}");
            for k in 0..count {
                let next = order[(k + 1) % count];
                assert_eq!((order[k] + step) % count, next, "{a:?} {b:?}: {order:?}");
            }
        }
    }
    assert!(seen.iter().all(|n| *n >= 2), "{seen:?}");
    println!("by number of corners: {seen:?}, largest error {worst:e}");
}

#[test]
fn the_hexagon_of_two_triangles() {
    let up = [DVec3::new(0.0, 0.0, 1.0), DVec3::new(6.0, 0.0, 1.0), DVec3::new(3.0, 6.0, 1.0)];
    let down = [DVec3::new(0.0, 4.0, 1.0), DVec3::new(6.0, 4.0, 1.0), DVec3::new(3.0, -2.0, 1.0)];
    match intersection(&up, &down) {
        Intersection::Polygon { points, count } => {
            assert_eq!(count, 6);
            let area: f64 = (0..6)
                .map(|k| points[k].truncate().perp_dot(points[(k + 1) % 6].truncate()) / 2.0)
                .sum();
            assert!((area.abs() - 12.0).abs() < 1e-12, "{area}");
        }
        other => panic!("{other:?}"),
    }
}
