//! The meshes: two that are generated, and those of a folder.

use std::collections::HashMap;

use crate::random::single;

/// Triangles over shared vertices. All coordinates are `f32` values, so that systems in `f32` are given the same mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    pub vertices: Vec<[f64; 3]>,
    pub triangles: Vec<[u32; 3]>,
}

/// A mesh with the name under which it stands in the results.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub name: String,
    pub mesh: Mesh,
}

impl Mesh {
    /// Least and greatest coordinates.
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        for vertex in &self.vertices {
            for axis in 0..3 {
                bounds[0][axis] = bounds[0][axis].min(vertex[axis]);
                bounds[1][axis] = bounds[1][axis].max(vertex[axis]);
            }
        }
        bounds
    }

    /// Middle of the bounding box.
    pub fn centre(&self) -> [f64; 3] {
        let [low, high] = self.bounds();
        std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]))
    }

    /// Diagonal of the bounding box; called the diameter.
    pub fn diameter(&self) -> f64 {
        let [low, high] = self.bounds();
        (0..3).map(|axis| (high[axis] - low[axis]).powi(2)).sum::<f64>().sqrt()
    }

    fn rounded(mut self) -> Mesh {
        for vertex in &mut self.vertices {
            *vertex = vertex.map(single);
        }
        self
    }
}

/// A sphere of 145 meridians and 59 bands, 16,820 triangles, with bumps of up to 15 % of its radius, which is 1.
pub fn bumpy() -> Model {
    use std::f64::consts::{PI, TAU};
    const MERIDIANS: usize = 145;
    const BANDS: usize = 59;
    let point = |latitude: f64, longitude: f64| {
        let (ring, height) = (latitude.sin(), latitude.cos());
        let direction = [ring * longitude.cos(), ring * longitude.sin(), height];
        let [x, y, z] = direction;
        let radius = 1.0 + 0.15 * (7.0 * x).sin() * (8.0 * y + 1.0).cos() * (9.0 * z + 0.5).cos();
        direction.map(|value| value * radius)
    };
    let mut vertices = vec![point(0.0, 0.0)];
    for band in 1..BANDS {
        let latitude = PI * band as f64 / BANDS as f64;
        vertices.extend((0..MERIDIANS).map(|m| point(latitude, TAU * m as f64 / MERIDIANS as f64)));
    }
    vertices.push(point(PI, 0.0));
    let south = vertices.len() as u32 - 1;
    let at = |band: usize, meridian: usize| (1 + band * MERIDIANS + meridian % MERIDIANS) as u32;
    let mut triangles = Vec::new();
    for m in 0..MERIDIANS {
        triangles.push([0, at(0, m), at(0, m + 1)]);
        for band in 0..BANDS - 2 {
            let [a, b] = [at(band, m), at(band, m + 1)];
            let [c, d] = [at(band + 1, m), at(band + 1, m + 1)];
            triangles.extend([[a, c, d], [a, d, b]]);
        }
        triangles.push([at(BANDS - 2, m), south, at(BANDS - 2, m + 1)]);
    }
    Model { name: "bumpy".into(), mesh: Mesh { vertices, triangles }.rounded() }
}

/// An icosahedron whose faces are split in four so many times, all vertices on the sphere of that radius.
pub fn icosphere(radius: f64, splits: usize) -> Mesh {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut vertices: Vec<[f64; 3]> = Vec::new();
    for (one, tall) in [(1.0, golden), (-1.0, golden), (1.0, -golden), (-1.0, -golden)] {
        vertices.extend([[0.0, one, tall], [one, tall, 0.0], [tall, 0.0, one]]);
    }
    let mut triangles = icosahedron_faces(&vertices);
    for _ in 0..splits {
        let mut middles: HashMap<(u32, u32), u32> = HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let (p, q) = (vertices[a as usize], vertices[b as usize]);
                vertices.push(on_sphere(std::array::from_fn(|axis| p[axis] + q[axis])));
                vertices.len() as u32 - 1
            })
        };
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
            })
            .collect();
    }
    let vertices = vertices.into_iter().map(|vertex| on_sphere(vertex).map(|v| v * radius));
    Mesh { vertices: vertices.collect(), triangles }.rounded()
}

fn on_sphere(point: [f64; 3]) -> [f64; 3] {
    let length = point.iter().map(|value| value * value).sum::<f64>().sqrt();
    point.map(|value| value / length)
}

/// Triples of mutually neighbouring vertices, counter-clockwise from outside. Neighbours are 2 apart.
fn icosahedron_faces(vertices: &[[f64; 3]]) -> Vec<[u32; 3]> {
    let near = |a: usize, b: usize| {
        (0..3).map(|axis| (vertices[a][axis] - vertices[b][axis]).powi(2)).sum::<f64>() < 4.1
    };
    let mut faces = Vec::new();
    for a in 0..vertices.len() {
        for b in a + 1..vertices.len() {
            for c in b + 1..vertices.len() {
                if near(a, b) && near(b, c) && near(c, a) {
                    let [p, q, r] = [vertices[a], vertices[b], vertices[c]];
                    let outwards = p[0] * (q[1] * r[2] - q[2] * r[1])
                        + p[1] * (q[2] * r[0] - q[0] * r[2])
                        + p[2] * (q[0] * r[1] - q[1] * r[0]);
                    let [b, c] = if outwards > 0.0 { [b, c] } else { [c, b] };
                    faces.push([a as u32, b as u32, c as u32]);
                }
            }
        }
    }
    faces
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every directed edge once, and its opposite too.
    fn assert_closed(mesh: &Mesh) {
        let mut edges = std::collections::HashSet::new();
        for [a, b, c] in &mesh.triangles {
            for edge in [(*a, *b), (*b, *c), (*c, *a)] {
                assert!(edges.insert(edge));
            }
        }
        assert!(edges.iter().all(|(from, to)| edges.contains(&(*to, *from))));
    }

    #[test]
    fn generated_meshes_are_closed_and_of_the_promised_size() {
        let bumpy = bumpy().mesh;
        assert_eq!(bumpy.triangles.len(), 16_820);
        assert_closed(&bumpy);
        let sphere = icosphere(1.0, 5);
        assert_eq!(sphere.triangles.len(), 20_480);
        assert_closed(&sphere);
    }

    #[test]
    fn a_sphere_larger_by_a_thousandth_holds_the_smaller_one() {
        // The smaller sphere's vertices lie at radius 1 up to rounding; no plane of the larger one comes so near.
        let outer = icosphere(1.001, 5);
        for triangle in &outer.triangles {
            let [p, q, r] = triangle.map(|index| outer.vertices[index as usize]);
            let u: [f64; 3] = std::array::from_fn(|axis| q[axis] - p[axis]);
            let v: [f64; 3] = std::array::from_fn(|axis| r[axis] - p[axis]);
            let n = on_sphere([
                u[1] * v[2] - u[2] * v[1],
                u[2] * v[0] - u[0] * v[2],
                u[0] * v[1] - u[1] * v[0],
            ]);
            let height: f64 = (0..3).map(|axis| n[axis] * p[axis]).sum();
            assert!(height > 1.0005, "{height}");
        }
    }
}
