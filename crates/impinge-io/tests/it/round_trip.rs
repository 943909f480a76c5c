//! What is written is what is read.

use crate::sample::{Random, bits, corners, cube, soup};
use impinge_io::{
    Encoding, ErrorKind, Format, MeshData, PartRange, detect, encode, parse, read, write, write_as,
};
use std::path::PathBuf;

/// A folder of its own, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("impinge-io-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn there_and_back(mesh: &MeshData, encoding: Encoding) -> MeshData {
    let bytes = encode(mesh, encoding, "there").unwrap();
    parse(&bytes, encoding.format(), "back").unwrap()
}

#[test]
fn text_and_ply_keep_every_bit_and_all_indices() {
    let mut random = Random::new(1);
    for _ in 0..500 {
        let mesh = soup(&mut random);
        for encoding in Encoding::ALL.into_iter().filter(|e| e.format() != Format::Stl) {
            let back = there_and_back(&mesh, encoding);
            assert_eq!(bits(&back), bits(&mesh), "{encoding:?}");
            assert_eq!(back.triangles, mesh.triangles, "{encoding:?}");
            let parts = if encoding == Encoding::Obj { mesh.parts.clone() } else { Vec::new() };
            assert_eq!(back.parts, parts, "{encoding:?}");
        }
    }
}

#[test]
fn stl_keeps_corners_and_joins_equal_ones() {
    let mut random = Random::new(2);
    for round in 0..500 {
        let mut mesh = soup(&mut random);
        let wide = round % 2 == 0;
        for vertex in mesh.vertices.iter_mut().filter(|_| !wide) {
            // Within f32, which is all that the binary kind has.
            *vertex = vertex.map(|v| if v.abs() > 1e38 { 3.5 } else { f64::from(v as f32) });
        }
        for encoding in
            [Encoding::StlText, Encoding::StlBinary].into_iter().take(2 - usize::from(wide))
        {
            let back = there_and_back(&mesh, encoding);
            assert_eq!(corners(&back), corners(&mesh), "{encoding:?}");
            for (i, a) in back.vertices.iter().enumerate() {
                assert!(!back.vertices[..i].contains(a), "{encoding:?} has {a:?} twice");
            }
            let parts = if encoding == Encoding::StlText { mesh.parts.clone() } else { Vec::new() };
            assert_eq!(back.parts, parts, "{encoding:?}");
        }
    }
}

#[test]
fn a_cube_stays_closed() {
    for encoding in Encoding::ALL {
        let back = there_and_back(&cube(), encoding);
        assert_eq!((back.vertices.len(), back.triangles.len()), (8, 12), "{encoding:?}");
        let edges = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        let all: Vec<_> = back.triangles.iter().flat_map(edges).collect();
        assert!(all.iter().all(|[a, b]| all.contains(&[*b, *a])), "{encoding:?}");
    }
}

#[test]
fn stl_normals_point_outwards() {
    let bytes = encode(&cube(), Encoding::StlBinary, "cube").unwrap();
    for record in bytes[84..].chunks(50) {
        let number = |i: usize| f32::from_le_bytes(record[4 * i..4 * i + 4].try_into().unwrap());
        let outwards: f32 =
            (0..3).map(|i| number(i) * (number(i + 3) + number(i + 6) + number(i + 9))).sum();
        let length: f32 = (0..3).map(|i| number(i) * number(i)).sum();
        assert!(outwards > 0.0 && length == 1.0);
    }
}

#[test]
fn meshes_without_triangles_or_vertices() {
    for mesh in [MeshData::default(), MeshData::new(vec![[1.0, 2.0, 3.0]], Vec::new())] {
        for encoding in Encoding::ALL {
            let back = there_and_back(&mesh, encoding);
            let vertices = if encoding.format() == Format::Stl { 0 } else { mesh.vertices.len() };
            assert_eq!((back.vertices.len(), back.triangles.len()), (vertices, 0), "{encoding:?}");
        }
    }
}

#[test]
fn through_files() {
    let folder = Folder::new("files");
    for format in Format::ALL {
        let path = folder.0.join("cube").with_extension(format.extension());
        write(&path, &cube()).unwrap();
        assert_eq!(corners(&read(&path).unwrap()), corners(&cube()));
    }
    // The content decides, not the extension.
    for encoding in Encoding::ALL.into_iter().filter(|encoding| *encoding != Encoding::Obj) {
        let path = folder.0.join("wrong.obj");
        write_as(&path, &cube(), encoding).unwrap();
        assert_eq!(detect(&std::fs::read(&path).unwrap(), &path).unwrap(), encoding.format());
        assert_eq!(corners(&read(&path).unwrap()), corners(&cube()), "{encoding:?}");
    }
    let error = write(folder.0.join("cube.wrl"), &cube()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownFormat);
    assert!(
        error.to_string().ends_with("STL (.stl), OBJ (.obj), PLY (.ply), OFF (.off)"),
        "{error}"
    );
    let error = read(folder.0.join("absent.stl")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(std::error::Error::source(&error).is_some() && error.file().ends_with("absent.stl"));
    assert_eq!(read(&folder.0).unwrap_err().kind(), ErrorKind::Io);
    assert_eq!(
        write(folder.0.join("no/such/folder.stl"), &cube()).unwrap_err().kind(),
        ErrorKind::Io
    );
}

#[test]
fn names_stay_on_their_line() {
    let mut mesh = cube();
    mesh.parts = vec![
        PartRange { name: "left\nf 1 2  3\0".into(), triangles: 0..2 },
        PartRange { name: " \n ".into(), triangles: 2..4 },
        PartRange { name: "right".into(), triangles: 4..12 },
    ];
    for encoding in [Encoding::Obj, Encoding::StlText] {
        let bytes = encode(&mesh, encoding, "named").unwrap();
        assert_eq!(detect(&bytes, "named").ok(), Some(encoding.format()));
        let back = parse(&bytes, encoding.format(), "named").unwrap();
        assert_eq!(corners(&back), corners(&mesh));
        let names: Vec<_> =
            back.parts.iter().map(|part| (part.name.as_str(), part.triangles.clone())).collect();
        assert_eq!(names, [("left f 1 2  3", 0..2), ("right", 4..12)]);
    }
}

/// What could not be read back is not written.
#[test]
fn refusals() {
    let refusal = |change: fn(&mut MeshData), encoding| {
        let mut mesh = cube();
        change(&mut mesh);
        encode(&mesh, encoding, "cube").unwrap_err().to_string()
    };
    for encoding in Encoding::ALL {
        let message = refusal(|mesh| mesh.vertices[3][1] = f64::NAN, encoding);
        assert!(
            message.starts_with("cube: vertices[3] holds NaN, which is not a finite"),
            "{message}"
        );
        let message = refusal(|mesh| mesh.vertices[7][2] = 1e76, encoding);
        assert!(
            message.starts_with("cube: vertices[7] holds 1e76, which is too large"),
            "{message}"
        );
        let message = refusal(|mesh| mesh.triangles[5][1] = 8, encoding);
        assert_eq!(message, "cube: triangles[5] refers to vertex 8, but there are 8");
        let message = refusal(
            |mesh| mesh.parts = vec![PartRange { name: "a".into(), triangles: 4..13 }],
            encoding,
        );
        assert!(message.starts_with("cube: parts[0] is triangles 4..13"), "{message}");
    }
    let message = refusal(|mesh| mesh.vertices[2][0] = 1e39, Encoding::StlBinary);
    assert!(message.starts_with("cube: vertices[2] is beyond the largest f32"), "{message}");
}
