//! Closed meshes for tests, with vertices where the tests want them.

use crate::soup::{Numbers, Raw};
use impinge::Mesh;

/// A mesh of vertices and faces that are known to be valid.
pub(crate) fn mesh((vertices, faces): &Raw) -> Mesh {
    Mesh::new(vertices, faces).expect("valid")
}

/// A box between two corners; each side is a grid of `cells` by `cells` squares, halved by either diagonal.
pub(crate) fn block(low: [f64; 3], high: [f64; 3], cells: u32, other_diagonal: bool) -> Raw {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        for end in [false, true] {
            let first = vertices.len() as u32;
            for i in 0..=cells {
                for j in 0..=cells {
                    let mut p = [0.0; 3];
                    let at = |k: usize, i: u32| match i {
                        0 => low[k],
                        _ if i == cells => high[k],
                        _ => low[k] + (high[k] - low[k]) * f64::from(i) / f64::from(cells),
                    };
                    p[axis] = if end { high[axis] } else { low[axis] };
                    (p[(axis + 1) % 3], p[(axis + 2) % 3]) =
                        (at((axis + 1) % 3, i), at((axis + 2) % 3, j));
                    vertices.push(p);
                }
            }
            for i in 0..cells {
                for j in 0..cells {
                    let at = |i: u32, j: u32| first + i * (cells + 1) + j;
                    let corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                    let pair = if other_diagonal {
                        [[1, 2, 3], [1, 3, 0]]
                    } else {
                        [[0, 1, 2], [0, 2, 3]]
                    };
                    for [a, b, c] in pair {
                        let face = [corners[a], corners[b], corners[c]];
                        faces.push(if end { face } else { [face[0], face[2], face[1]] });
                    }
                }
            }
        }
    }
    (vertices, faces)
}

/// Two meshes as one.
pub(crate) fn both(a: &Raw, b: &Raw) -> Raw {
    let first = a.0.len() as u32;
    let vertices = a.0.iter().chain(&b.0).copied().collect();
    let moved = b.1.iter().map(|face| face.map(|index| index + first));
    (vertices, a.1.iter().copied().chain(moved).collect())
}

/// The same surface, seen from the other side.
pub(crate) fn turned_over((vertices, faces): &Raw) -> Raw {
    (vertices.clone(), faces.iter().map(|[a, b, c]| [*a, *c, *b]).collect())
}

/// A torus of squares around the z axis, around the origin: not convex, with a hole.
pub(crate) fn torus(large: f64, small: f64, around: u32, across: u32) -> Raw {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for i in 0..around {
        for j in 0..across {
            let turn = std::f64::consts::TAU;
            let (u, v) =
                (f64::from(i) / f64::from(around) * turn, f64::from(j) / f64::from(across) * turn);
            let radius = large + small * v.cos();
            vertices.push([radius * u.cos(), radius * u.sin(), small * v.sin()]);
            let at = |i: u32, j: u32| (i % around) * across + j % across;
            let corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            faces.push([corners[0], corners[1], corners[2]]);
            faces.push([corners[0], corners[2], corners[3]]);
        }
    }
    (vertices, faces)
}

/// A tetrahedron with corners on a lattice, its faces outwards; not flat.
pub(crate) fn tetrahedron(numbers: &mut Numbers, size: usize) -> Raw {
    loop {
        let corners = [(); 4].map(|()| [(); 3].map(|()| numbers.below(size) as f64));
        let edge = |i: usize| [0, 1, 2].map(|k| corners[i][k] - corners[0][k]);
        let [a, b, c] = [edge(1), edge(2), edge(3)];
        let volume = a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0]);
        let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        if volume > 0.0 {
            return (corners.to_vec(), faces);
        } else if volume < 0.0 {
            return turned_over(&(corners.to_vec(), faces));
        }
    }
}

/// Every face with corners of its own, as in STL files.
pub(crate) fn unwelded((vertices, faces): &Raw) -> Raw {
    let corners = faces.iter().flatten().map(|index| vertices[*index as usize]).collect();
    (corners, (0..faces.len() as u32).map(|face| [3 * face, 3 * face + 1, 3 * face + 2]).collect())
}
