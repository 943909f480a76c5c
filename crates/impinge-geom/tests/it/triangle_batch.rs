//! One triangle against many: the answers of a batch are those of asking about each.

use crate::random::Random;
use crate::triangle_pairs::{KINDS, pair, scaled_pair};
use glam::DVec3;
use impinge_geom::triangle::{TriangleBatch, TriangleVerdict, verdict};

/// What the batch must find.
fn one_by_one(query: &[DVec3; 3], triangles: &[[DVec3; 3]]) -> Vec<(u32, TriangleVerdict)> {
    (0..)
        .zip(triangles)
        .map(|(index, triangle)| (index, verdict(query, triangle)))
        .filter(|(_, verdict)| *verdict != TriangleVerdict::Separated)
        .collect()
}

#[test]
fn batches_answer_as_single_pairs_do() {
    let mut random = Random::new(41);
    let (mut found, mut candidates) = (Vec::new(), Vec::new());
    let mut counts = [0usize; 2];
    for round in 0..1_500 {
        let kind = KINDS[round % KINDS.len()];
        let (mut triangles, mut queries) = (Vec::new(), Vec::new());
        let exponent = [0, -400, 228, -1050][random.below(4) as usize];
        for _ in 0..1 + random.below(20) {
            // One scale per batch on most rounds, any mixture on the others.
            let mixed = round % 4 == 0;
            let (a, b) = if mixed {
                pair(kind, &mut random)
            } else {
                scaled_pair(kind, exponent, &mut random)
            };
            queries.push(a);
            triangles.push(b);
        }
        let batch = TriangleBatch::new(&triangles);
        for query in queries.iter().chain(&triangles) {
            let expected = one_by_one(query, &triangles);
            batch.verdicts(query, &mut found);
            assert_eq!(found, expected, "{kind:?} {query:?} {triangles:?}");
            batch.candidates(query, &mut candidates);
            assert!(expected.iter().all(|(index, _)| candidates.contains(index)));
            assert_eq!(batch.meets(query), !expected.is_empty());
            counts[0] += expected.len();
            counts[1] += candidates.len();
        }
    }
    assert!(counts[0] > 10_000 && counts[1] > counts[0], "{counts:?}");
}

/// Contacts by less than the rounding of f32 must survive the filter, gaps well above it must not.
#[test]
fn the_filter_errs_to_one_side_only() {
    let mut random = Random::new(42);
    let mut candidates = Vec::new();
    let mut ruled_out = 0;
    for round in 0..20_000 {
        let offset = if round % 2 == 0 { DVec3::ZERO } else { random.point() * 1000.0 };
        let triangle = [0; 3].map(|_| random.point() + offset);
        let (s, t) = (random.signed().abs() * 0.5, random.signed().abs() * 0.5);
        let touch = triangle[0] * (1.0 - s - t) + triangle[1] * s + triangle[2] * t;
        let normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
        let aside = random.point() * 0.3;
        let above = |height: f64| {
            let apex = touch + normal * height;
            [apex, apex + normal + aside, apex + normal - aside]
        };
        let batch = TriangleBatch::new(&[triangle, triangle.map(|p| p * 0.5)]);
        for height in [0.0, -1e-9, -1e-5, -1e-15] {
            let query = above(height);
            batch.candidates(&query, &mut candidates);
            if verdict(&query, &triangle) != TriangleVerdict::Separated {
                assert!(candidates.contains(&0), "{query:?} {triangle:?}");
            }
        }
        batch.candidates(&above(0.01), &mut candidates);
        ruled_out += usize::from(!candidates.contains(&0));
    }
    assert!(ruled_out > 15_000, "{ruled_out}");
}

#[test]
fn empty_and_single_point_batches() {
    let mut found = vec![(7, TriangleVerdict::Touching)];
    let query = [DVec3::ZERO, DVec3::X, DVec3::Y];
    TriangleBatch::new(&[]).verdicts(&query, &mut found);
    assert!(found.is_empty());
    let inside = DVec3::new(0.25, 0.25, 0.0);
    TriangleBatch::new(&[[inside; 3]]).verdicts(&query, &mut found);
    assert_eq!(found, [(0, TriangleVerdict::Touching)]);
    let beside = DVec3::new(0.25, 0.25, f64::from_bits(1));
    TriangleBatch::new(&[[beside; 3]]).verdicts(&query, &mut found);
    assert!(found.is_empty());
}

/// Triangles whose boxes have only one corner in common, which f32 cannot hold.
#[test]
fn a_common_corner_survives_rounding() {
    let mut random = Random::new(43);
    let mut found = Vec::new();
    for round in 0..3_000 {
        let corner = random.point() * 10.0;
        let mut away = |sign: f64| corner + (random.point() + 1.5) * sign;
        let axis_only = |p: DVec3, sign: f64| {
            let mut moved = p;
            moved[round % 3] = corner[round % 3] + sign * (p - corner)[round % 3].abs();
            moved
        };
        let triangle = [corner, axis_only(away(1.0), 1.0), axis_only(away(-1.0), 1.0)];
        let query = [corner, axis_only(away(1.0), -1.0), axis_only(away(-1.0), -1.0)];
        TriangleBatch::new(&[triangle, [corner; 3]]).verdicts(&query, &mut found);
        assert_eq!(found, [(0, TriangleVerdict::Touching), (1, TriangleVerdict::Touching)]);
    }
}
