//! Support points and faces of hulls against a look at all vertices.

use crate::hull::arrays;
use crate::random::{Random, scaled};
use glam::DVec3;
use impinge_geom::Support;
use impinge_geom::hull::Hull;
use impinge_geom::simd::Scalar;

#[test]
fn support_is_the_first_maximum_on_integers() {
    let mut random = Random::new(8);
    for _ in 0..3000 {
        let count = 1 + random.below(40);
        let points: Vec<DVec3> = (0..count).map(|_| random.grid_point(6)).collect();
        let hull = Hull::new(&arrays(&points)).unwrap();
        let direction = random.grid_point(7) - DVec3::splat(3.0);
        let best = hull.vertices().iter().map(|v| v.dot(direction)).fold(f64::MIN, f64::max);
        let first = hull.vertices().iter().position(|v| v.dot(direction) == best).unwrap();
        let support = hull.support(direction);
        assert_eq!((support.vertex as usize, support.point), (first, hull.vertices()[first]));
        assert_eq!(hull.support_in(Scalar::new(), direction, 0), support);
    }
}

#[test]
fn support_of_large_hulls_is_farthest_from_any_hint() {
    let mut random = Random::new(9);
    for (count, shift) in [(300, 0.0), (1000, 1e6), (5000, -3.0)] {
        let points: Vec<DVec3> =
            (0..count).map(|_| random.point().normalize() + DVec3::splat(shift)).collect();
        let hull = Hull::new(&arrays(&points)).unwrap();
        for _ in 0..300 {
            let direction = random.point() * scaled(1.0, random.below(600) as i32 - 300);
            let hint = random.below(hull.vertices().len() as u64 + 10) as u32;
            let support = hull.support_in(Scalar::new(), direction, hint);
            let unit = direction.normalize();
            let value = |p: DVec3| (p - DVec3::splat(shift)).dot(unit);
            let best = hull.vertices().iter().map(|v| value(*v)).fold(f64::MIN, f64::max);
            assert!(value(support.point) >= best - 1e-15, "{} {best}", value(support.point));
            assert_eq!(hull.support(direction), hull.support_in(Scalar::new(), direction, 0));
        }
    }
}

#[test]
fn climbing_does_not_stop_on_a_nearly_flat_dome() {
    let mut random = Random::new(12);
    for flatness in [-10, -30, -45] {
        // Every point of the dome is extreme, and all numbers are exact.
        let grid = |i: i32| ((i % 40 - 20) as f64, (i / 40 - 20) as f64);
        let points: Vec<DVec3> = (0..1600)
            .map(|i| {
                DVec3::new(
                    grid(i).0,
                    grid(i).1,
                    -scaled(grid(i).0.powi(2) + grid(i).1.powi(2), flatness),
                )
            })
            .collect();
        let hull = Hull::new(&arrays(&points)).unwrap();
        assert_eq!(hull.vertices().len(), 1600);
        for _ in 0..300 {
            // Mostly towards the dome, where neighbours differ by little.
            let slope = scaled(40.0, flatness - random.below(3) as i32);
            let direction = DVec3::new(random.signed() * slope, random.signed() * slope, 1.0);
            let hint = random.below(1600) as u32;
            let value = |v: DVec3| (v - points[0]).dot(direction);
            let found = value(hull.support_in(Scalar::new(), direction, hint).point);
            let best = points.iter().map(|v| value(*v)).fold(f64::MIN, f64::max);
            let size = (points[1599] - points[0]).abs().dot(direction.abs());
            assert!(found >= best - 4.0 * f64::EPSILON * size, "{flatness}: {found} for {best}");
        }
    }
}

#[test]
fn support_takes_directions_of_any_size() {
    for scale in [1.0, scaled(1.0, -1060), scaled(1.0, 249)] {
        let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
            .map(|p| p.map(|x| x * scale));
        let hull = Hull::new(&points).unwrap();
        for size in [f64::from_bits(4), 1.0, f64::MAX / 4.0] {
            let vertex = |x: f64, y: f64, z: f64| hull.support(DVec3::new(x, y, z) * size).vertex;
            assert_eq!(
                [vertex(1.0, 0.5, 0.5), vertex(0.5, 1.0, 0.0), vertex(0.0, 0.5, 1.0)],
                [1, 2, 3]
            );
            assert_eq!(vertex(-1.0, -1.0, -1.0), 0);
        }
    }
}

#[test]
fn faces_answer_to_their_normals() {
    let mut random = Random::new(10);
    let points: Vec<DVec3> = (0..500).map(|_| random.point().normalize()).collect();
    let hull = Hull::new(&arrays(&points)).unwrap();
    for face in 0..hull.face_count() as u32 {
        assert_eq!(hull.face_along(hull.face_normal(face) * 3.0), Some(face));
    }
    let segment = Hull::new(&[[0.0; 3], [1.0; 3]]).unwrap();
    assert_eq!(segment.face_along(DVec3::X), None);
    assert_eq!(segment.edge_faces(0), [Hull::NONE; 2]);
    assert_eq!(segment.edge_between(0, 1), Some(0));
}
