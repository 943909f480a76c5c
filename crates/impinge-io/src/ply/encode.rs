//! Writing: coordinates as `double`, corners as `uint`.

use crate::mesh::MeshData;
use std::io::Write as _;

fn header(mesh: &MeshData, format: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Writing to a vector does not fail.
    let _ = writeln!(bytes, "ply\nformat {format} 1.0\nelement vertex {}", mesh.vertices.len());
    for axis in ["x", "y", "z"] {
        let _ = writeln!(bytes, "property double {axis}");
    }
    let _ = writeln!(bytes, "element face {}", mesh.triangles.len());
    let _ = writeln!(bytes, "property list uchar uint vertex_indices\nend_header");
    bytes
}

/// A text file.
pub(crate) fn text(mesh: &MeshData) -> Vec<u8> {
    let mut bytes = header(mesh, "ascii");
    for [x, y, z] in &mesh.vertices {
        let _ = writeln!(bytes, "{x:?} {y:?} {z:?}");
    }
    for [a, b, c] in &mesh.triangles {
        let _ = writeln!(bytes, "3 {a} {b} {c}");
    }
    bytes
}

/// A binary file.
pub(crate) fn binary(mesh: &MeshData, order: Order) -> Vec<u8> {
    let mut bytes = match order {
        Order::LittleEndian => header(mesh, "binary_little_endian"),
        Order::BigEndian => header(mesh, "binary_big_endian"),
    };
    bytes.reserve(24 * mesh.vertices.len() + 13 * mesh.triangles.len());
    for &value in mesh.vertices.as_flattened() {
        bytes.extend_from_slice(&match order {
            Order::LittleEndian => value.to_le_bytes(),
            Order::BigEndian => value.to_be_bytes(),
        });
    }
    for triangle in &mesh.triangles {
        bytes.push(3);
        for corner in triangle {
            bytes.extend_from_slice(&match order {
                Order::LittleEndian => corner.to_le_bytes(),
                Order::BigEndian => corner.to_be_bytes(),
            });
        }
    }
    bytes
}

/// Which byte of a number comes first.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    LittleEndian,
    BigEndian,
}
