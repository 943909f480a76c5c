//! The dual test against the theorem as it is written, and both against what they stand for.

use crate::bodies::{Random, bank};
use crate::literal::rejects_literally;
use impinge_geom::glam::{DMat3, DVec3};
use impinge_geom::support_plane::{Enclosure, Side, SupportPlane, misses, rejects, rejects_common};

/// A volume around the origin, or thereabouts, with a plane through one of its points.
fn side(random: &mut Random, kind: usize, center: DVec3) -> Side {
    let half = DVec3::new(random.real(), random.real(), random.real()) + 0.05;
    let volume = match kind {
        0 => Enclosure::Sphere { center, radius: half.x },
        1 => Enclosure::Aabb { center, half },
        _ => {
            let axes: DMat3 = random.pose(DVec3::ZERO).rotation();
            Enclosure::Obb { center, half, axes }
        }
    };
    // A point inside the volume, often near its surface.
    let out = volume.farthest(random.unit()) * 0.5 + volume.farthest(random.unit()) * 0.5;
    let point = center + (out - center) * random.real().sqrt();
    Side { volume, plane: SupportPlane::through(point, random.unit()) }
}

/// How often the two agreed to reject; pairs within 1e-9 of a decision are left out, and few.
fn compare(pairs: usize, seed: u64) -> (usize, usize) {
    let mut random = Random(seed);
    let (mut rejected, mut close) = (0, 0);
    for k in 0..pairs {
        let a = side(&mut random, k % 3, DVec3::ZERO);
        let place = random.point();
        let mut b = side(&mut random, k % 3, place);
        if k % 2 == 0 {
            // Facing each other, as in use.
            b.plane = SupportPlane::through(
                b.plane.point,
                -(a.plane.normal + random.point() * 0.5).normalize(),
            );
        }
        let (inside, outside) = (rejects(&a, &b, 1e-9), rejects(&a, &b, -1e-9));
        if inside != outside {
            close += 1;
            continue;
        }
        assert_eq!(rejects(&a, &b, 0.0), rejects_literally(&a, &b, 0.0), "{k}: {a:?} {b:?}");
        rejected += usize::from(inside);
    }
    (rejected, close)
}

#[test]
fn dual_is_literal() {
    let (rejected, close) = compare(30_000, 31);
    assert!(rejected > 3_000 && close < 30, "{rejected} {close}");
}

#[test]
#[ignore = "the full count"]
fn dual_is_literal_in_full() {
    let (rejected, close) = compare(1_000_000, 32);
    println!("1000000 pairs: {rejected} rejected by both, {close} within 1e-9 of a decision");
    assert!(rejected > 100_000 && close < 1_000, "{rejected} {close}");
}

/// The dual test is complete: where it keeps a volume, some point of it is found below both planes.
#[test]
fn kept_volumes_have_points_below_both_planes() {
    let mut random = Random(33);
    let (mut kept, mut missed) = (0, 0);
    for k in 0..600 {
        let place = random.point();
        let a = side(&mut random, k % 3, DVec3::ZERO);
        let b = side(&mut random, k % 3, place);
        // Points of the volume, from a fine lattice in its own axes.
        let points = lattice(&a.volume);
        let found = points.iter().any(|p| a.plane.height(*p) <= 0.0 && b.plane.height(*p) <= 0.0);
        let misses = misses(&a.volume, &a.plane, &b.plane, 0.0);
        assert!(!(found && misses), "{a:?} {b:?}");
        kept += usize::from(!misses);
        missed += usize::from(!misses && !found);
    }
    // The lattice misses the thinnest slivers only.
    assert!(kept > 200 && missed * 12 < kept, "{kept} {missed}");
}

fn lattice(volume: &Enclosure) -> Vec<DVec3> {
    let (center, half) = (volume.center(), volume.half());
    let axes = if let Enclosure::Obb { axes, .. } = volume { *axes } else { DMat3::IDENTITY };
    let step = |k: usize| k as f64 / 12.0 - 1.0;
    let mut points = Vec::new();
    for k in 0..25 * 25 * 25 {
        let at = DVec3::new(step(k % 25), step(k / 25 % 25), step(k / 625));
        if !matches!(volume, Enclosure::Sphere { .. }) || at.length() <= 1.0 {
            points.push(center + axes * (at * half));
        }
    }
    points
}

/// A8: two disjoint convex bodies always have a pair of planes that rejects, those of a parting axis.
#[test]
fn a_parting_axis_rejects() {
    let mut random = Random(34);
    let bodies = bank(&mut random, 40, 8);
    for _ in 0..2_000 {
        let (a, b) = (&bodies[random.below(40)], &bodies[random.below(40)]);
        let axis = random.unit();
        let turn = random.pose(DVec3::ZERO);
        let far = a.vertices.plane(axis).offset;
        let near = -b.vertices.plane(-turn.inverse_rotate(axis)).offset;
        let pose = turn.with_translation((axis * (far - near + 1e-6)).to_array()).unwrap();
        for volume in 0..3 {
            let side_a = Side { volume: a.volumes[volume], plane: a.vertices.plane(axis) };
            let plane = b.vertices.plane(-turn.inverse_rotate(axis)).moved(&pose, 1.0);
            let side_b = Side { volume: b.volumes[volume].moved(&pose, 1.0), plane };
            // One plane is above the other: no volume has a point below both.
            assert!(rejects(&side_a, &side_b, 1e-12) && rejects_literally(&side_a, &side_b, 1e-12));
        }
    }
}

/// Lemma 3.1 on the common box rejects whatever the theorem does, and more.
#[test]
fn common_boxes_reject_more() {
    let mut random = Random(35);
    let (mut theorem, mut lemma) = (0, 0);
    for _ in 0..20_000 {
        let place = random.point() * 0.8;
        let (a, b) = (side(&mut random, 1, DVec3::ZERO), side(&mut random, 1, place));
        let (weak, strong) = (rejects(&a, &b, 1e-12), rejects_common(&a, &b, 1e-12));
        assert!(strong || !weak, "{a:?} {b:?}");
        theorem += usize::from(weak);
        lemma += usize::from(strong);
    }
    assert!(lemma > theorem + 500, "{lemma} {theorem}");
}
