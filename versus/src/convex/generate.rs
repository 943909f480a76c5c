//! The inputs, made from a seed.
//!
//! Shape data and translations are rounded to `f32`, so that systems that compute in `f32` are given the same shapes as
//! the others; only rotations lose digits there. Each file holds [`SHAPES`] shapes, few enough to stay in the cache:
//! what is measured is the query, not the memory.

use super::format::{Input, Kind, Pair, Shape};
use crate::random::{Random, single};

/// Shapes per file.
const SHAPES: usize = 64;

/// Vertices per hull.
const HULL_VERTICES: usize = 32;

/// Vertices of a hull before scaling are at least this far apart on the unit sphere, so that no library merges them.
const VERTEX_SPACING: f64 = 0.2;

/// Half the side of the cube in which B's centre lies, such that about 53 % of the pairs overlap.
fn reach(kind: Kind) -> f64 {
    match kind {
        Kind::Hull => 1.462,
        Kind::Box => 2.0,
        Kind::Capsule => 0.735,
    }
}

/// An input file's contents: `pair_count` random pairs among 64 random shapes.
pub fn input(kind: Kind, seed: u64, pair_count: usize) -> Input {
    // The kinds draw from separate sequences.
    let mut random = Random::new(seed.wrapping_mul(0x1000).wrapping_add(kind as u64));
    let shapes = (0..SHAPES).map(|_| shape(kind, &mut random)).collect();
    let pairs = (0..pair_count).map(|_| pair(kind, &mut random)).collect();
    Input { kind, shapes, pairs }
}

fn shape(kind: Kind, random: &mut Random) -> Shape {
    match kind {
        Kind::Hull => hull(random),
        Kind::Box => Shape::Box { half: std::array::from_fn(|_| single(random.between(0.5, 1.0))) },
        Kind::Capsule => Shape::Capsule {
            radius: single(random.between(0.1, 0.3)),
            half_height: single(random.between(0.5, 1.0)),
        },
    }
}

fn pair(kind: Kind, random: &mut Random) -> Pair {
    let (a, b) = (random.below(SHAPES) as u32, random.below(SHAPES) as u32);
    let rotation = random.direction();
    let reach = reach(kind);
    let translation = std::array::from_fn(|_| single(random.between(-reach, reach)));
    Pair { a, b, rotation, translation }
}

/// Points on an ellipsoid, all of them extreme, with the triangles of their hull.
fn hull(random: &mut Random) -> Shape {
    loop {
        let axes: [f64; 3] = std::array::from_fn(|_| random.between(0.6, 1.0));
        let mut on_sphere: Vec<[f64; 3]> = Vec::new();
        while on_sphere.len() < HULL_VERTICES {
            let candidate = random.direction();
            if on_sphere
                .iter()
                .all(|other| squared_distance(other, &candidate) > VERTEX_SPACING * VERTEX_SPACING)
            {
                on_sphere.push(candidate);
            }
        }
        let vertices: Vec<[f64; 3]> = on_sphere
            .iter()
            .map(|point| std::array::from_fn(|axis| single(point[axis] * axes[axis])))
            .collect();
        if let Some(triangles) = hull_triangles(&vertices) {
            return Shape::Hull { vertices, triangles };
        }
    }
}

fn squared_distance(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    (0..3).map(|axis| (a[axis] - b[axis]) * (a[axis] - b[axis])).sum()
}

/// Triangles of the hull by trying all triples; `None` if four points are nearly coplanar or a point is not extreme.
fn hull_triangles(points: &[[f64; 3]]) -> Option<Vec<[u32; 3]>> {
    /// Far above the rounding error of the determinant for coordinates up to 1.
    const NEARLY_COPLANAR: f64 = 1e-7;
    let mut triangles = Vec::new();
    for i in 0..points.len() {
        for j in i + 1..points.len() {
            for k in j + 1..points.len() {
                let (mut above, mut below, mut near) = (0, 0, 0);
                for (index, point) in points.iter().enumerate() {
                    if index != i && index != j && index != k {
                        let value = volume(&points[i], &points[j], &points[k], point);
                        match value {
                            _ if value.abs() < NEARLY_COPLANAR => near += 1,
                            _ if value > 0.0 => above += 1,
                            _ => below += 1,
                        }
                    }
                }
                match (above, below) {
                    (0, _) | (_, 0) if near > 0 => return None,
                    (0, _) => triangles.push([i as u32, j as u32, k as u32]),
                    (_, 0) => triangles.push([i as u32, k as u32, j as u32]),
                    _ => {}
                }
            }
        }
    }
    // Euler: a simplicial polytope with v vertices has 2 v − 4 triangles, so this also says that all are extreme.
    (triangles.len() == 2 * points.len() - 4).then_some(triangles)
}

/// Six times the volume of the tetrahedron, positive if `d` lies on the side of the normal of `a b c`.
fn volume(a: &[f64; 3], b: &[f64; 3], c: &[f64; 3], d: &[f64; 3]) -> f64 {
    let edge = |end: &[f64; 3]| -> [f64; 3] { std::array::from_fn(|axis| end[axis] - a[axis]) };
    let (u, v, w) = (edge(b), edge(c), edge(d));
    (u[1] * v[2] - u[2] * v[1]) * w[0]
        + (u[2] * v[0] - u[0] * v[2]) * w[1]
        + (u[0] * v[1] - u[1] * v[0]) * w[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides_everything() {
        for kind in Kind::ALL {
            assert_eq!(input(kind, 1, 20), input(kind, 1, 20));
            assert_ne!(input(kind, 1, 20), input(kind, 2, 20));
        }
    }

    #[test]
    fn hulls_are_closed_and_outward() {
        for shape in input(Kind::Hull, 9, 0).shapes {
            let Shape::Hull { vertices, triangles } = shape else { panic!("not a hull") };
            assert_eq!((vertices.len(), triangles.len()), (HULL_VERTICES, 2 * HULL_VERTICES - 4));
            let mut edges = std::collections::HashSet::new();
            for [a, b, c] in &triangles {
                assert!(
                    volume(
                        &vertices[*a as usize],
                        &vertices[*b as usize],
                        &vertices[*c as usize],
                        &[0.0; 3]
                    ) < 0.0,
                    "the origin lies inside"
                );
                for edge in [(*a, *b), (*b, *c), (*c, *a)] {
                    assert!(edges.insert(edge), "every directed edge once");
                }
            }
            assert!(edges.iter().all(|(from, to)| edges.contains(&(*to, *from))));
        }
    }
}
