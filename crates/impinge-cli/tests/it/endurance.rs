//! Files under fire: writers that are killed, and two that write at once. `IMPINGE_ROUNDS` sets how often; `cargo xtask endure` sets it high.

use crate::command::impinge;
use crate::folder::{Folder, row, run};
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

fn rounds(few: u64) -> u64 {
    std::env::var("IMPINGE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(few)
}

/// What a kind of file is written by, and what it holds when it is whole.
struct Kind {
    file: &'static str,
    arguments: &'static [&'static str],
    is_whole: fn(&[u8]) -> bool,
}

fn is_json(bytes: &[u8]) -> bool {
    serde_json::from_slice::<Value>(bytes).is_ok()
}

const KINDS: [Kind; 6] = [
    Kind {
        file: "r.json",
        arguments: &["check", "row.obj", "-q", "--no-status", "-o", "r.json"],
        is_whole: is_json,
    },
    Kind {
        file: "r.csv",
        arguments: &["check", "row.obj", "-q", "--no-status", "-o", "r.csv"],
        is_whole: |bytes| bytes.ends_with(b"\r\n") && bytes.split(|b| *b == b'\n').count() == 31,
    },
    Kind {
        file: "r.txt",
        arguments: &["check", "row.obj", "-q", "--no-status", "-o", "r.txt"],
        is_whole: |bytes| bytes.ends_with(b"\n") && bytes.windows(11).any(|w| w == b"29 findings"),
    },
    Kind {
        file: "r.html",
        arguments: &["check", "row.obj", "-q", "--no-status", "-o", "r.html"],
        is_whole: |bytes| bytes.trim_ascii_end().ends_with(b"</html>"),
    },
    Kind {
        file: "r.bcfzip",
        arguments: &["check", "row.obj", "-q", "--no-status", "--no-pictures", "-o", "r.bcfzip"],
        // The end of a zip archive's directory: 22 bytes, if there is no comment.
        is_whole: |bytes| bytes.len() > 22 && bytes[bytes.len() - 22..].starts_with(b"PK\x05\x06"),
    },
    Kind {
        file: "row.obj.impinge.json",
        arguments: &["status", "row.obj", "--all", "reviewed", "--comment", "again"],
        is_whole: is_json,
    },
];

/// Another second for every round, so that there is something new to write.
fn date(round: u64) -> (&'static str, String) {
    ("SOURCE_DATE_EPOCH", (1_800_000_000 + round).to_string())
}

fn start(at: &Path, kind: &Kind, round: u64) -> Child {
    let (name, value) = date(round);
    let mut command = impinge(kind.arguments);
    command
        .env(name, value)
        .current_dir(at)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn checked(count: usize) -> Folder {
    let folder = Folder::new();
    let names: Vec<String> = (0..count).map(|k| format!("p{k}")).collect();
    let places: Vec<(&str, f64)> =
        names.iter().enumerate().map(|(k, name)| (name.as_str(), 0.9 * k as f64)).collect();
    folder.write_text("row.obj", &row(&places));
    assert_eq!(run(folder.path(), &["check", "row.obj", "-q"]).0, 1);
    folder
}

/// Waits until a writer has begun its new file, or has ended. True if there is a new file.
fn has_begun(at: &Path, child: &mut Child) -> bool {
    let is_new = |name: &std::ffi::OsStr| name.to_string_lossy().ends_with(".tmp");
    while child.try_wait().unwrap().is_none() {
        if std::fs::read_dir(at).unwrap().any(|entry| is_new(&entry.unwrap().file_name())) {
            return true;
        }
    }
    false
}

/// Removes what killed writers left; how many there were.
fn cleaned(at: &Path) -> u64 {
    let mut count = 0;
    for entry in std::fs::read_dir(at).unwrap() {
        let path = entry.unwrap().path();
        if path.to_string_lossy().ends_with(".tmp") {
            std::fs::remove_file(path).unwrap();
            count += 1;
        }
    }
    count
}

/// Whenever a writer is killed, its file is the old one or the new one: at any time of its run, and at any time after it has begun the new file.
#[test]
fn a_killed_writer_leaves_the_old_file_or_the_new_one() {
    let folder = checked(30);
    let at = folder.path();
    for kind in &KINDS {
        let path = at.join(kind.file);
        // How long it takes to the end, in this machine's state: the last third of that is where files are written.
        let begin = Instant::now();
        start(at, kind, 999_999).wait().unwrap();
        let whole = begin.elapsed();
        let count = rounds(8);
        let (mut killed, mut within) = (0, 0);
        // How long it takes from the beginning of the new file to its end.
        let mut window = Duration::from_millis(2);
        for round in 0..count {
            let before = std::fs::read(&path).unwrap();
            let mut child = start(at, kind, round);
            let share = (round as f64 + 0.5) / count as f64;
            if round % 4 == 0 {
                std::thread::sleep(whole.mul_f64(0.5 + 0.6 * share).min(Duration::from_secs(5)));
            } else if has_begun(at, &mut child) {
                let begun = Instant::now();
                if round % 32 == 1 {
                    child.wait().unwrap();
                    window = begun.elapsed();
                }
                while begun.elapsed() < window.mul_f64(share) {}
            }
            let _ = child.kill();
            killed += u64::from(child.wait().unwrap().code().is_none());
            within += cleaned(at);
            let after = std::fs::read(&path).unwrap();
            assert!(after == before || (kind.is_whole)(&after), "{}: round {round}", kind.file);
        }
        println!(
            "{}: {killed} of {count} killed before the end, {within} of them while the new file was written",
            kind.file
        );
        // What was left behind does not stop the next one.
        assert!(
            start(at, kind, 999_999).wait().unwrap().code().is_some_and(|code| code < 2),
            "{}",
            kind.file
        );
        assert!((kind.is_whole)(&std::fs::read(&path).unwrap()), "{}", kind.file);
    }
}

/// A disk that is full after any number of bytes: the old file stays, and the exit code says so. A limit on the size of files stands for the disk.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_the_old_file() {
    let folder = checked(30);
    let at = folder.path();
    for kind in &KINDS {
        start(at, kind, 999_999).wait().unwrap();
        let path = at.join(kind.file);
        let count = rounds(2);
        for round in 0..count {
            let before = std::fs::read(&path).unwrap();
            // In units of 1024 bytes; a limit of 0 leaves room for empty locks only.
            let blocks = before.len() as u64 * round / count / 1024;
            let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
            let command = impinge(kind.arguments);
            let output = std::process::Command::new("bash")
                .args(["-c", &limited])
                .arg(command.get_program())
                .args(kind.arguments)
                .env(date(round).0, date(round).1)
                .current_dir(at)
                .output()
                .unwrap();
            let side = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{} {blocks}: {side}", kind.file);
            assert!(side.contains("cannot write"), "{side}");
            assert_eq!(std::fs::read(&path).unwrap(), before, "{} {blocks}", kind.file);
        }
    }
    let odd = |name: &str| name.ends_with(".tmp") || name.ends_with(".lock");
    for entry in std::fs::read_dir(at).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!odd(&name), "{name} was left behind");
    }
}

/// What a writer says in a round, and the field in which it must be found.
fn command(round: u64, text: &str, id: &str) -> (Vec<String>, &'static str, String) {
    let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
    match round % 3 {
        0 => (words(&["status", "row.obj", id, "--assign", text]), "assignee", text.to_string()),
        1 => {
            let status = ["active", "reviewed", "approved"][round as usize / 3 % 3];
            let words = words(&["status", "row.obj", id, status, "--comment", text]);
            (words, "status", status.to_string())
        }
        _ => (words(&["status", "row.obj", id, "--comment", text]), "comment", text.to_string()),
    }
}

/// Two writers, each with its own findings, while a third checks the model again and again: what was acknowledged is there.
#[test]
fn two_writers_lose_no_acknowledged_write() {
    let folder = checked(30);
    let at = folder.path();
    let file = at.join("row.obj.impinge.json");
    let records = || -> Value { serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap() };
    let ids: Vec<String> = records()["findings"].as_object().unwrap().keys().cloned().collect();
    let count = rounds(20);
    let (mut lost, mut acknowledged) = (0, 0);
    let is_done = std::sync::atomic::AtomicBool::new(false);
    let checks = std::thread::scope(|scope| {
        let checker = scope.spawn(|| {
            let mut checks = 0;
            while !is_done.load(std::sync::atomic::Ordering::Relaxed) {
                let (code, text, side) = run(at, &["check", "row.obj", "-q", "--limit", "1"]);
                assert!(code < 2, "{text}{side}");
                checks += 1;
            }
            checks
        });
        let writer = |side: usize| {
            let ids = &ids;
            let records = &records;
            move || {
                let (mut lost, mut acknowledged) = (0u64, 0u64);
                for round in 0..count {
                    // Each has every other finding.
                    let id = &ids[(2 * round as usize + side) % (ids.len() / 2 * 2)];
                    let (words, field, expected) =
                        command(round, &format!("{side} wrote {round}"), id);
                    let words: Vec<&str> = words.iter().map(String::as_str).collect();
                    let (code, text, side) = run(at, &words);
                    assert_eq!(code, 0, "{text}{side}");
                    acknowledged += 1;
                    lost += u64::from(records()["findings"][id][field] != expected.as_str());
                }
                (lost, acknowledged)
            }
        };
        for handle in [scope.spawn(writer(0)), scope.spawn(writer(1))] {
            let (l, a) = handle.join().unwrap();
            (lost, acknowledged) = (lost + l, acknowledged + a);
        }
        is_done.store(true, std::sync::atomic::Ordering::Relaxed);
        checker.join().unwrap()
    });
    println!("{acknowledged} acknowledged writes beside {checks} checks, {lost} lost");
    assert_eq!(lost, 0);
    let left = std::fs::read_dir(at).unwrap().count();
    assert_eq!(left, 2, "neither locks nor temporary files stay");
}
