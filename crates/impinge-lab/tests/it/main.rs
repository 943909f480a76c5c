//! The program `impinge-lab`: what it lists, writes, finds again, refuses and leaves behind.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod papers;

use impinge_io::{Encoding, MeshData};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program, not yet started.
fn lab(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_impinge-lab"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    lab(arguments).output().unwrap()
}

/// An empty folder for one test.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lab").join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// All that the documents' figures and claims ask for.
const NAMES: [&str; 21] = [
    "spm-efficiency",
    "spm-memory",
    "spm-culling",
    "spm-pairs",
    "spm-torus",
    "spm-plane",
    "spm-claims",
    "obb-overlap",
    "obb-fit",
    "close-proximity",
    "torus-trees",
    "rounded-spheres",
    "rounded-sweep",
    "sphere-trees",
    "swept-spheres",
    "builders",
    "descent",
    "refit-vs-rebuild",
    "sat-lite",
    "warm-start",
    "cost-model",
];

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs the quickest experiment into a folder, with more arguments.
fn quick(output: &Path, more: &[&str]) -> Output {
    let output = output.to_str().unwrap();
    let mut arguments = vec!["run", "torus-trees", "--quick", "--quiet", "--output", output];
    arguments.extend(more);
    run(&arguments)
}

#[test]
fn the_list_names_every_experiment_with_its_document() {
    let output = run(&["list"]);
    assert_eq!(output.status.code(), Some(0));
    let text = text(&output.stdout);
    let named: Vec<&str> =
        text.lines().step_by(2).filter_map(|line| line.split_whitespace().next()).collect();
    for name in NAMES {
        assert!(named.contains(&name), "{name} is not among {named:?}");
    }
    assert!(text.contains("Real-Time Rendering") && text.contains("figure 25.20"));
    let with_models = |name: &str| {
        let mut lines = text.lines().skip_while(|line| !line.starts_with(&format!("{name} ")));
        lines.nth(1).and_then(|line| line.split("; --models: ").nth(1))
    };
    assert_eq!(with_models("spm-pairs"), Some("measured instead of generated ones"));
    assert_eq!(with_models("builders"), Some("measured beside generated ones"));
    assert_eq!(with_models("growth"), Some("not used"));
}

#[test]
fn an_unknown_name_is_refused_with_the_cure() {
    let output = run(&["run", "torus-tree"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("\"torus-tree\"") && said.contains("impinge-lab list"), "{said}");
    assert_eq!(run(&["run"]).status.code(), Some(2), "a name is required");
    let both = run(&["run", "torus-trees", "--quick", "--full"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn a_run_writes_everything_is_found_again_and_can_be_repeated() {
    let folder = folder("a_run_writes_everything_is_found_again_and_can_be_repeated");
    let (first, records) = (folder.join("lab"), folder.join("records"));
    let output = quick(&first, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.starts_with("torus-trees (") && said.contains("\n  reproduced  "), "{said}");
    assert!(
        said.ends_with("\n2 claims: 1 reproduced, 1 partly, 0 differs, 0 not tried\n"),
        "{said}"
    );
    let read = |name: &str| std::fs::read_to_string(first.join(name)).unwrap();
    assert!(read("torus-trees-levels.csv").starts_with("torus,tree,level,boxes,"));
    assert!(read("torus-trees-claims.csv").lines().count() > 2);
    for picture in ["torus-trees-levels.svg", "torus-trees-boxes.svg"] {
        assert!(read(picture).starts_with("<svg"), "{picture}");
    }
    assert!(read("torus-trees.md").contains("![boxes](torus-trees-boxes.svg)"));
    assert!(read("torus-trees.html").contains("seed 1"));
    let again = quick(&first, &[]);
    assert_eq!(again.status.code(), Some(0));
    assert!(text(&again.stdout).starts_with("torus-trees: reused from "));
    // Other settings are another run, and so is one that is asked for.
    assert!(text(&quick(&first, &["--seed", "2"]).stdout).starts_with("torus-trees ("));
    assert!(text(&quick(&first, &["--seed", "2", "--again"]).stdout).starts_with("torus-trees ("));
    // What is done is measured again for a record, once.
    let kept = ["--seed", "2", "--record", records.to_str().unwrap()];
    assert!(text(&quick(&first, &kept).stdout).starts_with("torus-trees ("));
    assert!(text(&quick(&first, &kept).stdout).starts_with("torus-trees: reused from"));
    let machine = std::fs::read_dir(&records).unwrap().next().unwrap().unwrap().path();
    let runs = std::fs::read_to_string(machine.join("runs.csv")).unwrap();
    assert_eq!(runs.lines().count(), 2, "{runs}");
    assert!(runs.contains("\ntorus-trees,20") && runs.contains("quick, seed 2"), "{runs}");
    let table = std::fs::read_to_string(machine.join("torus-trees-levels.csv")).unwrap();
    assert_eq!(table, read("torus-trees-levels.csv"), "counts are the same for every seed here");
}

#[test]
fn several_runs_become_a_page_and_a_verdict_that_flips_is_an_error() {
    let folder = folder("several_runs_become_a_page_and_a_verdict_that_flips_is_an_error");
    let (output, page) = (folder.join("lab"), folder.join("page.md"));
    let arguments = [
        ["stability", "torus-trees", "--quick", "--quiet", "--runs", "2", "--output"].as_slice(),
        &[output.to_str().unwrap(), "--page", page.to_str().unwrap()],
    ]
    .concat();
    let done = run(&arguments);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let said = text(&done.stdout);
    assert!(said.ends_with("2 verdicts, the same in all 2 runs\n"), "{said}");
    let written = std::fs::read_to_string(&page).unwrap();
    assert!(written.contains("2 of 2 verdicts are the same in all runs"), "{written}");
    assert!(written.contains("| `torus-trees` | 0 | none | none | none |"), "{written}");
    // One run is made to say something else; what is done is not run again.
    let claims = output.join("run-2").join("torus-trees-claims.csv");
    let changed = std::fs::read_to_string(&claims).unwrap().replace(",partly,", ",differs,");
    std::fs::write(&claims, changed).unwrap();
    let flipped = run(&arguments);
    assert_eq!(flipped.status.code(), Some(2));
    let said = text(&flipped.stderr);
    assert!(said.contains("1 of 2 verdicts differ between runs: torus-trees"), "{said}");
    assert!(std::fs::read_to_string(&page).unwrap().contains("**1 × partly**, **1 × differs**"));
}

#[test]
fn folders_without_models_are_refused_by_name() {
    let folder = folder("folders_without_models_are_refused_by_name");
    let empty = folder.join("none");
    std::fs::create_dir(&empty).unwrap();
    let output = folder.join("lab");
    let ask = |models: &Path| {
        let (models, output) = (models.to_str().unwrap(), output.to_str().unwrap());
        run(&["run", "sat-lite", "--quick", "--models", models, "--output", output])
    };
    let refused = ask(&empty);
    assert_eq!(refused.status.code(), Some(2));
    let said = text(&refused.stderr);
    assert!(said.contains("none: there is no mesh of at most"), "{said}");
    let missing = ask(&folder.join("missing"));
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("missing"), "{}", text(&missing.stderr));
    assert!(!output.join("sat-lite.html").exists(), "nothing is half done");
}

#[test]
fn what_fails_does_not_keep_others_from_running() {
    let folder = folder("what_fails_does_not_keep_others_from_running");
    let (empty, output) = (folder.join("none"), folder.join("lab"));
    std::fs::create_dir(&empty).unwrap();
    let done = run(&[
        ["run", "sat-lite", "spm-memory", "torus-trees", "--quick"].as_slice(),
        &["--models", empty.to_str().unwrap(), "--output", output.to_str().unwrap()],
    ]
    .concat());
    assert_eq!(done.status.code(), Some(2));
    let said = text(&done.stderr);
    assert!(said.contains("2 experiments failed:\n  sat-lite: "), "{said}");
    assert!(said.contains("\n  spm-memory: "), "{said}");
    assert!(output.join("torus-trees.html").exists(), "{said}");
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_had_enough_is_no_failure() {
    let folder = folder("a_reader_that_has_had_enough_is_no_failure");
    let mut child = lab(&["run", "torus-trees", "--quick", "--quiet"])
        .args(["--output", folder.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

#[test]
fn models_of_the_user_are_measured() {
    let folder = folder("models_of_the_user_are_measured");
    let models = folder.join("models");
    std::fs::create_dir(&models).unwrap();
    let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.25]];
    let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let wedge = MeshData::new(corners, faces);
    impinge_io::write_as(models.join("wedge.stl"), &wedge, Encoding::StlBinary).unwrap();
    let output = folder.join("lab");
    let (models, path) = (models.to_str().unwrap(), output.to_str().unwrap());
    let arguments = ["run", "descent", "--quick", "--models", models, "--output", path, "--quiet"];
    let done = run(&arguments);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let table = std::fs::read_to_string(output.join("descent-policies.csv")).unwrap();
    assert!(table.contains("wedge / wedge"), "{table}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_what_is_done_and_goes_on_from_there() {
    let folder = folder("an_interrupted_run_keeps_what_is_done_and_goes_on_from_there");
    let path = folder.join("lab");
    let mut child = lab(&["run", "torus-trees", "cost-model", "--quick", "--quiet"])
        .args(["--output", path.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(first.starts_with("torus-trees ("), "{first}");
    let number = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &number]).status().unwrap();
    assert!(sent.success());
    lines.for_each(drop);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = text(&output.stderr);
    assert!(said.contains("interrupted in cost-model: 1 of 2 are done and kept in"), "{said}");
    assert!(path.join("torus-trees.html").exists() && !path.join("cost-model.html").exists());
    let on = quick(&path, &[]);
    assert!(text(&on.stdout).starts_with("torus-trees: reused from"));
}
