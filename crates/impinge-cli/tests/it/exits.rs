//! Exit codes that cannot lie: standard output and standard error closed, full and slow, for every command.

use crate::command::impinge;
use crate::folder::{Folder, row, run};
use std::fs::OpenOptions;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Where a stream goes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum To {
    Reader,
    /// Somebody who reads a byte now and then.
    Slow,
    /// A pipe whose reader has gone.
    Closed,
    /// A device without room.
    Full,
}

/// The commands, with the exit code when all is well and when what they print cannot be delivered.
const COMMANDS: &[(&[&str], i32, i32)] = &[
    (&["check", "row.obj", "--no-status"], 1, 1),
    (&["check", "row.obj", "--no-status", "--format", "json"], 1, 1),
    (&["check", "row.obj", "--no-status", "--format", "csv"], 1, 1),
    (&["check", "row.obj", "--no-status", "--format", "html"], 1, 1),
    (&["check", "row.obj", "--no-status", "--fail-on", "none"], 0, 2),
    (&["check", "row.obj", "--no-status", "--time-limit", "0.01ms"], 2, 2),
    (&["check", "apart.obj", "--no-status"], 0, 2),
    (&["check", "missing.obj"], 2, 2),
    (&["check", "row.obj", "--no-such-flag"], 2, 2),
    (&["demo", "--quiet", "--verdicts-only"], 1, 1),
    (&["status", "row.obj"], 0, 2),
    (&["status", "row.obj", "--all", "reviewed"], 0, 2),
    (&["status", "merge", "row.obj", "other.json"], 0, 2),
    (&["status", "import", "row.bcfzip", "row.obj"], 0, 2),
    (&["distance", "row.obj", "apart.obj"], 0, 2),
    (&["inspect", "row.obj", "--parts"], 0, 2),
    (&["query", "lines.json"], 0, 2),
    (&["completions", "bash"], 0, 2),
    (&["--help"], 0, 2),
    (&["check", "--help"], 0, 2),
    (&["--version"], 0, 2),
];

fn folder() -> Folder {
    let folder = Folder::new();
    let at = folder.path();
    folder.write_text("row.obj", &row(&[("a", 0.0), ("b", 0.9)]));
    folder.write_text("apart.obj", &row(&[("a", 10.0), ("b", 12.0)]));
    let line = r#"{"id": 1, "ask": "verdict", "a": {"sphere": {"radius": 1}}, "b": {"sphere": {"radius": 1}}}"#;
    folder.write_text("lines.json", &format!("{line}\n").repeat(2000));
    assert_eq!(run(at, &["check", "row.obj", "-q", "-o", "row.bcfzip", "--no-pictures"]).0, 1);
    std::fs::copy(at.join("row.obj.impinge.json"), at.join("other.json")).unwrap();
    folder
}

/// A stream to give to a child, and whatever must be kept until it has ended.
fn stream(to: To) -> Stdio {
    match to {
        To::Reader | To::Slow => Stdio::piped(),
        To::Closed => {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            writer.into()
        }
        To::Full => OpenOptions::new().write(true).open("/dev/full").unwrap().into(),
    }
}

fn drain(mut pipe: impl Read, to: To) -> Vec<u8> {
    let mut all = Vec::new();
    let mut buffer = vec![0; if to == To::Slow { 2048 } else { 1 << 16 }];
    loop {
        match pipe.read(&mut buffer).unwrap() {
            0 => return all,
            count => all.extend_from_slice(&buffer[..count]),
        }
        if to == To::Slow {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// The exit code, and what came out.
fn end(mut command: Command, output: To, side: To) -> (i32, Vec<u8>) {
    let mut child = command.stdout(stream(output)).stderr(stream(side)).spawn().unwrap();
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let side = err.map(|pipe| std::thread::spawn(move || drain(pipe, side)));
    let text = out.map_or_else(Vec::new, |pipe| drain(pipe, output));
    if let Some(side) = side {
        side.join().unwrap();
    }
    (child.wait().unwrap().code().unwrap_or(-1), text)
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_not_delivered_is_no_success() {
    let folder = folder();
    for &(arguments, well, undelivered) in COMMANDS {
        // The demonstration takes longer than all the others.
        let sides = if arguments[0] == "demo" { 1 } else { 4 };
        for side in [To::Full, To::Slow, To::Closed, To::Reader].into_iter().take(sides) {
            let mut whole = Vec::new();
            for output in [To::Reader, To::Slow, To::Closed, To::Full] {
                let mut command = impinge(arguments);
                command.current_dir(folder.path());
                let (code, text) = end(command, output, side);
                // What goes to standard error only is delivered without standard output.
                let says_nothing = well == 2 && arguments[0] != "query";
                let expected = match output {
                    To::Reader | To::Slow => well,
                    _ if says_nothing => 2,
                    To::Closed => undelivered,
                    // The device says what is wrong, and that is told.
                    To::Full => 2,
                };
                assert_eq!(code, expected, "{arguments:?}, output {output:?}, side {side:?}");
                match output {
                    To::Reader => whole = text,
                    // An import changes what the next one finds.
                    To::Slow if arguments[0] != "status" => {
                        assert_eq!(text.len(), whole.len(), "{arguments:?}");
                    }
                    _ => {}
                }
            }
        }
    }
}

/// A report in a file is whole whatever becomes of the terminal, and so is the page of the demonstration.
#[test]
#[cfg(target_os = "linux")]
fn files_are_written_whatever_happens_to_the_terminal() {
    let folder = folder();
    for (output, side) in [(To::Closed, To::Closed), (To::Full, To::Full), (To::Closed, To::Full)] {
        for (arguments, file, expected) in [
            (&["check", "row.obj", "-o", "report.json"][..], "report.json", 1),
            (
                &["demo", "--page", "page.html", "--verdicts-only"],
                "page.html",
                if output == To::Full { 2 } else { 1 },
            ),
        ] {
            let path = folder.path().join(file);
            let _ = std::fs::remove_file(&path);
            let mut command = impinge(arguments);
            command.current_dir(folder.path());
            assert_eq!(end(command, output, side).0, expected, "{arguments:?} {output:?}");
            assert!(std::fs::metadata(&path).unwrap().len() > 1000, "{arguments:?}");
        }
    }
}

/// `impinge … | head -c 1`: the reader goes after the first byte.
#[test]
fn a_reader_that_has_enough_is_no_all_clear() {
    let folder = Folder::new();
    let names: Vec<String> = (0..400).map(|k| format!("part {k}")).collect();
    let places: Vec<(&str, f64)> =
        names.iter().enumerate().map(|(k, name)| (name.as_str(), 0.9 * k as f64)).collect();
    folder.write_text("row.obj", &row(&places));
    for (more, expected) in [("any", 1), ("none", 2)] {
        let mut command =
            impinge(&["check", "row.obj", "--no-status", "--format", "json", "--fail-on", more]);
        let mut child = command
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut first = [0];
        let mut pipe = child.stdout.take().unwrap();
        pipe.read_exact(&mut first).unwrap();
        drop(pipe);
        assert_eq!(child.wait().unwrap().code(), Some(expected), "{more}");
    }
}
