//! Rays and closest points give the answers of asking about each triangle.

use crate::brute_force::hierarchy;
use crate::soup::{Numbers, Raw, dirty};
use impinge::geom::Feature;
use impinge::geom::bound::{
    Aabb, Bound, ConvexHull, Dop26, EllipsoidBound, Hybrid, Lss, Obb, ObbRss, RoundedBox, Rss,
    Sphere, SphericalShell, Tss,
};
use impinge::geom::glam::DVec3;
use impinge::geom::ray::{self, Ray};
use impinge::geom::triangle;
use impinge::mesh::{Mesh, MeshHit, Scratch};

/// All hits, by t, then by index.
fn brute_force<B: Bound>(mesh: &Mesh<B>, ray: &Ray) -> Vec<MeshHit> {
    let mut hits: Vec<_> = (0..mesh.triangles().len() as u32)
        .filter_map(|triangle| {
            let hit = ray::triangle(ray, &mesh.corners(triangle))?;
            Some(MeshHit { triangle, hit })
        })
        .collect();
    hits.sort_by(|a, b| a.hit.t.total_cmp(&b.hit.t).then(a.triangle.cmp(&b.triangle)));
    hits
}

/// An origin near or far, aimed at random, at a vertex, at an edge, along an axis, or within a plane.
fn aim<B: Bound>(numbers: &mut Numbers, mesh: &Mesh<B>) -> Ray {
    let far = [0.5, 3.0, 1e3, 1e9][numbers.below(4)];
    let origin = DVec3::new(numbers.signed(), numbers.signed(), numbers.signed()) * far;
    let [a, b, c] = mesh.corners(numbers.below(mesh.triangles().len()) as u32);
    let target = match numbers.below(4) {
        0 => a,
        1 => (a + b) * 0.5,
        2 => a + (b - a) * 0.25 + (c - a) * 0.25,
        _ => DVec3::new(numbers.signed(), numbers.signed(), numbers.signed()),
    };
    let (origin, direction) = match numbers.below(6) {
        0 => (target - DVec3::Z * far, DVec3::Z),
        1 => (a + (a - b) * 2.0, b - a),
        _ => (origin, target - origin),
    };
    let direction = if direction == DVec3::ZERO { DVec3::X } else { direction };
    let length = [1.0, 1e-3, 1e3][numbers.below(3)];
    Ray::new(origin.to_array(), (direction * length).to_array()).expect("valid")
}

fn same_as_brute_force<B: Bound>() {
    let mut numbers = Numbers::new(11);
    let mut scratch = Scratch::default();
    let (mut hits, mut misses) = (0, 0);
    for round in 0..60 {
        let (vertices, faces) = dirty(&mut numbers, 1 + 3 * round, 0.2);
        let hierarchy = &hierarchy(round);
        let mesh: Mesh<B> = Mesh::with_bvh(&vertices, &faces, hierarchy).expect("valid");
        let mut all = Vec::new();
        for _ in 0..100 {
            let ray = aim(&mut numbers, &mesh);
            let expected = brute_force(&mesh, &ray);
            mesh.cast_ray_all(&ray, &mut scratch, &mut all);
            assert_eq!(all, expected, "round {round} {ray:?}");
            assert_eq!(mesh.cast_ray(&ray, &mut scratch), expected.first().copied());
            if expected.is_empty() { misses += 1 } else { hits += 1 }
        }
        for _ in 0..30 {
            let far = [0.3, 2.0, 1e6][numbers.below(3)];
            let point = DVec3::new(numbers.signed(), numbers.signed(), numbers.signed()) * far;
            let least = (0..mesh.triangles().len() as u32)
                .map(|t| (triangle::closest_point(&mesh.corners(t), point).0 - point).length())
                .fold(f64::INFINITY, f64::min);
            let found = mesh.closest_point(point, &mut scratch);
            assert_eq!(found.distance, least);
            assert_eq!((found.point - point).length(), least);
        }
    }
    assert!(hits > 1000 && misses > 300, "{hits} {misses}");
}

macro_rules! with_each_volume {
    ($($name:ident: $volume:ty),*) => {
        $(#[test]
        fn $name() {
            same_as_brute_force::<$volume>();
        })*
    };
}

with_each_volume!(
    aabb: Aabb, obb: Obb, rss: Rss, obb_rss: ObbRss, sphere: Sphere, lss: Lss, tss: Tss, rounded: RoundedBox,
    hull: ConvexHull, dop_26: Dop26, ellipsoid: EllipsoidBound,
    shell: SphericalShell, hybrid: Hybrid
);

/// A coordinate moved by a few of its last digits.
fn nudged(numbers: &mut Numbers, v: DVec3) -> DVec3 {
    DVec3::from_array(v.to_array().map(|mut x| {
        for _ in 0..numbers.below(4) {
            x = if numbers.below(2) == 0 { x.next_up() } else { x.next_down() };
        }
        // Or by what f32 loses.
        let coarse = [0.0, 0.0, 1e-9, 1e-7][numbers.below(4)];
        x + numbers.signed() * coarse
    }))
}

/// A bumpy sheet of small triangles, part of it flat, with copies of many triangles at other indices, and a few large triangles through
/// all of it.
fn sheets(numbers: &mut Numbers, size: u32) -> Raw {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for layer in 0..3 {
        let first = vertices.len() as u32;
        for k in 0..(size + 1) * (size + 1) {
            let [x, y] = [k % (size + 1), k / (size + 1)].map(|n| f64::from(n) / f64::from(size));
            let flat = y < 0.4;
            let bump = if flat { 0.0 } else { numbers.signed() * 0.1 };
            vertices.push([x, y, f64::from(layer) * 0.25 + bump]);
        }
        for k in 0..size * size {
            let corner = first + k % size + k / size * (size + 1);
            faces.push([corner, corner + 1, corner + size + 1]);
            faces.push([corner + 1, corner + size + 2, corner + size + 1]);
        }
    }
    for _ in 0..faces.len() / 3 {
        let mut copy = faces[numbers.below(faces.len())];
        copy.rotate_left(numbers.below(3));
        let place = numbers.below(faces.len());
        faces.insert(place, copy);
    }
    for _ in 0..4 {
        let last = vertices.len();
        faces.push([0; 3].map(|_| numbers.below(last) as u32));
    }
    (vertices, faces)
}

/// What waits in f32, and what is decided at once, gives the first of all hits: next to edges and corners, in planes, among copies.
fn next_to_edges<B: Bound>() {
    let mut numbers = Numbers::new(23);
    let mut scratch = Scratch::default();
    let (mut hits, mut ties, mut features) = (0, 0, 0);
    for size in [2, 6, 12] {
        let (vertices, faces) = sheets(&mut numbers, size);
        let mesh: Mesh<B> = Mesh::with_volume(&vertices, &faces).expect("valid");
        let mut all = Vec::new();
        for _ in 0..1500 {
            let [a, b, c] = mesh.corners(numbers.below(faces.len()) as u32);
            let share = [0.0, 0.5, 1.0, numbers.signed().abs()][numbers.below(4)];
            let target = match numbers.below(5) {
                0 => (a + b + c) / 3.0,
                1 => a,
                _ => a + (b - a) * share,
            };
            let target = nudged(&mut numbers, target);
            let away = DVec3::new(numbers.signed(), numbers.signed(), numbers.signed());
            let origin = match numbers.below(8) {
                // In the plane of the triangle, along its edge, on it, far away.
                0 => target + (b - a) * 0.7 + (c - a) * 1.3,
                1 => a + (a - b) * 3.0,
                2 => a + (b - a) * 0.25 + (c - a) * 0.5,
                3 => target + away * 1e4,
                4 => target + DVec3::Z * 2.0,
                _ => target + away * 2.0,
            };
            let direction = target - origin;
            let direction = if direction == DVec3::ZERO { DVec3::Z } else { direction };
            let ray = Ray::new(origin.to_array(), direction.to_array()).expect("valid");
            let expected = brute_force(&mesh, &ray);
            mesh.cast_ray_all(&ray, &mut scratch, &mut all);
            assert_eq!(all, expected, "{ray:?}");
            assert_eq!(mesh.cast_ray(&ray, &mut scratch), expected.first().copied(), "{ray:?}");
            hits += usize::from(!expected.is_empty());
            if let [first, second, ..] = expected.as_slice() {
                ties += usize::from(first.hit.t == second.hit.t);
                features += usize::from(first.hit.feature != Feature::face(0));
            }
        }
    }
    assert!(hits > 3500 && ties > 1000 && features > 200, "{hits} {ties} {features}");
}

#[test]
fn next_to_edges_with_axis_aligned_boxes() {
    next_to_edges::<Aabb>();
}

#[test]
fn next_to_edges_with_oriented_boxes() {
    next_to_edges::<Obb>();
}

#[test]
fn no_hit_is_left_from_the_call_before() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mesh = Mesh::<Aabb>::with_volume(&corners, &[[0, 1, 2]]).unwrap();
    let at = |x: f64, z: f64| Ray::new([x, 0.25, z], [0.0, 0.0, -1.0]).unwrap();
    let (mut scratch, mut found) = (Scratch::default(), Vec::new());
    mesh.cast_rays(&[at(0.25, 3.0); 40], &mut scratch, &mut found);
    assert!(found.iter().all(Option::is_some));
    // Beside it; so far beside it that the ray is not even begun; and fewer of them.
    mesh.cast_rays(
        &[at(0.9, 3.0), at(0.25, 3.0), at(1e9, 3.0), at(0.25, -1.0)],
        &mut scratch,
        &mut found,
    );
    assert_eq!(found.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, false, false]);
}
