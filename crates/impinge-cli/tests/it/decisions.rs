//! Decisions as reviewers make them: many at once, two at a time, in files that nobody else may break.

use crate::command::impinge;
use crate::folder::{Folder, row, run};
use serde_json::Value;
use std::path::Path;

/// Boxes that overlap by 0.1 m each, and their ids.
fn checked(folder: &Folder, count: usize) -> Vec<String> {
    let names: Vec<String> = (0..count).map(|k| format!("p{k}")).collect();
    let places: Vec<(&str, f64)> =
        names.iter().enumerate().map(|(k, name)| (name.as_str(), 0.9 * k as f64)).collect();
    folder.write_text("row.obj", &row(&places));
    assert_eq!(run(folder.path(), &["check", "row.obj", "-q"]).0, 1);
    let ids: Vec<String> =
        records(folder.path())["findings"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(ids.len(), count - 1);
    ids
}

fn records(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("row.obj.impinge.json")).unwrap()).unwrap()
}

#[test]
fn writers_at_the_same_time_lose_nothing() {
    let folder = Folder::new();
    let ids = checked(&folder, 13);
    std::thread::scope(|scope| {
        for id in &ids {
            let at = folder.path();
            scope.spawn(move || {
                let (code, text, side) = run(at, &["status", "row.obj", id, "approved"]);
                assert_eq!(code, 0, "{text}{side}");
            });
        }
        scope.spawn(|| assert!(run(folder.path(), &["check", "row.obj", "-q"]).0 < 2));
    });
    let records = records(folder.path());
    for id in &ids {
        assert_eq!(records["findings"][id]["status"], "approved", "{id}");
    }
    assert_eq!(run(folder.path(), &["check", "row.obj", "-q"]).0, 0);
    let names: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "neither locks nor temporary files stay: {names:?}");
}

#[test]
fn bulk_decisions_and_a_clash_that_grows() {
    let folder = Folder::new();
    let at = folder.path();
    let ids = checked(&folder, 5);
    let (code, text, _) = run(at, &["status", "row.obj", "--all", "approved", "--assign", "anna"]);
    assert_eq!((code, text.as_str()), (0, "4 findings approved\n"));
    assert_eq!(run(at, &["check", "row.obj", "-q"]).0, 0);
    // Another tolerance and back.
    assert_eq!(run(at, &["check", "row.obj", "-q", "--tolerance", "500mm"]).0, 0);
    let (code, text, _) = run(at, &["check", "row.obj", "-q"]);
    assert!(code == 0 && text.contains("anna") && text.contains("4 persistent"), "{text}");
    // The last box moves into its neighbour.
    folder.write_text(
        "row.obj",
        &row(&[("p0", 0.0), ("p1", 0.9), ("p2", 1.8), ("p3", 2.7), ("p4", 3.4)]),
    );
    let (code, text, _) = run(at, &["check", "row.obj", "-q"]);
    assert_eq!(code, 1, "{text}");
    assert!(
        text.contains("1 reopened") && text.contains("Reopened: approved at -0.1 m."),
        "{text}"
    );
    let (_, json, _) = run(at, &["check", "row.obj", "-q", "--format", "json"]);
    let report: Value = serde_json::from_str(&json).unwrap();
    let grown = &report["findings"][0];
    assert_eq!(
        (&grown["status"], grown["approved_distance"].as_f64().map(|x| (x * 1e6).round())),
        (&Value::from("active"), Some(-1e5))
    );
    // By kind, pattern and list.
    let (_, text, _) = run(at, &["status", "row.obj", "--kind", "hard", "--match", "p4"]);
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains("reopened"), "{text}");
    let both = format!("{},{}", &ids[0][..8], &ids[1][..8]);
    let (code, text, _) =
        run(at, &["status", "row.obj", &both, &ids[2], "reviewed", "--comment", "look"]);
    assert_eq!((code, text.as_str()), (0, "3 findings reviewed\n"));
    let (code, _, side) = run(at, &["status", "row.obj", &ids[0], "aproved"]);
    assert_eq!(code, 2);
    assert!(side.contains("did you mean \"approved\"?"), "{side}");
    let (code, _, side) = run(at, &["status", "row.obj", "approved"]);
    assert!(code == 2 && side.contains("which findings?"), "{side}");
    // The other reviewer decided later.
    std::fs::copy(at.join("row.obj.impinge.json"), at.join("ben.json")).unwrap();
    let ben = ["status", "row.obj", "--status-file", "ben.json", &ids[3], "resolved"];
    let later =
        impinge(&ben).env("SOURCE_DATE_EPOCH", "4000000000").current_dir(at).status().unwrap();
    assert!(later.success());
    let (code, text, _) = run(at, &["status", "merge", "row.obj", "ben.json"]);
    assert!(code == 0 && text.starts_with("1 decisions taken from ben.json"), "{text}");
    assert_eq!(records(at)["findings"][&ids[3]]["status"], "resolved");
}

#[test]
fn decision_files_are_where_they_belong_or_nowhere() {
    let folder = Folder::new();
    let at = folder.path();
    checked(&folder, 3);
    std::fs::create_dir(at.join("models")).unwrap();
    std::fs::rename(at.join("row.obj"), at.join("models/row.obj")).unwrap();
    let (code, _, side) = run(&at.join("models"), &["check", "."]);
    assert!(code == 1 && side.contains("--status-file"), "{side}");
    assert_eq!(std::fs::read_dir(at.join("models")).unwrap().count(), 1);
    run(at, &["check", "models/", "-q"]);
    assert!(at.join("models.impinge.json").exists());
    assert_eq!(std::fs::read_dir(at.join("models")).unwrap().count(), 1);
    // Several models in one call.
    folder.write_text("left.obj", &row(&[("x", 0.0)]));
    folder.write_text("right.obj", &row(&[("x", 0.95)]));
    let (code, text, _) = run(at, &["check", "right.obj", "left.obj"]);
    assert!(
        code == 1 && text.contains("right/x × left/x") || text.contains("right × left"),
        "{text}"
    );
    assert!(at.join("left.obj+right.obj.impinge.json").exists());
}

/// The command that the first check names is one that works as it stands, but for the id.
#[test]
fn the_first_check_says_how_to_decide() {
    let folder = Folder::new();
    folder.write_text("row.obj", &row(&[("a", 0.0), ("b", 0.5)]));
    for (more, hint) in [
        (&[][..], "`impinge status row.obj ID approved`"),
        (
            &["--status-file", "own.json"],
            "`impinge status MODEL ID approved --status-file own.json`",
        ),
    ] {
        let (code, _, side) = run(folder.path(), &[&["check", "row.obj"], more].concat());
        assert!(code == 1 && side.contains(hint), "{side}");
        let (code, text, side) =
            run(folder.path(), &[&["status", "row.obj", "--all", "approved"], more].concat());
        assert!(code == 0 && text.contains("approved"), "{text}{side}");
    }
}

#[test]
fn models_that_were_checked_together_are_decided_together() {
    let folder = Folder::new();
    let at = folder.path();
    folder.write_text("walls.obj", &row(&[("wall", 0.0)]));
    folder.write_text("pipes.obj", &row(&[("pipe", 0.9)]));
    assert_eq!(run(at, &["check", "walls.obj", "pipes.obj", "-q"]).0, 1);
    let (code, text, side) = run(at, &["status", "pipes.obj", "walls.obj"]);
    assert!(code == 0 && text.contains("wall") && text.contains("pipe"), "{text}{side}");
    let id = &text[..4];
    let (code, text, side) = run(at, &["status", "walls.obj", "pipes.obj", id, "approved"]);
    assert!(code == 0 && text.contains("approved"), "{text}{side}");
    assert_eq!(run(at, &["check", "walls.obj", "pipes.obj", "-q"]).0, 0);
    // What is neither there nor an id is still a misspelled status.
    let (code, _, side) = run(at, &["status", "walls.obj", "ducts.obj"]);
    assert!(code == 2 && side.contains("ducts.obj"), "{side}");
}
