//! Scenes that several tests share, and numbers that are the same on every machine.

use impinge::geom::Shape;
use impinge::mesh::{Mesh, Mode};
use impinge::query::{Geometry, MeshPart};
use impinge::scene::{Body, BodyId, Scene};
use impinge::{Pose, geom::glam::DVec3};
use std::sync::Arc;

/// A sequence of numbers that look random (Marsaglia's xorshift).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Between two numbers.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.word() >> 11) as f64 / (1u64 << 53) as f64)
    }

    pub(crate) fn vector(&mut self, size: f64) -> DVec3 {
        DVec3::from([0; 3].map(|_| self.between(-size, size)))
    }

    /// Any rotation, somewhere in a cube.
    pub(crate) fn pose(&mut self, size: f64) -> Pose {
        let translation = self.vector(size).to_array();
        loop {
            let q = [0; 4].map(|_| self.between(-1.0, 1.0));
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if length > 0.1 && length < 1.0 {
                return Pose::new(q.map(|x| x / length), translation).unwrap();
            }
        }
    }
}

/// A box as a mesh.
pub(crate) fn box_mesh(half: [f64; 3]) -> Arc<Mesh> {
    let corners: Vec<[f64; 3]> = (0..8)
        .map(|k| [0, 1, 2].map(|axis| if k >> axis & 1 == 0 { -half[axis] } else { half[axis] }))
        .collect();
    let faces = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    Arc::new(Mesh::new(&corners, &faces).unwrap())
}

/// An octahedron whose faces are divided, pushed out to a ball.
pub(crate) fn ball_mesh(radius: f64, depth: u32) -> Arc<Mesh> {
    let axes = [DVec3::X, DVec3::Y, DVec3::NEG_X, DVec3::NEG_Y];
    let mut faces: Vec<[DVec3; 3]> = Vec::new();
    for k in 0..4 {
        faces.push([axes[k], axes[(k + 1) % 4], DVec3::Z]);
        faces.push([axes[(k + 1) % 4], axes[k], DVec3::NEG_Z]);
    }
    for _ in 0..depth {
        faces = faces
            .into_iter()
            .flat_map(|[a, b, c]| {
                let [d, e, f] = [a + b, b + c, c + a].map(|p| p / p.dot(p).sqrt());
                [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
            })
            .collect();
    }
    let corners: Vec<[f64; 3]> = faces.iter().flatten().map(|p| (*p * radius).to_array()).collect();
    let triangles: Vec<[u32; 3]> =
        (0..faces.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Arc::new(Mesh::new(&corners, &triangles).unwrap())
}

/// A level floor of squares, each of two triangles, with its upper side at z = 0.
pub(crate) fn floor_mesh(cells: u32, size: f64) -> Arc<Mesh> {
    let half = 0.5 * size * f64::from(cells);
    let corner = |i: u32, j: u32| [f64::from(i) * size - half, f64::from(j) * size - half, 0.0];
    let corners: Vec<[f64; 3]> =
        (0..=cells).flat_map(|j| (0..=cells).map(move |i| corner(i, j))).collect();
    let at = |i: u32, j: u32| j * (cells + 1) + i;
    let triangles: Vec<[u32; 3]> = (0..cells)
        .flat_map(|j| {
            (0..cells).flat_map(move |i| {
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                [[a, b, c], [a, c, d]]
            })
        })
        .collect();
    Arc::new(Mesh::new(&corners, &triangles).unwrap())
}

/// Colliders of every kind, about one in size.
pub(crate) fn geometries() -> Vec<Geometry> {
    let hull = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.2, 0.3, 1.2], [0.9, 0.8, 0.7]];
    let hammer = Geometry::compound([
        (10, Pose::IDENTITY, Shape::capsule(0.15, 0.8).unwrap().into()),
        (20, at([0.0, 0.0, 0.8]), Shape::cuboid([0.5, 0.2, 0.2]).unwrap().into()),
        (30, at([0.0, 0.0, -0.9]), MeshPart::new(box_mesh([0.2; 3]), Mode::Solid).into()),
    ]);
    vec![
        Shape::sphere(0.7).unwrap().into(),
        Shape::cuboid([0.6, 0.4, 0.5]).unwrap().into(),
        Shape::capsule(0.3, 0.5).unwrap().into(),
        Shape::cylinder(0.5, 0.4).unwrap().into(),
        Shape::hull(&hull).unwrap().into(),
        Geometry::mesh(box_mesh([0.5, 0.6, 0.4]), Mode::Solid),
        Geometry::mesh(ball_mesh(0.7, 2), Mode::Solid),
        Geometry::mesh(ball_mesh(0.6, 1), Mode::Surface),
        hammer.unwrap(),
    ]
}

pub(crate) fn at(place: [f64; 3]) -> Pose {
    Pose::from_translation(place).unwrap()
}

/// Bodies of every kind in a cube; every fourth is fixed.
pub(crate) fn crowd(count: usize, size: f64, seed: u64) -> (Scene, Vec<BodyId>) {
    let (kinds, mut random) = (geometries(), Random::new(seed));
    let mut scene = Scene::default();
    let ids = (0..count)
        .map(|k| {
            let (kind, pose) = (kinds[k % kinds.len()].clone(), random.pose(size));
            let body = if k % 4 == 3 { Body::fixed(kind, pose) } else { Body::moving(kind, pose) };
            scene.add(body).unwrap()
        })
        .collect();
    (scene, ids)
}
