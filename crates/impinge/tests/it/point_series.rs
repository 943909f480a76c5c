//! Points in a row, and in batches, are answered as each alone.

use crate::soup::{Numbers, dirty};
use impinge::geom::glam::DVec3;
use impinge::geom::triangle;
use impinge::mesh::Mode;
use impinge::query::{self, ClosestPoint, Part, PointSeries};
use impinge::{Geometry, Mesh, Pose, Shape};

/// Octahedra inside each other, some turned inside out, some crossing: winding numbers from -2 to 3.
fn nested(numbers: &mut Numbers) -> Mesh {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for _ in 0..2 + numbers.below(4) {
        let first = vertices.len() as u32;
        let size = 0.2 + numbers.signed().abs();
        let center = [0; 3].map(|_| 0.3 * numbers.signed());
        for corner in 0..6 {
            let mut vertex = center;
            vertex[corner / 2] += if corner % 2 == 0 { size } else { -size };
            vertices.push(vertex);
        }
        let flipped = numbers.below(3) == 0;
        for octant in 0..8u32 {
            let [x, y, z] = [octant & 1, 2 + (octant >> 1 & 1), 4 + (octant >> 2)];
            let odd = (octant.count_ones() % 2 == 1) != flipped;
            faces.push(if odd { [x, z, y] } else { [x, y, z] }.map(|corner| first + corner));
        }
    }
    Mesh::new(&vertices, &faces).expect("valid")
}

/// Points near each other, jumps, points of the surface, corners, and points far away.
fn walk(numbers: &mut Numbers, mesh: &Mesh) -> Vec<DVec3> {
    let mut at = DVec3::ZERO;
    let random = |numbers: &mut Numbers| [0; 3].map(|_| numbers.signed());
    (0..400)
        .map(|_| {
            at = match numbers.below(8) {
                0 => DVec3::from_array(random(numbers)) * 1.5,
                1 => mesh.vertices()[numbers.below(mesh.vertices().len())],
                2 => {
                    let [a, b, c] = mesh.corners(numbers.below(mesh.triangles().len()) as u32);
                    (a + b + c) / 3.0
                }
                3 => DVec3::from_array(random(numbers)) * 1e6,
                _ => at + DVec3::from_array(random(numbers)) * 0.05,
            };
            at
        })
        .collect()
}

fn bits(found: Option<ClosestPoint>) -> Option<(u64, [u64; 3], u32, Option<u32>)> {
    let found = found?;
    let point = found.point.to_array().map(f64::to_bits);
    Some((found.distance.to_bits(), point, found.child, found.feature.triangle))
}

#[test]
fn series_and_batches_answer_as_single_points_do() {
    let mut numbers = Numbers::new(35);
    let (mut inside, mut outside) = (0, 0);
    for round in 0..40 {
        let mesh = if round % 4 == 3 {
            let (vertices, faces) = dirty(&mut numbers, 30, 0.3);
            Mesh::new(&vertices, &faces).expect("valid")
        } else {
            nested(&mut numbers)
        };
        let (points, pose) = (walk(&mut numbers, &mesh), numbers.pose(0.3));
        let solid = Geometry::mesh(mesh, Mode::Solid);
        let ball = Part::Shape(Shape::sphere(0.3).expect("valid"));
        let aside = Pose::from_translation([1.0, 0.0, 0.0]).expect("valid");
        let parts = [(2, Pose::IDENTITY, solid.children()[0].part.clone()), (1, aside, ball)];
        let both = Geometry::compound(parts).expect("valid");
        for geometry in [&solid, &both] {
            let alone: Vec<_> =
                points.iter().map(|&p| bits(query::closest_point(&pose, geometry, p))).collect();
            let mut series = PointSeries::new(&pose, geometry);
            let row: Vec<_> = points.iter().map(|&p| bits(series.closest_point(p))).collect();
            assert_eq!(row, alone, "round {round}");
            let batch = query::closest_points(&pose, geometry, &points);
            assert!(batch.iter().map(|found| bits(*found)).eq(alone), "round {round}");
            inside += batch.iter().flatten().filter(|found| found.distance < 0.0).count();
            outside += batch.iter().flatten().filter(|found| found.distance > 0.0).count();
        }
    }
    assert!(inside > 3000 && outside > 3000, "{inside} {outside}");
}

/// Of several triangles equally near the first one is named, however the point before was.
#[test]
fn ties_go_to_the_first_triangle() {
    let mut numbers = Numbers::new(36);
    for _ in 0..30 {
        let mesh = nested(&mut numbers);
        let points = walk(&mut numbers, &mesh);
        let nearest = |p: DVec3| {
            let distance = |t: u32| (triangle::closest_point(&mesh.corners(t), p).0 - p).length();
            let all = 0..mesh.triangles().len() as u32;
            all.min_by(|a, b| distance(*a).total_cmp(&distance(*b)).then(a.cmp(b)))
        };
        let mut series = PointSeries::new(&Pose::IDENTITY, &mesh);
        for point in points {
            let found = series.closest_point(point).expect("finite");
            assert_eq!(found.feature.triangle, nearest(point), "{point}");
        }
    }
}
