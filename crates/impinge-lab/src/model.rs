//! Models to measure on, and such as are generated: closed and with shared vertices.

use crate::error::LabError;
use impinge::geom::bound::Bound;
use impinge::geom::glam::DVec3;
use impinge::mesh::Mesh;
use std::collections::HashMap;

/// A model.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// What tables say.
    pub name: String,
    /// The corners.
    pub vertices: Vec<[f64; 3]>,
    /// As indices of the vertices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// What can be generated, to about any number of triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelShape {
    /// The unit sphere.
    Ball,
    /// A ball whose radius waves between 0.84 and 1.1: nearly convex.
    Bumpy,
    /// A ball with long knobs in all directions: a body with limbs, of which the hull is mostly empty, as scanned animals are.
    Knobbly,
    /// A ring of radius 1 and thickness 0.35.
    Torus,
}

impl Model {
    /// A closed model of about the given number of triangles.
    ///
    /// ```
    /// use impinge_lab::{Model, ModelShape};
    /// let model = Model::generate(ModelShape::Knobbly, 16_820);
    /// assert_eq!(model.triangles.len(), 16_820);
    /// ```
    pub fn generate(shape: ModelShape, triangles: usize) -> Self {
        match shape {
            ModelShape::Ball => ball("ball", triangles, |n| n),
            ModelShape::Bumpy => ball("bumpy", triangles, |n| n * bumps(n)),
            ModelShape::Knobbly => ball("knobbly", triangles, |n| n * knobs(n)),
            ModelShape::Torus => torus(triangles),
        }
    }

    /// With a hierarchy of the volume.
    pub fn mesh<B: Bound>(&self) -> Result<Mesh<B>, LabError> {
        let refused = |error| LabError::Failed(format!("{}: {error}", self.name));
        Mesh::with_volume(&self.vertices, &self.triangles).map_err(refused)
    }

    /// The corners of every triangle.
    pub fn corners(&self) -> Vec<[DVec3; 3]> {
        let corner = |vertex: u32| DVec3::from_array(self.vertices[vertex as usize]);
        self.triangles.iter().map(|face| face.map(corner)).collect()
    }

    /// The middle of the box around it, and the largest distance of a vertex from there.
    pub fn center_and_radius(&self) -> (DVec3, f64) {
        center_and_radius(self.vertices.iter().map(|p| DVec3::from_array(*p)))
    }
}

/// The middle of the box around points, and the largest distance from there.
pub(crate) fn center_and_radius(points: impl Iterator<Item = DVec3> + Clone) -> (DVec3, f64) {
    let low = points.clone().fold(DVec3::INFINITY, DVec3::min);
    let high = points.clone().fold(DVec3::NEG_INFINITY, DVec3::max);
    let center = (low + high) / 2.0;
    (center, points.map(|p| p.distance(center)).fold(0.0, f64::max))
}

/// The radius of the bumpy ball in a direction.
pub(crate) fn bumps(n: DVec3) -> f64 {
    1.0 + 0.08 * (wave(n.x) + wave(n.y) + wave(n.z)) / 1.5
}

/// Chebyshev's polynomial of degree six: waves without sines, which are not the same everywhere.
fn wave(t: f64) -> f64 {
    let s = t * t;
    ((32.0 * s - 48.0) * s + 18.0) * s - 1.0
}

/// The radius of the knobbly body: fourteen knobs, of three lengths.
fn knobs(n: DVec3) -> f64 {
    let mut radius = 0.45;
    for k in 0..14_u32 {
        let axis = match k {
            0..6 => DVec3::AXES[k as usize % 3] * if k < 3 { 1.0 } else { -1.0 },
            _ => {
                let sign = |bit: u32| if (k - 6) & bit == 0 { 1.0 } else { -1.0 };
                DVec3::new(sign(1), sign(2), sign(4)).normalize()
            }
        };
        let length = [0.75, 0.5, 0.3][k as usize % 3];
        let t = ((n.dot(axis) - 0.88) / 0.12).max(0.0);
        radius += length * t * t * (3.0 - 2.0 * t);
    }
    radius
}

/// The corners of an icosahedron with sides of length two, and its triangles in rising order: not all are turned outwards.
pub(crate) fn icosahedron() -> (Vec<DVec3>, Vec<[usize; 3]>) {
    let golden = (1.0 + 5.0_f64.sqrt()) / 2.0;
    let mut corners = Vec::new();
    for k in 0..3 {
        for (s, t) in [(1.0, golden), (1.0, -golden), (-1.0, golden), (-1.0, -golden)] {
            let mut p = [0.0; 3];
            (p[(k + 1) % 3], p[(k + 2) % 3]) = (s, t);
            corners.push(DVec3::from_array(p));
        }
    }
    let near = |a: usize, b: usize| corners[a].distance_squared(corners[b]) < 4.5;
    let mut faces = Vec::new();
    for i in 0..12_usize {
        for j in i + 1..12 {
            let others = (j + 1..12).filter(|k| near(i, j) && near(j, *k) && near(i, *k));
            faces.extend(others.map(|k| [i, j, k]));
        }
    }
    (corners, faces)
}

/// An icosahedron, its sides divided evenly, drawn out to the sphere, and its points moved.
fn ball(name: &str, triangles: usize, place: impl Fn(DVec3) -> DVec3) -> Model {
    let parts = ((triangles as f64 / 20.0).sqrt().round() as u32).max(1);
    let (corners, faces) = icosahedron();
    // A point is known by how much of which corner it has: those on sides are shared.
    let mut known: HashMap<Vec<(usize, u32)>, u32> = HashMap::new();
    let (mut vertices, mut all) = (Vec::new(), Vec::new());
    for [i, j, k] in faces {
        let outward = (corners[j] - corners[i]).cross(corners[k] - corners[i]);
        let face = if outward.dot(corners[i]) < 0.0 { [i, k, j] } else { [i, j, k] };
        let mut at = |weights: [u32; 3]| -> u32 {
            let mut key: Vec<_> = face.into_iter().zip(weights).filter(|(_, w)| *w > 0).collect();
            key.sort_unstable();
            *known.entry(key).or_insert_with_key(|key| {
                let sum: DVec3 =
                    key.iter().map(|(corner, w)| corners[*corner] * f64::from(*w)).sum();
                vertices.push(place(sum.normalize()).to_array());
                vertices.len() as u32 - 1
            })
        };
        for i in 0..parts {
            for j in 0..parts - i {
                let k = parts - i - j;
                let (a, b, c) = (at([k, i, j]), at([k - 1, i + 1, j]), at([k - 1, i, j + 1]));
                all.push([a, b, c]);
                if k > 1 {
                    all.push([b, at([k - 2, i + 1, j + 1]), c]);
                }
            }
        }
    }
    Model { name: name.into(), vertices, triangles: all }
}

/// Twice as many steps around the ring as around its section.
fn torus(triangles: usize) -> Model {
    let section = ((triangles as f64 / 64.0).sqrt().round() as u32).max(1) * 4;
    let ring = 2 * section;
    // A point of the unit circle by the tangent of half its angle within the quarter: no sines.
    let circle = |k: u32, of: u32| {
        let (quarter, t) = (4 * k / of, f64::from(4 * k % of) / f64::from(of));
        let t = t * (0.82 + 0.18 * t);
        let (x, y) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
        match quarter % 4 {
            0 => (x, y),
            1 => (-y, x),
            2 => (-x, -y),
            _ => (y, -x),
        }
    };
    let (mut vertices, mut all) = (Vec::new(), Vec::new());
    for i in 0..ring {
        for j in 0..section {
            let ((x, y), (u, v)) = (circle(i, ring), circle(j, section));
            let out = 1.0 + 0.35 * u;
            vertices.push([out * x, out * y, 0.35 * v]);
            let at = |i: u32, j: u32| i % ring * section + j % section;
            let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            all.extend([[a, b, c], [a, c, d]]);
        }
    }
    Model { name: "torus".into(), vertices, triangles: all }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [ModelShape; 4] =
        [ModelShape::Ball, ModelShape::Bumpy, ModelShape::Knobbly, ModelShape::Torus];

    /// The volume, by the divergence theorem.
    fn volume(model: &Model) -> f64 {
        model.corners().iter().map(|[a, b, c]| a.dot(b.cross(*c))).sum::<f64>() / 6.0
    }

    #[test]
    fn generated_models_are_closed_and_turned_outwards() {
        for (shape, low, high) in ALL
            .into_iter()
            .zip([4.1, 3.5, 0.3, 2.2])
            .zip([4.2, 4.4, 2.0, 2.5])
            .map(|((s, l), h)| (s, l, h))
        {
            for count in [20, 500, 4000] {
                let model = Model::generate(shape, count);
                let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
                for face in &model.triangles {
                    for k in 0..3 {
                        let (a, b) = (face[k], face[(k + 1) % 3]);
                        *edges.entry((a.min(b), a.max(b))).or_default() +=
                            if a < b { 1 } else { -1 };
                    }
                }
                assert!(edges.values().all(|sum| *sum == 0), "{shape:?} {count}");
                assert_eq!(edges.len() * 2, model.triangles.len() * 3, "{shape:?} {count}");
                assert!(volume(&model) > 0.0, "{shape:?} {count}");
            }
            let model = Model::generate(shape, 16_820);
            let count = model.triangles.len();
            assert!((15_000..19_000).contains(&count), "{shape:?}: {count}");
            assert!((low..high).contains(&volume(&model)), "{shape:?}: {}", volume(&model));
            assert!(model.mesh::<impinge::geom::bound::Aabb>().is_ok());
        }
    }

    #[test]
    fn the_knobbly_body_has_limbs() {
        let model = Model::generate(ModelShape::Knobbly, 16_820);
        let (_, radius) = model.center_and_radius();
        let around = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
        let share = volume(&model) / around;
        assert!((0.05..0.25).contains(&share), "{share}");
    }
}
