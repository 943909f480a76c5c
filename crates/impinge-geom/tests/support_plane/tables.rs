//! Support tables against the farthest of all vertices.

use crate::bodies::{Random, bank};
use impinge_geom::Pose;
use impinge_geom::glam::DVec3;
use impinge_geom::hull::Hull;
use impinge_geom::support_plane::{SupportTable, TablePair};

/// The mean excess relative to the radius.
fn run(directions: usize, seed: u64) -> f64 {
    let mut random = Random(seed);
    let bodies = bank(&mut random, 100, 32);
    let mut sum = 0.0;
    for k in 0..directions {
        let body = &bodies[random.below(bodies.len())];
        let direction = match k % 4 {
            // Where the octahedron has its edges and corners, and between samples.
            0 => DVec3::new(random.real() - 0.5, 0.0, [0.0, 1e-300, -0.5][random.below(3)]),
            1 => {
                let whole = |random: &mut Random| random.below(33) as f64 - 16.0;
                DVec3::new(whole(&mut random), whole(&mut random), whole(&mut random))
            }
            _ => random.unit() * 10f64.powf(200.0 * random.real() - 100.0),
        };
        if direction == DVec3::ZERO {
            continue;
        }
        let unit = direction / direction.abs().max_element();
        let center = body.support.center();
        let exact = body.hull.vertices().iter().map(|v| (*v - center).dot(unit));
        let exact = exact.fold(f64::NEG_INFINITY, f64::max);
        let reach = body.support.support_value(direction) / direction.abs().max_element();
        assert!(reach >= exact, "{direction}: {reach} {exact}");
        let corner = body.support.corner(direction).dot(unit);
        assert!((corner - reach).abs() <= 1e-12 * body.hull.radius(), "{corner} {reach}");
        sum += (reach - exact) / unit.length() / body.hull.radius();
    }
    sum / directions as f64
}

#[test]
fn tables_bound_all_vertices() {
    let excess = run(20_000, 41);
    assert!(excess <= 0.002, "{excess}");
}

#[test]
#[ignore = "the full count"]
fn tables_bound_all_vertices_in_full() {
    let excess = run(1_000_000, 42);
    println!("1000000 directions, mean excess {:.4} % of the radius", 100.0 * excess);
    assert!(excess <= 0.002, "{excess}");
}

/// Finer tables are tighter; one cell per face of the octahedron is a table, too, and directions without length reject nothing.
#[test]
fn any_number_of_cells() {
    let mut random = Random(43);
    let points: Vec<[f64; 3]> = (0..60).map(|_| random.unit().to_array()).collect();
    let hull = Hull::new(&points).unwrap();
    let directions: Vec<DVec3> = (0..500).map(|_| random.unit()).collect();
    let mut before = f64::INFINITY;
    for cells in [0, 2, 4, 8, 16, 32, 64, 254, 1000] {
        let table = SupportTable::new(&hull, cells);
        let sum: f64 = directions.iter().map(|d| table.support_value(*d)).sum();
        assert!(sum <= before, "{cells}");
        before = sum;
        let pair = TablePair::new(&table, &table, &Pose::IDENTITY, 1.0);
        assert!(
            !pair.parted() && !pair.parted_along(DVec3::ZERO) && !pair.parted_along(DVec3::NAN)
        );
        assert_eq!(pair.reflected(3).axis, None);
    }
}

/// Placed, scaled and asked from either side, a pair gives axes along which the vertices are apart.
#[test]
fn axes_part_the_vertices() {
    let mut random = Random(44);
    let bodies = bank(&mut random, 40, 32);
    let mut parted = 0;
    for _ in 0..4_000 {
        let (a, b) = (&bodies[random.below(40)], &bodies[random.below(40)]);
        let scale = 0.25 + 4.0 * random.real();
        let reach = a.hull.radius() + b.hull.radius() * scale;
        let place = random.unit() * reach * 1.2;
        let pose = random.pose(place);
        let Some(axis) = TablePair::new(&a.support, &b.support, &pose, scale).reflected(3).axis
        else {
            continue;
        };
        parted += 1;
        let high = a.hull.vertices().iter().map(|v| v.dot(axis)).fold(f64::MIN, f64::max);
        let low = b.hull.vertices().iter().map(|v| pose.transform_point(*v * scale).dot(axis));
        assert!(high < low.fold(f64::MAX, f64::min));
    }
    assert!(parted > 1_000, "{parted}");
}
