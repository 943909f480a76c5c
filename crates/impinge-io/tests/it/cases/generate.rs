//! The binary files of `testdata/io`, made here byte by byte. A test compares them with what is in the folder; with the
//! environment variable `WRITE_CASES` set it writes them.

use crate::scene::gltf::binary;
use impinge_io::{Encoding, MeshData, encode};

/// A tetrahedron whose inside is inside.
fn tetrahedron() -> MeshData {
    let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    MeshData::new(vertices, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
}

const JSON: &str = r#"{"asset":{"version":"2.0"},"nodes":[{"name":"tetra","mesh":0}],"meshes":[{"primitives":[{"attributes":
{"POSITION":0},"indices":1}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},{"bufferView":1,
"componentType":5123,"count":12,"type":"SCALAR"}],"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,
"byteLength":24}],"buffers":[{"byteLength":72}]}"#;

fn data() -> Vec<u8> {
    let mesh = tetrahedron();
    let mut data: Vec<u8> = Vec::new();
    for value in mesh.vertices.iter().flatten() {
        data.extend((*value as f32).to_le_bytes());
    }
    for corner in mesh.triangles.iter().flatten() {
        data.extend((*corner as u16).to_le_bytes());
    }
    data
}

fn chunk(kind: &[u8; 4], bytes: &[u8]) -> Vec<u8> {
    let mut chunk = (bytes.len() as u32).to_le_bytes().to_vec();
    chunk.extend(kind);
    chunk.extend(bytes);
    chunk
}

fn container(version: u32, chunks: &[Vec<u8>]) -> Vec<u8> {
    let body = chunks.concat();
    let mut file = b"glTF".to_vec();
    file.extend(version.to_le_bytes());
    file.extend((12 + body.len() as u32).to_le_bytes());
    file.extend(body);
    file
}

fn glb() -> Vec<(&'static str, Vec<u8>)> {
    let plain = binary(JSON, &data());
    let json = |text: &str| chunk(b"JSON", text.as_bytes());
    let padded = [JSON.as_bytes(), &[0; 6]].concat();
    let longer = [plain.clone(), vec![7; 5]].concat();
    let bytes = plain.clone();
    let mut too_long = plain.clone();
    too_long[12..16].copy_from_slice(&60_000u32.to_le_bytes());
    vec![
        ("glb/plain.glb", plain.clone()),
        (
            "glb/padded_with_zeros.glb",
            container(2, &[chunk(b"JSON", &padded), chunk(b"BIN\0", &data())]),
        ),
        (
            "glb/foreign_chunk.glb",
            container(2, &[json(JSON), chunk(b"ACME", b"hello"), chunk(b"BIN\0", &data())]),
        ),
        ("glb/longer.glb", longer),
        ("glb/no_data.glb", container(2, &[json(r#"{"asset":{"version":"2.0"}}"#)])),
        ("glb/cut.glb", bytes[..bytes.len() - 20].to_vec()),
        ("glb/cut_header.glb", bytes[..10].to_vec()),
        ("glb/version_1.glb", container(1, &[json(JSON)])),
        ("glb/chunk_too_long.glb", too_long),
        ("glb/data_first.glb", container(2, &[chunk(b"BIN\0", &data()), json(JSON)])),
        ("glb/missing_chunk.glb", container(2, &[json(JSON)])),
        ("glb/no_utf8.glb", container(2, &[chunk(b"JSON", b"{\"asset\": \"\xff\"}")])),
        ("glb/bad_json.glb", container(2, &[json(r#"{"asset":{"version":"2.0""#)])),
    ]
}

fn stl() -> Vec<(&'static str, Vec<u8>)> {
    let plain = encode(&tetrahedron(), Encoding::StlBinary, "tetra").unwrap();
    let with_header = |header: &[u8]| {
        let mut bytes = plain.clone();
        bytes[..header.len()].copy_from_slice(header);
        bytes
    };
    let with_count = |count: u32| {
        let mut bytes = plain.clone();
        bytes[80..84].copy_from_slice(&count.to_le_bytes());
        bytes
    };
    let mut coloured = with_header(b"COLOR=\x80\x80\x80\xff UNITS=mm");
    for triangle in 0..4 {
        coloured[84 + 50 * triangle + 48..][..2].copy_from_slice(&[0x1f, 0x80]);
    }
    let mut infinite = plain.clone();
    infinite[84 + 50 + 12..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    vec![
        ("stl/binary.stl", plain.clone()),
        ("stl/solid_binary.stl", with_header(b"solid made by a program that should know better")),
        ("stl/attributes.stl", coloured),
        ("stl/padded.stl", [plain.clone(), vec![0; 10]].concat()),
        ("stl/cut_binary.stl", plain[..200].to_vec()),
        ("stl/wrong_count.stl", with_count(1)),
        ("stl/huge_count.stl", with_count(u32::MAX)),
        ("stl/nan_binary.stl", infinite),
        ("stl/short.stl", plain[..70].to_vec()),
    ]
}

/// Every binary file with its name.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let ply = encode(&tetrahedron(), Encoding::PlyBigEndian, "tetra").unwrap();
    let cut = ply[..ply.len() - 3].to_vec();
    [glb(), stl(), vec![("ply/big_endian.ply", ply), ("ply/cut_binary.ply", cut)]].concat()
}

#[test]
fn binary_files_are_as_made_here() {
    for (name, bytes) in files() {
        let path = super::folder().join(name);
        if std::env::var_os("WRITE_CASES").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(std::fs::read(&path).unwrap() == bytes, "{name}");
    }
}
