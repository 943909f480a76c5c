//! Volumes of several kinds in one hierarchy.

use super::checks::{Case, Numbers};
use crate::random::Random;
use impinge_geom::bound::{Bound, Family, Hybrid, HybridPack, LANES, Moments};
use impinge_geom::glam::Vec3A;

fn kind(volume: &Hybrid) -> usize {
    match volume {
        Hybrid::Aabb(_) => 0,
        Hybrid::Obb(_) => 1,
        Hybrid::Sphere(_) => 2,
    }
}

/// The properties of all volumes are asked of pairs of any two kinds.
#[test]
fn cases_bring_every_pair_of_kinds() {
    let mut random = Random::new(77);
    let mut bits = || random.bits();
    let mut met = [[0; 3]; 3];
    for _ in 0..3000 {
        let case = Case::new(&mut Numbers(&mut bits));
        let [a, b] = [&case.a, &case.b].map(|part| kind(&part.fit(&part.drawn(0.0))));
        met[a][b] += 1;
    }
    assert!(met.as_flattened().iter().all(|count| *count > 100), "{met:?}");
}

fn points(random: &mut Random, shape: usize) -> Vec<Vec3A> {
    let scale = [Vec3A::ONE, Vec3A::new(1.0, 0.01, 0.01), Vec3A::new(0.5, 0.5, 0.0)][shape % 3];
    let offset = random.point().as_vec3a() * 0.5;
    (0..12).map(|_| random.point().as_vec3a() * scale + offset).collect()
}

#[test]
fn a_volume_set_among_others_of_another_kind_still_contains_its_points() {
    let mut random = Random::new(5);
    for round in 0..300 {
        let sets: [Vec<Vec3A>; LANES] =
            std::array::from_fn(|lane| points(&mut random, round + lane));
        for first in 0..Hybrid::KINDS {
            let mut pack = Hybrid::EMPTY;
            for (lane, points) in sets.iter().enumerate() {
                let moments = Moments::of_points(points);
                Hybrid::fit_as((first + lane) % 3, points, &moments, 0.0).set(&mut pack, lane);
            }
            for (lane, points) in sets.iter().enumerate() {
                let volume = Hybrid::get(&pack, lane);
                assert_eq!(kind(&volume), first);
                assert!(points.iter().all(|p| volume.contains(*p, 0.0)), "{lane} {volume:?}");
            }
        }
    }
}

#[test]
fn merged_volumes_of_any_kinds_contain_all() {
    let mut random = Random::new(6);
    for round in 0..300 {
        let sets: [Vec<Vec3A>; 5] = std::array::from_fn(|lane| points(&mut random, round + lane));
        let parts: Vec<Hybrid> = sets
            .iter()
            .enumerate()
            .map(|(k, points)| {
                Hybrid::fit_as((round + k) % 3, points, &Moments::of_points(points), 0.0)
            })
            .collect();
        for as_kind in 0..Hybrid::KINDS {
            let merged = Hybrid::merge_as(as_kind, &parts);
            assert_eq!(kind(&merged), as_kind);
            assert!(sets.iter().flatten().all(|p| merged.contains(*p, 1e-6)), "{merged:?}");
        }
    }
}

/// The kind that is chosen for eight equal parts of a whole.
fn chosen(parts: &[Vec<Vec3A>]) -> usize {
    let kinds = |points: &[Vec3A]| {
        std::array::from_fn(|k| Some(Hybrid::fit_as(k, points, &Moments::of_points(points), 0.0)))
    };
    let children: Vec<_> = parts.iter().map(|points| (kinds(points), false)).collect();
    let whole = kinds(&parts.concat());
    Hybrid::choose(&Family { whole: Some(&whole), children: &children })
}

#[test]
fn the_cheapest_kind_that_is_tight_is_chosen() {
    // Rods aslant, walls along the axes, and balls.
    let aslant = Vec3A::new(1.0, 2.0, 3.0).normalize();
    let rod =
        |k: u16| (0..20).map(|i| aslant * (f32::from(k) * 20.0 + f32::from(i as u16))).collect();
    let rods: Vec<Vec<Vec3A>> = (0..8).map(rod).collect();
    assert_eq!(chosen(&rods), 1);
    let corner = |k: u16, size: Vec3A| {
        Vec3A::new(f32::from(k & 1), f32::from(k >> 1 & 1), f32::from(k >> 2)) * size
    };
    let wall = |k: u16| {
        let place = corner(k, Vec3A::splat(20.0));
        (0..8).map(|i| place + corner(i, Vec3A::new(10.0, 0.1, 5.0))).collect()
    };
    let walls: Vec<Vec<Vec3A>> = (0..8).map(wall).collect();
    assert_eq!(chosen(&walls), 0);
    let mut random = Random::new(1);
    let mut ball = |k: u16| {
        let place = corner(k, Vec3A::splat(4.0));
        (0..500).map(|_| place + random.point().as_vec3a().normalize_or(Vec3A::X)).collect()
    };
    let balls: Vec<Vec<Vec3A>> = (0..8).map(&mut ball).collect();
    assert_eq!(chosen(&balls), 2);
}

#[test]
fn a_pack_takes_the_kind_of_its_first_volume() {
    let points = [Vec3A::ZERO, Vec3A::X];
    let mut pack = Hybrid::EMPTY;
    Hybrid::fit_as(2, &points, &Moments::of_points(&points), 0.0).set(&mut pack, 3);
    assert!(matches!(pack, HybridPack::Sphere { .. }));
}
