//! Memory and time follow the size of the files, however often these name the same data.

use allocation_counter::measure;
use impinge_io::{ErrorKind, LoadOptions, SceneFormat, parse_scene, read_scene};
use std::fmt::Write as _;

/// The most bytes in use at a time, and what came of it.
fn peak(bytes: &[u8], format: SceneFormat) -> (u64, Result<usize, ErrorKind>) {
    let mut result = Ok(0);
    let used = measure(|| {
        let scene = parse_scene(bytes, format, "bomb", &LoadOptions::default());
        result = scene.map(|scene| scene.parts.len()).map_err(|error| error.kind());
    });
    (used.bytes_max, result)
}

/// A glTF of many meshes that use nearly the same large accessor, each a little different.
fn overlapping(meshes: usize, count: usize) -> String {
    let data = "A".repeat(16 * (count + meshes));
    let mut accessors = String::new();
    let mut list = String::new();
    let mut nodes = String::new();
    for i in 0..meshes {
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(
            accessors,
            r#"{comma}{{"bufferView":0,"byteOffset":{},"componentType":5126,"count":{count},"type":"VEC3"}}"#,
            12 * i
        );
        let _ = write!(
            list,
            r#"{comma}{{"primitives":[{{"attributes":{{"POSITION":{i}}},"mode":5}}]}}"#
        );
        let _ = write!(nodes, r#"{comma}{{"mesh":{i}}}"#);
    }
    let length = 12 * (count + meshes);
    format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}],"meshes":[{list}],"accessors":[{accessors}],
        "bufferViews":[{{"buffer":0,"byteLength":{length}}}],
        "buffers":[{{"byteLength":{length},"uri":"data:;base64,{data}"}}]}}"#
    )
}

#[test]
fn accessors_that_overlap() {
    // A few are accepted.
    let few = overlapping(4, 3000);
    let (used, result) = peak(few.as_bytes(), SceneFormat::Gltf);
    assert_eq!(result, Ok(4));
    assert!(used < 30 * few.len() as u64, "{used} for {}", few.len());
    // Thousands of overlapping meshes of thousands of triangles would be millions.
    let many = overlapping(1500, 9_000);
    let (used, result) = peak(many.as_bytes(), SceneFormat::Gltf);
    assert_eq!(result, Err(ErrorKind::TooMany));
    assert!(used < 400 * many.len() as u64, "{used} for {}", many.len());
}

#[test]
fn claims_without_bytes() {
    for json in [
        r#"{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
            "accessors":[{"componentType":5126,"count":4000000000,"type":"VEC3"}]}"#,
        r#"{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
            "accessors":[{"bufferView":0,"componentType":5126,"count":9007199254740992,"type":"VEC3"}],
            "bufferViews":[{"buffer":0,"byteLength":9007199254740992}],"buffers":[{"byteLength":9007199254740992,
            "uri":"data:;base64,AAAA"}]}"#,
    ] {
        let (used, result) = peak(json.as_bytes(), SceneFormat::Gltf);
        assert_eq!(result, Err(ErrorKind::Truncated));
        assert!(used < 16_384, "{used}");
    }
}

#[test]
fn a_mesh_that_is_stretched_in_thousands_of_ways() {
    let mut nodes = String::new();
    for i in 0..3_000 {
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(nodes, r#"{comma}{{"mesh":0,"scale":[1,1,{}.5]}}"#, i + 1);
    }
    let json = overlapping(1, 4_000);
    let json = json.replace(r#""nodes":[{"mesh":0}]"#, &format!(r#""nodes":[{nodes}]"#));
    let (used, result) = peak(json.as_bytes(), SceneFormat::Gltf);
    assert_eq!(result, Err(ErrorKind::TooMany));
    assert!(used < 600 * json.len() as u64, "{used} for {}", json.len());
}

#[test]
fn deep_and_broad_text() {
    let deep_xml = "<a>".repeat(100_000) + &"</a>".repeat(100_000);
    let (used, result) = peak(format!("<robot>{deep_xml}</robot>").as_bytes(), SceneFormat::Urdf);
    assert_eq!(result, Err(ErrorKind::Malformed));
    assert!(used < 60_000_000, "{used}");
    let deep_toml = format!("a = {}{}", "[".repeat(50_000), "]".repeat(50_000));
    assert_eq!(peak(deep_toml.as_bytes(), SceneFormat::Toml).1, Err(ErrorKind::Malformed));
    let deep_json = "[".repeat(300_000);
    assert_eq!(peak(deep_json.as_bytes(), SceneFormat::Gltf).1, Err(ErrorKind::Truncated));
    let namespaces: String = (0..5000).map(|i| format!("<a xmlns:n{i}=\"u{i}\">")).collect();
    assert_eq!(peak(namespaces.as_bytes(), SceneFormat::Urdf).1, Err(ErrorKind::TooMany));
}

/// Ten scenes, each of which names the next ten times: 10^10 parts from a few hundred bytes.
#[test]
fn scenes_that_double() {
    let folder = std::env::temp_dir().join(format!("impinge-io-doubling-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for level in 0..10 {
        let text = format!("[[part]]\nfile = \"{}.toml\"\n", level + 1).repeat(10);
        std::fs::write(folder.join(format!("{level}.toml")), text).unwrap();
    }
    std::fs::write(folder.join("10.toml"), "[[part]]\nsphere = 1\n").unwrap();
    let mut error = None;
    let used = measure(|| error = read_scene(folder.join("0.toml"), &LoadOptions::default()).err());
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(error.unwrap().kind(), ErrorKind::TooMany);
    assert!(used.bytes_max < 100_000_000, "{}", used.bytes_max);
}
