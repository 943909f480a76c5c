//! The files of `testdata/io`, cut short and changed at random: a message of one line or a sound scene, and never a panic.

use crate::sample::Random;
use impinge_io::{LARGEST, LoadOptions, SceneFormat, parse_scene};
use std::path::Path;

/// Reads and checks; was it accepted?
fn survives(bytes: &[u8], format: SceneFormat) -> bool {
    match parse_scene(bytes, format, "damaged", &LoadOptions::default()) {
        Ok(scene) => {
            for part in &scene.parts {
                let mesh = scene.shapes[part.shape].to_mesh();
                let count = mesh.vertices.len();
                assert!(mesh.triangles.iter().flatten().all(|&corner| (corner as usize) < count));
                assert!(mesh.vertices.iter().flatten().all(|value| value.abs() <= LARGEST));
                assert!(part.node < scene.nodes.len() && part.placement.scale > 0.0);
            }
            for part in 0..scene.parts.len() {
                assert!(!scene.part_path(part).is_empty());
            }
            true
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with("damaged: ") && message.len() < 700, "{message}");
            assert!(!message.contains(['\n', '\r']), "{message}");
            false
        }
    }
}

fn files(folder: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/io").join(folder);
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().filter(|path| path.is_file()).map(|path| std::fs::read(path).unwrap()).collect()
}

const FORMATS: [(&str, SceneFormat); 9] = [
    ("stl", SceneFormat::Stl),
    ("obj", SceneFormat::Obj),
    ("ply", SceneFormat::Ply),
    ("off", SceneFormat::Off),
    ("gltf", SceneFormat::Gltf),
    ("glb", SceneFormat::Glb),
    ("urdf", SceneFormat::Urdf),
    ("dae", SceneFormat::Collada),
    ("toml", SceneFormat::Toml),
];

#[test]
fn cut_anywhere() {
    for (folder, format) in FORMATS {
        for bytes in files(folder) {
            for end in (0..bytes.len()).step_by(3) {
                survives(&bytes[..end], format);
            }
        }
    }
}

const WORDS: [&[u8]; 24] = [
    b"0",
    b"-1",
    b"1e300",
    b"4294967295",
    b"999999999999999999999",
    b"null",
    b"[",
    b"]",
    b"{",
    b"}",
    b"\"",
    b",",
    b"<",
    b"/>",
    b"\n",
    b"=",
    b"\\",
    b"inf",
    b"nan",
    b"\xff",
    b"byteStride",
    b"count",
    b"[[part]]\n",
    b"#",
];

#[test]
fn changed_at_random() {
    let mut random = Random::new(11);
    let (mut accepted, mut tried) = (0, 0);
    for (folder, format) in FORMATS {
        for original in files(folder) {
            for _ in 0..60 {
                let mut bytes = original.clone();
                for _ in 0..1 + random.below(3) {
                    let at = random.below(bytes.len() + 1);
                    match random.below(4) {
                        0 if at < bytes.len() => bytes[at] = random.bits() as u8,
                        1 => drop(bytes.drain(at..(at + random.below(9)).min(bytes.len()))),
                        2 => {
                            let end = (at + random.below(60)).min(bytes.len());
                            let copy = bytes[at..end].to_vec();
                            bytes.splice(at..at, copy);
                        }
                        _ => {
                            let word = WORDS[random.below(WORDS.len())];
                            bytes.splice(at..at, word.iter().copied());
                        }
                    }
                }
                accepted += usize::from(survives(&bytes, format));
                tried += 1;
            }
        }
    }
    // The damage is neither always fatal nor never seen.
    assert!(accepted > tried / 50 && accepted < tried, "{accepted} of {tried}");
}
