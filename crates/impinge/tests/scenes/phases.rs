//! The flow of a step is readable from the imports: a phase may know what comes before it, never what comes after.

use std::fs;
use std::path::Path;

/// The phases in their order. The scene comes first as the bodies that all of them know, and holds the step that calls them.
const PHASES: [&str; 5] = ["broad", "mid", "narrow", "contact", "response"];

/// All files of a folder of the library, with their text without comments.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            found.push((path.display().to_string(), code.collect::<Vec<_>>().join("\n")));
        }
    }
}

fn of_library(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder), &mut found);
    assert!(!found.is_empty(), "{folder}");
    found
}

#[test]
fn no_phase_knows_a_later_one() {
    for (place, phase) in PHASES.iter().enumerate() {
        for (file, code) in of_library(phase) {
            for later in &PHASES[place + 1..] {
                assert!(!code.contains(&format!("crate::{later}")), "{file} names {later}");
            }
        }
    }
}

#[test]
fn no_mesh_knows_a_scene() {
    for (file, code) in of_library("mesh") {
        for phase in PHASES.iter().chain(&["scene"]) {
            assert!(!code.contains(&format!("crate::{phase}")), "{file} names {phase}");
        }
    }
}

/// Meshes are built in one direction: settings and constructors call the steps, and the steps know neither.
#[test]
fn steps_of_building_do_not_know_who_calls_them() {
    let files = of_library("mesh");
    let (_, steps) = files.iter().find(|(file, _)| file.ends_with("builder.rs")).unwrap();
    for caller in ["super::build", "super::saved", "Hierarchy", "Preset"] {
        assert!(!steps.contains(caller), "builder.rs names {caller}");
    }
}
