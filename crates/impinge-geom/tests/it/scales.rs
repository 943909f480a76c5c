//! The same answers at every scale and far from the origin.

use crate::random::{Random, scaled};
use crate::solids::{KINDS, Solid, random_pose};
use glam::DVec3;
use impinge_geom::pair::{self, Cache};
use impinge_geom::{Pose, Shape, Verdict, point};

/// Exponents of the powers of two by which everything is multiplied.
const EXPONENTS: [i32; 6] = [-1000, -560, -400, 60, 200, 240];

fn ask(a: &Shape, b: &Shape, pose: &Pose) -> (Option<f64>, f64, Verdict, bool) {
    let cache = &mut Cache::default();
    (
        pair::signed_distance(a, b, pose, cache).map(|answer| answer.distance),
        pair::distance(a, b, pose, cache).distance,
        pair::verdict(a, b, pose, cache),
        pair::overlap(a, b, pose, cache),
    )
}

#[test]
fn powers_of_two_scale_the_answers() {
    let mut random = Random::new(11);
    let mut faults = Vec::new();
    for exponent in EXPONENTS {
        let grow = |value: f64| scaled(value, exponent);
        for i in 0..KINDS {
            for j in 0..KINDS {
                let (a, b) = (Solid::random(i, &mut random), Solid::random(j, &mut random));
                let pose = random_pose(&a, &b, &mut random);
                let size = a.size() + b.size() + pose.translation().abs().max_element();
                let far = pose.translation().to_array().map(grow);
                let large = Pose::new(pose.quaternion(), far).unwrap();
                let pose = Pose::new(pose.quaternion(), pose.translation().to_array()).unwrap();
                let factor = [grow(1.0); 2];
                let (shape_a, shape_b) = (a.scaled(factor[0]).shape(), b.scaled(factor[1]).shape());
                let (expected, gap, verdict, overlap) = ask(&a.shape(), &b.shape(), &pose);
                let found = ask(&shape_a, &shape_b, &large);
                // A depth that is not zero is at least the smallest normal number.
                let slack = 1e-9 * size + scaled(f64::MIN_POSITIVE, -exponent);
                let close = |found: f64, expected: f64| {
                    found.is_finite() && (scaled(found, -exponent) - expected).abs() <= slack
                };
                let same = match (found.0, expected) {
                    (Some(found), Some(expected)) => close(found, expected),
                    (None, None) => true,
                    _ => false,
                };
                let doubtful = expected.is_some_and(|d| d.abs() <= 1e-11 * size);
                let contained = |v| matches!(v, Verdict::Contained(_) | Verdict::Penetrating);
                let verdicts = doubtful
                    || found.2 == verdict && found.3 == overlap
                    // Flush inside is within rounding of sticking out.
                    || contained(found.2) && contained(verdict);
                if !same || !close(found.1, gap) || !verdicts {
                    let names = format!("{} / {}", a.name(), b.name());
                    let was = (expected, gap, verdict, overlap);
                    faults.push(format!(
                        "2^{exponent} {names}: {was:?} became {found:?}\n   {a:?}\n   {b:?}\n   {pose:?}"
                    ));
                }
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        faults[..faults.len().min(12)].join("\n")
    );
}

/// Bodies of points far from their own origins, brought together by the pose: verdicts are those of the mapped coordinates.
#[test]
fn far_polytopes_are_decided_on_mapped_coordinates() {
    let mut random = Random::new(12);
    for round in 0..2000 {
        let far = DVec3::new(1e8, -3e8, 2e7);
        let side = 3 + random.below(2);
        let mut points = |count: usize| -> Vec<DVec3> {
            (0..count)
                .map(|_| {
                    let p = random.grid_point(side);
                    if round % 2 == 0 { p } else { random.nudged_point(p) }
                })
                .collect()
        };
        let a = Solid::Points(points(4 + round % 5));
        let local: Vec<DVec3> = points(2 + round % 6).iter().map(|p| *p + far).collect();
        let shift = random.grid_point(3) - DVec3::ONE;
        let pose = Pose::from_translation((shift - far).to_array()).unwrap();
        let mapped = Solid::Points(local.iter().map(|p| pose.transform_point(*p)).collect());
        let (a, b, mapped) = (a.shape(), Solid::Points(local).shape(), mapped.shape());
        let found = ask(&a, &b, &pose);
        let expected = ask(&a, &mapped, &Pose::IDENTITY);
        assert_eq!((found.2, found.3), (expected.2, expected.3), "{a:?} {b:?} {pose:?}");
        let (d, e) = (found.0.unwrap(), expected.0.unwrap());
        assert!((d - e).abs() <= 1e-6 && (d > 0.0) == (e > 0.0) && (d < 0.0) == (e < 0.0));
    }
}

/// Curved bodies a hundred million sizes away keep their gap to the rounding of the coordinates.
#[test]
fn far_curved_bodies_keep_their_gap() {
    let mut random = Random::new(13);
    for kind in (0..8).cycle().take(200) {
        let (a, b) = (Solid::random(kind, &mut random), Solid::random((kind + 3) % 8, &mut random));
        let n = crate::solids::unit(&mut random);
        let pose = Pose::from_translation((n * 1e8).to_array()).unwrap();
        let (signed, gap, verdict, overlap) = ask(&a.shape(), &b.shape(), &pose);
        // Seen from afar the bodies are balls of their sizes.
        let least = 1e8 - a.size() - b.size();
        let same = signed.is_some_and(|signed| (signed - gap).abs() <= 1e-6);
        assert!(same && gap > least && gap < 1e8 + 10.0, "{a:?} {b:?} {signed:?} {gap}");
        assert!(verdict == Verdict::Separated && !overlap);
        let far = point::signed_distance(&a.shape(), n * 1e8).distance;
        assert!(far > least && far < 1e8 + 10.0);
    }
}
