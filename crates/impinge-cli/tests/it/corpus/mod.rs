//! A corpus of hostile files, each below a megabyte: every one is answered, within 10 seconds and 600 MB, or refused.
//!
//! A family is a shape of file that costs some reader or check more than its size explains, in several sizes. The test, which is run by name, takes some of each;
//! `IMPINGE_CORPUS=FOLDER` writes all files there, and `IMPINGE_ROUNDS=1000` runs all.

mod meshes;
mod scenes;

use crate::command::impinge;
use crate::folder::Folder;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// Names a file, and what is in it.
pub(super) type File = (String, Vec<u8>);

/// How many of the most expensive files are listed.
const SHOWN: usize = 12;
/// Files are no larger than this.
const LARGEST: usize = 1_000_000;

/// A number that looks random, from 0 to 1.
pub(super) fn noise(seed: usize) -> f64 {
    let mut z = (seed as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// The largest file of a family that is small enough, and some smaller ones.
pub(super) fn sizes(name: &str, extension: &str, make: impl Fn(usize) -> Vec<u8>) -> Vec<File> {
    // The size in bytes grows at least as the count does.
    let mut largest = 1;
    while largest < 1 << 20 && make(2 * largest).len() <= LARGEST {
        largest *= 2;
    }
    let mut step = largest / 2;
    while step > largest / 16 {
        if make(largest + step).len() <= LARGEST {
            largest += step;
        }
        step /= 2;
    }
    let mut counts = vec![1, 3, 40, largest / 50, largest / 5, largest];
    counts.sort_unstable();
    counts.dedup();
    counts
        .into_iter()
        .filter(|count| *count > 0)
        .map(|count| (format!("{name}_{count}.{extension}"), make(count)))
        .collect()
}

fn all() -> Vec<File> {
    let mut files = meshes::all();
    files.extend(scenes::all());
    files
}

/// What a command took.
struct Cost {
    seconds: f64,
    /// The most memory, in bytes, as far as a look every few milliseconds saw it; zero where the system does not tell.
    memory: u64,
}

/// The end of a command, and what it took.
fn watched(command: &mut Command) -> (Output, Cost) {
    let begin = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stderr.take().unwrap();
    let reader = thread::spawn(move || {
        let mut text = Vec::new();
        pipe.read_to_end(&mut text).map(|_| text)
    });
    let status = format!("/proc/{}/status", child.id());
    let mut memory = 0;
    let code = loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        memory = kilobytes.unwrap_or(0).max(memory);
        match child.try_wait().unwrap() {
            Some(code) => break code,
            None => thread::sleep(Duration::from_millis(3)),
        }
    };
    let cost = Cost { seconds: begin.elapsed().as_secs_f64(), memory: memory * 1024 };
    let stderr = reader.join().unwrap().unwrap();
    (Output { status: code, stdout: Vec::new(), stderr }, cost)
}

/// What the command says about a file: an exit code of its own, not one of a signal. What it took, and whether it was a limit that ended it.
fn answered(at: &Path, name: &str) -> Vec<(Cost, String)> {
    let limits = ["--time-limit", "9s", "--max-memory", "550MB"];
    let commands: &[&[&str]] = match name {
        _ if name.ends_with(".lines") => &[&["query", name]],
        _ if name.ends_with(".test") => {
            &[&["check", "row.obj", "--no-status", "-o", "r.json", "--test", name]]
        }
        _ if name.ends_with(".status") => &[
            &["check", "row.obj", "-o", "r.json", "--status-file", name],
            &["status", "row.obj", "--status-file", name],
        ],
        _ => &[&["check", name, "--no-status", "-o", "r.json"], &["inspect", name]],
    };
    let mut costs = Vec::new();
    for arguments in commands {
        let mut command = impinge(&[arguments, &limits[..]].concat());
        let (output, cost) = watched(command.current_dir(at));
        let side = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0..=2)), "{arguments:?}: {side}");
        assert!(!side.contains("panicked"), "{arguments:?}: {side}");
        let ended = if side.contains("limit was reached") { ", ended by a limit" } else { "" };
        costs.push((cost, format!("{} {name}{ended}", arguments[0])));
        let report = at.join("r.json");
        if let Ok(text) = fs::read(&report) {
            let parsed = serde_json::from_slice::<serde_json::Value>(&text);
            assert!(parsed.is_ok(), "{arguments:?}: the report is damaged");
            fs::remove_file(report).unwrap();
        } else if arguments[0] == "check" {
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: no report: {side}");
        }
    }
    costs
}

#[test]
#[ignore = "takes minutes: cargo test --release --package impinge-cli --test it corpus -- --ignored"]
fn hostile_files_are_answered_or_refused() {
    let files = all();
    assert!(files.len() >= 300, "{}", files.len());
    assert!(files.iter().all(|(_, bytes)| bytes.len() <= LARGEST + 1000));
    if let Ok(folder) = std::env::var("IMPINGE_CORPUS") {
        for (name, bytes) in &files {
            fs::write(Path::new(&folder).join(name), bytes).unwrap();
        }
        return;
    }
    let folder = Folder::new();
    folder.write_text("row.obj", &crate::folder::row(&[("a", 0.0), ("b", 0.9)]));
    let every = if std::env::var("IMPINGE_ROUNDS").is_ok() { 1 } else { 29 };
    let mut costs = Vec::new();
    for (name, bytes) in files.iter().step_by(every) {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        costs.extend(answered(folder.path(), name));
        fs::remove_file(path).unwrap();
    }
    let ended = costs.iter().filter(|(_, name)| name.ends_with("limit")).count();
    println!(
        "{} files, {} answers, {ended} ended by a limit",
        files.len().div_ceil(every),
        costs.len()
    );
    costs.sort_by(|(one, _), (two, _)| two.seconds.total_cmp(&one.seconds));
    for (cost, name) in costs.iter().take(SHOWN) {
        println!("{:6.2} s  {:4} MB  {name}", cost.seconds, cost.memory / 1_000_000);
    }
    costs.sort_by_key(|(cost, _)| std::cmp::Reverse(cost.memory));
    for (cost, name) in costs.iter().take(SHOWN) {
        println!("{:4} MB  {:6.2} s  {name}", cost.memory / 1_000_000, cost.seconds);
    }
    // What the limits promise, with room for a machine that does other things as well.
    assert!(costs.iter().all(|(cost, _)| cost.memory <= 600_000_000));
}
