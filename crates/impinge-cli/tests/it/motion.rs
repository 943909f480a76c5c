//! `impinge check --motion` and `impinge demo --motion` as a user runs them.

use crate::command::impinge;
use crate::folder::{Folder, row, run};
use serde_json::{Value, json};

/// The turned gearbox: what was planted on the way, at times that were computed apart; nothing else.
#[test]
fn the_demo_turns_and_finds_exactly_what_was_planted() {
    let output = impinge(&["demo", "--motion", "--format", "json", "--quiet"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    // Of cam and lever by hand: asin(2/r) + asin(3/r) before the bolt at 22.5 and the stop at 200 degrees. Of the burr by samples of outlines in the plane, from a
    // program of its own, to where two of them first cross.
    let planted = [
        ("rotating/sun gear", "rotating/planet 2/burr", 0.299_976_272_3),
        ("ring gear", "rotating/planet 2/burr", 0.900_808_897_8),
        ("fasteners/sensor bolt", "rotating/carrier/cam", 0.177_781_041_1),
        ("rotating/lever", "housing/stop", 2.095_320_152_5),
    ];
    for (a, b, time) in planted {
        let finding = findings.iter().find(|one| one["paths"] == json!([a, b]));
        let finding = finding.unwrap_or_else(|| panic!("{a} × {b}: {findings:#?}"));
        let at = |end: &str| finding["motion"]["first_contact"][end][0].as_f64().unwrap();
        let (free, met) = (at("from"), at("to"));
        assert!(free <= time + 1e-8 && met >= time - 1e-8, "{a} × {b}: {free} {met}, not {time}");
        assert!(met - free <= 4.001e-6, "{a} × {b}: {free} {met}");
    }
    // The others are those of the gearbox at rest; all that moves else is free for certain.
    assert_eq!(findings.len(), planted.len() + 5, "{findings:#?}");
    let pairs = &report["motion"]["pairs"];
    let count = |name: &str| pairs[name].as_u64().unwrap();
    // Each of the four planets slides on both walls, flush.
    assert_eq!((count("undecided"), count("at_start")), (0, 8), "{pairs}");
    // The third pin keeps its 0.2 mm to the cover on all of the way.
    assert_eq!(count("meeting"), planted.len() as u64 + 1, "{pairs}");
    assert_eq!(count("moving"), count("free") + count("meeting") + 8, "{pairs}");
}

#[test]
fn a_motion_from_files() {
    let folder = Folder::new();
    let at = folder.path();
    folder.write_text("row.obj", &row(&[("a", 0.0), ("b", 1.5), ("c", 9.0)]));
    folder.write_text(
        "slide.toml",
        "[[move]]\nparts = \"a\"\nkeys = [{ time = \"0s\" }, { time = \"1s\", shift = [1, 0, 0] }]",
    );
    let (code, text, side) = run(at, &["check", "row.obj", "--motion", "slide.toml"]);
    assert_eq!(code, 1, "{text}{side}");
    assert!(text.contains("meet at 0.5 s"), "{text}");
    assert!(text.contains("; before that they are certainly apart"), "{text}");
    assert!(text.contains("2 pairs move relative to each other: 1 certified free"), "{text}");
    let (_, csv, _) =
        run(at, &["check", "row.obj", "--motion", "slide.toml", "-q", "--format", "csv"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].ends_with(",start,free up to: time (s),contact at: time (s),least gap (m),least gap at: time (s),decided"), "{csv}");
    assert!(lines[1].contains(",free,0.49999") && lines[1].ends_with(",,,true"), "{csv}");
    // The motion file is not overwritten.
    std::fs::copy(at.join("slide.toml"), at.join("slide.txt")).unwrap();
    let (code, _, side) =
        run(at, &["check", "row.obj", "--motion", "slide.txt", "-o", "slide.txt"]);
    assert!(code == 2 && side.contains("is the motion file"), "{side}");
    folder.write_text("slip.toml", "[[move]]\nparts = \"d\"\nkeys = [{ time = 0 }, { time = 1 }]");
    let (code, _, side) = run(at, &["check", "row.obj", "--motion", "slip.toml"]);
    assert!(code == 2 && side.contains("slip.toml:2:9: no part matches \"d\""), "{side}");
    let (code, _, side) = run(at, &["check", "row.obj", "--motion", "sldie.toml"]);
    assert!(code == 2 && side.contains("did you mean slide.toml?"), "{side}");
}
