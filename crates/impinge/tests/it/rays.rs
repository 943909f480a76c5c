//! Rays and closest points give the answers of asking about each triangle.

use crate::soup::{Numbers, dirty};
use impinge::geom::bound::{
    Aabb, Bound, ConvexHull, Dop26, Ellipsoid, Lss, Obb, ObbRss, RoundedBox, Rss, Sphere,
    SphericalShell, Tss,
};
use impinge::geom::glam::DVec3;
use impinge::geom::ray::{self, Ray};
use impinge::geom::triangle;
use impinge::mesh::{Mesh, MeshHit, Scratch};
use impinge::tree::Builder;

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
        let builder = Builder::ALL[round % 3];
        let mesh: Mesh<B> = Mesh::with_builder(&vertices, &faces, builder).expect("valid");
        let mut all = Vec::new();
        for _ in 0..100 {
            let ray = aim(&mut numbers, &mesh);
            let expected = brute_force(&mesh, &ray);
            mesh.ray_all(&ray, &mut scratch, &mut all);
            assert_eq!(all, expected, "round {round} {ray:?}");
            assert_eq!(mesh.ray(&ray, &mut scratch), expected.first().copied());
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
    hull: ConvexHull, dop_26: Dop26, ellipsoid: Ellipsoid,
    shell: SphericalShell
);
