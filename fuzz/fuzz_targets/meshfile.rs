//! Any bytes as a mesh file of every format: no panic, sound meshes, and what was read can be written and read again.
#![no_main]

use impinge_io::{Encoding, ErrorKind, Format, LARGEST, MeshData, detect, encode, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // The format told by the content must be one of those that are tried below.
    let _ = detect(bytes, "file");
    for format in Format::ALL {
        match parse(bytes, format, "file") {
            Ok(mesh) => {
                check_sound(&mesh);
                check_round_trips(&mesh);
            }
            Err(error) => {
                let message = error.to_string();
                assert!(message.starts_with("file: ") && message.len() < 500, "{message}");
                assert!(!message.contains(['\n', '\r']), "{message}");
            }
        }
    }
});

fn check_sound(mesh: &MeshData) {
    let count = mesh.vertices.len();
    assert!(mesh.triangles.iter().flatten().all(|&corner| (corner as usize) < count));
    assert!(mesh.vertices.iter().flatten().all(|value| value.abs() <= LARGEST));
    let mut end = 0;
    for part in &mesh.parts {
        assert!(end <= part.triangles.start && part.triangles.start < part.triangles.end);
        end = part.triangles.end;
    }
    assert!(end <= mesh.triangles.len());
}

fn corners(mesh: &MeshData) -> Vec<[[f64; 3]; 3]> {
    mesh.triangles.iter().map(|t| t.map(|corner| mesh.vertices[corner as usize])).collect()
}

fn check_round_trips(mesh: &MeshData) {
    for encoding in Encoding::ALL {
        let bytes = match encode(mesh, encoding, "again") {
            Ok(bytes) => bytes,
            Err(error) => {
                // Binary STL has f32 only.
                assert!(encoding == Encoding::StlBinary && error.kind() == ErrorKind::Number);
                continue;
            }
        };
        // An OBJ without statements has no mark of its own.
        if encoding != Encoding::Obj {
            assert_eq!(detect(&bytes, "again").ok(), Some(encoding.format()));
        }
        let again = parse(&bytes, encoding.format(), "again").unwrap();
        match encoding {
            Encoding::StlBinary => assert_eq!(again.triangles.len(), mesh.triangles.len()),
            Encoding::StlText => assert_eq!(corners(&again), corners(mesh)),
            _ => {
                assert_eq!(again.vertices, mesh.vertices);
                assert_eq!(again.triangles, mesh.triangles);
            }
        }
    }
}
