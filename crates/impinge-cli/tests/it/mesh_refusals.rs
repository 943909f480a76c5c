//! Meshes that are refused: which file, where in it, and why.

use crate::command::{answers, error};
use crate::folder::{Folder, block};
use impinge_io::Encoding;
use serde_json::json;

/// A question about a mesh and a point at (1, 0, 0).
fn about(mesh: &str) -> String {
    let point = r#"{"vertices":[[1,0,0]],"triangles":[[0,0,0]]}"#;
    format!(r#"{{"id":1,"ask":"verdict","a":{{"mesh":{mesh}}},"b":{{"mesh":{point}}}}}"#)
}

#[test]
fn every_error_names_the_place() {
    let triangle = r#""vertices":[[0,0,0],[1,0,0],[0,1,0]],"triangles":[[0,1,2]]"#;
    let with = |rest: &str| about(&format!("{{{triangle},{rest}}}"));
    let vertices = |text: &str| about(&format!(r#"{{"vertices":{text},"triangles":[[0,0,0]]}}"#));
    let triangles = |text: &str| about(&format!(r#"{{"vertices":[[0,0,0]],"triangles":{text}}}"#));
    let cases = [
        (about("7"), &["a.mesh is a number", "object"][..]),
        (about("{}"), &["a.mesh has no triangles", "\"file\"", "\"vertices\""]),
        (about(r#"{"solid":true}"#), &["a.mesh has no triangles"]),
        (about(r#"{"file":"x.stl","triangles":[]}"#), &["a.mesh", "\"file\"", "either"]),
        (about(r#"{"file":7}"#), &["a.mesh.file is a number", "string"]),
        (about(r#"{"name":"x.stl"}"#), &["a.mesh", "unknown field \"name\"", "\"file\""]),
        (about(r#"{"vertices":[[0,0,0]]}"#), &["a.mesh lacks", "\"triangles\""]),
        (about(r#"{"triangles":[[0,0,0]]}"#), &["a.mesh lacks", "\"vertices\""]),
        (with(r#""scale":0"#), &["a.mesh.scale is 0", "above zero"]),
        (with(r#""scale":-2"#), &["a.mesh.scale is -2", "above zero"]),
        (with(r#""scale":1e80"#), &["a.mesh.scale is 1", "2^250"]),
        (with(r#""scale":"1""#), &["a.mesh.scale is a string"]),
        (with(r#""solid":1"#), &["a.mesh.solid is a number", "true or false"]),
        (with(r#""solid":"yes""#), &["a.mesh.solid is a string", "true or false"]),
        (vertices("[[0,0]]"), &["a.mesh.vertices[0] has 2 numbers"]),
        (vertices("[[0,0,1e999]]"), &["a.mesh.vertices[0][2] is 1e999"]),
        (vertices("[[0,0,0],[0,1e99,0]]"), &["a.mesh: vertices[1]", "2^250"]),
        (triangles("[]"), &["a.mesh", "no triangles"]),
        (triangles("[[0,0,0],[0,0,1]]"), &["a.mesh: triangles[1] refers to vertex 1", "1 vertices"]),
        (triangles("[[0,0]]"), &["a.mesh.triangles[0] has 2 numbers"]),
        (triangles("[[0,0.5,0]]"), &["a.mesh.triangles[0] is [0,0.5,0]", "whole numbers"]),
        (triangles("[[0,-1,0]]"), &["a.mesh.triangles[0]", "whole numbers"]),
        (triangles("[[0,4294967296,0]]"), &["a.mesh.triangles[0]", "whole numbers"]),
        (triangles("[0]"), &["a.mesh.triangles[0] is a number"]),
        (
            r#"{"ask":"verdict","a":{"mesh":{"file":"x.stl"},"round":1},"b":{"sphere":{"radius":1}}}"#
                .into(),
            &["a is a mesh", "\"round\""],
        ),
    ];
    for (line, words) in cases {
        let error = error(&line);
        for word in words {
            assert!(error.contains(word), "{line}\n{error}\nlacks {word}");
        }
    }
}

#[test]
fn files_are_named_with_line_or_byte_and_the_rest_goes_on() {
    let folder = Folder::new();
    let good = folder.write("good.stl", &block([1.0; 3]), Encoding::StlBinary);
    let index = folder.write_text("index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n");
    let number = folder.write_text("number.off", "OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n");
    let empty = folder.write_text("empty.obj", "v 0 0 0\n");
    let strange = folder.write_text("strange.txt", "nothing of interest\n");
    let cut = folder.path().join("cut.ply");
    let bytes = impinge_io::encode(&block([1.0; 3]), Encoding::PlyLittleEndian, "cut.ply").unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() - 7]).unwrap();
    let cut = json!(cut).to_string();
    let missing = json!(folder.path().join("missing.ply")).to_string();
    let cases = [
        (&missing, &["missing.ply", "cannot read"][..]),
        (&index, &["index.obj: line 4"]),
        (&number, &["number.off: line 4"]),
        (&empty, &["empty.obj", "no triangles"]),
        (&strange, &["strange.txt"]),
        (&cut, &["cut.ply: byte "]),
    ];
    // Every bad file twice, with good ones between: what failed once fails alike.
    let mut input = String::new();
    for (file, _) in cases.iter().chain(&cases) {
        for file in [file, &&good] {
            input += &(about(&format!(r#"{{"file":{file}}}"#)) + "\n");
        }
    }
    let (found, code) = answers(&input);
    assert_eq!((found.len(), code), (4 * cases.len(), 2));
    for (place, (_, words)) in cases.iter().chain(&cases).enumerate() {
        let (bad, good) = (&found[2 * place], &found[2 * place + 1]);
        let error = bad["error"].as_str().unwrap();
        assert!(error.starts_with(&format!("line {}: a.mesh.file: ", 2 * place + 1)), "{error}");
        assert!(words.iter().all(|word| error.contains(word)), "{error} lacks one of {words:?}");
        assert_eq!((&bad["id"], &good["verdict"]), (&json!(1), &json!("touching")));
    }
}
