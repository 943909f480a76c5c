//! BCF files as a user makes them and takes them back.

use crate::command::impinge;
use crate::folder::Folder;
use std::path::Path;

/// Two boxes in each other.
const PAIR: &str = "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n\
    o b\nv 0.2 0.2 0.2\nv 1.2 0.2 0.2\nv 0.2 1.2 0.2\nv 0.2 0.2 1.2\nf 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n";

fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = impinge(arguments);
    let output =
        command.env("SOURCE_DATE_EPOCH", "1800000000").current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_file_goes_out_and_comes_back() {
    let folder = Folder::new();
    folder.write_text("pair.obj", PAIR);
    let at = folder.path();
    for (version, name) in [("2.1", "report.bcfzip"), ("3.0", "report.bcf")] {
        let arguments = ["check", "pair.obj", "-q", "--bcf-version", version, "--output", name];
        let (code, text, side) = run(at, &arguments);
        assert_eq!((code, text.as_str(), side.as_str()), (1, "", ""));
        let first = std::fs::read(at.join(name)).unwrap();
        assert!(first.starts_with(b"PK") && first.len() > 5000);
        // The next check has the finding as active: nothing else differs from then on.
        run(at, &arguments);
        let second = std::fs::read(at.join(name)).unwrap();
        run(at, &arguments);
        assert_eq!(second, std::fs::read(at.join(name)).unwrap());

        let (code, text, side) = run(at, &["status", "import", name, "pair.obj"]);
        assert_eq!((code, side.as_str()), (0, ""), "{text}");
        assert!(
            text.starts_with("0 statuses, 0 comments and 0 assignees changed; 1 of 1 topics"),
            "{text}"
        );
    }
    // An older decision is in the file: it is taken back, and the model is known by its name.
    let id = run(at, &["status", "pair.obj"]).1[..16].to_string();
    run(at, &["status", "pair.obj", &id, "approved"]);
    let (code, text, _) = run(at, &["status", "import", "report.bcfzip"]);
    assert_eq!(code, 0);
    assert!(text.starts_with(&format!("{id}  approved → active\n1 statuses")), "{text}");
    assert!(run(at, &["status", "pair.obj"]).1.contains("active"));
}

#[test]
fn what_is_missing_is_said() {
    let folder = Folder::new();
    let at = folder.path();
    folder.write_text("pair.obj", PAIR);
    folder.write_text("broken.bcfzip", "PK nothing");
    for (arguments, expected) in [
        (vec!["check", "pair.obj", "-q", "--format", "bcf"], "--output FILE.bcfzip"),
        (vec!["check", "pair.obj", "-q", "--bcf-version", "1.0"], "use 2.1 or 3.0"),
        (vec!["status", "import", "missing.bcfzip"], "missing.bcfzip"),
        (vec!["status", "import", "broken.bcfzip", "pair.obj"], "not a BCF file"),
    ] {
        let (code, text, side) = run(at, &arguments);
        assert_eq!((code, text.as_str()), (2, ""), "{arguments:?}: {side}");
        assert!(side.contains(expected), "{arguments:?}: {side}");
    }
}
