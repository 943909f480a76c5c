//! Closed triangle meshes, and rays from inside them.
//!
//! All coordinates are multiples of 2^-20 of the mesh's unit, so that differences, and points that divide an edge into eighths, are
//! exact: rays can be aimed at a vertex or an edge, not just near it.

use crate::oracle::Point;
use impinge_lab::Random;
use std::collections::HashMap;

/// A closed mesh with a way to pick points inside it.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// The name in tables.
    pub name: &'static str,
    /// The vertices.
    pub vertices: Vec<Point>,
    /// The triangles, as indices.
    pub triangles: Vec<[usize; 3]>,
    /// Balls that lie inside: rays begin in them.
    inside: Vec<(Point, f64)>,
}

/// One of the meshes in turn.
pub fn mesh(index: u64, random: &mut Random) -> Mesh {
    let mut mesh = match index % 5 {
        0 => cuboid(random),
        1 => sphere("icosphere", 1),
        2 => sphere("fine icosphere", 2),
        3 => star(random),
        _ => torus(random),
    };
    let scale = random.power(-40, 40);
    let offset = if random.one_in(2) { [0.0; 3] } else { random.grid(1 << 8) };
    for p in mesh.vertices.iter_mut().chain(mesh.inside.iter_mut().map(|(center, _)| center)) {
        *p = std::array::from_fn(|c| scale * (rounded(p[c]) + offset[c]));
    }
    mesh.inside.iter_mut().for_each(|(_, radius)| *radius *= scale);
    mesh
}

/// The nearest multiple of 2^-20.
fn rounded(x: f64) -> f64 {
    let unit = (1 << 20) as f64;
    (x * unit).round() / unit
}

impl Mesh {
    /// The corners of a triangle.
    pub fn corners(&self, triangle: [usize; 3]) -> [Point; 3] {
        triangle.map(|vertex| self.vertices[vertex])
    }

    /// A point inside, on the same grid as the vertices.
    fn origin(&self, random: &mut Random) -> Point {
        let (center, radius) = self.inside[random.below(self.inside.len() as u64) as usize];
        // In an inscribed cube, in sixteenths of the radius, which is a power of two.
        std::array::from_fn(|c| center[c] + radius * random.whole(-8, 8) as f64 / 16.0)
    }

    /// A ray from inside: origin and direction.
    pub fn ray(&self, aim: Aim, random: &mut Random) -> (Point, Point) {
        let origin = self.origin(random);
        let triangle = self.triangles[random.below(self.triangles.len() as u64) as usize];
        let [a, b, c] = self.corners(triangle);
        let target = match aim {
            Aim::Face => {
                let (mut s, mut t) = (random.unit(), random.unit());
                if s + t > 1.0 {
                    (s, t) = (1.0 - s, 1.0 - t);
                }
                std::array::from_fn(|k| a[k] + s * (b[k] - a[k]) + t * (c[k] - a[k]))
            }
            Aim::Edge | Aim::NearEdge => {
                let eighths = random.whole(0, 8) as f64 / 8.0;
                std::array::from_fn(|k| a[k] + eighths * (b[k] - a[k]))
            }
            Aim::Vertex | Aim::NearVertex => a,
        };
        let mut direction: Point = std::array::from_fn(|k| target[k] - origin[k]);
        if matches!(aim, Aim::NearEdge | Aim::NearVertex) {
            direction = direction.map(|x| random.nudge(x, 2));
        }
        let factor = random.power(-30, 30);
        (origin, direction.map(|x| x * factor))
    }
}

/// What a ray is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// A random point of a face.
    Face,
    /// Exactly a point of an edge.
    Edge,
    /// An edge, but for a few units in the last place of the direction.
    NearEdge,
    /// Exactly a vertex.
    Vertex,
    /// A vertex, but for a few units in the last place of the direction.
    NearVertex,
}

impl Aim {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Face, Self::Edge, Self::NearEdge, Self::Vertex, Self::NearVertex];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Face => "face",
            Self::Edge => "edge",
            Self::NearEdge => "within ulps of an edge",
            Self::Vertex => "vertex",
            Self::NearVertex => "within ulps of a vertex",
        }
    }
}

fn cuboid(random: &mut Random) -> Mesh {
    let half: Point = std::array::from_fn(|_| random.whole(1, 4) as f64 * 0.5);
    let vertices = (0..8_usize)
        .map(|i| std::array::from_fn(|c| if i >> c & 1 == 1 { half[c] } else { -half[c] }));
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    Mesh { name: "box", vertices: vertices.collect(), triangles, inside: vec![([0.0; 3], 0.25)] }
}

/// An octahedron, each triangle cut into four as often as asked, its vertices pushed to the sphere.
fn sphere(name: &'static str, cuts: usize) -> Mesh {
    let mut vertices: Vec<Point> = vec![
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    let mut triangles = Vec::new();
    for (x, y, z) in (0..8).map(|i| (i & 1, 2 + (i >> 1 & 1), 4 + (i >> 2 & 1))) {
        // An odd number of negative axes turns the orientation.
        triangles.push(if (x + y + z) % 2 == 0 { [x, y, z] } else { [y, x, z] });
    }
    for _ in 0..=cuts {
        let mut middles = HashMap::new();
        let mut middle = |a: usize, b: usize| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let sum: Point = std::array::from_fn(|c| vertices[a][c] + vertices[b][c]);
                let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt();
                vertices.push(sum.map(|x| x / length));
                vertices.len() - 1
            })
        };
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let (d, e, f) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
            })
            .collect();
    }
    Mesh { name, vertices, triangles, inside: vec![([0.0; 3], 0.5)] }
}

/// A sphere whose vertices are pushed in and out: not convex, but all of it is seen from the middle.
fn star(random: &mut Random) -> Mesh {
    let mut mesh = sphere("star", 1);
    for p in &mut mesh.vertices {
        let factor = random.between(0.6, 1.4);
        *p = p.map(|x| x * factor);
    }
    mesh.inside = vec![([0.0; 3], 0.125)];
    mesh
}

/// A torus of 16 by 8 quadrilaterals around z, or a thinner one.
fn torus(random: &mut Random) -> Mesh {
    let (around, across) = (16, 8);
    let thickness = random.between(0.6, 0.9);
    let turn = |i: usize, count: usize| {
        let angle = std::f64::consts::TAU * i as f64 / count as f64;
        (angle.cos(), angle.sin())
    };
    let mut mesh =
        Mesh { name: "torus", vertices: Vec::new(), triangles: Vec::new(), inside: Vec::new() };
    for i in 0..around {
        let (x, y) = turn(i, around);
        // The chords of the ring pass at most 2 (1 - cos(π/16)) < 0.04 inside it.
        mesh.inside.push(([rounded(2.0 * x), rounded(2.0 * y), 0.0], 0.25));
        for j in 0..across {
            let (u, v) = turn(j, across);
            let reach = 2.0 + thickness * u;
            mesh.vertices.push([reach * x, reach * y, thickness * v]);
            let at = |i: usize, j: usize| (i % around) * across + j % across;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            mesh.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edge_has_two_sides() {
        let mut random = Random::new(1);
        for index in 0..10 {
            let mesh = mesh(index, &mut random);
            let mut edges = HashMap::new();
            for triangle in &mesh.triangles {
                for k in 0..3 {
                    let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
                    *edges.entry((a.min(b), a.max(b))).or_insert(0) += if a < b { 1 } else { -1 };
                }
            }
            assert!(edges.values().all(|sum| *sum == 0), "{}", mesh.name);
            // Euler: spheres 2, torus 0.
            let count = mesh.vertices.len() + mesh.triangles.len() - edges.len();
            assert_eq!(count, if mesh.name == "torus" { 0 } else { 2 }, "{}", mesh.name);
        }
    }
}
