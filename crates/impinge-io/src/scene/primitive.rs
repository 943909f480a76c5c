//! Exact primitives as closed meshes.

use super::ShapeData;
use crate::mesh::MeshData;
use std::borrow::Cow;

/// Segments of a full turn: a power of two, so that all directions come from halving angles, which square roots do.
const SEGMENTS: usize = 64;

impl ShapeData {
    /// The triangles: a mesh as it is, a box exactly, a cylinder or ball as a closed mesh of 64 segments to the turn whose
    /// vertices lie on it, so that it is inside by up to 0.13 % of the radius.
    ///
    /// ```
    /// use impinge_io::ShapeData;
    /// let mesh = ShapeData::Box { size: [1.0, 2.0, 3.0] }.to_mesh().into_owned();
    /// assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (8, 12));
    /// ```
    pub fn to_mesh(&self) -> Cow<'_, MeshData> {
        match self {
            Self::Mesh(mesh) => Cow::Borrowed(mesh),
            Self::Box { size } => Cow::Owned(cuboid(*size)),
            Self::Cylinder { radius, length } => Cow::Owned(cylinder(*radius, *length)),
            Self::Sphere { radius } => Cow::Owned(sphere(*radius)),
        }
    }
}

fn cuboid(size: [f64; 3]) -> MeshData {
    let corner = |i: usize| {
        [0, 1, 2].map(|axis| if i >> axis & 1 == 0 { -0.5 * size[axis] } else { 0.5 * size[axis] })
    };
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    MeshData::new((0..8).map(corner).collect(), triangles)
}

/// Directions about a full turn, counter-clockwise from x.
fn directions() -> Vec<[f64; 2]> {
    // The first quarter by bisection: the direction between two unit vectors is their normalised sum.
    let mut quarter = vec![[1.0, 0.0], [0.0, 1.0]];
    while quarter.len() - 1 < SEGMENTS / 4 {
        let mut finer = vec![quarter[0]];
        for pair in quarter.windows(2) {
            let sum: [f64; 2] = [pair[0][0] + pair[1][0], pair[0][1] + pair[1][1]];
            let length = (sum[0] * sum[0] + sum[1] * sum[1]).sqrt();
            finer.extend([sum.map(|value| value / length), pair[1]]);
        }
        quarter = finer;
    }
    quarter.pop();
    let turned = |turns: usize, [x, y]: [f64; 2]| match turns {
        0 => [x, y],
        1 => [-y, x],
        2 => [-x, -y],
        _ => [y, -x],
    };
    (0..4).flat_map(|turns| quarter.iter().map(move |&d| turned(turns, d))).collect()
}

fn cylinder(radius: f64, length: f64) -> MeshData {
    let rim = directions();
    let ring = |z: f64| rim.iter().map(move |[x, y]| [radius * x, radius * y, z]);
    let half = 0.5 * length;
    let mut vertices: Vec<_> = ring(-half).chain(ring(half)).collect();
    let n = SEGMENTS as u32;
    vertices.extend([[0.0, 0.0, -half], [0.0, 0.0, half]]);
    let mut triangles = Vec::with_capacity(4 * SEGMENTS);
    for i in 0..n {
        let j = (i + 1) % n;
        triangles.extend([
            [i, j, n + j],
            [i, n + j, n + i],
            [2 * n, j, i],
            [2 * n + 1, n + i, n + j],
        ]);
    }
    MeshData::new(vertices, triangles)
}

fn sphere(radius: f64) -> MeshData {
    let turn = directions();
    let rings = SEGMENTS / 2 - 1;
    let mut vertices = vec![[0.0, 0.0, -radius], [0.0, 0.0, radius]];
    for ring in 1..=rings {
        // From the lowest ring up: the direction at a quarter turn less than zero comes first.
        let [out, up] = turn[(3 * SEGMENTS / 4 + ring) % SEGMENTS];
        let on_ring = |[x, y]: &[f64; 2]| [radius * out * x, radius * out * y, radius * up];
        vertices.extend(turn.iter().map(on_ring));
    }
    let n = SEGMENTS as u32;
    let at = |ring: u32, i: u32| 2 + ring * n + i % n;
    let last = rings as u32 - 1;
    let mut triangles = Vec::new();
    for i in 0..n {
        triangles.extend([[0, at(0, i + 1), at(0, i)], [1, at(last, i), at(last, i + 1)]]);
        for ring in 0..last {
            let (a, b) = (at(ring, i), at(ring, i + 1));
            let (c, d) = (at(ring + 1, i + 1), at(ring + 1, i));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    MeshData::new(vertices, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Six times the volume, by the divergence theorem.
    fn volume(mesh: &MeshData) -> f64 {
        let corners = |t: &[u32; 3]| t.map(|corner| mesh.vertices[corner as usize]);
        let signed = |[a, b, c]: [[f64; 3]; 3]| {
            a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
        };
        mesh.triangles.iter().map(|t| signed(corners(t))).sum::<f64>() / 6.0
    }

    #[test]
    fn closed_outward_and_of_the_right_size() {
        let pi = std::f64::consts::PI;
        for (shape, expected) in [
            (ShapeData::Box { size: [1.0, 2.0, 3.0] }, 6.0),
            (ShapeData::Cylinder { radius: 2.0, length: 3.0 }, 12.0 * pi),
            (ShapeData::Sphere { radius: 2.0 }, 32.0 / 3.0 * pi),
        ] {
            let mesh = shape.to_mesh();
            let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
            for t in &mesh.triangles {
                for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                    *edges.entry((a, b)).or_default() += 1;
                    *edges.entry((b, a)).or_default() -= 1;
                }
            }
            assert!(edges.values().all(|&count| count == 0), "{shape:?} is closed");
            let volume = volume(&mesh);
            assert!(volume <= expected * 1.000_001 && volume > expected * 0.99, "{volume}");
        }
    }
}
