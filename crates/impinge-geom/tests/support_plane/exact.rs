//! Exact mappings against all vertices and all faces, and the planes of tables against the bodies.

use crate::bodies::{Body, Random, bank, cloud};
use impinge_geom::glam::DVec3;
use impinge_geom::hull::Hull;
use impinge_geom::support_plane::{
    FaceMapping, Grid, NestedHulls, PlaneTable, SupportPlane, VertexMapping, enclosed_volume,
};

fn check_mappings(hull: &Hull, random: &mut Random, rounds: usize) {
    let (vertices, faces) = (VertexMapping::new(hull), FaceMapping::new(hull));
    let scale = hull.bounding_radius();
    for _ in 0..rounds {
        let direction = random.unit();
        let most = |value: &dyn Fn(&DVec3) -> f64| {
            hull.vertices().iter().map(value).fold(f64::NEG_INFINITY, f64::max)
        };
        let plane = vertices.plane(direction * 3.0);
        let brute = most(&|v| v.dot(plane.normal));
        assert!((plane.offset - brute).abs() <= 4.0 * f64::EPSILON * scale);
        assert!(hull.vertices().contains(&plane.point));
        let face = faces.plane(direction);
        let best = faces.planes().iter().map(|p| p.normal.dot(direction)).fold(-1.0, f64::max);
        assert!((face.normal.dot(direction) - best).abs() <= 1e-15, "{direction}");
        assert!((most(&|v| v.dot(face.normal)) - face.offset).abs() <= 8.0 * f64::EPSILON * scale);
        assert!(face.height(face.point).abs() <= 1e-11 * scale);
    }
}

#[test]
fn mappings_equal_brute_force() {
    let mut random = Random(1);
    for count in [4, 5, 8, 13, 40, 300, 3000] {
        let hull = Hull::new(&cloud(&mut random, count)).unwrap();
        check_mappings(&hull, &mut random, 200);
    }
    let grid: Vec<[f64; 3]> =
        (0..512).map(|k| [k & 7, k >> 3 & 7, k >> 6].map(f64::from)).collect();
    check_mappings(&Hull::new(&grid).unwrap(), &mut random, 200);
}

/// Flat hulls, segments and points have planes all around, too.
#[test]
fn hulls_without_volume() {
    let mut random = Random(2);
    for count in [1, 2, 3, 9] {
        let points: Vec<[f64; 3]> =
            (0..count).map(|_| [random.real(), random.real(), 2.0]).collect();
        let hull = Hull::new(&points).unwrap();
        check_mappings(&hull, &mut random, 50);
        assert!(PlaneTable::face_based(&hull, Grid::Octahedral(8)).is_fully_bounding());
    }
}

#[test]
fn nested_hulls_are_few() {
    let mut random = Random(3);
    let points: Vec<[f64; 3]> = (0..4000).map(|_| random.unit().to_array()).collect();
    let nested = NestedHulls::new(&Hull::new(&points).unwrap());
    // At least every eighth vertex goes each time.
    assert!((5..50).contains(&nested.depth()), "{}", nested.depth());
    assert!(nested.bytes() < 4000 * 100);
}

/// No plane of a table cuts its body, whatever the grid; and each touches it.
#[test]
fn planes_of_tables_support() {
    let mut random = Random(4);
    for side in [2, 3, 6, 16, 32] {
        for body in bank(&mut random, 12, side) {
            check_planes(&body);
        }
    }
}

fn check_planes(body: &Body) {
    let scale = body.hull.bounding_radius();
    for table in &body.planes {
        for plane in table.planes() {
            let most = |p: &SupportPlane| {
                body.hull.vertices().iter().map(|v| p.height(*v)).fold(f64::NEG_INFINITY, f64::max)
            };
            let above = most(&plane);
            assert!(above <= 8.0 * f64::EPSILON * scale, "cut by {above}");
            assert!(above >= -4.0 * f64::from(f32::EPSILON) * scale, "apart by {above}");
            assert!(plane.height(plane.point).abs() <= 1e-6 * scale);
        }
    }
}

/// A8: the region below all planes is bounded for every N in use, and smaller grids can be made so.
#[test]
fn regions_are_bounded() {
    let mut random = Random(5);
    for body in bank(&mut random, 6, 4) {
        let smallest = enclosed_volume(body.faces.planes(), body.hull.center()).unwrap();
        for side in [2, 3, 4, 6, 8, 12, 20, 32, 44] {
            for grid in [Grid::Angular(side), Grid::Octahedral(side)] {
                let tables = [
                    PlaneTable::vertex_based(&body.hull, grid),
                    PlaneTable::face_based(&body.hull, grid),
                ];
                for (kind, table) in tables.into_iter().enumerate() {
                    assert!(side < 4 || kind == 1 || table.is_fully_bounding(), "{grid:?}");
                    let table = table.fully_bounding(&body.hull);
                    assert!(table.is_fully_bounding(), "{grid:?}");
                    let planes: Vec<_> = table.planes().collect();
                    let volume = enclosed_volume(&planes, body.hull.center()).unwrap();
                    assert!(volume >= smallest * (1.0 - 1e-6), "{grid:?} {volume} {smallest}");
                }
            }
        }
    }
}
