//! Meshes from files and from lines: every question, known by hand or by comparing all triangles with all.

use crate::command::{answer, answers, impinge, numbers};
use crate::folder::{Folder, block, inline};
use impinge::geom::triangle::{self, TriangleVerdict};
use impinge::geom::{Pose, glam::DVec3};
use impinge_io::{Encoding, MeshData};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

/// A question about two bodies.
pub(crate) fn ask(what: &str, a: &str, b: &str) -> String {
    format!(r#"{{"ask":"{what}","a":{{{a}}},"b":{{{b}}}}}"#)
}

/// The member that places a body.
pub(crate) fn at(translation: [f64; 3]) -> String {
    format!(r#","pose":{{"translation":{translation:?}}}"#)
}

pub(crate) fn unit_block() -> MeshData {
    block([1.0; 3])
}

#[test]
fn every_format_is_read_also_by_a_relative_path() {
    let folder = Folder::new();
    for encoding in Encoding::ALL {
        let extension = match encoding {
            Encoding::StlBinary | Encoding::StlText => "stl",
            Encoding::Obj => "obj",
            Encoding::Off => "off",
            _ => "ply",
        };
        let place = folder.write(&format!("part.{extension}"), &unit_block(), encoding);
        let line = |file: &str| {
            let mesh = format!(r#""mesh":{{"file":{file}}}"#);
            ask("distance", &mesh, &format!("{mesh}{}", at([3.0, 0.5, 0.25])))
        };
        let found = answer(&line(&place));
        assert_eq!(found["verdict"], "separated", "{encoding:?}: {found}");
        assert_eq!((&found["distance"], &found["method"]), (&json!(1.0), &json!("exact")));
        assert_eq!((&found["points"][0][0], &found["points"][1][0]), (&json!(1.0), &json!(2.0)));
        let mut child = impinge(&["query"])
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let relative = line(&format!("\"part.{extension}\""));
        child.stdin.take().unwrap().write_all(relative.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap(), found);
    }
}

#[test]
fn features_count_in_the_mesh() {
    // The corner 7 of A points at the inside of a triangle of B; then two edges cross at a distance.
    let flat = MeshData::new(
        vec![[9.0; 3], [3.0, -9.0, -9.0], [3.0, 9.0, 0.0], [3.0, -9.0, 9.0]],
        vec![[0, 0, 0], [1, 2, 3]],
    );
    let corner = MeshData::new(
        vec![[0.0, 1.0, 0.0], [0.0, -1.0, 1.0], [0.0, -1.0, -1.0], [2.0, 0.0, 0.0]],
        vec![[0, 1, 2], [0, 1, 3]],
    );
    let found = answer(&ask("distance", &inline(&corner, ""), &inline(&flat, "")));
    assert_eq!(found["distance"], json!(1.0));
    let features = json!([{"kind": "vertex", "index": 3}, {"kind": "face", "index": 1}]);
    assert_eq!(found["features"], features, "{found}");
    let along_y = MeshData::new(
        vec![[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]],
        vec![[2, 2, 2], [2, 2, 2], [2, 0, 1]],
    );
    let along_z =
        MeshData::new(vec![[1.0, 0.25, -1.0], [1.0, 0.25, 1.0], [2.0, 0.25, 0.0]], vec![[0, 1, 2]]);
    let found = answer(&ask("distance", &inline(&along_y, ""), &inline(&along_z, "")));
    assert_eq!(found["points"], json!([[0.0, 0.25, 0.0], [1.0, 0.25, 0.0]]));
    let features = json!([{"kind": "edge", "index": 7}, {"kind": "edge", "index": 0}]);
    assert_eq!(found["features"], features, "{found}");
}

#[test]
fn pairs_come_sorted_and_beside_the_other_fields() {
    let (a, b) = (inline(&unit_block(), ""), inline(&unit_block(), ""));
    // Flush along x: only the triangles of A's side x and those at its rim can touch B's side −x.
    let line = ask("pairs", &a, &format!("{b}{}", at([2.0, 0.0, 0.0])));
    let found = answer(&line);
    assert_eq!(found.as_object().unwrap().len(), 9);
    for null in ["id", "verdict", "inside", "distance", "method", "points", "features", "t"] {
        assert_eq!(found[null], Value::Null);
    }
    let pairs = found["pairs"].as_array().unwrap();
    for own in [2, 3] {
        for other in [0, 1] {
            assert!(pairs.contains(&json!([own, other])), "{found}");
        }
    }
    let indices = |pair: &Value| numbers(pair).iter().map(|i| *i as u32).collect::<Vec<_>>();
    assert!(pairs.is_sorted_by_key(indices) && pairs.len() > 4);
    let apart = answer(&ask("pairs", &a, &format!("{b}{}", at([2.0f64.next_up(), 0.0, 0.0]))));
    assert_eq!(apart["pairs"], json!([]));
    let verdict = answer(&ask("verdict", &a, &b));
    assert_eq!(verdict.as_object().unwrap().len(), 8, "no other answer has pairs");
}

/// A deterministic stream of numbers between −1 and 1 (xorshift of G. Marsaglia, 2003).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn point(&mut self, size: f64) -> [f64; 3] {
        [self.next() * size, self.next() * size, self.next() * size]
    }
}

/// Small triangles anywhere.
fn soup(numbers: &mut Numbers, count: u32) -> MeshData {
    let mut vertices = Vec::new();
    for _ in 0..count {
        let centre = numbers.point(1.0);
        for _ in 0..3 {
            let offset = numbers.point(0.2);
            vertices.push([0, 1, 2].map(|axis| centre[axis] + offset[axis]));
        }
    }
    MeshData::new(vertices, (0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect())
}

/// The corners of a triangle where the line says they are.
fn corners(mesh: &MeshData, face: [u32; 3], scale: f64, pose: &Pose) -> [DVec3; 3] {
    face.map(|index| {
        pose.transform_point(DVec3::from_array(mesh.vertices[index as usize].map(|x| x * scale)))
    })
}

#[test]
fn pairs_verdicts_and_distances_are_those_of_all_triangles_with_all() {
    let mut stream = Numbers(0x9e37_79b9_7f4a_7c15);
    let folder = Folder::new();
    let meshes = [soup(&mut stream, 60), soup(&mut stream, 90)];
    let file = |k: usize| folder.write(&format!("{k}.ply"), &meshes[k], Encoding::PlyLittleEndian);
    let files = [file(0), file(1)];
    let (mut input, mut expected) = (String::new(), Vec::new());
    for round in 0..60 {
        let [scale_a, scale_b] = [[1.0, 1.0], [1.0, 0.5], [2.5, 0.75]][round % 3];
        let reach = [0.3, 1.5, 4.0][round / 3 % 3];
        let pose = |numbers: &mut Numbers| {
            let q = [1.0, numbers.next(), numbers.next(), numbers.next()];
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            (q.map(|x| x / length), numbers.point(reach))
        };
        let (a, b) = (pose(&mut stream), pose(&mut stream));
        let body = |k: usize, scale: f64, (rotation, translation): ([f64; 4], [f64; 3])| {
            format!(
                r#""mesh":{{"file":{},"scale":{scale}}},"pose":{{"rotation":{rotation:?},"translation":{translation:?}}}"#,
                files[k]
            )
        };
        let (first, second) = (body(0, scale_a, a), body(1, scale_b, b));
        for what in ["verdict", "distance", "pairs"] {
            input += &(ask(what, &first, &second) + "\n");
        }
        let (a, b) = (Pose::new(a.0, a.1).unwrap(), Pose::new(b.0, b.1).unwrap());
        let b_in_a = a.relative(&b);
        let (mut pairs, mut crossing, mut nearest) = (Vec::new(), false, f64::INFINITY);
        for (i, face) in meshes[0].triangles.iter().enumerate() {
            let own = corners(&meshes[0], *face, scale_a, &Pose::IDENTITY);
            for (j, face) in meshes[1].triangles.iter().enumerate() {
                let other = corners(&meshes[1], *face, scale_b, &b_in_a);
                let how = triangle::verdict(&own, &other);
                if how != TriangleVerdict::Separated {
                    pairs.push([i, j]);
                }
                crossing |= how == TriangleVerdict::Crossing;
                nearest = nearest.min(triangle::distance(&own, &other).distance);
            }
        }
        expected.push((pairs, crossing, nearest));
    }
    let (found, code) = answers(input);
    assert_eq!((found.len(), code), (3 * expected.len(), 0));
    let mut meeting = 0;
    for (found, (pairs, crossing, nearest)) in found.chunks(3).zip(&expected) {
        meeting += usize::from(!pairs.is_empty());
        let verdict = match (pairs.is_empty(), crossing) {
            (true, _) => "separated",
            (false, true) => "penetrating",
            (false, false) => "touching",
        };
        assert_eq!(
            (&found[0]["verdict"], &found[1]["verdict"]),
            (&json!(verdict), &json!(verdict))
        );
        let distance = found[1]["distance"].as_f64().unwrap();
        if verdict == "penetrating" {
            assert!(distance < 0.0 && found[1]["method"] == "bound", "{}", found[1]);
        } else {
            assert_eq!(distance, *nearest);
        }
        assert_eq!(found[2]["pairs"], json!(pairs));
        let [p, q] = [&found[1]["points"][0], &found[1]["points"][1]].map(numbers);
        let gap = p.iter().zip(&q).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt();
        assert!((gap - distance.abs()).abs() < 1e-12, "{gap} {distance}");
    }
    assert!((10..55).contains(&meeting), "{meeting} of 60 meet");
}

#[test]
fn rays_name_the_triangle() {
    let body = |rest: &str| format!("{}{rest}", inline(&unit_block(), r#","scale":2"#));
    let ray = |body: &str, origin: [f64; 3], direction: [f64; 3]| {
        answer(&format!(
            r#"{{"ask":"ray","a":{{{body}}},"origin":{origin:?},"direction":{direction:?}}}"#
        ))
    };
    let found = ray(&body(&at([1.0, 0.0, 0.0])), [1.5, -0.5, 6.0], [0.0, 0.0, -2.0]);
    let expected = json!({"id": null, "verdict": null, "inside": null, "distance": null,
        "method": null, "points": [[1.5, -0.5, 2.0], null],
        "features": [{"kind": "face", "index": 10}, null], "t": 2.0});
    assert_eq!(found, expected);
    // From within the boundary is met as well, and past it nothing is.
    assert_eq!(ray(&body(""), [0.0, 0.5, 0.25], [1.0, 0.0, 0.0])["t"], json!(2.0));
    let past = ray(&body(""), [0.0, 2.5, 0.0], [1.0, 0.0, 0.0]);
    assert!(past.as_object().unwrap().values().all(Value::is_null), "{past}");
}

#[test]
fn scale_multiplies_vertices_as_they_are_written() {
    let folder = Folder::new();
    let file = folder.write("block.off", &unit_block(), Encoding::Off);
    for (scale, gap) in [(0.5, 2.0), (1.0, 1.5), (0.001, 2.499), (2.0, 0.5)] {
        let scaled = format!(r#""mesh":{{"file":{file},"scale":{scale}}}"#);
        let unit = format!(r#""mesh":{{"file":{file}}}"#);
        let found = answer(&ask("distance", &scaled, &format!("{unit}{}", at([3.5, 0.0, 0.0]))));
        assert!((found["distance"].as_f64().unwrap() - gap).abs() < 1e-15, "{found}");
        assert_eq!(found["points"][0][0], json!(scale));
    }
    // Millimetres beside metres, flush: 0.001 · 1 + 0.25 is rounded once on each side.
    let small = format!(r#""mesh":{{"file":{file},"scale":0.25}}{}"#, at([1.25, 0.0, 0.0]));
    let unit = format!(r#""mesh":{{"file":{file}}}"#);
    assert_eq!(answer(&ask("verdict", &small, &unit))["verdict"], "touching");
}

#[test]
fn a_file_is_read_once_in_a_run() {
    let folder = Folder::new();
    let file = folder.write("part.obj", &unit_block(), Encoding::Obj);
    let mesh = format!(r#""mesh":{{"file":{file}}}"#);
    let point = MeshData::new(vec![[3.0, 0.0, 0.0]], vec![[0, 0, 0]]);
    let mut line = ask("distance", &mesh, &inline(&point, ""));
    line.push('\n');
    let mut child =
        impinge(&["query"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut reader = BufReader::new(stdout);
    let mut asked = || {
        stdin.write_all(line.as_bytes()).unwrap();
        let mut text = String::new();
        reader.read_line(&mut text).unwrap();
        text
    };
    let first = asked();
    folder.write("part.obj", &block([0.5; 3]), Encoding::Obj);
    assert_eq!(asked(), first);
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert_ne!(answer(line.trim()).to_string() + "\n", first, "the next run sees the new file");
}
