//! Watertightness of the triangle test, and its verdicts against rational arithmetic.

use super::{Ray, triangle};
use crate::predicate::dyadic::{Dyadic, sign};
use crate::testing::{Random, cpu_nanoseconds};
use glam::DVec3;
use num_bigint::BigInt;

type Mesh = (Vec<DVec3>, Vec<[usize; 3]>);

fn tetrahedron() -> Mesh {
    let third = 1.0 / 3.0;
    let vertices = vec![
        DVec3::new(1.0, 0.1, -third),
        DVec3::new(-0.7, 0.9, -third),
        DVec3::new(-0.4, -1.1, -0.3),
        DVec3::new(0.05, 0.02, 1.3),
    ];
    (vertices, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
}

fn cube() -> Mesh {
    let vertices = (0..8u32)
        .map(|i| DVec3::from_array([0, 1, 2].map(|k| if i >> k & 1 == 1 { 0.7 } else { -0.3 })))
        .collect();
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    (vertices, triangles)
}

/// An octahedron with every triangle cut into four, several times, pushed out to the sphere.
fn ball(rounds: usize) -> Mesh {
    let mut vertices: Vec<DVec3> = DVec3::AXES.iter().flat_map(|a| [*a, -*a]).collect();
    let mut triangles: Vec<[usize; 3]> = Vec::new();
    for x in [0, 1] {
        for y in [2, 3] {
            for z in [4, 5] {
                let even = (x + y + z) % 2 == 0;
                triangles.push(if even { [x, y, z] } else { [x, z, y] });
            }
        }
    }
    for _ in 0..rounds {
        let mut middles = std::collections::BTreeMap::new();
        let mut next = Vec::new();
        for [a, b, c] in triangles {
            let mut middle = |u: usize, v: usize| {
                *middles.entry((u.min(v), u.max(v))).or_insert_with(|| {
                    vertices.push((vertices[u] + vertices[v]).normalize());
                    vertices.len() - 1
                })
            };
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            next.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        triangles = next;
    }
    (vertices, triangles)
}

/// The point moved by a few units in the last place.
fn nudge(p: DVec3, random: &mut Random) -> DVec3 {
    let mut coordinate = |v: f64| match random.below(6) {
        0 => v.next_up(),
        1 => v.next_down(),
        2 => v.next_up().next_up(),
        _ => v,
    };
    DVec3::new(coordinate(p.x), coordinate(p.y), coordinate(p.z))
}

#[test]
fn no_ray_leaves_a_closed_mesh_unseen() {
    let mut random = Random::new(21);
    for (vertices, triangles) in [tetrahedron(), cube(), ball(3)] {
        for round in 0..4000 {
            let [a, b, c] = triangles[random.below(triangles.len())].map(|i| vertices[i]);
            let target = match round % 4 {
                0 => a,
                1 => a + (b - a) * random.real(),
                2 => a * 0.5 + b * 0.5,
                _ => (a + b + c) / 3.0,
            };
            let origin = match round % 3 {
                0 => DVec3::ZERO,
                1 => random.in_cube() * 0.15,
                _ => (random.in_cube() * 0.15 * 64.0).round() / 64.0,
            };
            let direction = nudge(target, &mut random) - origin;
            let ray = Ray::new(origin.to_array(), direction.to_array()).unwrap();
            let hit = triangles.iter().any(|t| triangle(&ray, &t.map(|i| vertices[i])).is_some());
            assert!(hit, "{ray:?} leaks");
        }
    }
}

/// Whether and where the ray meets the triangle: the plane first, then the point against the three edges, all in integers.
/// `None` where the ray is parallel to the plane.
fn rational(ray: &Ray, corners: &[DVec3; 3]) -> Option<Option<f64>> {
    let vectors = [ray.origin(), ray.direction(), corners[0], corners[1], corners[2]];
    let mut numbers = [0.0; 15];
    for (i, v) in vectors.iter().enumerate() {
        numbers[3 * i..3 * i + 3].copy_from_slice(&v.to_array());
    }
    let integers = Dyadic::common(numbers);
    let vector = |i: usize| -> [BigInt; 3] { std::array::from_fn(|k| integers[3 * i + k].clone()) };
    let minus = |u: &[BigInt; 3], v: &[BigInt; 3]| -> [BigInt; 3] {
        std::array::from_fn(|k| &u[k] - &v[k])
    };
    let cross = |u: &[BigInt; 3], v: &[BigInt; 3]| -> [BigInt; 3] {
        std::array::from_fn(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            &u[i] * &v[j] - &u[j] * &v[i]
        })
    };
    let dot = |u: &[BigInt; 3], v: &[BigInt; 3]| -> BigInt {
        &u[0] * &v[0] + &u[1] * &v[1] + &u[2] * &v[2]
    };
    let [o, d, a, b, c] = [0, 1, 2, 3, 4].map(vector);
    let normal = cross(&minus(&b, &a), &minus(&c, &a));
    let (mut top, mut bottom) = (dot(&normal, &minus(&a, &o)), dot(&normal, &d));
    if sign(&bottom) == 0 {
        return None;
    }
    if sign(&bottom) < 0 {
        (top, bottom) = (-top, -bottom);
    }
    if sign(&top) < 0 {
        return Some(None);
    }
    // The point times `bottom`.
    let point: [BigInt; 3] = std::array::from_fn(|k| &o[k] * &bottom + &d[k] * &top);
    for (u, v) in [(&a, &b), (&b, &c), (&c, &a)] {
        let from: [BigInt; 3] = std::array::from_fn(|k| &point[k] - &u[k] * &bottom);
        if sign(&dot(&cross(&minus(v, u), &from), &normal)) < 0 {
            return Some(None);
        }
    }
    // 64 bits of the quotient are more than a rounding.
    let quotient: BigInt = (top << 1100u32) / bottom;
    let shift = quotient.bits().saturating_sub(64);
    let head = f64::from_bits(1023 << 52) * (quotient >> shift).to_string().parse::<f64>().unwrap();
    let exponent = shift as i32 - 1100;
    Some(Some(head * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)))
}

#[test]
fn verdicts_are_those_of_rational_arithmetic() {
    let mut random = Random::new(22);
    let (mut hits, mut misses, mut edges) = (0, 0, 0);
    for round in 0..20_000 {
        let grid = |random: &mut Random| (random.in_cube() * 3.0).round();
        let corners: [DVec3; 3] = if round % 2 == 0 {
            std::array::from_fn(|_| grid(&mut random))
        } else {
            std::array::from_fn(|_| random.in_cube())
        };
        let [a, b, c] = corners;
        let scale = 2f64.powi([0, 0, -300, -600, 200][round % 5]);
        let target = match random.below(5) {
            0 => a,
            1 => (a + b) / 2.0,
            2 => a + (c - a) * random.real(),
            3 => (a + b + c) / 3.0,
            _ => random.in_cube(),
        };
        let origin = if round % 4 == 0 { grid(&mut random) } else { random.in_cube() * 2.0 };
        let direction = nudge(target, &mut random) - origin;
        let corners = corners.map(|v| v * scale);
        let stretch = [1.0, 1e-150, 1e70][round % 3];
        let Ok(ray) = Ray::new((origin * scale).to_array(), (direction * stretch).to_array())
        else {
            continue;
        };
        let Some(expected) = rational(&ray, &corners) else { continue };
        let found = triangle(&ray, &corners);
        assert_eq!(found.is_some(), expected.is_some(), "{ray:?} {corners:?} {expected:?}");
        let (Some(found), Some(t)) = (found, expected) else {
            misses += 1;
            continue;
        };
        hits += 1;
        edges += (found.feature.kind != crate::FeatureKind::Face) as usize;
        // Grazing rays have ill-conditioned t; the point is always one of the triangle, and close to the line's.
        let normal = ((b - a).cross(c - a)).normalize();
        let grazing = normal.dot(direction.normalize()).abs().max(1e-12);
        assert!(
            (found.t - t).abs() * direction.length() * stretch
                <= 1e-13 * scale * 4.0 / grazing + 1e-15 * t,
            "{ray:?} {t} {found:?}"
        );
        assert!((found.barycentric.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        assert!(found.barycentric.iter().all(|w| *w >= 0.0));
    }
    assert!(hits > 4000 && misses > 2000 && edges > 200, "{hits} {misses} {edges}");
}

#[test]
fn rays_in_the_plane_and_degenerate_triangles() {
    let t = |corners: [[f64; 3]; 3], origin: [f64; 3], direction: [f64; 3]| {
        let ray = Ray::new(origin, direction).unwrap();
        triangle(&ray, &corners.map(DVec3::from_array)).map(|hit| (hit.t, hit.point.to_array()))
    };
    let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    assert_eq!(t(flat, [-2.0, 1.0, 0.0], [1.0, 0.0, 0.0]), Some((2.0, [0.0, 1.0, 0.0])));
    assert_eq!(t(flat, [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]), Some((0.0, [1.0, 1.0, 0.0])));
    assert_eq!(t(flat, [-2.0, 0.0, 0.0], [1.0, 0.0, 0.0]), Some((2.0, [0.0, 0.0, 0.0]))); // along an edge
    assert_eq!(t(flat, [-2.0, 4.0, 0.0], [1.0, 0.0, 0.0]), Some((2.0, [0.0, 4.0, 0.0]))); // through a corner
    assert_eq!(t(flat, [-2.0, 5.0, 0.0], [1.0, 0.0, 0.0]), None);
    assert_eq!(t(flat, [9.0, 1.0, 0.0], [1.0, 0.0, 0.0]), None); // behind
    assert_eq!(t(flat, [-2.0, 1.0, 1e-300], [1.0, 0.0, 0.0]), None); // above
    let line = [[0.0, 0.0, 0.0], [4.0, 4.0, 0.0], [2.0, 2.0, 0.0]];
    assert_eq!(t(line, [1.0, 1.0, 3.0], [0.0, 0.0, -1.0]), Some((3.0, [1.0, 1.0, 0.0])));
    assert_eq!(t(line, [1.0, 1.25, 3.0], [0.0, 0.0, -1.0]), None);
    assert_eq!(t(line, [-1.0, -1.0, 0.0], [1.0, 1.0, 0.0]), Some((1.0, [0.0, 0.0, 0.0])));
    let point = [[1.0, 2.0, 3.0]; 3];
    assert_eq!(t(point, [1.0, 2.0, 0.0], [0.0, 0.0, 1.5]), Some((2.0, [1.0, 2.0, 3.0])));
    assert_eq!(t(point, [1.0, 2.0, 4.0], [0.0, 0.0, 1.5]), None);
    assert_eq!(t(point, [1.0, 2.5, 0.0], [0.0, 0.0, 1.5]), None);
    assert_eq!(t(point, [1.0, 2.0, 3.0], [0.0, 0.0, 1.5]), Some((0.0, [1.0, 2.0, 3.0])));
}

#[test]
#[ignore = "a measurement"]
fn nanoseconds_per_triangle() {
    let (vertices, triangles) = ball(3);
    let mut random = Random::new(23);
    let rays: Vec<Ray> = (0..200)
        .map(|_| Ray::new((random.in_cube() * 0.3).to_array(), random.unit().to_array()).unwrap())
        .collect();
    let corners: Vec<[DVec3; 3]> = triangles.iter().map(|t| t.map(|i| vertices[i])).collect();
    let start = cpu_nanoseconds();
    let mut hits = 0;
    for _ in 0..20 {
        for ray in &rays {
            hits += corners.iter().filter(|c| triangle(ray, c).is_some()).count();
        }
    }
    let count = 20 * rays.len() * corners.len();
    println!("{:.1} ns per triangle, {hits} hits", (cpu_nanoseconds() - start) / count as f64);
    let few: Vec<(Ray, [DVec3; 3])> = (0..1000)
        .map(|i| {
            let c = corners[i % corners.len()];
            let target = (c[0] + c[1] + c[2]) / 3.0;
            (Ray::new([0.0; 3], target.to_array()).unwrap(), c)
        })
        .collect();
    let start = cpu_nanoseconds();
    let hits: usize =
        (0..1000).map(|_| few.iter().filter(|(ray, c)| triangle(ray, c).is_some()).count()).sum();
    println!("{:.1} ns per hit, {hits}", (cpu_nanoseconds() - start) / 1e6);
    let start = cpu_nanoseconds();
    let mut hits = 0;
    for v in &vertices {
        let ray = Ray::new([0.0; 3], v.to_array()).unwrap();
        hits += corners.iter().filter(|c| c.contains(v) && triangle(&ray, c).is_some()).count();
    }
    println!("{:.1} ns per hit of a vertex, {hits}", (cpu_nanoseconds() - start) / hits as f64);
}
