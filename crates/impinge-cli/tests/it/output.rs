//! What is written where: refused in time, whole, and never taken for a success when it is not.

use crate::command::impinge;
use crate::folder::{Folder, row, run};
use std::process::Stdio;

fn pair(folder: &Folder) {
    folder.write_text("row.obj", &row(&[("a", 0.0), ("b", 0.9)]));
}

#[test]
fn what_cannot_be_written_is_refused_before_the_work() {
    let folder = Folder::new();
    let at = folder.path();
    pair(&folder);
    folder.write_text("tests.toml", "[[test]]\nname = \"x\"");
    let model = std::fs::read(at.join("row.obj")).unwrap();
    for (output, expected) in [
        ("rep.xlsx", "unknown extension .xlsx"),
        ("none/rep.json", "there is no folder none"),
        (".", "this is a folder"),
        ("row.obj", "--output row.obj is the model"),
        ("./tests.toml", "is the test file"),
        ("row.obj.impinge.json", "is the decision file"),
    ] {
        let arguments =
            ["check", "row.obj", "--test", "tests.toml", "-o", output, "--format", "json"];
        // The extension matters only where no format is given.
        let arguments = if output == "rep.xlsx" { &arguments[..6] } else { &arguments[..] };
        let (code, text, side) = run(at, arguments);
        assert_eq!((code, text.as_str()), (2, ""), "{output}");
        assert!(side.contains(expected) && !side.contains("unit:"), "{output}: {side}");
    }
    assert!(!at.join("row.obj.impinge.json").exists(), "nothing was recorded as seen");
    assert_eq!(std::fs::read(at.join("row.obj")).unwrap(), model);
    // A hard link is the same file.
    std::fs::hard_link(at.join("row.obj"), at.join("link.json")).unwrap();
    assert_eq!(run(at, &["check", "row.obj", "-o", "link.json"]).0, 2);
    assert_eq!(std::fs::read(at.join("row.obj")).unwrap(), model);
}

#[test]
fn a_file_is_confirmed_and_a_table_is_limited() {
    let folder = Folder::new();
    let at = folder.path();
    let names: Vec<String> = (0..30).map(|k| format!("p{k}")).collect();
    let places: Vec<(&str, f64)> =
        names.iter().enumerate().map(|(k, name)| (name.as_str(), 0.9 * k as f64)).collect();
    folder.write_text("row.obj", &row(&places));
    let (code, text, side) = run(at, &["check", "row.obj", "-o", "report.json"]);
    assert_eq!((code, text.as_str()), (1, ""));
    assert!(
        side.contains("29 findings: 29 hard") && side.contains("written to report.json"),
        "{side}"
    );
    let (_, text, _) = run(at, &["check", "row.obj", "-q", "--limit", "3", "--display-unit", "mm"]);
    let rows = text.lines().filter(|line| line.contains("  hard  ")).count();
    assert!(rows == 3 && text.contains("… and 26 more") && text.contains("-100 mm"), "{text}");
    // Names are as short as they can be, and a group has its column.
    let (_, text, _) = run(at, &["check", "row.obj", "-q", "--limit", "0", "--group", "part"]);
    assert!(text.contains("  p0 × p1  ") && text.contains("group"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("  hard  ")).count(), 29);
}

#[test]
fn a_closed_pipe_is_no_success() {
    let folder = Folder::new();
    pair(&folder);
    for (arguments, expected) in
        [(vec!["check", "row.obj", "--no-status"], 1), (vec!["completions", "bash"], 2)]
    {
        let mut command = impinge(&arguments);
        command.current_dir(folder.path()).stderr(Stdio::null());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let status = command.stdout(writer).status().unwrap();
        assert_eq!(status.code(), Some(expected), "{arguments:?}");
    }
    // Whoever closes standard error still gets the report and its code.
    let mut command = impinge(&["check", "row.obj", "--no-status"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command.current_dir(folder.path()).stderr(writer).stdout(Stdio::piped());
    let output = output.spawn().unwrap().wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("1 finding: 1 hard"));
}

#[test]
fn names_cannot_speak_to_the_terminal() {
    let folder = Folder::new();
    let at = folder.path();
    folder.write_text("row.obj", &row(&[("a\x1b[31m\x07", 0.0), ("b\u{202e}x", 0.9)]));
    for arguments in [
        &["check", "row.obj"][..],
        &["status", "row.obj"],
        &["inspect", "row.obj", "--parts"],
        &["check", "row.obj", "--test", "t.toml"],
    ] {
        folder.write_text("t.toml", "[[test]]\nname = \"x\"\na = \"\\u001b[31m\"");
        let (_, text, side) = run(at, arguments);
        let odd = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!text.contains(odd) && !side.contains(odd), "{arguments:?}: {text:?} {side:?}");
        assert!(text.contains("\\u{1b}[31m") || side.contains("\\u{1b}[31m"), "{arguments:?}");
    }
}

/// Whatever a name holds, no file shows it raw: neither escapes nor marks that turn the reading direction.
#[test]
fn no_sink_prints_control_characters() {
    let folder = Folder::new();
    let at = folder.path();
    let (first, second) = ("a\x1b[31m\x07\u{9b}", "b\u{202e}x\u{2066}\u{200f}\u{feff}");
    folder.write_text("row.obj", &row(&[(first, 0.0), (second, 0.9)]));
    for output in ["r.csv", "r.json", "r.txt", "r.html"] {
        let (code, text, side) = run(at, &["check", "row.obj", "-o", output]);
        assert_eq!(code, 1, "{output}: {text}{side}");
        let text = std::fs::read_to_string(at.join(output)).unwrap();
        let odd = |c: char| {
            (c.is_control() && !matches!(c, '\r' | '\n' | '\t'))
                || matches!(c, '\u{202e}' | '\u{2066}' | '\u{200f}' | '\u{feff}')
        };
        assert!(!text.contains(odd), "{output}: {:?}", text.find(odd));
    }
    // JSON has escapes for them, so that programs read the name that the model has.
    let report = std::fs::read(at.join("r.json")).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["parts"][1]["name"], second);
    let csv = std::fs::read_to_string(at.join("r.csv")).unwrap();
    assert!(csv.contains("a\\u{1b}[31m\\u{7}\\u{9b}") && csv.contains("b\\u{202e}x"), "{csv}");
    let decisions = std::fs::read_to_string(at.join("row.obj.impinge.json")).unwrap();
    assert!(!decisions.contains(['\x1b', '\u{202e}']), "{decisions}");
    // Answers of queries echo what they were asked.
    let asked = format!("{{\"id\": \"{second}\", \"ask\": \"nothing\"}}\n");
    folder.write_text("q.lines", &asked);
    let (_, text, _) = run(at, &["query", "q.lines"]);
    assert!(!text.contains('\u{202e}') && text.contains("\\u202e"), "{text}");
}

#[test]
fn slips_get_a_suggestion() {
    let folder = Folder::new();
    let at = folder.path();
    pair(&folder);
    folder.write_text("t.toml", "[[test]]\nname = \"x\"\na = \"row/aa\"");
    for (arguments, expected) in [
        (vec!["check", "rwo.obj"], "did you mean row.obj?"),
        (vec!["check", "row.obj", "--test", "t.toml"], "did you mean \"row/a\"?"),
        (vec!["check", "row.obj", "--fail-on", "hrad"], "did you mean \"hard\"?"),
        (
            vec!["check", "row.obj", "--variant", "tall"],
            "row.obj is not a scene file with variants",
        ),
        (vec!["check", "row.obj", "--status-file", "none/x.json"], "there is no folder none"),
    ] {
        let (code, _, side) = run(at, &arguments);
        assert!(code == 2 && side.contains(expected), "{arguments:?}: {side}");
    }
}

#[test]
fn files_are_disciplines() {
    let folder = Folder::new();
    let at = folder.path();
    folder.write_text("walls.obj", &row(&[("a", 0.0), ("b", 0.9)]));
    folder.write_text("pipes.obj", &row(&[("c", 1.8)]));
    let (code, text, _) = run(at, &["check", "walls.obj", "pipes.obj", "-q", "--group", "files"]);
    assert_eq!(code, 1);
    let line = |parts: &str| text.lines().find(|line| line.contains(parts)).unwrap_or_default();
    let cells = |parts: &str| line(parts).split("  ").map(str::trim).collect::<Vec<_>>();
    assert!(cells("a × b").contains(&"walls"), "{text}");
    assert!(cells("b × c").contains(&"walls × pipes"), "{text}");
    assert!(text.contains("      1  pipes × walls"), "{text}");
    // Parts that are called after their files need no column for them.
    folder.write_text("walls.obj", &row(&[("b", 0.9)]));
    let (_, text, _) = run(at, &["check", "walls.obj", "pipes.obj", "-q"]);
    assert!(text.contains("1 hard") && !text.contains("files"), "{text}");
    let (_, text, _) =
        run(at, &["check", "walls.obj", "pipes.obj", "-q", "--no-status", "--format", "csv"]);
    assert!(text.lines().next().unwrap_or_default().ends_with("file a,file b"), "{text}");
    let files = text.lines().nth(1).unwrap_or_default().rsplit(',').take(2).collect::<Vec<_>>();
    assert_eq!(files, ["pipes.obj", "walls.obj"], "{text}");
}

#[test]
fn long_lists_are_cut_short() {
    let folder = Folder::new();
    let at = folder.path();
    let names: Vec<String> = (0..130).map(|k| format!("p{k}")).collect();
    let places: Vec<(&str, f64)> =
        names.iter().enumerate().map(|(k, name)| (name.as_str(), 0.9 * k as f64)).collect();
    folder.write_text("row.obj", &row(&places));
    run(at, &["check", "row.obj", "-q"]);
    for (command, count, total) in [
        (&["status", "row.obj"][..], "hard", 129),
        (&["inspect", "row.obj", "--parts"], "part  ", 130),
    ] {
        let lines = |more: &[&str]| {
            let (code, text, _) = run(at, &[command, more].concat());
            assert_eq!(code, 0);
            let cut = text.lines().find(|line| line.contains("… and ")).map(str::to_string);
            let listed = |line: &&str| line.contains(count) && !line.contains('…');
            (text.lines().filter(listed).count(), cut)
        };
        let (listed, cut) = lines(&[]);
        let more = format!("… and {} more: --limit 0", total - 100);
        assert!(listed == 100 && cut.is_some_and(|line| line.contains(&more)), "{command:?}");
        assert_eq!(lines(&["--limit", "0"]), (total, None), "{command:?}");
        assert_eq!(lines(&["--limit", "7"]).0, 7, "{command:?}");
    }
}
