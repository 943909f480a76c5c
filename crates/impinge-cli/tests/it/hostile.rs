//! What a downloaded folder may hold to do harm: devices, pipes, links, paths that lead elsewhere, and very many copies.

use crate::command::impinge;
use crate::folder::{Folder, row, run};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

#[test]
#[cfg(unix)]
fn devices_and_pipes_are_refused_wherever_they_are_named() {
    let folder = Folder::new();
    let at = folder.path();
    folder.write_text("row.obj", &row(&[("a", 0.0), ("b", 0.9)]));
    assert_eq!(run(at, &["check", "row.obj", "-q"]).0, 1);
    assert!(Command::new("mkfifo").arg(at.join("pipe.stl")).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", at.join("zero.stl")).unwrap();
    folder.write_text("scene.toml", "[[part]]\nfile = \"pipe.stl\"\n");
    for odd in ["pipe.stl", "zero.stl"] {
        let line = format!(
            r#"{{"ask":"verdict","a":{{"mesh":{{"file":"{odd}"}}}},"b":{{"sphere":{{"radius":1}}}}}}"#
        );
        folder.write_text("lines.json", &line);
        for arguments in [
            &["query", "lines.json"][..],
            &["check", odd],
            &["inspect", odd],
            &["distance", odd, "row.obj"],
            &["check", "row.obj", "--test", odd],
            &["check", "row.obj", "-q", "--status-file", odd],
            &["status", "row.obj", "--status-file", odd],
            &["status", "merge", "row.obj", odd],
            &["status", "import", odd, "row.obj"],
        ] {
            let (code, text, side) = run(at, arguments);
            assert_eq!(code, 2, "{arguments:?}: {text}{side}");
            assert!(
                format!("{text}{side}").contains("neither a file nor a folder"),
                "{arguments:?}: {text}{side}"
            );
        }
    }
    let (code, _, side) = run(at, &["check", "scene.toml"]);
    assert!(code == 2 && side.contains("neither a file nor a folder"), "{side}");
}

#[test]
fn threads_have_a_cap() {
    let folder = Folder::new();
    folder.write_text("row.obj", &row(&[("a", 0.0), ("b", 0.9)]));
    for wrong in ["100000", "1025", "0", "-1"] {
        let (code, _, side) =
            run(folder.path(), &["check", "row.obj", &format!("--threads={wrong}")]);
        assert!(code == 2 && side.contains("1..=1024"), "{side}");
    }
    // The variable of the library that makes the threads is capped too.
    let mut command = impinge(&["check", "row.obj", "--no-status", "-q"]);
    let status = command.env("RAYON_NUM_THREADS", "1000000").current_dir(folder.path());
    assert_eq!(status.output().unwrap().status.code(), Some(1));
}

/// A model reads its folder and no other, unless that is allowed; the message names both.
#[test]
#[cfg(unix)]
fn models_read_only_their_own_folder() {
    let folder = Folder::new();
    let outer = folder.path();
    let at = outer.join("model");
    std::fs::create_dir(&at).unwrap();
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    folder.write_text("secret.obj", triangle);
    std::fs::write(at.join("own.obj"), triangle).unwrap();
    std::fs::write(outer.join("secret.bin"), [0; 36]).unwrap();
    let absolute = outer.join("secret.obj").display().to_string();
    std::os::unix::fs::symlink("../secret.obj", at.join("link.obj")).unwrap();
    std::os::unix::fs::symlink("../secret.bin", at.join("link.bin")).unwrap();
    let toml = |file: &str| format!("[[part]]\nfile = \"own.obj\"\n[[part]]\nfile = \"{file}\"\n");
    let urdf = |file: &str| {
        format!(
            r#"<robot name="r"><link name="a"><visual><geometry><mesh filename="{file}"/></geometry></visual></link></robot>"#
        )
    };
    let gltf = |file: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}}],
            "bufferViews":[{{"buffer":0,"byteLength":36}}],"buffers":[{{"uri":"{file}","byteLength":36}}]}}"#
        )
    };
    let mut cases = Vec::new();
    for file in ["../secret.obj", &absolute, "link.obj"] {
        cases.push(("scene.toml", toml(file)));
        cases.push(("robot.urdf", urdf(file)));
        cases.push(("robot.urdf", urdf(&format!("file://{file}"))));
    }
    cases.push(("robot.urdf", urdf("package://x/secret.obj")));
    cases.push(("a.gltf", gltf("../secret.bin")));
    cases.push(("a.gltf", gltf("%2e%2e/secret.bin")));
    cases.push(("a.gltf", gltf("link.bin")));
    for (name, text) in &cases {
        let path = at.join(name);
        std::fs::write(&path, text).unwrap();
        let inspect = |here: &Path, more: &[&str]| {
            run(here, &[&["inspect", path.to_str().unwrap()], more].concat())
        };
        let (code, out, side) = inspect(outer, &[]);
        assert_eq!(code, 2, "{text}: {out}{side}");
        let whole = std::fs::canonicalize(outer).unwrap();
        let both =
            [whole.join("secret."), whole.join("model")].map(|path| path.display().to_string());
        assert!(both.iter().all(|path| side.contains(path)), "{text}: {side}");
        assert!(side.contains("--allow-outside"), "{text}: {side}");
        assert_eq!(inspect(outer, &["--allow-outside"]).0, 0, "{text}");
        std::fs::remove_file(&path).unwrap();
    }
    // A folder holds what it holds; links out of it are not followed.
    let (code, _, side) = run(outer, &["inspect", "model"]);
    assert!(code == 2 && side.contains("outside"), "{side}");
    // A robot in a ROS package reads all of the package, and packages that are given.
    std::fs::create_dir(at.join("urdf")).unwrap();
    std::fs::remove_file(at.join("link.obj")).unwrap();
    std::fs::write(at.join("urdf/r.urdf"), urdf("package://model/own.obj")).unwrap();
    assert_eq!(run(outer, &["inspect", "model/urdf/r.urdf"]).0, 2);
    assert_eq!(run(outer, &["inspect", "model/urdf/r.urdf", "--package", "model"]).0, 0);
    std::fs::write(at.join("package.xml"), "<package/>").unwrap();
    assert_eq!(run(outer, &["inspect", "model/urdf/r.urdf"]).0, 0);
}

/// Cubes in one place, as a scene of few bytes.
fn copies(count: usize) -> String {
    let mut text =
        "unit = \"mm\"\n[[part]]\nname = \"cube\"\nbox = [1, 1, 1]\nplaces = [".to_string();
    for _ in 0..count {
        text.push_str("{},");
    }
    text + "]\n"
}

#[test]
fn coincident_copies_are_one_finding() {
    let folder = Folder::new();
    let at = folder.path();
    folder.write_text(
        "copies.toml",
        &(copies(20_000) + "[[part]]\nsphere = 1\nname = \"ball\"\ntranslation = [9, 0, 0]\n"),
    );
    let (code, text, side) = run(at, &["check", "copies.toml", "--no-status", "--format", "json"]);
    assert_eq!(code, 1, "{side}");
    let report: Value = serde_json::from_str(&text).unwrap();
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0]["kind"], "duplicate");
    assert_eq!(findings[0]["paths"].as_array().unwrap().len(), 20_000);
    assert_eq!(report["counts"]["pairs_near"], 0, "no pair of copies was looked at");
    assert_eq!(report["counts"]["pairs_asked"], 20_001 * 20_000 / 2);
    let explanation = findings[0]["explanation"].as_str().unwrap();
    assert!(explanation.contains("and 19988 more are identical"), "{}", &explanation[..300]);
}

/// Where a test does not look for copies it asks about each of their pairs: as many as a model of the size may have.
#[test]
fn pairs_of_copies_are_bounded_where_they_are_asked_for() {
    let folder = Folder::new();
    let at = folder.path();
    folder.write_text("copies.toml", &copies(3_000));
    folder.write_text("hard.toml", "[[test]]\nname = \"hard\"\nkinds = [\"hard\"]\n");
    let arguments =
        ["check", "copies.toml", "--test", "hard.toml", "--no-status", "--format", "json"];
    let mut counts = Vec::new();
    for threads in ["1", "2"] {
        let more = ["--verdicts-only", "--fail-on", "none", "--threads", threads];
        let (code, text, side) = run(at, &[&arguments[..], &more].concat());
        assert!(code == 2 && side.contains("pairs were checked"), "{code} {side}");
        let report: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(report["partial"], true);
        counts.push(report["findings"].as_array().unwrap().len());
    }
    assert!(counts[0] > 100_000 && counts[0] == counts[1], "{counts:?}");
}

/// Boxes that all overlap: 124,750 pairs, of which a limit leaves some.
#[test]
fn limits_end_a_check_with_a_partial_report() {
    let folder = Folder::new();
    let at = folder.path();
    let mut text = String::from("unit = \"m\"\n");
    for k in 0..500 {
        let (x, y) = (f64::from(k) * 1e-3, f64::from(k * 7 % 11) * 1e-3);
        write!(text, "[[part]]\nname = \"p{k}\"\nbox = [1, 2, 3]\ntranslation = [{x}, {y}, 0]\n")
            .unwrap();
        writeln!(text, "rotation = {{ axis = [1, 2, 3], degrees = {k} }}").unwrap();
    }
    folder.write_text("heap.toml", &text);
    // Where memory ends while the report of 100,000 findings is made, there is none.
    for (limit, more, expected, has_report) in [
        ("--time-limit=4s", "--quiet", "the time limit was reached", true),
        ("--max-memory=60MB", "--verdicts-only", "the memory limit was reached", false),
    ] {
        let arguments = ["check", "heap.toml", "-o", "report.json", limit, more];
        let (code, _, side) = run(at, &arguments);
        assert!(code == 2 && side.contains(expected), "{limit}: {code} {side}");
        if !has_report {
            continue;
        }
        let report = std::fs::read(at.join("report.json"));
        let report: Value = serde_json::from_slice(&report.unwrap()).unwrap();
        assert_eq!(report["partial"], true, "{limit}");
        std::fs::remove_file(at.join("report.json")).unwrap();
    }
    // Too little to read anything: said, and nothing is written.
    let (code, text, side) = run(at, &["inspect", "heap.toml", "--time-limit", "0.001ms"]);
    assert!(code == 2 && text.is_empty() && side.contains("the time limit was reached"), "{side}");
    for wrong in ["--time-limit=soon", "--time-limit=-1s", "--max-memory=1MB", "--max-memory=5"] {
        assert_eq!(run(at, &["inspect", "heap.toml", wrong]).0, 2, "{wrong}");
    }
}
