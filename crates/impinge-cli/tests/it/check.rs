//! `impinge check` as a user runs it: files, exit codes, decisions.

use crate::folder::{Folder, row, run};
use serde_json::Value;

#[test]
fn findings_decisions_and_exit_codes() {
    let folder = Folder::new();
    folder.write_text("row.obj", &row(&[("a", 0.0), ("b", 0.9), ("c", 2.2)]));
    let at = folder.path();
    let (code, text, side) = run(at, &["check", "row.obj"]);
    assert_eq!(code, 1, "{text}{side}");
    assert!(text.contains("1 finding: 1 hard") && text.contains("0.1 m"), "{text}");
    assert!(side.contains("unit: m (assumed; override with --unit)"), "{side}");
    let (_, json, _) = run(at, &["check", "row.obj", "--format", "json", "-q"]);
    let report: Value = serde_json::from_str(&json).unwrap();
    let id = report["findings"][0]["id"].as_str().unwrap().to_string();
    assert_eq!(report["findings"][0]["change"], "persistent");

    let (code, ..) =
        run(at, &["status", "row.obj", &id[..8], "approved", "--comment", "press fit"]);
    assert_eq!(code, 0);
    let (code, text, _) = run(at, &["check", "row.obj", "-q"]);
    assert_eq!(code, 0, "what is approved does not fail: {text}");
    assert!(run(at, &["status", "row.obj"]).1.contains("press fit"));

    let (code, text, _) = run(at, &["check", "row.obj", "-q", "--clearance", "500mm"]);
    assert_eq!(code, 1);
    assert!(text.contains("1 hard, 1 clearance") && text.contains("0.3 m"), "{text}");
    assert_eq!(
        run(at, &["check", "row.obj", "-q", "--clearance", "500mm", "--fail-on", "hard"]).0,
        0
    );
    let (code, ..) = run(at, &["check", "row.obj", "-q", "--output", "report.csv"]);
    assert_eq!(code, 0);
    assert!(std::fs::read_to_string(at.join("report.csv")).unwrap().starts_with("id,test,kind"));
}

#[test]
fn failures_have_code_two_and_say_what_to_do() {
    let folder = Folder::new();
    let at = folder.path();
    folder.write_text("row.obj", &row(&[("a", 0.0)]));
    folder.write_text("broken.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n");
    folder.write_text("none.toml", "");
    folder.write_text("empty-set.toml", "[[test]]\nname = \"x\"\na = \"bolt*\"");
    for (arguments, expected) in [
        (vec!["check", "missing.obj"], "missing.obj"),
        (vec!["check", "broken.obj"], "broken.obj: line 3"),
        (vec!["check", "row.obj", "--test", "none.toml"], "no [[test]] and no [[rule]]"),
        (vec!["check", "row.obj", "--test", "empty-set.toml"], "matches none of the 1 parts"),
        (vec!["check", "row.obj"], "one part only, \"row/a\""),
        (vec!["check", "row.obj", "--clearance", "wide"], "is not a length"),
        (vec!["check", "row.obj", "--threads", "0"], "1..=1024"),
        (vec!["status", "row.obj", "abc", "approved"], "no finding has the id"),
    ] {
        let (code, text, side) = run(at, &arguments);
        assert_eq!((code, text.as_str()), (2, ""), "{arguments:?}: {side}");
        assert!(side.contains(expected), "{arguments:?}: {side}");
    }
    folder.write_text("two.obj", &row(&[("a", 0.0), ("b", 5.0)]));
    assert_eq!(run(at, &["check", "two.obj", "--no-status", "-q"]).0, 0);
    assert!(!at.join("two.obj.impinge.json").exists());
}

#[test]
fn inspect_distance_and_completions_speak() {
    let folder = Folder::new();
    let at = folder.path();
    folder.write_text("a.obj", &row(&[("a", 0.0)]));
    folder.write_text("b.obj", &row(&[("b", 1.25)]));
    let (code, text, _) = run(at, &["inspect", "a.obj", "--unit", "mm", "--parts"]);
    assert_eq!(code, 0);
    for words in [
        "unit       mm (from --unit)",
        "triangles  12",
        "1, of which 1 are closed",
        "part       a  12 triangles, closed",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let (code, text, _) = run(at, &["distance", "a.obj", "b.obj", "-q"]);
    assert_eq!(code, 0);
    assert!(text.starts_with("distance  0.25 m\n"), "{text}");
    let (code, text, _) = run(at, &["completions", "bash"]);
    assert!(code == 0 && text.contains("impinge"), "{text}");
}
